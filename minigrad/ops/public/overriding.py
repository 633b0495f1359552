"""`__torch_function__`: classes and modes that compute with tensors in their own way.

Each public function asks before it computes: first the innermost mode of the thread, then the
classes of its arguments. A subclass of Tensor without a way of its own computes as Tensor does, and
gets results of its class.

Where a program has no such class and no mode, `watchers` is empty. Then a call pays for one look
at it. A class that is no Tensor is asked after the call has failed (functions.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from ...core.modes import modes
from ...core.node import TensorBase

Function = Callable[..., Any]

F = TypeVar("F", bound=Function)

MISSING: Any = object()
"""Stands for an argument that was not given; the schema says whether it is required."""

NO_NAMES: Mapping[str, Any] = {}

watchers: list[Any] = []
"""The subclasses of Tensor that are asked, and the modes and profilers of all threads."""


class Overriding(threading.local):
    """What a thread asks."""

    classes = True
    running: Function | None = None
    """The function that is computed as if its arguments were of the class Tensor."""
    modes: tuple[Any, ...] = ()
    timer: Callable[..., Any] | None = None
    """Makes each call, and measures it, where a profiler is on."""
    timed = False
    """Whether the call that begins now is already measured."""


overriding = Overriding()


class WithoutClasses:
    """Compute without asking the classes of arguments: PyTorch's `DisableTorchFunctionSubclass`."""

    def __enter__(self) -> None:
        self._before, overriding.classes = overriding.classes, False

    def __exit__(self, *error: object) -> None:
        overriding.classes = self._before


def plain_results(
    function: Function, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
) -> Any:
    """Compute as if the class were Tensor: the `__torch_function__` of Parameter.

    minigrad does not ask again while it computes. PyTorch does for its own functions, and gets a
    refusal, of which it makes a TypeError.
    """
    if overriding.running is function:
        return NotImplemented
    before, overriding.running = overriding.running, function
    try:
        with WithoutClasses():
            return function(*args, **(kwargs or {}))
    finally:
        overriding.running = before


class OfClass:
    """A `__torch_function__` that classes have, and their instances do not.

    PyTorch looks for that name at each object, and would ask minigrad's tensors for its functions.
    """

    def __init__(self, found: Any) -> None:
        self.found = found

    def __get__(self, instance: Any, owner: Any) -> Any:
        if instance is not None and type(instance).__torch_function__ in (
            plain_results,
            getattr(TensorBase.result_type, "__torch_function__", None),
        ):
            raise AttributeError("__torch_function__")
        return self.found.__get__(None, owner)


def converted(value: Any, kind: Any) -> Any:
    """Return a result as a tensor of the class `kind`, also inside of tuples and lists."""
    if isinstance(value, TensorBase):
        return value if isinstance(value, kind) else value.as_subclass(kind)  # type: ignore[attr-defined]
    if isinstance(value, (tuple, list)) and any(isinstance(each, TensorBase) for each in value):
        return type(value)([converted(each, kind) for each in value])
    return value


# --- What a call asks


NOT_ASKED = frozenset(("as_subclass", "as_tensor", "tensor"))
"""Functions about which no class is asked."""


def answer(
    function: Function, args: Sequence[Any], kwargs: Mapping[str, Any] = NO_NAMES
) -> tuple[Any] | None:
    """Return what a mode or a class computes in place of `function`; None if none is asked.

    Raises:
        TypeError: all who were asked return NotImplemented.
    """
    if modes.walk is not None:  # a backward pass asks none
        return None
    args = tuple([value for value in args if value is not MISSING])
    if overriding.timer is not None:
        overriding.timed = not overriding.timed
        if overriding.timed:
            return (overriding.timer(function, args, kwargs),)
    asked = overriding.classes and function.__name__ not in NOT_ASKED
    values = (*args, *kwargs.values())
    kinds = kinds_to_ask(values) if asked else ()
    if (kinds or overriding.modes) and names_tensors(function):
        kinds = kinds_to_ask(values, tensors=True)
    return ask(function, kinds, args, kwargs)


def names_tensors(function: Any) -> bool:
    """Return whether Tensor itself is among the classes that a function names."""
    if function.__name__ == "__get__" or is_python(function):
        return True
    described = getattr(function, "__wrapped__", None)
    return getattr(described, "method", False) and "," not in function.schemas[0]


def is_python(function: Any) -> bool:
    """Return whether this is a Python function in PyTorch."""
    if not hasattr(function, "schemas"):
        return bool(function.__name__[:2] != "__")
    return bool(function.schemas[0].startswith("def "))


def ask(
    function: Function, kinds: Sequence[Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any] | None:
    """Return the `answer` of the innermost mode or of the first of `kinds` that has one."""
    if overriding.modes:
        before = overriding.modes
        overriding.modes = before[:-1]
        try:
            result = before[-1].__torch_function__(function, kinds, args, {**kwargs})
        finally:
            overriding.modes = before
        if result is not NotImplemented:
            return (result,)
    elif not kinds:
        return None
    for kind in kinds:
        result = kind.__torch_function__(function, kinds, args, {**kwargs})
        if result is not NotImplemented:
            return (result,)
    raise refusal(function, kinds)


def operator_answer(function: Function, *args: Any) -> tuple[Any] | None:
    """Return the `answer` for an operator: NotImplemented if all return that."""
    try:
        return answer(function, args)
    except Refused:
        return (NotImplemented,)


def asking(function: F) -> F:
    """Let a Python function without a schema ask before it computes."""

    @wraps(function)
    def asks(*args: Any, **kwargs: Any) -> Any:
        if watchers and (found := answer(asks, args, kwargs)):
            return found[0]
        return function(*args, **kwargs)

    return cast(F, asks)


def kinds_to_ask(values: Iterable[Any], tensors: bool = False) -> tuple[Any, ...]:
    """Return the classes of the arguments that are asked, subclasses before their bases.

    `tensors` says whether Tensor is one of them.
    """
    found: list[Any] = []
    for value in values:
        for each in value if type(value) in (tuple, list) else (value,):
            kind = type(each)
            if (kind is TensorBase.result_type and not tensors) or kind in found:
                continue
            own = getattr(kind, "__torch_function__", plain_results)
            if own is not plain_results and not is_of_pytorch(kind):
                places = [n for n, other in enumerate(found) if issubclass(kind, other)]
                found.insert(min(places, default=len(found)), kind)
    return tuple(found)


def is_of_pytorch(kind: type) -> bool:
    """Return whether a class derives from PyTorch's Tensor, which knows only its own functions."""
    return any(base.__module__.partition(".")[0] == "torch" for base in kind.__mro__)


class Refused(TypeError):
    """All who were asked return NotImplemented."""


Refused.__name__ = Refused.__qualname__ = "TypeError"


def refusal(function: Any, kinds: Sequence[Any]) -> Refused:
    """Return PyTorch's error where none computes `function`."""
    mode = overriding.modes[-1] if overriding.modes else None
    if is_python(function):
        place = getattr(function, "place", "")
        name = ".".join(["torch", *place.split("."), function.__name__]).replace("..", ".")
        nor = f" nor was it found on the currently active mode {mode}" if mode else ""
        on = "on types that implement __torch_function__"
        return Refused(f"no implementation found for '{name}' {on}: {list(kinds)}{nor}")
    described = getattr(function, "__wrapped__", None)
    method = getattr(described, "method", True) or function.place == "Tensor"
    place = "Tensor." if method else function.place and f"{function.place}."
    listed = f"  - mode object {mode}\n" if mode else ""
    listed += "".join([f"  - tensor subclass {kind}\n" for kind in kinds])
    return Refused(
        f"Multiple dispatch failed for 'torch.{place}{function.__name__}'; all __torch_function__ "
        f"handlers returned NotImplemented:\n\n{listed}\nFor more information, try re-running "
        "with TORCH_LOGS=not_implemented"
    )


# --- Attributes


@cache
def properties() -> dict[str, property]:
    """Return the attributes of tensors that are computed."""
    kinds = TensorBase.result_type.__mro__
    return {
        name: value
        for kind in reversed(kinds)
        for name, value in vars(kind).items()
        if isinstance(value, property)
    }


def read(tensor: Any, name: str) -> Any:
    """Read an attribute of a tensor whose class is asked: its `__getattribute__`."""
    own = properties().get(name)
    if own is not None and getattr(type(tensor), name) is own:
        found = answer(own.__get__, (tensor,))
        if found:
            return found[0]
    return TensorBase.__getattribute__(tensor, name)


def assign(tensor: Any, name: str, value: Any) -> None:
    """Assign to an attribute of a tensor whose class is asked: its `__setattr__`."""
    own = properties().get(name)
    if own is not None and getattr(type(tensor), name) is own:
        if answer(own.__set__, (tensor, value)):
            return
    TensorBase.__setattr__(tensor, name, value)


# --- Modes


class TorchFunctionMode:
    """A block in which `__torch_function__` of this object computes all public functions.

    While it runs, the next outer mode is asked.

    >>> import minigrad as mg
    >>> class Counting(mg.overrides.TorchFunctionMode):
    ...     calls = 0
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         self.calls += 1
    ...         return func(*args, **(kwargs or {}))
    >>> with Counting() as mode:
    ...     _ = mg.ones(2).exp()
    >>> mode.calls
    2
    """

    def __torch_function__(
        self, func: Function, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Compute `func`."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        overriding.modes = (*overriding.modes, self)
        watchers.append(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        overriding.modes = overriding.modes[:-1]
        watchers.remove(self)
