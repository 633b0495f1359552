"""The memory lane of a stepper: the bytes that the graph keeps for the pass, step by step.

What the nodes keep is read before the pass begins, when they let go of it from the recording. What
hooks have packed counts as it was packed. What cannot be seen is said in words, and a graph that a
checkpoint computes again within the pass has no lane: what is kept then would be missing from it.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate

from ..model.graph_model import Walk
from ..model.memory import held_now, in_order
from ..model.memory_ledger import Ledger, Saved
from ..model.own_engines import OwnTensor
from ..texts.printable import printable
from ..texts.sentences import sentences
from .payload import EventData, MemoryData, MemoryPiece, Payload

MOST = 100
"""So many pieces of memory are listed, the largest."""


class Lane:
    """What the nodes of a graph keep before a pass."""

    def __init__(self, graph: Walk) -> None:
        self.order: list[str] = []
        self.ledger: Ledger | None = None
        if isinstance(graph.objects[graph.model.root.id], OwnTensor):
            return
        # Of what the program brings, classes of tensors say, some cannot be read; the pass can run.
        with suppress(Exception):
            self.order, self.ledger = in_order(graph), held_now(graph)

    def add_to(self, payload: Payload) -> None:
        """Write the lane into the payload of a pass that has been made since."""
        if self.ledger is None or not payload["steps"]:
            return
        words = sentences(payload["language"], "memory")
        said = [words[f"unseen_{why}"].format(node=n) for why, n in self.ledger.unseen.items()]
        if said:
            payload["memory_note"] = " ".join(map(printable, said))
        if not self.ledger.rows or "checkpoint" in self.ledger.unseen:
            return
        events, steps = payload["events"], len(payload["steps"])
        born, freed = self.births(events), _first(events, "free")
        pieces: list[MemoryPiece] = []
        changes = [0] * (steps + 1)  # the first is before all steps
        own = 0
        for rows in self.ledger.of_piece.values():
            if rows[0].own:
                own += rows[0].bytes
                continue
            piece = self.piece(rows, born, freed)
            pieces.append(piece)
            changes[piece["born"] + 1] += piece["bytes"]
            if "freed" in piece:
                changes[piece["freed"] + 1] -= piece["bytes"]
        if not pieces:
            return
        held = list(accumulate(changes))
        largest = sorted(pieces, key=lambda piece: -piece["bytes"])[:MOST]
        shown = [piece for piece in pieces if piece in largest]
        payload["memory"] = MemoryData(start=held[0], held=held[1:], pieces=shown, own=own)

    def piece(self, rows: list[Saved], born: dict[str, int], freed: dict[str, int]) -> MemoryPiece:
        nodes = [self.order[row.born] for row in rows]
        piece = MemoryPiece(
            name=rows[0].label,
            node=nodes[0],
            bytes=rows[0].bytes,
            born=min(born.get(node, -1) for node in nodes),
        )
        ends = [freed[node] for node in nodes if node in freed]
        if len(ends) == len(nodes):
            piece["freed"] = max(ends)
        return piece

    def births(self, events: list[EventData]) -> dict[str, int]:
        """The step in which each node was made, if the forward pass was recorded; one that no step
        tells of was made on the way to the next that has one.
        """
        seen = _first(events, "forward")
        found: dict[str, int] = {}
        step = max(seen.values(), default=-1)
        for node in reversed(self.order):
            step = found[node] = seen.get(node, step)
        return found


def _first(events: list[EventData], kind: str) -> dict[str, int]:
    """The first step with an event of this kind, by node."""
    found: dict[str, int] = {}
    for event in events:
        if event["kind"] == kind:
            found.setdefault(event["node"], event["step"])
    return found
