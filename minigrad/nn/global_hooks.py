"""Hooks on every module: PyTorch's functions `torch.nn.modules.module.register_module_...`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.hooks import Hooks, RemovableHandle


class ForwardHooks(Hooks):
    """Forward hooks by number. A hook's options are in a dictionary of their own, as in PyTorch."""

    def __init__(self, *entries: Any) -> None:
        super().__init__(*entries)
        self.options: dict[int, tuple[bool, bool]] = {}
        """Whether the hook takes keyword arguments, and whether it is called after an error."""

    def register(
        self, hook: Any, with_kwargs: bool, always: bool = False, prepend: bool = False
    ) -> RemovableHandle:
        """Add a hook with its options."""
        handle = self.add(hook, prepend)
        if with_kwargs or always:
            self.options[handle.id] = (with_kwargs, always)
        return handle

    def with_options(self) -> list[tuple[int, Any, bool, bool]]:
        """Return for each hook its number, the hook, and its options."""
        plain = (False, False)
        return [(n, hook, *self.options.get(n, plain)) for n, hook in self.items()]


EVERY_PRE, EVERY_POST = ForwardHooks(), ForwardHooks()
"""The forward hooks that all modules share; they are called before a module's own."""

EVERY_BACKWARD_PRE, EVERY_BACKWARD = Hooks(), Hooks()
"""The backward hooks that all modules share."""

REGISTRATION = {"parameter": Hooks(), "buffer": Hooks(), "module": Hooks()}
"""Hooks that are called when a module registers something."""


class Kind:
    """Whether the backward hooks that all modules share are full ones; None without any."""

    full: bool | None = None


def shared_backward_hooks(full: bool) -> list[Any]:
    """Return the full backward hooks that all modules share, or the older ones."""
    return EVERY_BACKWARD.now() if EVERY_BACKWARD and Kind.full is full else []


def registered(module: Any, kind: str, name: str, value: Any) -> Any:
    """Return what is registered as `name`, after the hooks."""
    for hook in REGISTRATION[kind].now():
        changed = hook(module, name, value)
        value = value if changed is None else changed
    return value


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, args)` before the `forward` of every module.

    What it returns replaces the arguments.

    >>> import minigrad as mg
    >>> every, called = mg.nn.modules.module, []
    >>> net = mg.nn.Sequential(mg.nn.Linear(2, 2), mg.nn.Tanh())
    >>> with every.register_module_forward_pre_hook(lambda m, args: called.append(type(m))):
    ...     _ = net(mg.ones(2))
    >>> [kind.__name__ for kind in called]
    ['Sequential', 'Linear', 'Tanh']
    """
    return EVERY_PRE.add(hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, result)` after the `forward` of every module.

    What it returns replaces the result. `always_call` also calls it after a `forward` that raised.
    """
    return EVERY_POST.register(hook, with_kwargs, always_call)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_output)` for every module, as `register_full_backward_pre_hook`."""
    return EVERY_BACKWARD_PRE.add(hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` for every module.

    >>> import minigrad as mg
    >>> x, called = mg.ones(2, requires_grad=True), []
    >>> every = mg.nn.modules.module.register_module_full_backward_hook
    >>> with every(lambda module, grad_input, grad_output: called.append(grad_input)):
    ...     mg.nn.Tanh()(x).sum().backward()
    >>> called
    [(tensor([0.4200, 0.4200]),)]
    """
    return add_backward_hook(hook, full=True)


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook` for every module, as `register_backward_hook`. Deprecated, like that one."""
    return add_backward_hook(hook, full=False)


def add_backward_hook(hook: Callable[..., Any], full: bool) -> RemovableHandle:
    if Kind.full is (not full):
        wrong = "Cannot use both regular backward hooks and full backward hooks as a global"
        raise RuntimeError(f"{wrong} Module hook. Please use only one of them.")
    Kind.full = full
    return EVERY_BACKWARD.add(hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, parameter)` when any module registers a parameter.

    What it returns is registered instead.
    """
    return REGISTRATION["parameter"].add(hook)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, buffer)` when any module registers a buffer.

    What it returns is registered instead.
    """
    return REGISTRATION["buffer"].add(hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, child)` when any module registers a child.

    What it returns is registered instead.
    """
    return REGISTRATION["module"].add(hook)
