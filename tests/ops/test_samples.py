"""Every sample of PyTorch's own table of operations: value, first and second gradient.

`op_db` (op_db.py) knows for each operation inputs of many shapes and settings, and PyTorch's own
tests run over them. Each is run here by name on both libraries, from the same state of the random
generators; MINIGRAD_SAMPLES=all runs every one, otherwise a part that is chosen by chance, always
the same. What is left out has a reason, by rule (`why_not`) or in a list below.

`python -m tests.ops.test_samples [name ...]` prints what differs and what was left out, of all
operations or of those named.
"""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.ops.op_db import Sample, known_operations, on_a_short_stack, why_not

ALL = os.environ.get("MINIGRAD_SAMPLES", "") == "all"
SHARE = 0.12  # of the operations, and of the samples of each
TYPES = ("float64", "float32")
NOISE = {
    "cdist": "it subtracts what is nearly equal",
    "linalg.eigh": "it divides by what nearly equal eigenvalues differ by",
    "linalg.svd": "it divides by what nearly equal singular values differ by",
    "nn.functional.normalize": "with p=0.5 it adds up what nearly cancels",
    "nn.functional.layer_norm": "of one element the gradient is zero, and PyTorch's is rounding",
}
"""Left out in float32, where neither library has the answer."""

DEFAULTS = [("return_indices", False)]
"""Arguments that minigrad does not have, with their defaults."""

TOLERANCES = {"float64": (1e-7, 1e-9), "float32": (2e-4, 2e-5), "float16": (5e-3, 5e-3)}


def samples(*names: str) -> Iterator[tuple[str, Sample]]:
    """The calls, each with its element type."""
    import torch

    chance = random.Random(0)
    for op in known_operations():
        if names and op.name not in names:
            continue
        for name in TYPES:
            kind = getattr(torch, name)
            if not (ALL or names) and chance.random() > SHARE:
                continue
            if not op.supports_dtype(kind, "cpu"):
                continue
            wanted = op.supports_autograd and kind in op.supported_backward_dtypes("cpu")
            for given in op.sample_inputs("cpu", kind, requires_grad=wanted):
                if ALL or names or chance.random() < SHARE:
                    asked = {k: v for k, v in given.kwargs.items() if (k, v) not in DEFAULTS}
                    yield (
                        name,
                        Sample(
                            op.name, (given.input, *given.args), asked, given.output_process_fn_grad
                        ),
                    )


def flat(T: Any, value: Any) -> list[Any]:
    """The tensors in what an operation returned or was given."""
    if isinstance(value, T.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in flat(T, item)]
    return []


def described(tensors: Any) -> list[Any]:
    """Values, shapes and types."""
    return [
        None
        if t is None
        else (str(t.dtype).rpartition(".")[2], np.array(t.detach().tolist()), tuple(t.shape))
        for t in tensors
    ]


def answers(T: Any, sample: Sample) -> dict[str, Any]:
    """Return the values of a call, and its first and second gradients."""
    T.manual_seed(0)
    call, args, named = sample.prepared(T)
    result = sample.seen(call(*args, **named))
    outputs = flat(T, result)
    if sample.name.startswith(("empty", "new_empty")):  # whatever was in the memory
        outputs = [T.zeros_like(out) for out in outputs]
    found = {"value": described(outputs) if outputs else result}
    live = [out for out in outputs if out.requires_grad and out.is_floating_point()]
    inputs = [t for t in flat(T, (args, named)) if t.requires_grad]
    if not (live and inputs):
        return found
    seeds = [weights(T, out, n).requires_grad_() for n, out in enumerate(live)]
    first = T.autograd.grad(live, inputs, seeds, create_graph=True, allow_unused=True)
    found["first gradient"] = described(first)
    again = [g for g in first if g is not None and g.requires_grad]
    if again:
        more = [weights(T, g, n + 5) for n, g in enumerate(again)]
        second = T.autograd.grad(again, [*inputs, *seeds], more, allow_unused=True)
        found["second gradient"] = described(
            T.zeros_like(t) if g is None else g
            for g, t in zip(second, [*inputs, *seeds], strict=True)
        )
    return found


def weights(T: Any, tensor: Any, salt: int) -> Any:
    """Numbers to begin a pass with, no two alike."""
    count = tensor.numel()
    values = np.cos(np.arange(count) * 0.7 + salt) + 1.5
    return T.tensor(values.reshape(tuple(tensor.shape)).tolist(), dtype=tensor.dtype).reshape(
        tuple(tensor.shape)
    )


def differs(mine: Any, theirs: Any, tolerance: tuple[float, float]) -> str:
    """Where two results differ; "" if they do not."""
    if isinstance(theirs, dict):
        for key in theirs:
            if key not in mine:
                zero = all(not np.any(t[1]) for t in theirs[key] if t is not None)
                if key == "second gradient" and zero:
                    continue
                return f"{key} is missing"
            if said := differs(mine[key], theirs[key], tolerance):
                return f"{key}: {said}"
        return ""
    if not isinstance(theirs, list):
        return "" if mine == theirs else f"{mine} and not {theirs}"
    if len(mine) != len(theirs):
        return f"{len(mine)} and not {len(theirs)}"
    for a, b in zip(mine, theirs, strict=True):
        if a is None or b is None:
            if not (a is b or not np.any((a or b)[1])):  # a gradient of zero may be None
                return f"{a} and not {b}"
        elif a[0] != b[0] or a[2] != b[2]:
            return f"{a[0]}{list(a[2])} and not {b[0]}{list(b[2])}"
        elif not close(a[1], b[1], tolerance):
            return f"{a[1].tolist()} and not {b[1].tolist()}"[:300]
    return ""


def close(a: Any, b: Any, tolerance: tuple[float, float]) -> bool:
    relative, absolute = tolerance
    if a.dtype.kind == "f" and b.size:
        finite = b[np.isfinite(b)]
        absolute *= max(1.0, float(np.abs(finite).max())) if finite.size else 1.0
    return bool(np.allclose(a, b, rtol=relative, atol=absolute, equal_nan=True))


def verdict(torch: Any, kind: str, sample: Sample) -> tuple[str, str]:
    """Return the differences, and the reason to leave a sample out; one of them is empty."""
    if reason := why_not(sample) or (NOISE.get(sample.name, "") if kind == "float32" else ""):
        return "", reason
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            theirs = answers(torch, sample)
        except Exception:
            return "", "PyTorch refuses it, called by name"
        try:
            mine = answers(minigrad, sample)
        except NotImplementedError as error:
            return "", f"minigrad says that it has not: {error}"
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0]}", ""
    return differs(mine, theirs, TOLERANCES[kind]), ""


def verdicts(torch: Any, *names: str) -> tuple[list[str], Counter[str], int]:
    """All that differs, what was left out, and how many samples agree."""
    wrong, left_out, right = [], Counter[str](), 0
    for kind, sample in samples(*names):
        said, reason = verdict(torch, kind, sample)
        if reason:
            left_out[f"{sample.name}: {reason}"] += 1
        elif said:
            wrong.append(f"{kind} {sample}: {said}")
        else:
            right += 1
    return wrong, left_out, right


def test_every_sample_agrees(pytorch: Any) -> None:
    pytest.importorskip("expecttest", reason="expecttest is not installed")
    wrong, _, right = on_a_short_stack(lambda: verdicts(pytorch))
    assert not wrong, "\n".join(wrong[:20])
    assert right > (1500 if ALL else 100)


if __name__ == "__main__":
    import torch

    ALL = True
    wrong, left_out, right = verdicts(torch, *sys.argv[1:])
    for reason, count in left_out.items():
        print(f"left out, {count} of {reason}")
    print(*wrong, sep="\n")
    print(f"{right} agree, {len(wrong)} differ, {left_out.total()} are left out")
