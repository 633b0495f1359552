"""Each public function takes its arguments as PyTorch's does.

Of the names that both have are compared: which may be given by place, in which order, and what
stands for them when they are left out. Functions that PyTorch writes in C have no signature there;
what they do without an argument is tested in tests/ops/test_default_arguments.py.
"""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import minigrad
from tests.arrays.pytorch_names import PLACES, at
from tests.record import answer

MORE = """
autograd.anomaly_mode autograd.function autograd.grad_mode autograd.gradcheck autograd.variable
backends.cuda backends.cudnn backends.mps
distributions.bernoulli distributions.beta distributions.categorical distributions.cauchy
distributions.chi2 distributions.constraint_registry distributions.constraints
distributions.dirichlet distributions.gamma distributions.geometric distributions.gumbel
distributions.multinomial distributions.studentT distributions.weibull
distributions.distribution distributions.exponential distributions.half_normal
distributions.independent distributions.kl distributions.laplace distributions.log_normal
distributions.mixture_same_family distributions.multivariate_normal distributions.normal
distributions.one_hot_categorical distributions.poisson distributions.transformed_distribution
distributions.transforms distributions.uniform
nn.parameter nn.utils.clip_grad nn.utils.convert_parameters optim.optimizer profiler
utils.data.dataloader utils.data.dataset utils.data.sampler
""".split()
"""Modules in which some of the functions are."""

EVERYWHERE = (*PLACES, *(f"torch.{name}" for name in MORE))

BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

Taken = dict[str, tuple[bool, str]]
"""By the name of a parameter, whether it may be given by place, and its default."""

DIFFERENT = {
    ("Embedding", "_weight"),  # private, and behind what is left out
    ("Embedding", "_freeze"),
    ("RNNBase", "input"),  # takes whatever there is: it only refuses
    ("RNNCellBase", "bias"),
    ("Recomputation", "args"),  # a class of our own
    ("random_split", "generator"),  # None stands for the default one, which is the default there
}


def taken(function: Any) -> Taken | None:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return {p.name: (p.kind in BY_PLACE, default(p.default)) for p in parameters}


def default(value: Any) -> str:
    """Return the default of a parameter, in words that both libraries share."""
    if value is inspect.Parameter.empty:
        return "must be given"
    if callable(value):
        return str(value.__name__)
    if isinstance(value, tuple):
        return repr(tuple(value))  # a Size is one
    if isinstance(value, (bool, int, float, str, list)) or value is None:
        return repr(value)
    return type(value).__name__  # without its address


def members(place: str, name: str) -> list[str]:
    """A public name, and if it is a class those methods that it does not inherit."""
    mine = getattr(at(place, "minigrad"), name)
    if not inspect.isclass(mine):
        return [name]
    parts = [mine, *(base for base in mine.__bases__ if base.__name__ == "Stateful")]
    own = [n for part in parts for n, value in vars(part).items() if callable(value)]
    return [name, *(f"{name}.{n}" for n in own if n == "__init__" or not n.startswith("_"))]


def all_names(place: str) -> list[str]:
    ours = at(place, "minigrad")
    public = sorted(getattr(ours, "__all__", None) or dir(ours))
    return [member for name in public if name[0] != "_" for member in members(place, name)]


def signatures(T: Any, place: str) -> dict[str, Taken | None]:
    """Return the parameters of each function; None where the library does not tell."""
    found = {}
    for path in all_names(place):
        value = at(place, T.__name__)
        for part in path.split("."):
            value = getattr(value, part, None)
        found[path] = taken(value) if callable(value) else None
    return found


@pytest.mark.parametrize("place", EVERYWHERE)
def test_signature_equals_pytorch(torch: Any, place: str) -> None:
    theirs = answer(torch, signatures, place)
    wrong = []
    for path, mine in signatures(minigrad, place).items():
        other = theirs[path]
        if mine is None or other is None:
            continue
        shared = [n for n in mine if n in other and (path.partition(".")[0], n) not in DIFFERENT]
        for name in shared:
            if mine[name] != other[name]:
                wrong.append(f"{path}: {name} is {mine[name]}, not {other[name]}")
        order = [name for name in shared if mine[name][0]]
        if order != [name for name in other if name in order]:
            wrong.append(f"{path}: {order} are in another order")
    assert not wrong, "\n".join(wrong)


def known(T: Any) -> int:
    """Of how many the library says what they take."""
    return sum(each is not None for place in EVERYWHERE for each in signatures(T, place).values())


def test_many_signatures_are_compared(torch: Any) -> None:
    assert answer(torch, known) > 700
