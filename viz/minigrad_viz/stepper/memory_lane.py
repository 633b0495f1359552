"""The memory lane of a stepper: the bytes that the graph keeps for the pass, step by step.

Saved tensors are read before the pass, and the recording tells when each node frees its own. A
tensor packed by a hook counts as it was packed. A note names memory that is unknown. A graph with a
checkpoint has no lane: the lane would miss what the checkpoint recomputes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

from ..ledger.memory import creation_order, read_memory
from ..ledger.saved_bytes import Unseen
from ..model.collector import uncollected
from ..model.graph_model import Walk
from ..model.own_engines import OwnTensor
from ..texts.printable import printable
from ..texts.sentences import sentences
from .payload import EventData, MemoryData, MemoryPiece, Payload

MOST = 100
"""At most this many pieces of memory are listed: the largest."""


class Piece(NamedTuple):
    """A piece of memory, and the nodes that keep it. `own`: it would live without the graph."""

    name: str
    nodes: tuple[str, ...]
    bytes: int
    own: bool


class Lane(NamedTuple):
    """The memory that the nodes of a graph kept before a pass.

    order   the ids of the operations, in the order of their computation
    pieces  the pieces of memory
    unseen  why something saved is not counted, and the first node that saves it
    """

    order: tuple[str, ...]
    pieces: tuple[Piece, ...]
    unseen: Mapping[Unseen, str]


@uncollected()
def read_lane(graph: Walk) -> Lane | None:
    """Read what the nodes keep now; None if that is unknown."""
    if isinstance(graph.objects[graph.model.root.id], OwnTensor):
        return None
    # Some tensor classes of the program cannot be read; the pass can still run.
    with suppress(Exception):
        order, ledger = creation_order(graph), read_memory(graph)
        pieces = tuple(
            Piece(rows[0].label, tuple(order[row.born] for row in rows), rows[0].bytes, rows[0].own)
            for rows in ledger.of_piece.values()
        )
        return Lane(tuple(order), pieces, dict(ledger.unseen))
    return None


def add_memory(payload: Payload, lane: Lane) -> None:
    """Write the lane of a recorded pass into its payload."""
    if not payload["steps"]:
        return
    words = sentences(payload["language"], "memory")
    notes = [words[f"unseen_{why}"].format(node=node) for why, node in lane.unseen.items()]
    if notes:
        payload["memory_note"] = " ".join(map(printable, notes))
    if "checkpoint" in lane.unseen:
        return
    events = payload["events"]
    born, freed = births(lane.order, events), first_steps(events, "free")
    pieces = [memory_piece(each, born, freed) for each in lane.pieces if not each.own]
    if not pieces:
        return
    changes = [0] * (len(payload["steps"]) + 1)  # the first is before all steps
    for piece in pieces:
        changes[piece["born"] + 1] += piece["bytes"]
        if "freed" in piece:
            changes[piece["freed"] + 1] -= piece["bytes"]
    held = list(accumulate(changes))
    largest = sorted(pieces, key=lambda piece: -piece["bytes"])[:MOST]
    shown = [piece for piece in pieces if piece in largest]
    own = sum([each.bytes for each in lane.pieces if each.own])
    payload["memory"] = MemoryData(start=held[0], held=held[1:], pieces=shown, own=own)


def memory_piece(piece: Piece, born: dict[str, int], freed: dict[str, int]) -> MemoryPiece:
    """Return a piece as JSON, with the steps of its lifetime."""
    data = MemoryPiece(
        name=piece.name,
        node=piece.nodes[0],
        bytes=piece.bytes,
        born=min(born.get(node, -1) for node in piece.nodes),
    )
    ends = [freed[node] for node in piece.nodes if node in freed]
    if len(ends) == len(piece.nodes):
        data["freed"] = max(ends)
    return data


def births(order: Sequence[str], events: list[EventData]) -> dict[str, int]:
    """Return the step that computed each node, if the forward pass was recorded.

    A node without a step was made on the way to the next node that has one.
    """
    steps = first_steps(events, "forward")
    born: dict[str, int] = {}
    step = max(steps.values(), default=-1)
    for node in reversed(order):
        step = born[node] = steps.get(node, step)
    return born


def first_steps(events: list[EventData], kind: str) -> dict[str, int]:
    """Return the first step with an event of this kind, by node."""
    steps: dict[str, int] = {}
    for event in events:
        if event["kind"] == kind:
            steps.setdefault(event["node"], event["step"])
    return steps
