"""Where the time of one operation goes: `python -m tests.bench.anatomy` prints it as a table.

The operation is a multiplication of two 0-d tensors, whose arithmetic takes next to nothing. Each
part is timed alone. The parts take turns, and the fastest of many samples counts, so that the table
hardly depends on what else the machine does; what is left of the whole is the way from one part to
the next.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import minigrad as mg
from minigrad.core.engine import count_uses
from minigrad.core.node import gradient_edge, new_node, new_tensor
from minigrad.core.operation import save
from minigrad.ops.pointwise.arithmetic import MulBackward0

LENGTH = 200
"""Operations in the chain of which one is timed."""

SAMPLES = 500

Action = Callable[[], Any]


def without_recording(action: Action) -> Action:
    def inside() -> None:
        with mg.no_grad():
            for _ in range(LENGTH):
                action()

    return inside


def nanoseconds(single: dict[str, Action], chained: dict[str, Action]) -> dict[str, float]:
    """Return the least time of each: a single call, without the call itself; of what is `chained`,
    one operation."""
    actions = {"call": lambda: None} | single | chained
    numbers = {name: 1 if name in chained else LENGTH for name in actions}
    best = dict.fromkeys(actions, float("inf"))
    for _ in range(SAMPLES):
        for name, action in actions.items():
            repeats = range(numbers[name])
            start = perf_counter()
            for _ in repeats:
                action()
            best[name] = min(best[name], (perf_counter() - start) / LENGTH * 1e9)
    return {name: best[name] - (best["call"] if name in single else 0) for name in actions}


def parts() -> Iterator[tuple[str, str, float]]:
    """Phase, part, nanoseconds."""
    x = mg.tensor(1.001, requires_grad=True)
    y = x * x
    array = y._array
    edges = (gradient_edge(y), gradient_edge(x))
    node = new_node(MulBackward0, edges, array)
    chains: list[Any] = []

    def chain() -> None:
        z = x
        for _ in range(LENGTH):
            z = z * x
        chains.append(z)

    chain()
    root = chains.pop()
    time = nanoseconds(
        {
            "multiply": lambda: array * array,
            "tensor": lambda: new_tensor(array, node),
            "node": lambda: new_node(MulBackward0, edges, array),
            "save": lambda: save(node, (y, x), ()),
            "saved": lambda: node.saved,
            "formula": lambda: node.backward(array),
        },
        {
            "unrecorded": without_recording(lambda: y * x),
            "forward": chain,
            "free": chains.pop,
            "count": lambda: count_uses([(root.grad_fn, 0)]),
            "backward": lambda: root.backward(retain_graph=True),
        },
    )
    unrecorded = time["unrecorded"] - time["call"]
    dispatch = unrecorded - time["multiply"] - time["tensor"]
    way = time["forward"] - unrecorded - time["node"] - time["save"]
    yield "forward", "NumPy multiplies", time["multiply"]
    yield "forward", "the result becomes a Tensor", time["tensor"]
    yield "forward", "dispatch: operand types, mode, the operation's function", dispatch
    yield "forward", "the node: its place in the graph", time["node"]
    yield "forward", "what the node saves", time["save"]
    yield "forward", "edges, shape and type, and the way between", way
    yield "forward", "**together**", time["forward"]
    yield "forward", "later: all of it is freed", time["free"]

    formula = time["formula"] - time["saved"] - 2 * time["multiply"]
    engine = time["backward"] - time["formula"] - time["count"]
    yield "backward", "NumPy multiplies, twice", 2 * time["multiply"]
    yield "backward", "what was saved, with its version checked", time["saved"]
    yield "backward", "the formula around them", formula
    yield "backward", "counting the uses of each node beforehand", time["count"]
    yield "backward", "the engine: next node, its gradients handed on and added up", engine
    yield "backward", "**together**", time["backward"]


def main() -> None:
    gc.disable()
    print("| | part | time |", "|---|---|---|", sep="\n")
    shown = ""
    for phase, part, time in parts():
        print(f"| {phase if phase != shown else ''} | {part} | {time:.0f} ns |")
        shown = phase


if __name__ == "__main__":
    main()
