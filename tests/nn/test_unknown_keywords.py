"""Classes of modules, optimizers and distributions refuse an unknown keyword, as PyTorch's do."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import minigrad
from tests.record import answer

LEFT_OUT = {"RNNBase", "RNNCellBase", "Tensor"}
"""Abstract classes, and one that the places only import."""

PLACES = ("nn", "optim", "optim.lr_scheduler", "distributions", "utils.data")


def classes(T: Any) -> Iterator[tuple[str, Any]]:
    for place in PLACES:
        ours = minigrad
        theirs = T
        for part in place.split("."):
            ours, theirs = getattr(ours, part), getattr(theirs, part)
        for name in sorted({*vars(ours)} & {*vars(theirs)}):
            made = getattr(theirs, name)
            if inspect.isclass(made) and name not in LEFT_OUT and not name.startswith("_"):
                yield f"{place}.{name}", made


def refusals(T: Any) -> dict[str, str]:
    """Return the errors of classes that refuse the keyword, given numbers for other arguments."""
    found = {}
    for name, made in classes(T):
        needed = [
            each
            for each in inspect.signature(made).parameters.values()
            if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD
        ]
        try:
            made(*[1] * len(needed), nosuch=1)
        except TypeError as error:
            # The class may be a base, which has another name here.
            found[name] = str(error).partition(".")[2] if "nosuch" in str(error) else ""
        except Exception:
            found[name] = ""
        else:
            found[name] = ""
    return found


def test_classes_refuse_unknown_keywords(torch: Any) -> None:
    mine, theirs = refusals(minigrad), answer(torch, refusals)
    assert len(theirs) > 100
    assert {name: mine[name] for name, said in theirs.items() if said and mine[name] != said} == {}
