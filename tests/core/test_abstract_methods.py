"""A method that a subclass must override raises NotImplementedError."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import minigrad

ROOT = Path(minigrad.__file__).parent

LEFT = """
arrays.storages Storage._like
autograd.function Function.jvp
autograd.function Function.vmap
core.function Function.backward
core.function Function.forward
core.function Function.setup_context
core.modes Mode.switch
core.node Node.backward
core.saved SavingNode._names_of_saved
core.saved TensorGroup.packed
distributions.constraints Constraint.check
distributions.distribution Distribution.cdf
distributions.distribution Distribution.entropy
distributions.distribution Distribution.enumerate_support
distributions.distribution Distribution.icdf
distributions.distribution Distribution.log_prob
distributions.distribution Distribution.mean
distributions.distribution Distribution.mode
distributions.distribution Distribution.rsample
distributions.distribution Distribution.variance
distributions.transforms Transform._call
distributions.transforms Transform._inverse
distributions.transforms Transform.log_abs_det_jacobian
distributions.transforms Transform.sign
nn.layers Affine.shape_of_weight
nn.lazy LazyModuleMixin.initialize_parameters
nn.module Module.forward
nn.utils.prune BasePruningMethod.compute_mask
nn.utils.prune Structured.keeps
nn.utils.prune Unstructured.score
ops.public.overriding TorchFunctionMode.__torch_function__
optim.lr_scheduler LRScheduler._factor
optim.optimizer Optimizer.update
utils.data.dataset Dataset.__getitem__
utils.data.sampler Sampler.__iter__
utils.selective Selecting.result
"""


def declared() -> Iterator[str]:
    """The methods that do nothing but raise NotImplementedError."""
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for part in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for each in part.body if isinstance(part, ast.ClassDef) else ():
                if isinstance(each, ast.FunctionDef):
                    *said, last = each.body
                    text = ast.unparse(last)
                    raises = text.startswith("raise NotImplementedError") and "ctx." not in text
                    if raises and all(isinstance(one, ast.Expr) for one in said):
                        assert isinstance(part, ast.ClassDef)
                        yield f"{module} {part.name}.{each.name}"


def test_all_of_them_are_listed() -> None:
    assert sorted({*declared()}) == LEFT.strip().splitlines()


@pytest.mark.parametrize("line", LEFT.strip().splitlines())
def test_abstract_method_raises(line: str) -> None:
    module, owner, name = line.replace(" ", ".").rsplit(".", 2)
    found: Any = vars(getattr(importlib.import_module(f"minigrad.{module}"), owner))[name]
    if isinstance(found, property):
        found = found.fget
    found = getattr(found, "__func__", found)
    needed = [
        parameter
        for parameter in inspect.signature(found).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    with pytest.raises(NotImplementedError):
        found(*[None] * len(needed))
