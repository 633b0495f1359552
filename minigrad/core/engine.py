"""The loop that walks the graph. backward() and grad() both end here.

A node may run only when its gradient is complete. In `b = a + a; c = b + b` two edges lead from c
to b. If b's node ran after the first of them, the second would be lost. So the walk first counts
the gradients that each node has to wait for. Then it runs the nodes that wait for none, the newest
operation first. There is no recursion: a chain of a million nodes is a loop.

Most iterations are short: apply the formula, free the saved tensors, pass the gradients on.
`full_iteration` does everything that PyTorch does for a node, in this order: tensor hooks,
retain_grad, node pre-hooks, the formula on the saved tensors, fitting each gradient to its input's
shape and dtype, node post-hooks, freeing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from heapq import heapify, heappop, heappush, heappushpop
from threading import get_ident
from typing import TYPE_CHECKING, Any, TypeVar

from ..arrays.dtypes import from_numpy_dtype
from .anomaly import check_nan, warn_where
from .broadcasting import broadcasts_to, sum_to
from .edges import Edge, NodePlace, edge_to, place_of
from .hooks import NO_HOOKS, Gradient, call_post_hooks, call_pre_hooks, call_tensor_hooks
from .modes import modes, rare
from .node import AccumulateGrad, Node, new_tensor, unwrap

if TYPE_CHECKING:
    from .events import Trace

R = TypeVar("R")

PASSES_OF_A_THREAD = 20
"""Passes inside passes that one thread runs; a deeper one would exceed Python's recursion limit."""


def run_backward(
    roots: Sequence[NodePlace],
    seeds: Sequence[Gradient],
    keep_graph: bool,
    create_graph: bool,
    wanted: Sequence[Edge] | None = None,
    accumulate: bool = True,
) -> list[Gradient]:
    """Pass `seeds` to the `roots`, and gradients on from there, down to the leaves.

    Args:
        wanted: run only what these edges need, and return the gradients that arrive there.
        accumulate: add gradients that reach an AccumulateGrad to its leaf; with `wanted`, to the
            wanted leaves only.
    """
    walk = Walk(keep_graph, create_graph, wanted, accumulate)
    if walk.is_deep and modes.walk.thread == walk.thread:
        return in_new_thread(
            run_backward, roots, seeds, keep_graph, create_graph, wanted, accumulate
        )
    before = modes.grad, modes.walk, walk.saved_hooks
    modes.grad, modes.walk = walk.recorded, walk
    try:
        found = walk.run(roots, seeds)
        for callback in walk.callbacks:  # a callback may queue another one
            callback()
        return found
    except Exception as error:
        if walk.trace is not None and walk.current is not None:
            walk.trace.failed(walk.current, error)
        raise
    finally:
        modes.grad, modes.walk, modes.saved_hooks = before
        if walk.trace is not None and before[1] is None:
            walk.trace.end_pass()


def in_new_thread(function: Callable[..., R], *args: Any) -> R:
    """Call `function` in a new thread, with the modes of this one."""
    from concurrent.futures import ThreadPoolExecutor  # here, to keep `import minigrad` fast
    from contextvars import copy_context

    state = modes.__dict__.copy()

    def call() -> R:
        modes.__dict__.update(state)
        return function(*args)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(copy_context().run, call).result()


class Walk:
    """One backward pass."""

    waiting: dict[Node, int]
    """The number of gradients that each node still waits for."""
    incoming: dict[Node, list[Gradient]]
    """The gradients of each node, summed so far."""
    needed: set[Node] | None = None
    """The nodes that have to run; None for all of them."""
    arrived: dict[Edge, Gradient]
    """The gradients that arrived at the wanted edges."""
    wanted_nodes: set[Node]
    """The nodes of the wanted edges. As in PyTorch, all their edges receive gradients."""
    current: Node | None = None
    """The running node, for anomaly mode and recorders."""

    def __init__(
        self, keep_graph: bool, create_graph: bool, wanted: Sequence[Edge] | None, accumulate: bool
    ) -> None:
        self.keep_graph = keep_graph
        # Gradients are Tensors where they are recorded, and where they may have tangents.
        self.with_tensors = create_graph or (rare.used and modes.level is not None)
        self.recorded = create_graph and not modes.inference  # becomes the mode of the pass
        self.saved_hooks = modes.saved_hooks if rare.used else None
        self.wanted = wanted
        self.accumulate = accumulate
        self.trace: Trace | None = modes.recorder if rare.used else None
        self.thread = get_ident()
        self.depth = 0 if (outer := modes.walk) is None else outer.depth + 1
        self.is_deep = self.depth > 0 and self.depth % PASSES_OF_A_THREAD == 0
        self.callbacks: list[Callable[[], object]] = []  # called when the pass is done

    def reaches(self, edge: Edge) -> bool:
        """Return whether a gradient will arrive at `edge` in this pass."""
        node = place_of(edge)[0]
        if self.needed is None:
            return node in self.waiting
        return node in self.needed or node in self.wanted_nodes

    def is_unobserved(self, node: Node) -> bool:
        """Return whether only formulas read the gradients that enter and leave `node`."""
        watched = self.with_tensors or self.trace is not None or modes.anomaly
        return node._hooks is NO_HOOKS and not watched

    def only_way(self, edge: Edge) -> bool:
        """Return whether only the running node still adds to the gradient at `edge`.

        The edge must not be a wanted one.
        """
        node = place_of(edge)[0]
        last = node in self.waiting and self.waiting[node] == 1
        return last and node not in self.incoming and edge not in (self.wanted or ())

    def to_user(self, g: Gradient) -> Any:
        """Return a gradient as user code receives it: always a Tensor."""
        return g if g is None or self.with_tensors else new_tensor(g)

    def from_user(self, g: Any) -> Gradient:
        """Return a user's Tensor in the walk's own form."""
        return g if self.with_tensors else unwrap(g)

    def run(self, roots: Sequence[NodePlace], seeds: Sequence[Gradient]) -> list[Gradient]:
        """Run the loop. Return the gradients that arrived at the wanted edges."""
        ready, short = self.begin(roots, seeds)
        waiting, incoming = self.waiting, self.incoming
        with_tensors, keep_graph, trace = self.with_tensors, self.keep_graph, self.trace
        gradients: Any
        outgoing: Any
        edge: Any
        follower: Node | None = None  # usually one node becomes ready, and need not queue
        while ready or follower is not None:
            if follower is None:
                node = heappop(ready)[1]
            elif ready and ready[0][0] < -follower._sequence:
                node = heappushpop(ready, (-follower._sequence, follower))[1]
            else:
                node = follower
            follower = None
            gradients = incoming.pop(node)
            plain = node._hooks is NO_HOOKS and gradients[0] is not None
            if plain and (short is None or node in short):
                outgoing = (node._recorded if with_tensors else node.backward)(*gradients)
                if type(outgoing) is not tuple:
                    outgoing = (outgoing,)
                if not keep_graph:
                    node._release()
            else:
                outgoing = self.full_iteration(node, gradients)
                # A hook may have changed them.
                modes.grad, modes.saved_hooks = self.recorded, self.saved_hooks
            # Pass the gradients on, and find the nodes that now wait for none.
            for slot, edge in enumerate(node._edges):
                if not edge:
                    continue
                if type(edge) is tuple:
                    target, index = edge
                else:
                    target, index = edge, 0
                g = outgoing[slot]
                slots = incoming.get(target)
                if slots is None:
                    slots = incoming[target] = [None] * len(target._outputs)
                if g is not None:
                    array = g._array if with_tensors else g
                    shape, dtype = target._outputs[index]
                    if array.shape != shape or array.dtype is not dtype:
                        g = self.fitted(node, g, slot)
                    before = slots[index]
                    slots[index] = g if before is None else before + g
                    if trace is not None:
                        trace.handed_over(node, slot, before, g, slots[index])
                uses = waiting[target]
                if uses > 1:
                    waiting[target] = uses - 1
                elif follower is None:
                    follower = target
                else:
                    heappush(ready, (-target._sequence, target))
            # No name may keep a gradient alive here, or its leaf could not take it over uncopied.
            gradients = outgoing = g = array = before = slots = None
        return [] if self.wanted is None else [self.arrived[edge] for edge in self.wanted]

    def nodes_toward(self, wanted: Sequence[Edge]) -> set[Node]:
        """Determine which nodes run for the `wanted` edges; return those above them."""
        self.arrived = dict.fromkeys(wanted)
        self.wanted_nodes = set(nodes_of(wanted))
        self.needed = leading_to(wanted, self.waiting, self.accumulate)
        return self.needed - self.wanted_nodes

    def begin(
        self, roots: Sequence[NodePlace], seeds: Sequence[Gradient]
    ) -> tuple[list[tuple[int, Node]], Set[Node] | None]:
        """Count uses and seed the roots. Return the nodes that can run at once, and `short`.

        `short` holds the nodes for which a short iteration may be enough; None stands for all
        nodes.
        """
        self.roots, self.waiting = roots, count_uses(roots)
        short: Set[Node] | None = None if self.wanted is None else self.nodes_toward(self.wanted)
        if self.trace is not None or (rare.used and modes.anomaly):
            short = frozenset()
        incoming: dict[Node, list[Gradient]] = {}
        for (node, index), seed in zip(roots, seeds, strict=True):
            assert node is not None
            slots = incoming.setdefault(node, [None] * len(node._outputs))
            slots[index] = seed if slots[index] is None else slots[index] + seed
            if self.trace is not None:
                self.trace.seeded(node, index, seed)
        self.incoming = incoming
        ready = [(-node._sequence, node) for node in incoming if not self.waiting[node]]
        heapify(ready)  # the newest node on top
        return ready, short

    def full_iteration(self, node: Node, gradients: list[Gradient]) -> tuple[Gradient, ...]:
        """Do everything that PyTorch does for a node, in its order."""
        self.current, edges = node, node._edges
        outgoing: tuple[Gradient, ...] = (None,) * len(edges)
        if self.needed is not None:
            self.capture(node, gradients, last=node not in self.needed)
            if node not in self.needed:
                return outgoing
        if node._hooks is not NO_HOOKS:
            gradients = call_tensor_hooks(self, node, gradients)
            gradients = call_pre_hooks(self, node, gradients)
        saved = () if self.trace is None else self.trace.started(node, gradients)
        if node.takes_undefined or [g for g in gradients if g is not None]:
            found = self.formula(node, gradients)
            needed = [self.reaches(edge) for edge in edges]
            shown = [any(needed)] * len(edges) if node.all_or_none else needed
            outgoing = tuple(
                [self.fitted(node, found[i], i) if show else None for i, show in enumerate(shown)]
            )
        else:
            node._pass_nothing()
        if node._hooks is not NO_HOOKS:
            outgoing = call_post_hooks(self, node, outgoing, gradients)
        if not self.keep_graph:
            if saved and self.trace is not None:
                self.trace.released(node, saved)
            node._release()
        return outgoing

    def formula(self, node: Node, gradients: list[Gradient]) -> tuple[Gradient, ...]:
        """Apply the formula; in anomaly mode, warn before an error leaves it."""
        run = node._recorded if self.with_tensors else node.backward
        if isinstance(node, AccumulateGrad) and self.trace is not None:
            self.trace.accumulate(node, run, gradients)
            return ()
        try:
            outgoing = run(*gradients)
        except Exception:
            if modes.anomaly:
                warn_where(node)
            raise
        if type(outgoing) is not tuple:
            outgoing = (outgoing,)
        if self.trace is not None:
            self.trace.applied(node, outgoing)
        if modes.anomaly and modes.anomaly_check_nan:
            check_nan(node, outgoing)
        return outgoing  # type: ignore[no-any-return]

    def fitted(self, node: Node, g: Gradient, slot: int) -> Gradient:
        """Return `g` in the input's shape and dtype: undo broadcasting, then convert."""
        edge = node._edges[slot]
        if not edge or g is None:
            return g
        target, index = edge if isinstance(edge, tuple) else (edge, 0)
        shape, dtype = target._outputs[index]
        array = unwrap(g)
        wider = array.shape
        if wider != shape:
            if not broadcasts_to(shape, wider):
                raise RuntimeError(
                    f"Function {node.name()} returned an invalid gradient at index {slot} - got "
                    f"{list(wider)} but expected shape compatible with {list(shape)}"
                )
            before, g = g, sum_to(g, shape)
            if self.trace is not None:
                self.trace.reduced(node, slot, before, g)
        if array.dtype != dtype:
            g = g.to(from_numpy_dtype[dtype]) if self.with_tensors else g.astype(dtype)
        return g

    def capture(self, node: Node, gradients: list[Gradient], last: bool) -> None:
        """Store the gradients that arrive at the wanted edges.

        For the last node on a path, the tensor hooks run first. They also run for a single root
        that is not wanted.
        """
        places = [i for i in range(len(gradients)) if edge_to(node, i) in self.arrived]
        if last and (places or [node] == [root for root, _ in self.roots]):
            gradients = call_tensor_hooks(self, node, gradients)
        for place in places:
            self.arrived[edge_to(node, place)] = gradients[place]


def nodes_of(edges: Sequence[Edge]) -> list[Node]:
    """Return the nodes to which some edges lead, without those that lead nowhere."""
    return [edge[0] if isinstance(edge, tuple) else edge for edge in edges if edge]


def count_uses(roots: Sequence[NodePlace]) -> dict[Node, int]:
    """Count the gradients that each node reachable from `roots` has to wait for."""
    uses = {node: 0 for node, _ in roots if node is not None}
    to_visit = list(uses)
    edge: Any
    while to_visit:
        for edge in to_visit.pop()._edges:
            if not edge:
                continue
            node = edge[0] if type(edge) is tuple else edge
            if node in uses:
                uses[node] += 1
            else:
                uses[node] = 1
                to_visit.append(node)
    return uses


def leading_to(wanted: Sequence[Edge], reachable: dict[Node, int], accumulate: bool) -> set[Node]:
    """Return the nodes that have to run for gradients to arrive at the `wanted` edges.

    These are the nodes above them, found by following the edges upwards. With `accumulate`, the
    wanted nodes run too: a leaf's node adds to the leaf, a result's node runs as PyTorch's does.
    """
    users: dict[Node, list[Node]] = {}
    for user in reachable:
        for node in nodes_of(user._edges):
            users.setdefault(node, []).append(user)
    to_visit = nodes_of(wanted)
    found = set(to_visit) if accumulate else set()
    while to_visit:
        for user in users.get(to_visit.pop(), ()):
            if user not in found:
                found.add(user)
                to_visit.append(user)
    return found
