"""The printed form of a tensor, equal to PyTorch's in every character.

The text needs three decisions, made once for all numbers of the tensor. They are: which numbers to
show if there are many; integer, fixed-point or scientific notation; and the width of a number. Then
the nested brackets are laid out. Other properties follow: device, size, dtype, history.

Only the numbers that are shown are read (and copied from a GPU), so that printing a large tensor is
fast. The options are process-wide, as in PyTorch. Read tensor.py first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from ..arrays.devices import get_array_module
from ..arrays.dtypes import bool_, dtype_of, get_default_dtype, int64
from ..arrays.waiting import on_host

Array = Any  # a NumPy array, a NumPy scalar or a CuPy array


class PrintOptions(NamedTuple):
    """The options of `set_printoptions`; the defaults are PyTorch's."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None  # None: depends on the numbers


_PROFILES: Final = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

_options = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed, from now on and in all threads.

    Args:
        precision: digits after the point.
        threshold: a tensor of more numbers than this is shortened.
        edgeitems: how many items at either end of each dimension a shortened text shows.
        linewidth: characters in a line.
        profile: `"default"`, `"short"` or `"full"`: start from these.
        sci_mode: scientific notation always (True), never (False), or where the numbers need it
            (None, also when the argument is left out).
    """
    global _options
    given = {name: value for name, value in locals().items() if value is not None}
    given.pop("profile", None)
    start = _options if profile is None else _PROFILES.get(profile, _options)
    _options = start._replace(**{"sci_mode": None, **given})


def tensor_repr(
    array: Array,
    *,
    grad_fn_name: str | None = None,
    requires_grad: bool = False,
    device: str = "cpu",
    parameter: bool = False,
    tangent: str | None = None,
    word: str = "tensor",
) -> str:
    """Return the text of a tensor that holds `array`.

    Args:
        array: the values.
        grad_fn_name: name of the node that made the tensor, None for a leaf.
        requires_grad: whether a leaf requires a gradient.
        device: the tensor's device, shown unless it is the CPU.
        parameter: whether it is an `nn.Parameter`.
        tangent: the text of the tensor's tangent, if it has one.
        word: the word before the bracket.
    """
    start = f"{word}("
    text = start + _numbers(array, indent=len(start))
    suffixes = list(_suffixes(array, device))
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    text = _append(text, suffixes, indent=len(start)) + ")"
    return f"Parameter containing:\n{text}" if parameter else text


def tensor_format(
    array: Array, spec: str, whole: Callable[[], str], class_name: str = "Tensor"
) -> str:
    """Return `format(tensor, spec)`: a 0-d tensor is formatted as its number, others print whole.

    Args:
        array: the values.
        spec: the format after the colon in an f-string.
        whole: makes the text of the whole tensor.
        class_name: the tensor's class; a `Parameter`, for example, prints whole.

    Raises:
        TypeError: a spec for a tensor that prints whole.
    """
    if array.ndim == 0 and class_name == "Tensor":
        return format(array.item(), spec)
    if spec:
        raise TypeError(f"unsupported format string passed to {class_name}.__format__")
    return whole()


def _suffixes(array: Array, device: str) -> Iterator[str]:
    """Yield the properties that brackets and digits do not show."""
    if device != "cpu":
        yield f"device='{device}'"
    empty = array.size == 0
    if (empty and array.ndim != 1) or (not empty and not _options.edgeitems):
        yield f"size={tuple(array.shape)}"
    dtype = dtype_of(array)
    # Digits distinguish int64 and bool from the default dtype; an empty pair of brackets does not.
    evident = (get_default_dtype(),) if empty else (get_default_dtype(), int64, bool_)
    if dtype not in evident:
        yield f"dtype={dtype}"


def _shortened(array: Array) -> bool:
    return bool(array.ndim and array.size > _options.threshold)


def _append(text: str, suffixes: list[str], indent: int) -> str:
    """Add suffixes, each on the last line if there is room for it, else on a new one."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if used + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text


def _numbers(array: Array, indent: int) -> str:
    if array.size == 0:
        return "[]"
    if _shortened(array) and not _options.edgeitems:
        return "[...]"
    shown, cut = _edges(array) if _shortened(array) else (array, (False,) * array.ndim)
    values = on_host(shown)
    text, width = _style(values)
    return _lay_out(values.tolist(), cut, indent, text, width)


def _edges(array: Array) -> tuple[Array, tuple[bool, ...]]:
    """Return the corner blocks of a shortened text, and for each axis whether it was cut."""
    xp, edge = get_array_module(array), _options.edgeitems
    cut = tuple(size > 2 * edge for size in array.shape)
    for axis in range(array.ndim):
        if cut[axis]:
            along = (slice(None),) * axis
            ends = array[(*along, slice(edge))], array[(*along, slice(-edge, None))]
            array = xp.concatenate(ends, axis)
    return array, cut


def _lay_out(
    part: Any, cut: tuple[bool, ...], indent: int, text: Callable[[Any], str], width: int
) -> str:
    """Format nested lists of numbers as nested brackets; a row may take several lines."""
    if not cut:
        return text(part)
    edge = _options.edgeitems
    if len(cut) == 1:
        items = [text(value) for value in part]
        if cut[0]:
            items.insert(edge, " ...")
        in_line = max(1, (_options.linewidth - indent) // (width + 2))
        lines = [", ".join(items[i : i + in_line]) for i in range(0, len(items), in_line)]
        between = ",\n"
    else:
        lines = [_lay_out(row, cut[1:], indent + 1, text, width) for row in part]
        if cut[0]:
            lines.insert(edge, "...")
        # Matrices are separated by an empty line, stacks of matrices by two.
        between = "," + "\n" * (len(cut) - 1)
    return "[" + (between + " " * (indent + 1)).join(lines) + "]"


def _style(values: np.ndarray[Any, Any]) -> tuple[Callable[[Any], str], int]:
    """Return a function that formats each of these values in one width, and that width."""
    if values.dtype.kind != "f":
        texts = map(str, values.ravel().tolist())
        width = max((len(t) for t in texts), default=1)
        return lambda value: str(value).rjust(width), width

    # Zero, infinity and nan do not count: they are readable in every notation.
    flat = values.ravel().astype(np.float64)
    telling = flat[np.isfinite(flat) & (flat != 0)]
    if not telling.size:
        return _whole(1), 1
    sizes = np.abs(telling)
    smallest, largest = float(sizes.min()), float(sizes.max())
    scientific = _options.sci_mode
    if scientific is None:
        scientific = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
    if scientific:
        write = f"{{:.{_options.precision}e}}".format
    elif bool((telling == np.ceil(telling)).all()):
        width = max(len(f"{value:.0f}.") for value in telling.tolist())
        return _whole(width), width
    else:
        write = f"{{:.{_options.precision}f}}".format
    width = max(len(write(value)) for value in telling.tolist())
    return lambda value: write(value).rjust(width), width


def _whole(width: int) -> Callable[[float], str]:
    """Return the format of floats that are all integers: it keeps the point."""

    def write(value: float) -> str:
        return (f"{value:.0f}." if math.isfinite(value) else str(value)).rjust(width)

    return write
