"""Ctrl-C while a mode begins or ends leaves the mode as it was before the block."""

from __future__ import annotations

import dis
import random
import signal
import sys
from collections.abc import Callable
from itertools import pairwise
from types import CodeType, FrameType
from typing import Any

import pytest

import minigrad as mg
from minigrad.core.modes import Mode, modes

CHECKED = {"CALL", "CALL_KW", "CALL_FUNCTION_EX", "JUMP_BACKWARD"}
"""After these, Python handles Ctrl-C. It does as most functions begin: see `without_signals`."""

MODES: dict[str, Callable[[], Any]] = {
    "no_grad": mg.no_grad,
    "enable_grad": mg.enable_grad,
    "inference_mode": mg.inference_mode,
    "set_grad_enabled": lambda: mg.set_grad_enabled(True),
    "set_detect_anomaly": lambda: mg.autograd.set_detect_anomaly(False),
    "saved_tensors_hooks": lambda: mg.autograd.graph.saved_tensors_hooks(abs, abs),
    "allow_mutation": mg.autograd.graph.allow_mutation_on_saved_tensors,
}


def points(code: CodeType) -> list[int]:
    """Offsets of the instructions after those that handle Ctrl-C."""
    found = list(dis.get_instructions(code))
    return [after.offset for each, after in pairwise(found) if each.opname in CHECKED]


def enter_and_leave(mode: Any, code: CodeType, offset: int) -> bool:
    """Enter and leave a mode, with Ctrl-C before one instruction; return whether it was reached."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not code:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and frame.f_lasti == offset:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with mode:
            pass
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def values() -> dict[str, Any]:
    names = {*type(modes).__annotations__}
    return {name: getattr(modes, name) for name in names}


@pytest.mark.parametrize("outer", [mg.enable_grad, mg.no_grad])
@pytest.mark.parametrize("name", MODES)
def test_interrupts_leave_no_mode_on(name: str, outer: Callable[[], Any]) -> None:
    with outer():
        before = values()
        for method in (Mode.__enter__, Mode.__exit__):
            code = method.__code__
            reached = [enter_and_leave(MODES[name](), code, offset) for offset in points(code)]
            assert any(reached)
            assert values() == before, method.__name__


def use_block(mode: Callable[[], Any]) -> None:
    with mode():
        pass


def call_decorated(mode: Callable[[], Any]) -> None:
    mode()(abs)(1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no interval timer")
@pytest.mark.parametrize("use", [use_block, call_decorated])
@pytest.mark.parametrize("name", ["no_grad", "enable_grad", "inference_mode"])
def test_signals_leave_no_mode_on(name: str, use: Callable[[Any], None]) -> None:
    """With real signals, which come at any instruction; 1 in 20 left the mode on before."""
    chance = random.Random(1)
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with mg.no_grad() if name == "enable_grad" else mg.enable_grad():
            before = values()
            for _ in range(400):
                with pytest.raises(KeyboardInterrupt):
                    signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.0001, 0.0004))
                    while True:
                        use(MODES[name])
                assert values() == before
    finally:
        signal.signal(signal.SIGALRM, handler)
