"""Values of `with ... as`, of decorated functions and of calls that register or remove a hook."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same


def kind(value: Any) -> Any:
    """A value, or what it is."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return type(value).__name__


MODES: dict[str, Callable[[Any], Any]] = {
    "no_grad": lambda T: T.no_grad(),
    "enable_grad": lambda T: T.enable_grad(),
    "set_grad_enabled": lambda T: T.set_grad_enabled(False),
    "inference_mode": lambda T: T.inference_mode(),
    "inference_mode off": lambda T: T.inference_mode(False),
    "detect_anomaly": lambda T: T.autograd.detect_anomaly(),
    "set_detect_anomaly": lambda T: T.autograd.set_detect_anomaly(False),
    "set_multithreading_enabled": lambda T: T.autograd.set_multithreading_enabled(True),
    "saved_tensors_hooks": lambda T: T.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x),
    "save_on_cpu": lambda T: T.autograd.graph.save_on_cpu(),
    "disable_saved_tensors_hooks": lambda T: T.autograd.graph.disable_saved_tensors_hooks("no"),
    "dual_level": lambda T: T.autograd.forward_ad.dual_level(),
    "set_checkpoint_early_stop": lambda T: T.utils.checkpoint.set_checkpoint_early_stop(False),
}


@pytest.mark.parametrize("mode", MODES)
def test_with_returns_same_value(torch: Any, mode: str) -> None:
    def program(T: Any) -> Any:
        make = MODES[mode]
        with make(T) as entered:
            found = [kind(entered)]
        manager = make(T)
        manager.__enter__()
        found.append(manager.__exit__(None, None, None))
        try:
            with make(T):
                raise KeyError("passes")
        except KeyError as error:
            found.append(str(error))
        return found, T.is_grad_enabled(), T.is_inference_mode_enabled()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # detect_anomaly says that it is slow
        same(torch, program)


DECORATORS = ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "inference_mode off")


@pytest.mark.parametrize("mode", DECORATORS)
def test_a_decorated_function(torch: Any, mode: str) -> None:
    def program(T: Any) -> Any:
        @MODES[mode](T)
        def double(x: Any, *, times: int = 2) -> Any:
            """Its words."""
            return x * times, T.is_grad_enabled(), T.is_inference_mode_enabled()

        @MODES[mode](T)
        def counting(n: int) -> Any:
            got = yield T.is_grad_enabled()
            for _ in range(n):
                got = yield got, T.is_grad_enabled()
            return "over"

        x = T.ones(1, requires_grad=True)
        steps = counting(2)
        found = [next(steps), steps.send("a"), steps.send("b")]
        try:
            next(steps)
        except StopIteration as end:
            found.append(end.value)
        product, *modes = double(x, times=3)
        return product.requires_grad, modes, found, double.__name__, double.__doc__

    same(torch, program)


HOOKS: dict[str, Callable[[Any], Any]] = {
    "tensor": lambda T: T.ones(1, requires_grad=True).register_hook(lambda g: None),
    "result": lambda T: (T.ones(1, requires_grad=True) * 2).register_hook(lambda g: None),
    "post accumulate": lambda T: T.ones(1, requires_grad=True).register_post_accumulate_grad_hook(
        lambda t: None
    ),
    "node": lambda T: (T.ones(1, requires_grad=True) * 2).grad_fn.register_hook(
        lambda inputs, outputs: None
    ),
    "node before": lambda T: (T.ones(1, requires_grad=True) * 2).grad_fn.register_prehook(
        lambda outputs: None
    ),
    "several": lambda T: T.autograd.graph.register_multi_grad_hook(
        [T.ones(1, requires_grad=True)], lambda grads: None
    ),
    "module before": lambda T: T.nn.Linear(1, 1).register_forward_pre_hook(lambda m, x: None),
    "module": lambda T: T.nn.Linear(1, 1).register_forward_hook(lambda m, x, y: None),
    "module backward": lambda T: T.nn.Linear(1, 1).register_full_backward_hook(
        lambda m, given, got: None
    ),
    "module before backward": lambda T: T.nn.Linear(1, 1).register_full_backward_pre_hook(
        lambda m, given: None
    ),
    "optimizer": lambda T: T.optim.SGD(
        [T.ones(1, requires_grad=True)], lr=0.1
    ).register_step_pre_hook(lambda o, args, named: None),
    "optimizer afterwards": lambda T: T.optim.SGD(
        [T.ones(1, requires_grad=True)], lr=0.1
    ).register_step_post_hook(lambda o, args, named: None),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_registering_a_hook_returns_handle(torch: Any, hook: str) -> None:
    def program(T: Any) -> Any:
        handle = HOOKS[hook](T)
        found = [hasattr(handle, "remove"), handle.remove(), handle.remove()]
        with HOOKS[hook](T) as entered:
            found.append(hasattr(entered, "remove"))
        return found

    same(torch, program)
