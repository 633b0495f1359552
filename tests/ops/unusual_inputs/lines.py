"""How one call ended, in one line of text: what came out and what was changed, or the refusal.

Of a tensor the line has dtype, shape, strides where memory is not contiguous, what kind of node
made it, the version, and one number for all its values, weighted so that no two places are alike.
So a record of thousands of calls stays small, and a difference is read at once.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.ops.refusals import ADDRESS, Library, Outcome, said_by
from tests.parity import node_name, type_name

NEAR = 3e-3
"""How far two sums may lie apart, relative and absolute: sums keep four digits. Of half precision
ten times as far."""

SUM = re.compile(r"= (-?\d[\d.]*(?:e[+-]\d+)?)")

# The content of the memory or the clock decides the results of these.
UNKNOWN = re.compile(r"empty|seed|resize_")

# Each library has its own words for it, and its own moment.
NO_MEMORY = re.compile("MemoryError|can't allocate memory|invalid storage size|array is too big")

STEPS = re.compile(r"(nn|init|utils|rnn|DataLoader)\b")

# The order of a set is another one in each run.
SET = re.compile(r"\{'[^{}:]*'\}")

INSIDE = re.compile(r" \(Triggered internally at .*\)")


Prepared = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], list[Any]]
"""A function, its arguments, its named ones, and the leaves that they are made of."""


def line(T: Library, name: str, call: Callable[[], Prepared]) -> str:
    """`call` prepares a call anew."""
    T.default_generator.manual_seed(0)
    args: tuple[Any, ...] = ()
    with warnings.catch_warnings(record=True) as warned, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        try:
            function, args, named, leaves = call()
            versions = [getattr(a, "_version", 0) for a in args]
            result = function(*args, **named)
            unknown = bool(UNKNOWN.search(name))
            found = seen(T, result, args, unknown)
            for place, (argument, version) in enumerate(zip(args, versions, strict=True)):
                if isinstance(argument, T.Tensor) and argument._version != version:
                    found += f"; argument {place} is {seen(T, argument, (), unknown)}"
            found += slopes(T, result, leaves)
        except Exception as error:
            end = said_by(error)
            found = "no memory" if NO_MEMORY.search(str(end)) else f"{end.type}: {end.line}"
            found = SET.sub(lambda names: str(sorted(names[0][1:-1].split(", "))), found)
    if STEPS.match(name):  # how many steps it is composed of is its own business
        found = re.sub(r" version \d+", "", found)
    said = dict.fromkeys(
        f"{w.category.__name__}: {Outcome('', INSIDE.sub('', str(w.message))).line}"
        for w in warned
        if "jit.script" not in str(w.message)  # what PyTorch imports, once
    )
    return found + "".join(f"; warns {words}" for words in said)


def tensors(T: Library, value: Any) -> list[Any]:
    """All tensors in `value`, in order."""
    if isinstance(value, T.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors(T, item)]
    return []


def slopes(T: Library, result: Any, leaves: list[Any]) -> str:
    """The gradients of what came out, if there are any."""
    outputs = [t for t in tensors(T, result) if t.requires_grad and t.grad_fn is not None]
    if not outputs or not leaves:
        return ""
    seeds = [T.ones_like(out) for out in outputs]
    found = T.autograd.grad(outputs, leaves, seeds, allow_unused=True)
    return "".join(f"; slope {slope_seen(g)}" for g in found)


def slope_seen(slope: Any) -> str:
    """Describe a slope without its strides and the memory that it shares."""
    if slope is None:
        return "None"
    values = np.array(slope.detach().tolist(), type_name(slope.dtype))
    return f"{type_name(slope.dtype)}{list(slope.shape)} = {summed(values)}"


def seen(T: Library, value: Any, given: tuple[Any, ...], unknown: bool) -> str:
    """A description of a result in either library's terms."""
    for place, argument in enumerate(given):
        if value is argument and isinstance(value, T.Tensor):
            return f"argument {place}: {seen(T, value, (), unknown)}"
    if isinstance(value, T.Tensor):
        return tensor_seen(value, given, unknown)
    if isinstance(value, T.nn.Module):
        held = "".join(f"; {tensor_seen(each, (), False)}" for each in value.state_dict().values())
        return ADDRESS.sub("0x...", repr(value)).replace("\n", " ") + held
    if isinstance(value, dict):
        items = (f"{key}: {seen(T, item, given, unknown)}" for key, item in value.items())
        return "{" + ", ".join(items) + "}"
    if isinstance(value, (list, tuple)):
        kind = "" if type(value) in (list, tuple) else type(value).__name__ + " "
        return f"{kind}({', '.join(seen(T, item, given, unknown) for item in value)})"
    if isinstance(value, T.dtype):
        return type_name(value)
    if isinstance(value, np.ndarray):
        return f"array {value.dtype}{list(value.shape)} = {summed(value)}"
    if isinstance(value, float):
        return f"float = {short(value)}" if math.isfinite(value) else f"float {value}"
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)[:200]
    return type(value).__name__


def tensor_seen(value: Any, given: tuple[Any, ...], unknown: bool) -> str:
    parts = [f"{type_name(value.dtype)}{list(value.shape)}"]
    if type(value).__name__ != "Tensor":
        parts.append(type(value).__name__)
    if not value.is_contiguous():
        parts.append(f"strides {list(value.stride())}")
    for place, argument in enumerate(given):
        if value._base is not None and value._base is argument:
            parts.append(f"view of argument {place}")
    if value.grad_fn is not None:
        parts.append(node_name(value.grad_fn) or value.grad_fn.name())
    elif value.requires_grad:
        parts.append("leaf")
    if value._version:
        parts.append(f"version {value._version}")
    if not unknown:
        values = np.array(value.detach().tolist(), type_name(value.dtype))
        parts.append(f"= {summed(values)}")
    return " ".join(parts)


def summed(values: np.ndarray[Any, Any]) -> str:
    """All values as one number; places that are not finite are counted."""
    flat = values.reshape(-1)
    places = np.arange(flat.size)
    if flat.dtype.kind not in "f":
        return str(sum(int(v) * (n % 7 + 1) for n, v in enumerate(flat.tolist())))
    finite = np.isfinite(flat)
    weights = 1.5 + np.cos(places * 0.7)
    text = short(float((flat.astype("float64") * weights)[finite].sum()))
    for word, flags in (
        ("nan", np.isnan(flat)),
        ("inf", flat == np.inf),
        ("-inf", flat == -np.inf),
    ):
        if flags.any():
            text += f" {word} at {int((places + 1)[flags].sum())}"
    return text


def short(number: float) -> str:
    """Four digits, and four decimals of a small one; a difference of nothing is nothing."""
    return (
        f"{number:.4g}" if abs(number) >= 1 else f"{number + 0.0:.4f}".replace("-0.0000", "0.0000")
    )


def agree(mine: str, theirs: str) -> bool:
    """Whether two lines say the same, but for what the order of additions decides."""
    if mine == theirs:
        return True
    first, second = SUM.split(mine), SUM.split(theirs)
    near = NEAR * 10 if "float16" in theirs else NEAR
    return first[::2] == second[::2] and all(
        math.isclose(float(a), float(b), rel_tol=near, abs_tol=near)
        for a, b in zip(first[1::2], second[1::2], strict=True)
    )
