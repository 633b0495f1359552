"""Names of `torch._C` that tests use to look inside, each answered by what minigrad has."""

from __future__ import annotations

import warnings
import weakref
from functools import partial
from heapq import heapify, heappop, heappush
from types import SimpleNamespace
from typing import Any

import minigrad
from minigrad import _C, amp, func
from minigrad.amp.grad_scaler import unscale
from minigrad.arrays.determinism import determinism
from minigrad.arrays.dtypes import from_numpy_dtype
from minigrad.arrays.memory_order import is_dense
from minigrad.arrays.storages import Storage, storage_name
from minigrad.autograd import Function, forward_ad, profiler
from minigrad.autograd.function import Error
from minigrad.autograd.grad_mode import is_grad_enabled, is_multithreading_enabled
from minigrad.autograd.gradcheck import NoGradient
from minigrad.core.engine import count_uses
from minigrad.core.modes import modes
from minigrad.core.node import AccumulateGrad, Node
from minigrad.core.saved import RawSaved
from minigrad.nn.global_hooks import EVERY_POST
from minigrad.ops import aten
from minigrad.ops.neural.convolution import ConvolutionBackwardBackward0
from minigrad.optim.lr_scheduler import CyclicLR
from minigrad.tensors import old_types


class WeakTensorRef:
    """A reference that does not keep a tensor alive."""

    def __init__(self, tensor: Any) -> None:
        self._tensor = weakref.ref(tensor)

    def expired(self) -> bool:
        return self._tensor() is None


class DelayedError(Error):
    """Makes a function that returns its argument, and whose backward raises."""

    def __init__(self, message: str, count: int) -> None:
        self.message = message

    def __call__(self, tensor: Any) -> Any:  # type: ignore[override]
        message = self.message

        class Boom(Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x.clone()

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                raise RuntimeError(message)

        return Boom.apply(tensor)


passes: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
numbers = iter(range(10**9))


def current_graph_task_id() -> int:
    """Return a number for the running pass: the next one for a pass that was not asked before."""
    if modes.walk is None:
        return -1
    if modes.walk not in passes:
        passes[modes.walk] = next(numbers)
    return passes[modes.walk]


def will_engine_execute_node(node: Any) -> bool:
    """Return whether the running pass runs `node`."""
    walk = modes.walk
    if not isinstance(node, Node):
        raise RuntimeError(f"expects an grad_fn, but got {type(node).__name__}")
    if walk is None:
        raise RuntimeError("should only be called during the backward pass")
    if isinstance(node, AccumulateGrad) and not walk.accumulate:
        raise RuntimeError("for a leaf, as you are currently running autograd.grad()")
    return node in (walk.waiting if walk.needed is None else walk.needed)


def execution_order() -> list[Node]:
    """Return the nodes of the running pass in the order in which the engine runs them."""
    walk = modes.walk
    if walk is None:
        raise RuntimeError("should only be called during the backward pass")
    if is_multithreading_enabled():
        raise RuntimeError(
            "expects the current backward to be executed with multithreading disabled"
        )
    waiting = count_uses(walk.roots)
    ready = [(-node._sequence, node) for node in {node for node, _ in walk.roots}]
    heapify(ready)
    order = []
    while ready:
        node = heappop(ready)[1]
        if walk.needed is None or node in walk.needed or node in walk.wanted_nodes:
            order.append(node)
        for target, _ in node.next_functions:
            if target is not None:
                waiting[target] -= 1
                if not waiting[target]:
                    heappush(ready, (-target._sequence, target))
    return order


class BackwardClass:
    """`_backward_cls`, the class of a function's nodes."""

    def __get__(self, _: Any, function: Any) -> Any:
        return function._node


Function._backward_cls = BackwardClass()  # type: ignore[attr-defined]


minigrad.Tensor._fix_weakref = lambda self: None  # type: ignore[attr-defined]  # always alive


def set_sequence_nr(node: Node, number: int) -> None:
    node._sequence = number


Node._set_sequence_nr = set_sequence_nr  # type: ignore[attr-defined]


class AlwaysCalled:
    """The hooks of all modules that are called after an error, too."""

    def __len__(self) -> int:
        return sum(always for *_, always in EVERY_POST.with_options())


def numbers_of(hooks: str, place: int) -> property:
    """Return a property of modules: the numbers of hooks that were registered with an option."""
    return property(
        lambda self: {hook[0] for hook in getattr(self, hooks).with_options() if hook[place]}
    )


minigrad.nn.Module._forward_hooks_always_called = numbers_of("_forward_hooks", 3)  # type: ignore[attr-defined]
minigrad.nn.Module._forward_hooks_with_kwargs = numbers_of("_forward_hooks", 2)  # type: ignore[attr-defined]
minigrad.nn.Module._forward_pre_hooks_with_kwargs = numbers_of("_forward_pre_hooks", 2)  # type: ignore[attr-defined]
CyclicLR._scale_fn_ref = property(lambda self: self._scale_fn_custom or type(self).scale_fn)  # type: ignore[attr-defined]


def enter_record_function(name: str, args: Any = None) -> Any:
    """Begin an event of the profiler, which `exit_record_function` ends."""
    event = profiler.record_function(name, args)
    event.__enter__()
    return event


def exit_record_function(event: Any) -> None:
    event.__exit__(None, None, None)


def unique(input: Any, dim: int | None = None, **options: Any) -> Any:
    """Return what PyTorch's kernels of `unique` return: always a tuple."""
    found = minigrad.unique(input, dim=dim, **options)
    return found if isinstance(found, tuple) else (found,)


class Resize(Function):
    """The function of `torch.autograd._functions` that changes a tensor's shape."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, shape: Any) -> Any:
        ctx.shape = tensor.shape
        return tensor.contiguous().view(*shape)

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient.contiguous().view(ctx.shape), None


def internal_overlap(tensor: Any) -> int:
    """Return whether elements of a tensor share memory: no (0), yes (1) or unknown (2)."""
    array = tensor._array
    if is_dense(array):
        return 0
    return 1 if any(n > 1 and not s for n, s in zip(array.shape, array.strides, strict=True)) else 2


def check_finite_and_unscale_(gradients: Any, found_inf: Any, inverse: Any) -> None:
    """Multiply gradients by a number, and note whether one of them is not finite."""
    for gradient in gradients:
        found_inf.copy_(found_inf.maximum(unscale(gradient, inverse)))


def update_scale_(
    scale: Any, tracker: Any, found_inf: Any, growth: float, backoff: float, interval: int
) -> None:
    """Let the number of a GradScaler grow or shrink."""
    scaler = amp.GradScaler("cpu", 1.0, growth, backoff, interval)
    scaler._growth_tracker = tracker
    scaler._adjust(scale, bool(found_inf.item()))


class Plain(Function):
    """An operation that PyTorch has for its own tests: a copy, with 1 more in its gradient."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient + 1

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        return tangent.clone()


class Warns(Function):
    """An operation that PyTorch has for its own tests: a copy, whose backward pass warns."""

    @staticmethod
    def forward(ctx: Any, tensor: Any) -> Any:
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        warnings.warn("Warn from backward", stacklevel=1)
        return gradient


def convolution_backward(
    grad_output: Any, input: Any, weight: Any, bias_sizes: Any, *how: Any
) -> tuple[Any, ...]:
    """Return the gradients of a convolution's operands; None for those that are not wanted."""
    *sizes, transposed, _, groups, wanted = how
    assert not (transposed or wanted[2])
    found = iter(
        ConvolutionBackwardBackward0.on(grad_output, input, weight, *sizes, groups, wanted[:2])
    )
    return tuple([next(found) if each else None for each in wanted])


class Aten:
    """Operations by their names, and those that have another one here."""

    convolution_backward = staticmethod(convolution_backward)

    def __getattr__(self, name: str) -> Any:
        return getattr(aten, name)


EXTRA = {
    "torch._amp_foreach_non_finite_check_and_unscale_": check_finite_and_unscale_,
    "torch._amp_update_scale_": update_scale_,
    "torch._debug_has_internal_overlap": internal_overlap,
    "torch._test_autograd_multiple_dispatch": Plain.apply,
    "torch._test_autograd_multiple_dispatch_view": lambda tensor: tensor.view(-1),
    "torch._test_autograd_multiple_dispatch_view_copy": lambda tensor: tensor.view(-1).clone(),
    "torch._tensor_classes": set(old_types.KINDS.values()),
    "torch._utils": SimpleNamespace(_element_size=lambda dtype: dtype.itemsize),
    "torch.storage._dtype_to_storage_type_map": lambda: {
        each: storage_name(each) for each in from_numpy_dtype.values()
    },
    "torch._VF": SimpleNamespace(unique_dim=unique),
    "torch._unique": unique,
    "torch._unique2": unique,
    "torch._vmap_internals": SimpleNamespace(_vmap=func.vmap),
    "torch.autograd._functions": SimpleNamespace(Resize=Resize),
    "torch.autograd._profiler_enabled": lambda: isinstance(modes.recorder, profiler.Timeline),
    "torch.autograd.kineto_available": profiler.kineto_available,
    "torch.nn.module._global_forward_hooks_always_called": AlwaysCalled(),
    "torch.ops.aten": Aten(),
    "torch.ops.profiler": SimpleNamespace(
        _record_function_enter=enter_record_function, _record_function_exit=exit_record_function
    ),
}
"""Names of other modules that tests use to look inside."""

NAMES = SimpleNamespace(
    _nn=SimpleNamespace(_test_warn_in_autograd=Warns.apply),
    _functions=SimpleNamespace(
        AccumulateGrad=AccumulateGrad,
        DelayedError=DelayedError,
        UndefinedGrad=lambda: NoGradient.apply,
    ),
    _autograd=SimpleNamespace(
        SavedTensor=RawSaved,
        _get_current_graph_task_keep_graph=lambda: modes.walk is None or modes.walk.keep_graph,
        _saved_tensors_hooks_is_enabled=lambda: modes.no_saved_hooks is None,
    ),
    _WeakTensorRef=WeakTensorRef,
    _current_graph_task_execution_order=execution_order,
    _current_graph_task_id=current_graph_task_id,
    _will_engine_execute_node=will_engine_execute_node,
    _get_deterministic_fill_uninitialized_memory=lambda: determinism.fill_uninitialized_memory,
    _set_deterministic_fill_uninitialized_memory=partial(
        setattr, determinism, "fill_uninitialized_memory"
    ),
    DisableTorchFunctionSubclass=_C.DisableTorchFunctionSubclass,
    _disabled_torch_function_impl=_C._disabled_torch_function_impl,
    _current_autograd_node=lambda: modes.walk and modes.walk.current,
    _set_fwd_grad_enabled=forward_ad._set_fwd_grad_enabled,
    StorageBase=Storage,
    has_lapack=True,
    is_grad_enabled=is_grad_enabled,
)
