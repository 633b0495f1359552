"""What a program, or a graph, keeps for the backward pass: memory_ledger.py says what is written
down.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable
from typing import Any

from minigrad import Tensor

from .autograd_nodes import node_name
from .graph_model import Walk
from .lines import line_of
from .memory_ledger import Ledger
from .memory_of_minigrad import of_minigrad
from .memory_of_pytorch import of_pytorch
from .names import made_by
from .pytorch_modes import unseen
from .watch import watch


def recorded(program: Callable[[], object], names: Iterable[tuple[Any, str]]) -> Ledger:
    """Run `program`, and write down what its graphs keep."""
    ledger = Ledger(recorded.__code__)
    with unseen():
        ledger.live_anyway(all_tensors())
        ledger.call(names)
    with watch(), of_minigrad(ledger), of_pytorch(ledger):
        result = program()
        del result
    if ledger.trouble is not None:
        raise RuntimeError(f"the program is over, but could not be recorded ({ledger.trouble})")
    ledger.close()
    return ledger


def all_tensors() -> list[Any]:
    """Every tensor that there is."""
    torch: Any = sys.modules.get("torch")
    roots = (Tensor,) if torch is None else (Tensor, torch.Tensor)
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if issubclass(kind, roots)}
    return [each for each in objects if type(each) in kinds]


def in_order(graph: Walk) -> list[str]:
    """The ids of a graph's operations, as they were made."""
    nodes = [node.id for node in graph.model.nodes if node.kind == "function"]
    return sorted(nodes, key=lambda id: int(graph.objects[id]._sequence_nr()))


def held_now(graph: Walk) -> Ledger:
    """What the nodes of a graph keep at this moment: one moment for each node `in_order`."""
    ledger = Ledger()
    with unseen():
        data = (tensor for tensor, _ in graph.names.items() if made_by(tensor)[0] is None)
        ledger.live_anyway(data)
        ledger.call(graph.names.items())
        for id in in_order(graph):
            node = graph.objects[id]
            line = line_of(node)
            ledger.happens("forward", node_name(node), line)
            ledger.keeps(node, line)
    ledger.close()
    return ledger
