"""The public names of PyTorch, place by place, as minigrad keeps them in `pytorch_names.txt`.

`python -m tests.arrays.pytorch_names` writes that file anew; it needs PyTorch.
"""

from __future__ import annotations

import importlib
import pkgutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad

TABLE = Path(minigrad.__file__).parent / "arrays" / "pytorch_names.txt"
PLACES = (
    "torch", "torch.Tensor", "torch.accelerator", "torch.autograd", "torch.autograd.forward_ad",
    "torch.autograd.functional", "torch.autograd.graph", "torch.backends", "torch.cuda",
    "torch.distributions", "torch.func",
    "torch.linalg", "torch.mps", "torch.nn", "torch.nn.Module", "torch.nn.functional",
    "torch.nn.init", "torch.nn.utils", "torch.nn.utils.parametrize", "torch.nn.utils.prune",
    "torch.nn.utils.rnn", "torch.nn.utils.stateless",
    "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.random",
    "torch.special", "torch.utils", "torch.utils.checkpoint", "torch.utils.data",
)  # fmt: skip


def at(place: str, package: str = "torch") -> Any:
    """The module or class at `place`, in PyTorch or in the package that plays it."""
    outer, _, last = place.rpartition(".")
    if last[0].isupper():
        return getattr(at(outer, package), last)
    return importlib.import_module(place.replace("torch", package, 1))


def is_theirs(value: Any) -> bool:
    """Whether PyTorch made it; what it imports from elsewhere is no name of its own."""
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch.")
    home = getattr(value, "__module__", None) or type(value).__module__
    return home.startswith("torch") or (home == "builtins" and not isinstance(value, type))


def public(place: str) -> list[str]:
    """The names without an underscore in front, in order: a class's with those it inherits, a
    package's with the modules in it, imported or not."""
    where = at(place)
    names = dir(where)
    if isinstance(where, ModuleType):
        names = [name for name in names if is_theirs(getattr(where, name))]
    inside = [module.name for module in pkgutil.iter_modules(getattr(where, "__path__", ()))]
    return sorted(name for name in {*names, *inside} if not name.startswith("_"))


def lines(torch: Any) -> Iterator[str]:
    """A line that names the place and ends with a colon, then its names, indented."""
    yield f"# PyTorch {torch.__version__.partition('+')[0]}: python -m tests.arrays.pytorch_names"
    for place in PLACES:
        yield f"{place}:"
        yield from textwrap.wrap(
            " ".join(public(place)), 100, initial_indent="  ", subsequent_indent="  ",
            break_on_hyphens=False,
        )  # fmt: skip


if __name__ == "__main__":
    import torch

    TABLE.write_text("".join(f"{line}\n" for line in lines(torch)))
