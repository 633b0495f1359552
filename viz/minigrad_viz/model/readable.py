"""What is wrong with an object that we are given, said before anything is done with it.

An object may look like a tensor and answer any question with an exception; a function may want
other arguments than it is called with. Both end in one sentence that names who asked.
"""

from __future__ import annotations

import inspect
from contextlib import nullcontext
from typing import Any

from minigrad.autograd.events import said_by

from .names import is_tensor
from .own_engines import is_own
from .pytorch_modes import unseen
from .values import bare, shape_of

NEEDED = "a tensor of minigrad or PyTorch"


def check_tensor(
    tensor: Any, who: str, *, computing: bool = False, unversioned: bool = False
) -> None:
    """TypeError if this is no tensor, or one that does not tell what tensors tell. Who is to go on
    `computing` with it also needs that its class lets them; who takes what is `unversioned` also
    takes tensors made in inference mode, of which nobody counts how often they are written to.
    """
    if not is_tensor(tensor):
        raise TypeError(f"{who}() needs {NEEDED}, not a {type(tensor).__name__}")
    try:
        with nullcontext() if computing else unseen():
            shape_of(bare(tensor))
            tensor.is_floating_point()
            for attribute in ("grad_fn", "requires_grad", "is_leaf", "dtype", "device"):
                getattr(tensor, attribute)
            if not (unversioned and made_in_inference(tensor)):
                tensor._version  # noqa: B018
    except Exception as error:
        raise unreadable(who, tensor, error) from None


def refuse_own(value: object, who: str) -> None:
    """TypeError for a result of an engine of the reader's own, where only a library's will do."""
    if is_own(value):
        raise TypeError(
            f"{who}() needs {NEEDED}, and this {type(value).__name__} is of an engine of your own: "
            "step(), draw(), tree() and compare() show it"
        )


def made_in_inference(tensor: Any) -> bool:
    """Whether a tensor was made in inference mode."""
    return bool(hasattr(type(tensor), "is_inference") and tensor.is_inference())


def unreadable(who: str, tensor: Any, error: Exception) -> TypeError:
    """What to raise where something looks like a tensor, and cannot be read like one."""
    return TypeError(f"{who}() cannot read this {type(tensor).__name__}: {first_line(error)}")


def first_line(error: Exception) -> str:
    """An exception of somebody else's in one line."""
    lines = said_by(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}" if lines[0] else type(error).__name__


def check_callable(function: Any, who: str, *given: str, **named: object) -> None:
    """TypeError if this is nothing that can be called with these arguments."""
    kind = type(function)
    a_class = issubclass(kind, type)
    if not callable(function) or a_class or hasattr(kind, "next_functions"):
        what = "a class" if a_class else f"a {kind.__name__}"
        raise TypeError(f"{who}() needs a function, not {what}")
    try:
        # A module passes on whatever it is given.
        asked = function.forward if hasattr(kind, "named_parameters") else function
        inspect.signature(asked).bind(*given, **named)
    except TypeError as error:
        name = getattr(function, "__name__", kind.__name__)
        how = ", ".join([*given, *named]) or "no argument"
        raise TypeError(f"{who}() calls {name}() with {how}, and cannot: {error}") from None
    except Exception:  # a built-in function tells no signature, and a class may raise anything
        return


def short_repr(value: object) -> str:
    """What an argument looks like, in one line; its type where that is long or fails."""
    try:
        text = repr(value)
    except Exception:
        text = ""
    return text if 0 < len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"


def is_any(value: object, *kinds: type) -> bool:
    """`isinstance` that asks the class alone: an object may answer any question with an error."""
    return issubclass(type(value), kinds)
