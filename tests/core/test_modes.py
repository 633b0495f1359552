"""no_grad and its kin: as context managers, decorators and calls, in threads and after errors."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad
from minigrad.autograd.line_tracking import set_track_lines
from minigrad.core.modes import rare
from tests.parity import caught, same
from tests.record import Absent


def flags(T: Any) -> list[bool]:
    return [T.is_grad_enabled(), (T.ones(2, requires_grad=True) * 2).requires_grad]


def nested(T: Any) -> Any:
    found = [flags(T)]
    with T.no_grad():
        found.append(flags(T))
        with T.enable_grad():
            found.append(flags(T))
            with T.no_grad():
                found.append(flags(T))
            found.append(flags(T))
        found.append(flags(T))
    return [*found, flags(T)]


def restored_after_an_error(T: Any) -> Any:
    try:
        with T.no_grad():
            raise ValueError
    except ValueError:
        pass
    return flags(T)


def one_instance_twice(T: Any) -> Any:
    mode = T.no_grad()
    found = []
    with mode:
        with mode:
            found.append(flags(T))
        found.append(flags(T))
    return [*found, flags(T)]


def set_as_call(T: Any) -> Any:
    found = []
    T.set_grad_enabled(False)
    found.append(flags(T))
    T.set_grad_enabled(True)
    found.append(flags(T))
    with T.set_grad_enabled(False):
        found.append(flags(T))
    return [*found, flags(T)]


def decorated_function(T: Any) -> Any:
    @T.no_grad()
    def quiet(x: Any, *, factor: int = 1) -> Any:
        """The purpose of the mode."""
        return x * factor, flags(T)

    @T.no_grad
    def bare(x: Any) -> Any:
        return flags(T)

    @T.set_grad_enabled(False)
    def switched() -> Any:
        return flags(T)

    x = T.ones(2, requires_grad=True)
    return [
        quiet(x, factor=3),
        quiet.__name__,
        quiet.__doc__,
        bare(x),
        switched(),
        flags(T),
    ]


def decorated_function_that_calls_itself(T: Any) -> Any:
    @T.no_grad()
    def down(n: int) -> list[Any]:
        with T.enable_grad():
            inner = flags(T)
        return [inner, flags(T), *(down(n - 1) if n else [])]

    return down(2), flags(T)


def decorated_function_that_fails(T: Any) -> Any:
    @T.no_grad()
    def fails() -> None:
        raise ValueError("mine")

    return caught(fails, "mine"), flags(T)


def decorated_generator(T: Any) -> Any:
    """The mode holds inside the generator only, not between its items."""

    @T.no_grad()
    def items() -> Any:
        got = yield flags(T)
        yield [got, flags(T)]
        return "done"

    found = []
    stream = items()
    found.append(next(stream))
    found.append(flags(T))
    found.append(stream.send("sent"))
    found.append(flags(T))
    try:
        next(stream)
    except StopIteration as stop:
        found.append(stop.value)
    return found


def decorated_generator_closed_early(T: Any) -> Any:
    seen: list[Any] = []

    @T.no_grad()
    def items() -> Any:
        try:
            yield 1
        finally:
            seen.append(flags(T))

    stream = items()
    next(stream)
    stream.close()
    return seen, flags(T)


def backward_inside_no_grad(T: Any) -> Any:
    """The graph is already there: walking it needs no recording."""
    x = T.ones(3, requires_grad=True)
    y = (x * x).sum()
    with T.no_grad():
        y.backward()
    return x.grad


def leaves_inside_no_grad(T: Any) -> Any:
    with T.no_grad():
        x = T.ones(3, requires_grad=True)
        y = x * 2
    return x, y, x * 2


def views_inside_no_grad(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    with T.no_grad():
        view = x[:2]
    return view, view._base is x


def inference(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    with T.inference_mode():
        found = [T.is_inference_mode_enabled(), T.is_grad_enabled(), (x * 2).requires_grad]
    return found, T.is_inference_mode_enabled(), flags(T)


def recording_in_inference_mode(T: Any) -> Any:
    """It can be turned on there, and does nothing."""
    x = T.ones(3, requires_grad=True)
    loss = (x * x).sum()
    with T.inference_mode():
        loss.backward(retain_graph=True)
        found = [T.autograd.grad(loss, x, create_graph=True), flags(T)]
        with T.enable_grad():
            y = x * 2
            y += x
            found += [flags(T), y, x.exp(), T.nn.Linear(3, 1)(x), x.detach().requires_grad_()]
            with T.no_grad():
                found += [flags(T), x * 2]
            with T.inference_mode(False):
                found += [flags(T), x * 2]
            found.append(flags(T))
        T.set_grad_enabled(True)
        found += [flags(T), x * 2]
    return found, x.grad, flags(T)


def anomaly(T: Any) -> Any:
    """Under detect_anomaly a NaN in the backward pass is an error that names the node."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with T.autograd.detect_anomaly():
            x = T.tensor([-1.0], requires_grad=True)
            y = x.sqrt()
        quiet = T.tensor([-1.0], requires_grad=True)
        quiet.sqrt().backward()
        with T.autograd.detect_anomaly():
            outcome = caught(
                y.backward, "Function 'SqrtBackward0' returned nan values in its 0th output"
            )
            T.autograd.set_detect_anomaly(False)
            found = T.is_anomaly_enabled()
            T.autograd.set_detect_anomaly(True)
            found = [found, T.is_anomaly_enabled()]
    found.append(T.is_anomaly_check_nan_enabled())
    return outcome, quiet.grad, x.grad, found, T.is_anomaly_enabled()


def anomaly_without_nan_check(T: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with T.autograd.detect_anomaly(check_nan=False):
            x = T.tensor([-1.0], requires_grad=True)
            x.sqrt().backward()
    return x.grad


def anomaly_in_cross_entropy(T: Any) -> Any:
    """Of the two nodes of the loss, the one whose formula made the NaN is named."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with T.autograd.detect_anomaly():
            x = T.tensor([[1.0, float("nan")]], requires_grad=True)
            loss = T.nn.functional.cross_entropy(x, T.tensor([0]))
            named = "Function 'LogSoftmaxBackward0' returned nan values in its 0th output"
            return caught(loss.backward, named), x.grad


def anomaly_says_where(T: Any) -> Any:
    """The warning shows the line that made the failing node."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with T.autograd.detect_anomaly():
            x = T.tensor([-1.0], requires_grad=True)
            y = x.sqrt()  # the line to be found
            with contextlib.suppress(RuntimeError):
                y.backward()
    texts = [str(w.message) for w in found if "Error detected in" in str(w.message)]
    return [
        len(texts),
        "SqrtBackward0" in texts[0],
        "y = x.sqrt()  # the line to be found" in texts[0],
    ]


def anomaly_where_warnings_are_errors(T: Any) -> Any:
    """The node's error is still raised: alone, in an inner pass, in a recorded backward pass."""

    class Failing(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("of the node")

    class WithPass(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            with T.enable_grad():
                Failing.apply(T.ones(2, requires_grad=True)).sum().backward()
            return g

    class FailingLater(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            return Failing.apply(g * 2)

    def run(make: Any) -> Any:
        x = T.ones(2, requires_grad=True)
        if make is not FailingLater:
            return make.apply(x).sum()
        (g,) = T.autograd.grad((make.apply(x) ** 2).sum(), x, create_graph=True)
        return g.sum()

    seen = []
    for make in (Failing, WithPass, FailingLater):
        for action in ("always", "error"):
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                with T.autograd.detect_anomaly(), contextlib.redirect_stderr(io.StringIO()):
                    y = run(make)
                    warnings.simplefilter(action)
                    seen.append(caught(y.backward, "of the node"))
            told = [str(w.message).strip().partition(".")[0] for w in found]
            seen.append([text.partition(" Traceback")[0] for text in told])
    return seen


def anomaly_modes_nested(T: Any) -> Any:
    def told() -> tuple[bool, bool]:
        return T.is_anomaly_enabled(), T.is_anomaly_check_nan_enabled()

    seen = [told()]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with T.autograd.detect_anomaly(check_nan=False):
            seen.append(told())
            with T.autograd.detect_anomaly():
                seen.append(told())
                with T.autograd.set_detect_anomaly(False):
                    seen.append(told())
                seen.append(told())
            seen.append(told())
        seen.append(told())
    return seen, [str(w.message) for w in found]


def what_a_mode_shows(T: Any) -> Any:
    seen: list[Any] = []
    for mode in (T.no_grad(), T.enable_grad(), T.set_grad_enabled(True), T.inference_mode()):
        with mode as given:
            seen.append(given)
    print(T.set_grad_enabled(mode=False), [T.set_grad_enabled(True)])
    with T.no_grad(), T.inference_mode(False):
        return seen, T.is_grad_enabled(), T.is_inference_mode_enabled()


PROGRAMS = [
    what_a_mode_shows,
    nested,
    restored_after_an_error,
    one_instance_twice,
    set_as_call,
    decorated_function,
    decorated_function_that_calls_itself,
    decorated_function_that_fails,
    decorated_generator,
    decorated_generator_closed_early,
    backward_inside_no_grad,
    leaves_inside_no_grad,
    views_inside_no_grad,
    inference,
    recording_in_inference_mode,
    anomaly,
    anomaly_without_nan_check,
    anomaly_in_cross_entropy,
    anomaly_says_where,
    anomaly_where_warnings_are_errors,
    anomaly_modes_nested,
]


@pytest.fixture
def recording(torch: Any) -> Iterator[None]:
    """Turn gradients on after the test: a mode entered twice leaves them off, as in PyTorch."""
    yield
    for library in (minigrad, torch):
        if not isinstance(library, Absent):
            library.set_grad_enabled(True)


@pytest.mark.usefixtures("recording")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_coroutine() -> None:
    """The mode holds for the whole of a decorated coroutine, and is gone after it.

    PyTorch leaves the mode when the coroutine is made, before any of it runs.
    """

    @minigrad.no_grad()
    async def quiet() -> list[bool]:
        await asyncio.sleep(0)
        return flags(minigrad)

    assert asyncio.run(quiet()) == [False, False]
    assert flags(minigrad) == [True, True]


def test_coroutines_take_turns() -> None:
    """Tasks of one thread that wait in turn are each in their own mode, and leave none behind."""

    async def turns() -> list[list[bool]]:
        found = []
        for _ in range(3):
            found.append(flags(minigrad))
            await asyncio.sleep(0)
        return [*found, flags(minigrad)]

    async def both() -> list[list[list[bool]]]:
        return await asyncio.gather(
            minigrad.no_grad()(turns)(),
            turns(),
            minigrad.inference_mode()(turns)(),
            minigrad.no_grad()(minigrad.enable_grad()(turns))(),
        )

    quiet, plain, inference, loud = asyncio.run(both())
    assert quiet == 4 * [[False, False]]
    assert plain == loud == 4 * [[True, True]]
    assert inference == 4 * [[False, False]]
    assert flags(minigrad) == [True, True]
    assert not minigrad.is_inference_mode_enabled()


@pytest.mark.parametrize("ends", ["raises", "is cancelled"])
def test_coroutine_ends_early(ends: str) -> None:
    """The last statements of a closed coroutine run in its mode, too."""
    found = []

    @minigrad.no_grad()
    async def quiet() -> None:
        try:
            await asyncio.sleep(0)
            if ends == "raises":
                raise ValueError(ends)
            await asyncio.Event().wait()
        finally:
            found.append(flags(minigrad))
            await asyncio.sleep(0)
            found.append(flags(minigrad))

    async def main() -> list[bool]:
        task = asyncio.create_task(quiet())
        for _ in range(3):
            await asyncio.sleep(0)
        task.cancel()
        error = asyncio.CancelledError if ends == "is cancelled" else ValueError
        with pytest.raises(error):
            await task
        return flags(minigrad)

    assert asyncio.run(main()) == [True, True]
    assert found == 2 * [[False, False]]


def test_modes_belong_to_a_thread(torch: Any) -> None:
    def program(T: Any) -> Any:
        found: list[Any] = []
        inside, done = threading.Event(), threading.Event()

        def other() -> None:
            with T.no_grad():
                found.append(flags(T))
                inside.set()
                done.wait(5)

        thread = threading.Thread(target=other)
        thread.start()
        inside.wait(5)
        found.append(flags(T))
        with T.no_grad():
            fresh = threading.Thread(target=lambda: found.append(flags(T)))
            fresh.start()
            fresh.join()
        done.set()
        thread.join()
        return found

    same(torch, program)


def test_backward_from_several_threads(torch: Any) -> None:
    """Threads that share a leaf and nothing else add up in its gradient."""

    def program(T: Any) -> Any:
        x = T.zeros(4, requires_grad=True)

        def work(k: int) -> None:
            for _ in range(20):
                y = (x * float(k)).sum()
                lock.acquire()
                y.backward()
                lock.release()

        lock = threading.Lock()
        threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return x.grad

    same(torch, program)


RARE_MODES = {
    "anomaly": lambda: minigrad.autograd.detect_anomaly(),
    "inference": lambda: minigrad.inference_mode(),
    "dual level": lambda: minigrad.autograd.forward_ad.dual_level(),
    "lines": lambda: minigrad.autograd.track_lines(),
    "recorder": lambda: minigrad.autograd.record(),
    "saved tensors": lambda: minigrad.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x),
}


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
@pytest.mark.parametrize("mode", RARE_MODES.values(), ids=RARE_MODES)
def test_operations_see_rare_modes(mode: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations ignore these modes until one is used: each has to say so."""
    monkeypatch.setattr(rare, "used", False)
    with minigrad.no_grad(), minigrad.enable_grad():
        assert not rare.used
    with mode():
        assert rare.used


def test_operations_see_lines_of_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rare, "used", False)
    monkeypatch.setattr("minigrad.core.modes.Modes.lines", False)
    set_track_lines(True)
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.append(minigrad.ones(1, requires_grad=True) * 2))
    thread.start()
    thread.join()
    assert made[0].grad_fn.line is not None
