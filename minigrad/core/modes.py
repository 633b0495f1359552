"""The modes of a thread: gradient recording, anomaly mode, recorders.

This is the package's only state outside of objects that the caller holds. It belongs to a thread,
and every mode restores the previous value on exit, also after an exception. Each mode is a context
manager and a decorator of functions, generators and coroutines. A decorated generator or coroutine
is in the mode only while its own code runs. (A `with` around an `await` differs: other tasks of the
thread then run in its mode, as in PyTorch.)
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
import warnings
from collections.abc import Callable, Generator, Sequence
from copy import copy
from opcode import opmap
from typing import Any, Self, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])


class Modes(threading.local):
    """The modes of one thread. Class attributes are the values with which a thread starts."""

    grad: bool = True
    """Whether operations are recorded."""
    inference: bool = False
    in_vain: bool = False
    """Whether recording was turned on inside `inference_mode`, where nothing is recorded."""
    multithreading: bool = True
    anomaly: bool = False
    anomaly_check_nan: bool = True
    lines: bool = False
    call: Any = None
    """The innermost module that is running, as a Call (code_lines.py), if lines are recorded."""
    recorder: Any = None
    """The Trace (events.py) that records the engine's steps, or None."""
    watch: Callable[[Any, Sequence[Any], Sequence[Any]], None] | None = None
    """Callback `(node or class, inputs, outputs)`, called after every operation."""
    level: Any = None
    """The dual level (autograd/forward_ad.py) in which tensors may have tangents; None outside."""
    saved_hooks: tuple[Any, ...] | None = None
    """The functions that pack and unpack a saved tensor, and the pair outside of them."""
    mutation_allowed: bool = False
    """Whether nodes keep copies, inside `allow_mutation_on_saved_tensors`."""
    no_saved_hooks: str | None = None
    """The error message that forbids saved-tensor hooks, if they are forbidden."""
    in_formula: bool = False
    """Whether a built-in gradient formula is being recorded; numbers then get other nodes."""
    walk: Any = None
    """The running backward pass, for hooks that read it."""


modes = Modes()


rare = types.SimpleNamespace(used=False)
"""Whether any thread ever used a mode other than `grad`; if not, operations ignore the others.

(A thread's own value takes six times as long to read.)
"""

DECORATED_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)


def without_signals(function: Any) -> Any:
    """Return `function`, in which Python does not handle Ctrl-C before the first line.

    It does so in the first instruction, RESUME, whose argument says what begins: 0 is a call. After
    an `await`, which is 3, the instruction handles none.
    """
    code = function.__code__
    if code.co_code.startswith(bytes((opmap["RESUME"], 0))):
        function.__code__ = code.replace(co_code=bytes((opmap["RESUME"], 3)) + code.co_code[2:])
    return function


class Mode:
    """A setting that changes on entry and is restored on exit; subclasses define which.

    Each call of a decorated function enters its own copy, so that calls may nest.

    Ctrl-C leaves no mode on. (A call that sets a mode permanently may have set it by then.)
    """

    _before: dict[str, Any] = {}
    _at_call: dict[str, Any] | None = None
    """The values before the call that set them permanently (`LastingMode`)."""
    _given: Any = None
    """The value of `with ... as`."""

    def switch(self) -> dict[str, Any]:
        raise NotImplementedError

    def __enter__(self) -> Any:
        self._before = self._at_call or {}
        try:
            wanted = self.switch()
            rare.used = rare.used or not wanted.keys() <= {"grad", "in_vain"}
            self._before = self._before or {name: getattr(modes, name) for name in wanted}
            modes.__dict__.update(wanted)
        except BaseException:
            # Python handles Ctrl-C at the end of calls. After `update` the mode is on, and the
            # block's `__exit__` is not yet due. So nothing below may be a call.
            modes.__dict__.update(self._before)
            raise
        return self._given

    @without_signals
    def __exit__(self, *error: Any) -> None:
        modes.__dict__.update(self._before)

    def __call__(self, function: F) -> F:
        """Decorate `function` so that its body runs in this mode."""
        wrapper: Any
        if inspect.isclass(function):
            warnings.warn(DECORATED_CLASS, FutureWarning, stacklevel=2)
        if inspect.isgeneratorfunction(function):

            def wrapper(*args: Any, **kwargs: Any) -> Any:
                return _generate(self, function(*args, **kwargs))

        elif inspect.iscoroutinefunction(function):

            async def wrapper(*args: Any, **kwargs: Any) -> Any:
                return await _generate(self, function(*args, **kwargs).__await__())

        else:

            def wrapper(*args: Any, **kwargs: Any) -> Any:
                with copy(self):
                    return function(*args, **kwargs)

        return functools.wraps(function)(wrapper)  # type: ignore[return-value]


@types.coroutine
def _generate(mode: Mode, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Drive `inner`, in the mode while its code runs and outside of it at each yield.

    A waiting coroutine also yields, to the event loop, which then runs other tasks of the thread.
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
    """A mode without settings, which may also be written `@no_grad`, without parentheses."""

    @overload
    def __new__(cls) -> Self: ...
    @overload
    def __new__(cls, function: F) -> F: ...  # type: ignore[misc]
    def __new__(cls, function: Any = None) -> Any:
        self = super().__new__(cls)
        return self if function is None else self(function)


def recording(wanted: bool) -> dict[str, Any]:
    """Return the settings that turn recording of operations on or off."""
    inference = modes.inference
    return {"grad": wanted and not inference, "in_vain": wanted and inference}


class no_grad(_BareDecorator):
    """Compute without recording: results do not require grad.

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
    """Record operations again, also inside `no_grad`; not in `inference_mode`."""

    def switch(self) -> dict[str, Any]:
        return recording(True)
