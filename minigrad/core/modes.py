"""What a thread is doing at the moment: recording gradients or not, looking for anomalies, being
watched.

This is the only state of the package that is not inside an object the caller holds. It belongs to a
thread, and every switch below puts back what it found, also after an exception. Each works as a
context manager and as a decorator of functions, generators and coroutines; a decorated generator
or coroutine is in the mode only while its own code runs. (A `with` around an `await` is not: other
tasks of the thread then run in its mode, as in PyTorch.)
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
import warnings
from collections.abc import Callable, Generator, Sequence
from copy import copy
from types import TracebackType
from typing import Any, Self, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])


class Modes(threading.local):
    """The switches of one thread. Class attributes are the values with which a thread starts."""

    grad: bool = True
    """Whether operations are being recorded."""
    inference: bool = False
    inference_used: bool = False
    """Whether any thread ever was in inference mode: as long as none was, nobody asks which is."""
    in_vain: bool = False
    """Whether recording has been turned on where nothing is recorded: inside `inference_mode`."""
    multithreading: bool = True
    anomaly: bool = False
    anomaly_check_nan: bool = True
    lines: bool = False
    recorder: Any = None
    """The Trace (events.py) that the engine tells what it does; None for nobody."""
    watch: Callable[[Any, Sequence[Any], Sequence[Any]], None] | None = None
    """Whom to tell of each operation: its node, or its class where it leaves none, what went in,
    what came out."""
    level: Any = None
    """The dual level (autograd/forward_ad.py) in which tensors may have tangents; None outside."""
    saved_hooks: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None
    """What to do with a tensor that is being saved, and with what that gave when it is needed."""
    mutation_allowed: bool = False
    """Whether nodes keep copies, inside `allow_mutation_on_saved_tensors`."""
    no_saved_hooks: str | None = None
    """The message with which saved-tensor hooks are refused, if they are."""
    in_formula: bool = False
    """Whether a built-in gradient formula is being recorded, where numbers are named otherwise."""
    walk: Any = None
    """The backward pass that is running, for hooks that ask."""


modes = Modes()


DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)


class Mode:
    """A switch that is set on entry and put back on exit. Subclasses say which, and to what.

    Each call of a decorated function enters a copy of its own, so that calls may nest.
    """

    _before: dict[str, Any]

    def switch(self) -> dict[str, Any]:
        raise NotImplementedError

    def __enter__(self) -> None:
        wanted = self.switch()
        self._before = {name: getattr(modes, name) for name in wanted}
        for name, value in wanted.items():
            setattr(modes, name, value)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for name, old in self._before.items():
            setattr(modes, name, old)

    def __call__(self, function: F) -> F:
        """Decorate `function` so that its body runs in this mode."""
        wrapper: Any
        if inspect.isclass(function):
            warnings.warn(DECORATED_CLASS, FutureWarning, stacklevel=2)
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                return _generate(self, function(*args, **kwargs))

        elif inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapper(*args: Any, **kwargs: Any) -> Any:
                return await _generate(self, function(*args, **kwargs).__await__())

        else:

            @functools.wraps(function)
            def wrapper(*args: Any, **kwargs: Any) -> Any:
                with copy(self):
                    return function(*args, **kwargs)

        return wrapper  # type: ignore[no-any-return]


@types.coroutine
def _generate(mode: Mode, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Drive `inner`, in the mode while its code runs and out of it at each yield.

    A coroutine that waits yields, too, to the event loop, which then runs others of the thread.
    """
    step: Callable[[], Any] = functools.partial(next, inner)
    while True:
        try:
            with copy(mode):
                item = step()
        except StopIteration as stop:
            return stop.value
        try:
            sent = yield item
        except GeneratorExit:
            with copy(mode):
                inner.close()
            raise
        except BaseException as error:
            step = functools.partial(inner.throw, error)
        else:
            step = functools.partial(inner.send, sent)


class _BareDecorator(Mode):
    """A mode without settings may also be written `@no_grad`, without the parentheses."""

    @overload
    def __new__(cls) -> Self: ...
    @overload
    def __new__(cls, function: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, function: Any = None) -> Any:
        self = super().__new__(cls)
        return self if function is None else self(function)


def recording(wanted: bool) -> dict[str, Any]:
    """What to switch for operations to be recorded, or not to be."""
    inference = modes.inference
    return {"grad": wanted and not inference, "in_vain": wanted and inference}


class no_grad(_BareDecorator):
    """Within it, results do not require grad and nothing is recorded.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0], requires_grad=True)
    >>> with mg.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def switch(self) -> dict[str, Any]:
        return recording(False)


class enable_grad(_BareDecorator):
    """Within it, operations are recorded again, also inside `no_grad`; not in `inference_mode`."""

    def switch(self) -> dict[str, Any]:
        return recording(True)


class track_lines(Mode):
    """Let every node remember the line of the user's code that made it (`Node.line`).

    `minigrad_viz` turns it on for a whole process with `set_track_lines(True)`: a picture is worth
    little without the code that it is a picture of. It costs a fraction of a microsecond a node.
    """

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def switch(self) -> dict[str, Any]:
        return {"lines": self.mode}


def set_track_lines(mode: bool) -> None:
    """Turn line tracking on or off for every thread that has not set it for itself."""
    Modes.lines = mode
