"""Observers change no result: over all operations, to the last bit.

An operation may have a faster path, an engine a shorter turn, and a single element may be kept as
NumPy's scalar or as an array. So each operation runs plainly and as a recorder, anomaly mode and a
reader of its saved tensors see it; in each operation's way are leaves, and results of others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

import minigrad as mg
from minigrad.autograd import detect_anomaly, record
from tests.ops.tables.families import TABLES
from tests.parity import Case, differentiable, make_inputs, variants, weights_like
from tests.sampling import drawn

CASES = [
    pytest.param(case, id=f"{family}: {case}")
    for family, cases in TABLES.items()
    for case in cases
    if not case.forward_only
]


def nodes_behind(outputs: list[Any]) -> Iterator[Any]:
    found, to_visit = set(), [out.grad_fn for out in outputs]
    while to_visit:
        node = to_visit.pop()
        if node is not None and node not in found:
            found.add(node)
            yield node
            to_visit += [following for following, _ in node.next_functions]


def read_everything(tensors: list[Any], outputs: list[Any]) -> None:
    """Read what a picture reads: the values of tensors and of saved tensors."""
    for tensor in (*tensors, *outputs):
        tensor.detach().numpy().sum()
    for node in nodes_behind(outputs):
        for name in dir(node):
            if name.startswith("_saved_"):
                value = getattr(node, name)
                for each in value if isinstance(value, tuple) else (value,):
                    if isinstance(each, mg.Tensor):
                        each.detach().numpy().sum()


def not_read(tensors: list[Any], outputs: list[Any]) -> None:
    """Read nothing."""


Bits = list[tuple[str, tuple[int, ...], bytes] | None]


def computed(
    case: Case,
    inputs: Any,
    dtype: str,
    strided: bool,
    around: Callable[[], AbstractContextManager[Any]],
    around_backward: Callable[[], AbstractContextManager[Any]],
    read: Callable[[list[Any], list[Any]], None],
) -> Bits:
    """The results of a case and all gradients, those of the second pass over the graph included."""
    mg.manual_seed(0)
    made = make_inputs(mg, case, inputs, dtype, strided)
    tensors = [t for t in made if isinstance(t, mg.Tensor)]
    leaves = [t.requires_grad_() for t in tensors if t.is_floating_point()]
    with around():
        # The result of an operation may be stored in another way than a leaf.
        operands = [t * 1 if isinstance(t, mg.Tensor) and t.requires_grad else t for t in made]
        read([t for t in operands if isinstance(t, mg.Tensor)], [])
        outputs = differentiable(mg, case.function(mg, *operands))
        read([], outputs)
        seeds = [weights_like(mg, out, salt, strided) for salt, out in enumerate(outputs)]
        for keep in (True, False):
            with around_backward():
                mg.autograd.backward(outputs, seeds, keep)
    return [bits(t) for t in (*outputs, *(leaf.grad for leaf in leaves))]


def bits(tensor: Any) -> tuple[str, tuple[int, ...], bytes] | None:
    if tensor is None:
        return None
    array = tensor.detach().numpy()
    return str(array.dtype), array.shape, array.tobytes()


def anomalies() -> AbstractContextManager[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return detect_anomaly(check_nan=False)


WATCHED: dict[str, tuple[Any, Any, Any]] = {
    "recorded": (nullcontext, record, not_read),
    "recorded from the start": (lambda: record(forward=True), nullcontext, not_read),
    "looked for anomalies": (anomalies, anomalies, not_read),
    "read": (nullcontext, nullcontext, read_everything),
    "read and recorded": (nullcontext, record, read_everything),
}


@pytest.mark.sampled("PROOFS", 100)
@pytest.mark.parametrize("case", drawn("PROOFS", "watched", CASES))
def test_observers_change_no_bit(case: Case) -> None:
    for variant in variants(case):
        plain = computed(case, *variant, nullcontext, nullcontext, not_read)
        for who, watching in WATCHED.items():
            assert computed(case, *variant, *watching) == plain, (who, variant)
