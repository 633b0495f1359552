"""`GradScaler`: multiply the loss, and divide the gradients before the step.

A gradient below 6e-8 is 0 in float16. So the loss is multiplied by a large number, and with it all
gradients. The step is left out if a gradient is infinite or NaN, and the number shrinks; after many
good steps it grows.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any, cast

from .. import cuda
from ..arrays.dtypes import float16, float32, int32
from ..arrays.left_out import missing_from
from ..core.modes import no_grad
from ..optim.optimizer import Optimizer
from ..tensors.creation import full
from ..tensors.tensor import Tensor


class OptState(Enum):
    """What has been done with an optimizer since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _refresh_per_optimizer_state() -> dict[str, Any]:
    return {"stage": OptState.READY, "found_inf_per_device": {}}


@no_grad()
def unscale(gradient: Any, inverse: Tensor) -> Tensor:
    """Multiply `gradient` by `inverse` in place; return 1 if it is not finite, else 0."""
    gradient.mul_(inverse)
    return cast(Tensor, gradient.isfinite().all().logical_not().float())


class GradScaler:
    """Scales a loss and unscales the gradients.

    Args:
        device: where the number is kept. Without that GPU the scaler is disabled, with a warning.
        init_scale: the first number.
        growth_factor, backoff_factor: by which the number is multiplied after `growth_interval`
            good steps in a row, and after a step with an infinite gradient.
        enabled: if not, all methods act as if there were no scaler.

    >>> import minigrad as mg
    >>> net = mg.nn.Linear(2, 1)
    >>> optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    >>> scaler = mg.amp.GradScaler("cpu")
    >>> scaler.scale(net(mg.ones(2)).sum()).backward()
    >>> scaler.step(optimizer)
    >>> scaler.update()
    >>> scaler.get_scale()
    65536.0
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device, self._enabled = device, enabled
        if enabled and device == "cuda" and not cuda.is_available():
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        assert growth_factor > 1.0, "The growth factor must be > 1.0."
        assert backoff_factor < 1.0, "The backoff factor must be < 1.0."
        self._init_scale = init_scale
        self._scale: Tensor | None = None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Tensor | None = None
        self._per_optimizer_states: defaultdict[int, dict[str, Any]] = defaultdict(
            _refresh_per_optimizer_state
        )

    def scale(self, outputs: Any) -> Any:
        """Return a tensor, or several, multiplied by the number."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._start()
            return outputs * cast(Tensor, self._scale)
        if isinstance(outputs, Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _start(self) -> None:
        self._scale = full((), self._init_scale, dtype=float32, device=self._device)
        self._growth_tracker = full((), self._init_growth_tracker, dtype=int32, device=self._device)

    def _started(self, name: str) -> Tensor:
        fix = (
            "This may indicate your script did not use scaler.scale(loss or outputs) earlier in "
            "the iteration."
        )
        assert self._scale is not None, f"Attempted {name} but _scale is None.  {fix}"
        return self._scale

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of the optimizer's parameters by the number, for clipping.

        Raises:
            RuntimeError: they are unscaled already.
            ValueError: a gradient is a float16.
        """
        if not self._enabled:
            return
        scale = self._started("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        none = full((), 0.0, dtype=float32, device=self._device)
        found = self._unscale_grads_(optimizer, 1 / scale, none, False)
        state["found_inf_per_device"], state["stage"] = found, OptState.UNSCALED

    def _unscale_grads_(
        self, optimizer: Optimizer, inv_scale: Tensor, found_inf: Tensor, allow_fp16: bool
    ) -> dict[Any, Tensor]:
        """Multiply all gradients by `inv_scale`; return for each device whether one is infinite."""
        found: dict[Any, Tensor] = {}
        for group in optimizer.param_groups:
            for gradient in [p.grad for p in group["params"] if p.grad is not None]:
                if gradient.dtype == float16 and not allow_fp16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                before = found.get(gradient.device, found_inf.to(gradient.device))
                found[gradient.device] = before.maximum(unscale(gradient, inv_scale))
        return found

    def step(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        """Unscale the gradients, and call `optimizer.step` if all of them are finite.

        Returns:
            The result of `optimizer.step`, or None if it was not called.

        Raises:
            RuntimeError: it was called already since the last `update`, or a closure is given.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._started("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        found = state["found_inf_per_device"]
        assert found, "No inf checks were recorded for this optimizer."
        state["stage"] = OptState.STEPPED
        if any(bad.item() for bad in found.values()):
            return None
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Let the number grow or shrink after the steps of an iteration, or set it."""
        if not self._enabled:
            return
        scale = self._started("update")
        if new_scale is not None:
            if not isinstance(new_scale, float):
                assert new_scale.device == scale.device, "new_scale is on another device"
            scale.copy_(new_scale) if isinstance(new_scale, Tensor) else scale.fill_(new_scale)
        else:
            states = self._per_optimizer_states.values()
            found = [
                bad.item() for state in states for bad in state["found_inf_per_device"].values()
            ]
            assert found, "No inf checks were recorded prior to update."
            self._adjust(scale, any(found))
        self._per_optimizer_states.clear()

    def _adjust(self, scale: Tensor, shrink: bool) -> None:
        tracker = cast(Tensor, self._growth_tracker)
        if shrink:
            scale.mul_(self._backoff_factor)
            tracker.zero_()
            return
        tracker.add_(1)
        if tracker.item() == self._growth_interval:
            grown = scale * self._growth_factor
            if math.isfinite(grown.item()):
                scale.copy_(grown)
            tracker.zero_()

    # --- Settings

    def get_scale(self) -> float:
        """Return the number; 1 if the scaler is disabled."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self) -> float:
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        return self._enabled

    def _good_steps(self) -> int:
        tracker = self._growth_tracker
        return self._init_growth_tracker if tracker is None else int(tracker.item())

    def state_dict(self) -> dict[str, Any]:
        """Return the number, the settings and the good steps in a row; {} if disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._good_steps(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a state.

        Raises:
            RuntimeError: it is that of a disabled scaler.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._scale is not None:
            self._start()

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if self._enabled:
            assert not self._per_optimizer_states, (
                "A GradScaler instance may only be pickled at the beginning of an iteration, or at "
                "the end after scaler.update()."
            )
            state.update(
                _init_scale=self.get_scale(),
                _init_growth_tracker=self._good_steps(),
                _scale=None,
                _growth_tracker=None,
            )
        return state


__getattr__ = missing_from(__name__)
