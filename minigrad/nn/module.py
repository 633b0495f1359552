"""Module: parameters, buffers and other modules, with a `forward` that uses them.

It intercepts assignments: a Parameter becomes a parameter, a Module a child, and any other value an
ordinary attribute. Everything else (state_dict, train, to, apply, ...) walks these dictionaries.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, Protocol, TypeVar, cast

from ..arrays.devices import device as Device
from ..arrays.dtypes import float16, float32, float64, to_numpy_dtype
from ..arrays.left_out import missing_attribute
from ..core.code_lines import Call, users_place
from ..core.hooks import Hooks, RemovableHandle
from ..core.modes import modes, no_grad
from ..ops.shapes.copies import convert_to, destination
from ..tensors.tensor import Tensor
from .backward_hooks import ModuleGradients, watch_last_node
from .global_hooks import (  # noqa: F401  # the functions are those of PyTorch's module
    EVERY_BACKWARD,
    EVERY_BACKWARD_PRE,
    EVERY_POST,
    EVERY_PRE,
    ForwardHooks,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    registered,
    shared_backward_hooks,
)
from .parameter import Buffer, Parameter, is_lazy
from .state_dicts import STATE_HOOKS, Stateful

T = TypeVar("T", bound="Module")

KINDS = ("_parameters", "_buffers", "_modules")
"""The dictionaries in which names other than ordinary attributes are stored."""

FORWARD = frozenset(("_forward_pre_hooks", "_forward_hooks"))
"""The dictionaries of hooks that have options."""

HOOKS = (
    "_forward_pre_hooks",
    "_forward_hooks",
    "_backward_pre_hooks",
    "_backward_hooks",
    *STATE_HOOKS,
)

REPLACED_BY = {
    "_parameters": ("parameter", "torch.nn.Parameter"),
    "_modules": ("child module", "torch.nn.Module"),
    "_buffers": ("buffer", "torch.nn.Buffer, torch.Tensor"),
}
"""The name in PyTorch's errors for each dictionary, and the types that may be assigned to it."""


P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Forwards(Protocol[P, R]):
    """The type of an object that is called like its `forward`."""

    def forward(self, *args: P.args, **kwargs: P.kwargs) -> R: ...


SILENCED = (
    "forward hook with ``always_call=True`` raised an exception that was silenced as another error "
    "was raised in forward: "
)


class Module(Stateful):
    """The base class of all networks and layers.

    A subclass defines `forward`, and calls `super().__init__()` before it assigns anything.

    >>> import minigrad as mg
    >>> class Twice(mg.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.linear = mg.nn.Linear(3, 3)
    ...     def forward(self, x):
    ...         return self.linear(self.linear(x))
    >>> Twice()
    Twice(
      (linear): Linear(in_features=3, out_features=3, bias=True)
    )
    """

    training: bool
    _modules: dict[str, Module | None]
    _forward_pre_hooks: ForwardHooks
    _forward_hooks: ForwardHooks
    _backward_pre_hooks: Hooks
    _backward_hooks: Hooks
    _is_full_backward_hook: bool | None = None
    call_super_init: ClassVar[bool] = False
    """Whether `__init__` calls the next class's `__init__` with its arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if (args or kwargs) and self.call_super_init is False:
            name, count = type(self).__name__, len(args) + 1
            wrong = f"takes 1 positional argument but {count} were given"
            if kwargs:
                wrong = f"got an unexpected keyword argument '{next(iter(kwargs))}'"
            raise TypeError(f"{name}.__init__() {wrong}")
        attributes = self.__dict__  # bypasses __setattr__, which needs them
        attributes["training"] = True
        attributes["_non_persistent_buffers_set"] = set()
        for kind in KINDS:
            attributes[kind] = {}
        for kind in HOOKS:
            attributes[kind] = ForwardHooks() if kind in FORWARD else Hooks()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy or a pickle, which may lack attributes of newer modules."""
        self.__dict__.update(state)
        for kind in HOOKS:
            self.__dict__.setdefault(kind, ForwardHooks() if kind in FORWARD else Hooks())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    # --- Calls

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the module's result; subclasses define this."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    if TYPE_CHECKING:  # a call has the types of the subclass's `forward`

        def __call__(self: Forwards[P, R], *args: P.args, **kwargs: P.kwargs) -> R: ...

    else:

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            if modes.lines:
                return self._call_recorded(args, kwargs)
            if (
                self._forward_pre_hooks
                or self._forward_hooks
                or self._backward_pre_hooks
                or self._backward_hooks
                or EVERY_PRE
                or EVERY_POST
                or EVERY_BACKWARD_PRE
                or EVERY_BACKWARD
            ):
                return self._call_with_hooks(args, kwargs)
            return self.forward(*args, **kwargs)

    def _call_recorded(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call it while the nodes that it makes record this call."""
        outer = modes.call
        modes.call = Call(weakref.ref(self), type(self).__name__, users_place(), outer)
        try:
            return self._call_with_hooks(args, kwargs)
        finally:
            modes.call = outer

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        watch = result = None
        full, older = self._all_backward_hooks()
        before = [*EVERY_BACKWARD_PRE.now(), *self._backward_pre_hooks.now()]

        def call(hook: Any, with_kwargs: bool) -> Any:
            given = (args, kwargs) if with_kwargs else (args,)
            changed = hook(self, *given, result)
            return result if changed is None else changed

        called: set[int] = set()
        try:
            args, kwargs = self._call_pre_hooks(args, kwargs)
            if full or before:
                watch = ModuleGradients(self, full, before)
                args = watch.watch_inputs(args)
            result = self.forward(*args, **kwargs)
            for number, hook, with_kwargs, _ in self._after():
                called.add(number)
                result = call(hook, with_kwargs)
        except Exception:
            for number, hook, with_kwargs, always in self._after():
                if always and number not in called:
                    try:
                        result = call(hook, with_kwargs)
                    except Exception as silenced:
                        kind = "global module" if number in EVERY_POST else "module"
                        warnings.warn(f"{kind} {SILENCED}{silenced}", stacklevel=2)
            raise
        result = result if watch is None else watch.watch_outputs(result)
        if older:
            watch_last_node(self, older, args, result)
        return result

    def _all_backward_hooks(self) -> tuple[list[Any], list[Any]]:
        """Return the full backward hooks and the older ones, first those of every module."""
        own, full = self._backward_hooks.now(), self._is_full_backward_hook
        return (
            [*shared_backward_hooks(True), *(own if full else ())],
            [*shared_backward_hooks(False), *(own if full is False else ())],
        )

    def _after(self) -> list[tuple[int, Any, bool, bool]]:
        return EVERY_POST.with_options() + self._forward_hooks.with_options()

    def _call_pre_hooks(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments after the forward pre-hooks."""
        hooks = EVERY_PRE.with_options() + self._forward_pre_hooks.with_options()
        for _, hook, with_kwargs, _ in hooks:
            changed = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if changed is None:
                continue
            if not with_kwargs:
                args = changed if isinstance(changed, tuple) else (changed,)
            elif isinstance(changed, tuple) and len(changed) == 2:
                args, kwargs = changed
            else:
                wanted = "must return None or a tuple of (new_args, new_kwargs)"
                raise RuntimeError(f"forward pre-hook {wanted}, but got {changed}.")
        return args, kwargs

    # --- Registration

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if isinstance(value, Parameter):
            self._make_way(name, "_parameters", "parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._make_way(name, "_modules", "module")
            attributes["_modules"][name] = registered(self, "module", name, value)
        else:
            for kind, (what, expected) in REPLACED_BY.items():
                if name in attributes.get(kind, ()):
                    if value is not None and not (kind == "_buffers" and isinstance(value, Tensor)):
                        wrong = f"cannot assign '{type_of(value)}' as {what} '{name}'"
                        raise TypeError(f"{wrong} ({expected} or None expected)")
                    if kind == "_buffers":
                        self._assign_buffer(name, value)
                    else:
                        attributes[kind][name] = value
                    return
            if isinstance(value, Buffer):
                self._assign_buffer(name, value)
            else:
                object.__setattr__(self, name, value)

    def _assign_buffer(self, name: str, value: Tensor | None) -> None:
        """Register a buffer that was assigned; a subclass may override `register_buffer`."""
        persistent = name not in self.__dict__.get("_non_persistent_buffers_set", ())
        if isinstance(value, Buffer):
            persistent = value.persistent
        method = self.register_buffer
        own = getattr(method, "__func__", None) is Module.register_buffer
        if own or "persistent" in signature(method).parameters:
            method(name, value, persistent)
        elif persistent:
            method(name, value)
        else:
            raise RuntimeError(
                "Registering a non-persistent buffer on a Module subclass that implements "
                "register_buffer() without the persistent argument is not allowed."
            )

    def _make_way(self, name: str, registry: str, what: str) -> None:
        """Remove `name` from all places except `registry`, where it keeps its position."""
        if registry not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")
        self.__dict__.pop(name, None)
        for kind in KINDS:
            if kind != registry:
                self.__dict__[kind].pop(name, None)
        self.__dict__["_non_persistent_buffers_set"].discard(name)

    def __getattr__(self, name: str) -> Any:
        for kind in KINDS:
            registry = self.__dict__.get(kind)
            if registry is not None and name in registry:
                return registry[name]
        raise missing_attribute(type(self).__name__, "torch.nn.Module", name)

    def __delattr__(self, name: str) -> None:
        for kind in KINDS:
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*super().__dir__(), *self._parameters, *self._buffers, *self._modules]
        return sorted({name for name in names if not name[:1].isdigit()})

    def _register(self, kind: str, name: str, value: Any, wanted: type, words: str) -> None:
        """Store `value` in the dictionary of its kind, after checking name and type."""
        registry = self.__dict__.get(f"_{kind}s")
        if registry is None:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type_of(name)}")
        if "." in name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f'{kind} name can\'t contain "."{got}')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in registry:
            raise KeyError(f"attribute '{name}' already exists")
        if value is not None and not isinstance(value, wanted):
            wrong = f"cannot assign '{type_of(value)}' object to {kind} '{name}'"
            raise TypeError(f"{wrong} ({words} or None required)")
        registry[name] = registered(self, kind, name, value)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register `param` as a parameter under `name`."""
        self._register("parameter", name, param, Parameter, "torch.nn.Parameter")

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register a tensor that is part of the module's state but not trained."""
        self._register("buffer", name, tensor, Tensor, "torch Tensor")
        keep_out = self._non_persistent_buffers_set
        (keep_out.discard if persistent else keep_out.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register `module` as a child under `name`."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{type_of(module)} is not a Module subclass")
        self._register("module", name, module, Module, "torch.nn.Module")

    register_module = add_module

    # --- Iteration over modules, parameters and buffers

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Yield this module and every module below it, with its path."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, joined(prefix, name), remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """Yield this module and every module below it."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Yield the direct children with their names."""
        seen = set()
        for name, child in self._modules.items():
            if child is not None and child not in seen:
                seen.add(child)
                yield name, child

    def children(self) -> Iterator[Module]:
        """Yield the direct children."""
        return (child for _, child in self.named_children())

    def _named(
        self, registry: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        below = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        seen = set()
        for path, module in below if recurse else [(prefix, self)]:
            for name, tensor in module.__dict__[registry].items():
                if tensor is not None and id(tensor) not in seen:
                    if remove_duplicate:
                        seen.add(id(tensor))
                    yield joined(path, name), tensor

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield every parameter with its path."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield every parameter."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield every buffer with its path."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield every buffer."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """Return the module at a path such as "encoder.0"."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Parameter:
        """Return the parameter at a path such as "encoder.0.weight"."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        found = module._parameters.get(name)
        if found is None:
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """Return the buffer at a path such as "encoder.0.mask"."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return cast(Tensor, module._buffers[name])

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path such as "encoder.0"; with `strict`, only in place of another."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    # --- Changes of all modules and parameters

    def apply(self: T, fn: Callable[[Module], None]) -> T:
        """Call `fn` on every module, children first."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self: T, mode: bool = True) -> T:
        """Switch to training mode: dropout and batch normalization depend on it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self: T) -> T:
        """Switch to evaluation mode: `train(False)`."""
        return self.train(False)

    def requires_grad_(self: T, requires_grad: bool = True) -> T:
        """Set `requires_grad` of every parameter."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def _apply(self: T, fn: Callable[[Tensor], Tensor]) -> T:
        """Replace every parameter's data, its gradient and every buffer by the result of `fn`."""
        for child in self.children():
            child._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            grad = parameter._grad
            with no_grad():  # `fn` may work in place, so it gets the tensor with its version
                parameter.data = fn(parameter.data if is_lazy(parameter) else parameter)
                if grad is not None:
                    changed = fn(grad)
                    if changed is not grad:
                        parameter._grad = changed.detach().requires_grad_(grad.requires_grad)
        buffers: dict[str, Any] = self._buffers
        for name, buffer in buffers.items():
            if is_lazy(buffer):
                buffer.data = fn(buffer.data)
            elif buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: T, *args: Any, **kwargs: Any) -> T:
        """Convert floating parameters and buffers to a dtype, or move all to a device."""
        form = kwargs.pop("memory_format", None)
        given = destination(*args, **kwargs) if args or kwargs else (None, None, False)
        kind, place, copy = given
        if "copy" in kwargs or len(args) > 3:
            raise RuntimeError(".to() does not accept copy argument")
        if kind is not None and to_numpy_dtype(kind).kind != "f":
            wanted = "nn.Module.to only accepts floating point or complex dtypes"
            raise TypeError(f"{wanted}, but got desired dtype={kind}")

        def convert(tensor: Tensor) -> Tensor:
            wanted = kind if tensor.is_floating_point() else None
            moved: Any = convert_to(tensor, wanted, place, copy)
            chosen = form is not None and tensor.dim() in (4, 5)
            return cast(Tensor, moved.to(memory_format=form) if chosen else moved)

        return self._apply(convert)

    def float(self: T) -> T:
        """Convert all floating parameters and buffers to float32."""
        return self.to(float32)

    def double(self: T) -> T:
        """Convert all floating parameters and buffers to float64."""
        return self.to(float64)

    def half(self: T) -> T:
        """Convert all floating parameters and buffers to float16."""
        return self.to(float16)

    def type(self: T, dst_type: Any) -> T:
        """Convert all parameters and buffers to a dtype, also those of whole numbers."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def cpu(self: T) -> T:
        """Move all parameters and buffers to the host's memory."""
        return self.to("cpu")

    def cuda(self: T, device: Any = None) -> T:
        """Move all parameters and buffers to a GPU."""
        return self.to(Device("cuda", device) if isinstance(device, int) else device or "cuda")

    # --- Hooks

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; a result replaces the arguments."""
        return self._forward_pre_hooks.register(hook, with_kwargs, False, prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, result)` after `forward`; it may return another result."""
        return self._forward_hooks.register(hook, with_kwargs, always_call, prepend)

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the inputs are known.

        A result replaces them.
        """
        self._choose_backward_hooks(full=True)
        return self._backward_hooks.add(hook, prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` with the gradients of the result's node.

        Deprecated, as these need not be the gradients of the module's inputs.
        """
        self._choose_backward_hooks(full=False)
        return self._backward_hooks.add(hook, False)

    def _choose_backward_hooks(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            wrong = "Cannot use both regular backward hooks and full backward hooks on a single"
            raise RuntimeError(f"{wrong} Module. Please use only one of them.")
        self._is_full_backward_hook = full

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the outputs are known.

        A result replaces them.
        """
        return self._backward_pre_hooks.add(hook, prepend)

    # --- Text

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return the text of a subclass within its parentheses.

        >>> Module().extra_repr()
        ''
        """
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        children = [(f"({name})", repr(child)) for name, child in self._modules.items()]
        return block(self._get_name(), extra, children)


def block(name: str, extra: str, children: list[tuple[str, str]]) -> str:
    """Return `Name(...)`, with a line for each child."""
    lines = extra.split("\n") if extra else []
    if len(lines) == 1 and not children:
        return f"{name}({extra})"
    lines += [f"{key}: {text}" for key, text in children]
    if not lines:
        return f"{name}()"
    inner = "\n".join(lines).replace("\n", "\n  ")
    return f"{name}(\n  {inner}\n)"


def joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def clear_grad(tensor: Tensor, set_to_none: bool) -> None:
    """Clear the gradient of a tensor, or set it to zero."""
    if tensor._grad is None:
        return
    if set_to_none:
        tensor._grad = None
    else:
        tensor._grad.detach_()
        tensor._grad.zero_()


def type_of(value: Any) -> str:
    """Return the name of a value's type in PyTorch's errors."""
    if isinstance(value, type):
        return value.__name__
    return str(value.type()) if isinstance(value, Tensor) else type(value).__name__
