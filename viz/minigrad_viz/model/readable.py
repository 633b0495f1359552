"""Check arguments before anything is done with them.

An object may look like a tensor and raise an error at every attribute; a function may need other
arguments than it will get. Each error message is one sentence that names the public function.
"""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from typing import Any

from minigrad.autograd.events import message_of

from .either_library import outside_modes, version_of
from .names import is_tensor
from .own_engines import is_own
from .values import bare, shape_of

NEEDED = "a tensor of minigrad or PyTorch"


def check_tensor(
    tensor: Any, who: str, *, computing: bool = False, unversioned: bool = False
) -> None:
    """Raise TypeError unless this is a readable tensor.

    who          the public function, for the message
    computing    whether the tensor's class must allow computations, too
    unversioned  whether a tensor of inference mode will do, which has no version
    """
    if not is_tensor(tensor):
        raise TypeError(f"{who}() needs {NEEDED}, not a {type(tensor).__name__}")
    try:
        with nullcontext() if computing else outside_modes():
            shape_of(bare(tensor))
            tensor.is_floating_point()
            for attribute in ("grad_fn", "requires_grad", "is_leaf", "dtype", "device"):
                getattr(tensor, attribute)
            if not (unversioned and made_in_inference(tensor)):
                version_of(tensor)
    except Exception as error:
        raise unreadable(who, tensor, error) from None


def refuse_own(value: object, who: str) -> None:
    """Raise TypeError for a result of the reader's own engine."""
    if is_own(value):
        raise TypeError(
            f"{who}() needs {NEEDED}, and this {type(value).__name__} is of an engine of your own: "
            "step(), draw() and compare() show it"
        )


def made_in_inference(tensor: Any) -> bool:
    """Whether a tensor was made in inference mode."""
    return bool(hasattr(type(tensor), "is_inference") and tensor.is_inference())


def unreadable(who: str, tensor: Any, error: Exception) -> TypeError:
    """Return the error for an object that looks like a tensor and cannot be read like one."""
    return TypeError(f"{who}() cannot read this {type(tensor).__name__}: {first_line(error)}")


def first_line(error: Exception) -> str:
    """Return an exception of the reader's program in one line."""
    lines = message_of(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}" if lines[0] else type(error).__name__


def check_callable(function: Any, who: str, *given: str, **named: object) -> None:
    """Raise TypeError unless this is a function that accepts these arguments."""
    kind = type(function)
    a_class = issubclass(kind, type)
    if not callable(function) or a_class or hasattr(kind, "next_functions"):
        what = "a class" if a_class else f"a {kind.__name__}"
        raise TypeError(f"{who}() needs a function, not {what}")
    try:
        # A module passes all arguments on.
        asked = function.forward if hasattr(kind, "named_parameters") else function
        inspect.signature(asked).bind(*given, **named)
    except TypeError as error:
        name = getattr(function, "__name__", kind.__name__)
        how = ", ".join([*given, *named]) or "no argument"
        raise TypeError(f"{who}() calls {name}() with {how}, and cannot: {error}") from None
    except Exception:  # a built-in function has no signature, and a class may raise anything
        return


def short_repr(value: object) -> str:
    """Return an argument's repr if it is one short line, else its type."""
    try:
        text = repr(value)
    except Exception:
        text = ""
    return text if 0 < len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"


def is_any(value: object, *kinds: type) -> bool:
    """`isinstance` that reads only the class: an attribute of the object may raise an error."""
    return issubclass(type(value), kinds)
