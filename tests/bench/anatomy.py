"""Where the time of one operation goes: `python -m tests.bench.anatomy` prints it as a table.

The operation is a multiplication of two 0-d tensors, whose arithmetic takes next to nothing. Each
part is timed alone, as the fastest of many samples, so that the table hardly depends on what else
the machine does; what is left of the whole is the way from one part to the next.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import minigrad as mg
from minigrad.engine import count_uses
from minigrad.graph import gradient_edge, new_node, new_tensor
from minigrad.operation import save
from minigrad.ops.arithmetic import MulBackward0

LENGTH = 200
"""Operations in the chain of which one is timed."""

SAMPLES = 200


def nanoseconds(action: Callable[[], Any], number: int = 500) -> float:
    """What one call takes at the least, without the call itself."""

    def best(called: Callable[[], Any]) -> float:
        fastest = float("inf")
        for _ in range(SAMPLES):
            start = perf_counter()
            for _ in range(number):
                called()
            fastest = min(fastest, perf_counter() - start)
        return fastest / number * 1e9

    return best(action) - best(lambda: None)


def parts() -> Iterator[tuple[str, str, float]]:
    """Phase, part, nanoseconds."""
    x = mg.tensor(1.001, requires_grad=True)
    y = x * x
    array = y._array
    edges = (gradient_edge(y), gradient_edge(x))
    outputs = ((array.shape, array.dtype),)
    node = new_node(MulBackward0, edges, outputs)
    save(node, (y, x), ())

    def chain() -> Any:
        z = x
        for _ in range(LENGTH):
            z = z * x
        return z

    def backward() -> None:
        root.backward(retain_graph=True)

    numpy_call = nanoseconds(lambda: array * array)
    with mg.no_grad():
        without = nanoseconds(lambda: y * x)
    whole = nanoseconds(chain, 1) / LENGTH
    kept = [chain() for _ in range(2 * SAMPLES)]
    free = nanoseconds(kept.pop, 1) / LENGTH
    tensor = nanoseconds(lambda: new_tensor(array, (node, 0)))
    made = nanoseconds(lambda: new_node(MulBackward0, edges, outputs))
    saving = nanoseconds(lambda: save(node, (y, x), ()))
    yield "forward", "NumPy multiplies", numpy_call
    yield "forward", "the result becomes a Tensor", tensor
    yield (
        "forward",
        "dispatch: operand types, mode, the operation's function",
        (without - numpy_call - tensor),
    )
    yield "forward", "the node: its place in the graph", made
    yield "forward", "what the node saves", saving
    yield (
        "forward",
        "edges, shape and type, and the way between",
        (whole - without - made - saving - free),
    )
    yield "forward", "later: all of it is freed", free
    yield "forward", "**together**", whole

    root = chain()
    through = nanoseconds(backward, 1) / LENGTH
    formula = nanoseconds(lambda: node.backward(array))
    counting = nanoseconds(lambda: count_uses([(root.grad_fn, 0)]), 1) / LENGTH
    unpacking = nanoseconds(lambda: node.saved)
    yield "backward", "NumPy multiplies, twice", 2 * numpy_call
    yield "backward", "what was saved, with its version checked", unpacking
    yield "backward", "the formula around them", formula - unpacking - 2 * numpy_call
    yield "backward", "counting the uses of each node beforehand", counting
    yield (
        "backward",
        "the engine: next node, its gradients handed on and added up",
        (through - formula - counting),
    )
    yield "backward", "**together**", through


def main() -> None:
    gc.disable()
    print("| | part | time |", "|---|---|---|", sep="\n")
    shown = ""
    for phase, part, time in parts():
        print(f"| {phase if phase != shown else ''} | {part} | {time:.0f} ns |")
        shown = phase


if __name__ == "__main__":
    main()
