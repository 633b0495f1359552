"""The bytes that a program or a graph saves for the backward pass. Read ledger.py first."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minigrad import Tensor

from ..model.autograd_nodes import node_name
from ..model.either_library import outside_modes, sequence_number
from ..model.graph_model import Walk
from ..model.lines import line_of
from ..model.names import made_by
from ..passes.watch import watch
from .ledger import Ledger
from .of_minigrad import of_minigrad


def record_memory(program: Callable[[], object], names: Iterable[tuple[Any, str]]) -> Ledger:
    """Run `program`, and write down what the nodes of its graphs save."""
    ledger = Ledger(record_memory.__code__)
    with outside_modes():
        ledger.note_outside(all_tensors())
        ledger.note_names(names)
    with watch(), of_minigrad(ledger), observing_pytorch(ledger):
        result = program()
        del result
    if ledger.trouble is not None:
        raise RuntimeError(f"the program is over, but could not be recorded ({ledger.trouble})")
    ledger.close()
    return ledger


def observing_pytorch(ledger: Ledger) -> AbstractContextManager[None]:
    """Return the context that observes PyTorch, if it is imported."""
    if "torch" not in sys.modules:
        return nullcontext()
    from .of_pytorch import of_pytorch

    return of_pytorch(ledger)


def all_tensors() -> list[Any]:
    """Return every tensor of the process."""
    torch: Any = sys.modules.get("torch")
    roots = (Tensor,) if torch is None else (Tensor, torch.Tensor)
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if issubclass(kind, roots)}
    return [each for each in objects if type(each) in kinds]


def creation_order(graph: Walk) -> list[str]:
    """Return the ids of a graph's operations in the order of their creation."""
    nodes = [node.id for node in graph.model.nodes if node.kind == "function"]
    return sorted(nodes, key=lambda id: sequence_number(graph.objects[id]))


def read_memory(graph: Walk) -> Ledger:
    """Return what the nodes of a graph save now: one moment for each node, in `creation_order`."""
    ledger = Ledger()
    with outside_modes():
        data = (tensor for tensor, _ in graph.names.items() if made_by(tensor)[0] is None)
        ledger.note_outside(data)
        ledger.note_names(graph.names.items())
        for id in creation_order(graph):
            node = graph.objects[id]
            line = line_of(node)
            ledger.add_moment("forward", node_name(node), line)
            ledger.note_saved(node, line)
    ledger.close()
    return ledger
