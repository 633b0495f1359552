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
        if self._steps_watched:
            self._has_stepped = True
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
        names = [item[0] for item in given if isinstance(item, tuple)]
        if names:
            if len(names) < len(given):
                wanted = "all optimizer params should be with/without names."
                raise ValueError(f"{wanted} Some param names are missing")
            param_group["param_names"] = names
            given = [parameter for _, parameter in given]
        for parameter in given:
            if not isinstance(parameter, Tensor):
                kind = type(parameter).__name__
                wrong = f"one of the params is {kind}"
                raise TypeError(f"optimizer can only optimize Tensors, but {wrong}")
            differentiable = self.defaults.get("differentiable")
            if not (differentiable or parameter.is_leaf or parameter.retains_grad):
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
        for group in self.param_groups:
            if ("param_names" in param_group) != ("param_names" in group):
                kind = "with" if "param_names" in param_group else "without"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {kind} names to the optimizer"
                )
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
        return loss

    def _move(self, parameter: Any, group: Group) -> None:
        if group.get("differentiable") and parameter._grad.requires_grad:
            grad = -parameter._grad if group.get("maximize") else parameter._grad
            self.update(parameter, parameter, grad, group)
            return
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

    # --- What a scheduler asks

    _steps_watched = False
    _has_stepped = False

    def watch_steps(self) -> None:
        """Note from now on whether `step` is called, and whether it is replaced."""
        if not self._steps_watched:
            self._steps_watched = True
            self._step_then = vars(self).get("step")

    def has_stepped(self) -> bool:
        """Whether `step` was called since it is watched."""
        return self._has_stepped

    def step_replaced(self) -> bool:
        """Whether a program assigned another `step` to this optimizer since it is watched."""
        return vars(self).get("step") is not self._step_then

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

    def register_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` before each `state_dict`."""
        return self._hooks("_optimizer_state_dict_pre_hooks").add(hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after each `state_dict`; a result replaces it."""
        return self._hooks("_optimizer_state_dict_post_hooks").add(hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before each load; a result replaces the state."""
        return self._hooks("_optimizer_load_state_dict_pre_hooks").add(hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after each `load_state_dict`."""
        return self._hooks("_optimizer_load_state_dict_post_hooks").add(hook, prepend)

    # --- State

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy and a pickle keep: hooks stay with the original."""
        return {name: vars(self)[name] for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.defaults.setdefault("differentiable", False)

    def state_dict(self) -> dict[str, Any]:
        """Return the options of the groups and the state, with numbers for parameters."""
        for hook in self._hooks("_optimizer_state_dict_pre_hooks").now():
            hook(self)
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
        found = {"state": state, "param_groups": groups}
        for hook in self._hooks("_optimizer_state_dict_post_hooks").now():
            changed = hook(self, found)
            found = found if changed is None else changed
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load options and state from another optimizer's `state_dict`.

        As in PyTorch, tensors of the right dtype are shared with it.
        """
        state_dict = dict(state_dict)
        for hook in self._hooks("_optimizer_load_state_dict_pre_hooks").now():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
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
            names = {"param_names": mine["param_names"]} if "param_names" in mine else {}
            mine.clear()
            mine.update(deepcopy(theirs), params=parameters_of_mine)
            for name, value in names.items():
                mine.setdefault(name, value)
        for hook in self._hooks("_optimizer_load_state_dict_post_hooks").now():
            hook(self)

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
    "rho": "rho value",
    "eps": "epsilon value",
    "momentum": "momentum value",
    "lr_decay": "lr_decay value",
    "weight_decay": "weight_decay value",
    "alpha": "alpha value",
    "initial_accumulator_value": "initial_accumulator_value value",
    "momentum_decay": "momentum_decay value",
}
"""Options of the optimizers that must not be negative, and their names in errors."""


def options(arguments: dict[str, Any], order: str = "") -> dict[str, Any]:
    """Return an optimizer's options, from the `locals()` of its `__init__`.

    The names in `order`, separated by blanks, come first.

    Raises:
        ValueError: an option is invalid.
    """
    skipped = ("self", "params", "__class__", "order")
    given = {name: value for name, value in arguments.items() if name not in skipped}
    given = {**{name: given[name] for name in order.split()}, **given}
    if isinstance(given["lr"], Tensor) and given["lr"].numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    for name, words in NOT_NEGATIVE.items():
        if name == "alpha" and "lambd" in given:  # an exponent
            continue
        if not 0.0 <= given.get(name, 0.0) or (name == "rho" and given.get(name, 0) > 1.0):
            raise ValueError(f"Invalid {words}: {given[name]}")
    for place, beta in enumerate(given.get("betas", ())):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")
    kinds = (float, Tensor) if "amsgrad" in given else ()
    if kinds and not any(all(isinstance(b, kind) for b in given["betas"]) for kind in kinds):
        raise ValueError("betas must be either both floats or both Tensors")
    if "etas" in given and not 0.0 < given["etas"][0] < 1.0 < given["etas"][1]:
        raise ValueError(f"Invalid eta values: {given['etas'][0]}, {given['etas'][1]}")
    return given
