"""The base class of optimizers.

Parameters come in groups with options of their own; values that are kept between steps are in
`state`, by parameter. A step works on plain arrays, in place: it records no history, and reuses
memory.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import wraps
from typing import Any, TypeVar, cast

from ..core.hooks import Hooks, RemovableHandle
from ..core.modes import enable_grad
from ..core.node import Array
from ..nn.module import clear_grad
from ..tensors.tensor import Tensor

Group = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])

EVERY_PRE, EVERY_POST = Hooks(), Hooks()
"""Hooks before and after the step of any optimizer."""


def call_hooks(step: F) -> F:
    """Call the hooks of an optimizer, and of every optimizer, around its `step`."""

    @wraps(step)
    def stepping(self: Any, *args: Any, **kwargs: Any) -> Any:
        given: tuple[Any, ...] = (self, *args)
        for hook in (*EVERY_PRE.now(), *self._hooks("_optimizer_step_pre_hooks").now()):
            changed = hook(self, given, kwargs)
            if changed is None:
                continue
            if not (isinstance(changed, tuple) and len(changed) == 2):
                wanted = "must return None or a tuple of (new_args, new_kwargs)"
                raise RuntimeError(f"{step} {wanted}, but got {changed}.")
            given, kwargs = changed
        result = step(*given, **kwargs)
        for hook in (*self._hooks("_optimizer_step_post_hooks").now(), *EVERY_POST.now()):
            hook(self, given, kwargs)
        return result

    setattr(stepping, "hooked", True)  # noqa: B010
    return cast("F", stepping)


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before the step of every optimizer.

    A result replaces the arguments, of which the first is the optimizer.

    >>> import minigrad as mg
    >>> register = mg.optim.optimizer.register_optimizer_step_pre_hook
    >>> w = mg.ones(1, requires_grad=True)
    >>> with register(lambda optimizer, args, kwargs: print(kwargs)):
    ...     mg.optim.SGD([w], lr=0.1).step(closure=None)
    {'closure': None}
    """
    return EVERY_PRE.add(hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after the step of every optimizer."""
    return EVERY_POST.add(hook)


class Optimizer:
    """The base class. A subclass has `update`, which moves one parameter, or its own `step`."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "step" in cls.__dict__ and not hasattr(cls.step, "hooked"):
            setattr(cls, "step", call_hooks(cls.step))  # noqa: B010

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            wanted = (
                "params argument given to the optimizer should be an iterable of Tensors or dicts"
            )
            raise TypeError(f"{wanted}, but got {params.type()}")
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        listed = list(params)
        if not listed:
            raise ValueError("optimizer got an empty parameter list")
        for group in listed if isinstance(listed[0], dict) else [{"params": listed}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: Group) -> None:
        """Add more parameters: `param_group["params"]`, with the group's own options."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        given = [given] if isinstance(given, Tensor) else list(given)
        if given and all(isinstance(item, tuple) for item in given):
            param_group["param_names"] = [name for name, _ in given]
            given = [parameter for _, parameter in given]
        for parameter in given:
            if not isinstance(parameter, Tensor):
                kind = type(parameter).__name__
                wrong = f"one of the params is {kind}"
                raise TypeError(f"optimizer can only optimize Tensors, but {wrong}")
            if not (parameter.is_leaf or parameter.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len({id(p) for p in given}) < len(given):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error",
                stacklevel=3,
            )
        param_group["params"] = given
        for name, value in self.defaults.items():
            param_group.setdefault(name, value)
        known = {id(p) for group in self.param_groups for p in group["params"]}
        if not known.isdisjoint(id(p) for p in given):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    # --- A step

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for parameter in group["params"]:
                clear_grad(parameter, set_to_none)

    @call_hooks
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient.

        Args:
            closure: recomputes the loss and its gradients; its result is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter._grad is not None:
                    self._move(parameter, group)
        self._steps_taken = getattr(self, "_steps_taken", 0) + 1
        return loss

    def _move(self, parameter: Any, group: Group) -> None:
        grad = parameter._grad._array
        if group.get("maximize"):
            grad = -grad
        if isinstance(group.get("lr"), Tensor):
            group = {**group, "lr": group["lr"].item()}
        self.update(parameter, parameter.shared_array(), grad, group)
        parameter.version_counter().value += 1

    def update(self, parameter: Tensor, array: Array, grad: Array, group: Group) -> None:
        """Update `array`, the data of `parameter`, in place.

        It uses the gradient, which it must not change, and the options in `group`.
        """
        raise NotImplementedError

    # --- Hooks

    def _hooks(self, name: str) -> Hooks:
        hooks: Hooks = self.__dict__.setdefault(name, Hooks())
        return hooks

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step.

        A result replaces the arguments, of which the first is the optimizer.
        """
        return self._hooks("_optimizer_step_pre_hooks").add(hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._hooks("_optimizer_step_post_hooks").add(hook)

    # --- State

    def state_dict(self) -> dict[str, Any]:
        """Return the options of the groups and the state, with numbers for parameters."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {name: value for name, value in group.items() if name != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(p)] if isinstance(p, Tensor) else p: kept for p, kept in self.state.items()
        }
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load options and state from another optimizer's `state_dict`.

        As in PyTorch, tensors of the right dtype are shared with it.
        """
        given = [dict(group) for group in state_dict["param_groups"]]
        if len(given) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for mine, theirs in zip(self.param_groups, given, strict=True):
            if len(mine["params"]) != len(theirs["params"]):
                wrong = "a parameter group that doesn't match the size of optimizer's group"
                raise ValueError(f"loaded state dict contains {wrong}")
        parameters = {
            number: parameter
            for mine, theirs in zip(self.param_groups, given, strict=True)
            for number, parameter in zip(theirs["params"], mine["params"], strict=True)
        }
        self.state = defaultdict(dict)
        for number, kept in state_dict["state"].items():
            self.state[parameters.get(number, number)] = {
                name: fit_state(value, name, parameters.get(number)) for name, value in kept.items()
            }
        for mine, theirs in zip(self.param_groups, given, strict=True):
            parameters_of_mine = mine.pop("params")
            mine.clear()
            mine.update(deepcopy(theirs), params=parameters_of_mine)

    def __repr__(self) -> str:
        lines = []
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"]
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return f"{type(self).__name__} (" + "\n".join(lines) + "\n)"


def fit_state(value: Any, name: str, parameter: Any) -> Any:
    """Return a stored tensor in the dtype of its parameter; a step count unchanged."""
    if isinstance(value, Tensor) and name != "step" and parameter is not None:
        return value.to(parameter.dtype)
    return value


NOT_NEGATIVE = {
    "lr": "learning rate",
    "eps": "epsilon value",
    "momentum": "momentum value",
    "weight_decay": "weight_decay value",
    "alpha": "alpha value",
}
"""Options of the optimizers that must not be negative, and their names in errors."""


def options(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return an optimizer's options, from the `locals()` of its `__init__`.

    Raises:
        ValueError: an option is invalid.
    """
    given = {k: v for k, v in arguments.items() if k not in ("self", "params", "__class__")}
    for name, words in NOT_NEGATIVE.items():
        if not 0.0 <= given.get(name, 0.0):
            raise ValueError(f"Invalid {words}: {given[name]}")
    for place, beta in enumerate(given.get("betas", ())):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")
    if not any(
        all(isinstance(b, kind) for b in given.get("betas", ())) for kind in (float, Tensor)
    ):
        raise ValueError("betas must be either both floats or both Tensors")
    return given
