"""Inspect the graph and register hooks: PyTorch's `torch.autograd.graph`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary, ref

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from ..core import node as nodes
from ..core.edges import place_of
from ..core.hooks import RemovableHandle
from ..core.modes import Mode, modes
from ..core.node import UNCOUNTED, GradientEdge, TensorBase, gradient_edge
from ..core.views import requires_grad

if TYPE_CHECKING:
    from ..core.node import Node
else:

    class Node(ABC):
        """Any node of a graph: a virtual base class, as in PyTorch, for `isinstance`."""

        @classmethod
        def __subclasshook__(cls, kind: type) -> Any:
            return True if cls is Node and issubclass(kind, nodes.Node) else NotImplemented

        @abstractmethod
        def name(self) -> str: ...

        next_functions, metadata = nodes.Node.next_functions, nodes.Node.metadata
        register_hook, register_prehook = nodes.Node.register_hook, nodes.Node.register_prehook


__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return the edge of `tensor`.

    Raises:
        RuntimeError: the tensor does not require grad.
    """
    node, index = place_of(gradient_edge(tensor))
    if node is None:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    return GradientEdge(node, index)


def increment_version(tensor: Any) -> None:
    """Count a write to the memory of `tensor` (or of several) that autograd did not see."""
    for each in (tensor,) if isinstance(tensor, TensorBase) else tensor:
        if each._counter is not UNCOUNTED:
            each.version_counter().value += 1


class saved_tensors_hooks(Mode):
    """Pass each tensor through `pack` when it is saved, and through `unpack` when it is needed.

    >>> import minigrad as mg
    >>> sizes = []
    >>> def pack(t):
    ...     sizes.append(t.numel())
    ...     return t
    >>> x = mg.ones(3, requires_grad=True)
    >>> with mg.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
    ...     y = x * x
    >>> sizes
    [3, 3]
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.hooks = (pack_hook, unpack_hook)

    def switch(self) -> dict[str, Any]:
        if modes.no_saved_hooks is not None:
            raise RuntimeError(modes.no_saved_hooks)
        if not all(map(callable, self.hooks)):
            raise TypeError(f"saved_tensors_hooks takes two functions, not {self.hooks}")
        return {"saved_hooks": (*self.hooks, modes.saved_hooks)}

    def __exit__(self, *error: object) -> None:
        innermost = modes.saved_hooks  # of another context, if a hook has entered or left one
        super().__exit__(*error)
        if innermost is None:
            raise RuntimeError(
                "there are no hooks for saved tensors to remove: a backward pass that entered "
                "this context has ended, or it was left before"
            )
        modes.saved_hooks = innermost[2]


class save_on_cpu(saved_tensors_hooks):
    """Store saved tensors in the host's memory."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Any) -> tuple[Any, Any]:
            return tensor.device, tensor.detach().cpu()

        def unpack(packed: tuple[Any, Any]) -> Any:
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


class Kept:
    """A copy that nodes read in place of a saved tensor."""

    def __init__(self, tensor: Any) -> None:
        self.copy = tensor.detach().clone()
        self.tensor = ref(tensor)
        self.counter, self.version = tensor.version_counter(), tensor.version()


class KeptCopies:
    """The result of `allow_mutation_on_saved_tensors`: the copies that the nodes read.

    Nodes that save a tensor between two writes share a copy, which lives as long as they.
    """

    def __init__(self) -> None:
        self.tid_to_weakhandle: WeakValueDictionary[Any, Kept] = WeakValueDictionary()

    @property
    def cloned(self) -> dict[Kept, Any]:
        """The copies of tensors that were written since."""
        kept = list(self.tid_to_weakhandle.values())
        return {each: each.copy for each in kept if each.counter.value != each.version}

    def pack(self, tensor: Any) -> Kept:
        place = id(tensor), tensor.version()
        kept = self.tid_to_weakhandle.get(place)
        if kept is None or kept.tensor() is not tensor:
            kept = self.tid_to_weakhandle[place] = Kept(tensor)
        return kept

    def unpack(self, kept: Kept) -> Any:
        if kept.copy is None:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin "
                "which the graph was originally recorded."
            )
        return kept.copy

    def clear(self) -> None:
        """Free all copies: no pass can use these nodes any more."""
        for kept in list(self.tid_to_weakhandle.values()):
            kept.copy = None
        self.tid_to_weakhandle.clear()


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Allow writes to saved tensors: nodes keep copies.

    (PyTorch copies at the time of the write. Here the copy is made when a tensor is saved, once
    for each version, which needs more memory.) The backward pass has to run inside, too.

    >>> import minigrad as mg
    >>> x = mg.tensor([3.0], requires_grad=True)
    >>> with mg.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x * 1
    ...     z = y * y
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([6.])
    """

    def __init__(self) -> None:
        self.kept = self._given = KeptCopies()
        super().__init__(self.kept.pack, self.kept.unpack)

    def switch(self) -> dict[str, Any]:
        if modes.mutation_allowed:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        return {**super().switch(), "mutation_allowed": True}

    def __exit__(self, *how: Any) -> None:
        super().__exit__(*how)
        self.kept.clear()


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Let `saved_tensors_hooks` raise a RuntimeError with this message.

    Entering this inside of `saved_tensors_hooks` raises, too.
    """
    if modes.saved_hooks is not None:
        raise RuntimeError(error_message)
    before, modes.no_saved_hooks = modes.no_saved_hooks, error_message
    try:
        yield
    finally:
        modes.no_saved_hooks = before


class MultiHandle:
    """Removes the hooks of several tensors."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[[Any], None], *, mode: str = "all"
) -> MultiHandle:
    """Call `fn` once a backward pass has the gradients of all `tensors`, or of the first of them.

    With mode "all", `fn` gets a list with None for tensors that the pass does not reach. With mode
    "any" it gets the first gradient; tensors that do not require grad are ignored.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        tensors = [tensor for tensor in tensors if requires_grad(tensor)]
    if not all(requires_grad(tensor) for tensor in tensors):
        raise AssertionError("Expected gradient function to be set")
    edges = [gradient_edge(tensor) for tensor in tensors]
    passes: dict[int, list[Any]] = {}  # by backward pass, the gradients that have arrived

    def one(place: int) -> Callable[[Any], None]:
        def hook(gradient: Any) -> None:
            walk = modes.walk
            if mode == "any":
                if id(walk) not in passes:
                    passes.clear()
                    passes[id(walk)] = []
                    fn(gradient)
                return
            found = passes.setdefault(id(walk), [None] * len(edges))
            found[place] = gradient
            if all(g is not None or not walk.reaches(e) for g, e in zip(found, edges, strict=True)):
                del passes[id(walk)]
                fn(found)

        return hook

    return MultiHandle([t.register_hook(one(place)) for place, t in enumerate(tensors)])


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

set_places(globals(), __all__)
