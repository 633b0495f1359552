"""One program, two libraries: run it on PyTorch and on minigrad, and compare all that can be seen.

A program is a function of the library, `def program(T)`; it may print, and it returns whatever is
worth comparing: tensors, graph nodes, types, numbers, text, and lists, tuples or dictionaries of
them. `same(torch, program)` runs it on both, each time from the same random seed, and compares what
was printed and what was returned. PyTorch is the oracle: nothing here says what the answer is.
Texts may differ in the last digit of a computed number (tests/numbers.py).

Of a tensor are compared: values, shape, dtype, requires_grad, is_leaf, and the graph that hangs on
it as text (names, edges, indices, shapes of the gradients that nodes expect).
"""

from __future__ import annotations

import contextlib
import io
import math
import re
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import minigrad
from tests.numbers import TOLERANCES, compare
from tests.ops.refusals import said_by
from tests.own_words import in_our_words
from tests.record import answer, plain, where_present

Program = Callable[..., Any]


def same(torch: Any, program: Program, *arguments: Any) -> Any:
    """Run `program` on both libraries and fail where they differ: minigrad's side is said first,
    then PyTorch's. Returns what minigrad gave."""
    theirs = answer(torch, observe, program, *arguments)
    mine = observe(minigrad, program, *arguments)
    compare(mine, theirs)
    return mine


def observe(T: Any, program: Program, *arguments: Any) -> Any:
    """The visible results of one run: the printed text and a description of the returned values."""
    printed = io.StringIO()
    T.default_generator.manual_seed(0)  # torch.manual_seed notes the stack for each kind of GPU
    with contextlib.redirect_stdout(printed):
        result = program(T, *arguments)
    return {"printed": addresses_hidden(printed.getvalue()), "returned": describe(T, result)}


def same_bits(torch: Any) -> bool:
    """Whether PyTorch makes tensors here with the instructions that minigrad follows bit by bit.

    Those of AVX2 multiply and add in one rounding; elsewhere its own last digit is another one.
    """

    def capable(torch: Any) -> bool:
        return str(torch.backends.cpu.get_cpu_capability()).startswith("AVX")

    return bool(answer(torch, capable, agree=lambda now, recorded: None))


@where_present
@contextlib.contextmanager
def warn_always(torch: Any) -> Iterator[None]:
    """Let PyTorch warn as Python's filters say, and not once in the process."""
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(False)


def addresses_hidden(text: str) -> str:
    """`<MulBackward0 object at 0x7f...>` without the part that differs from run to run."""
    return re.sub(r"0x[0-9a-f]+", "0x...", text)


def caught(action: Callable[[], Any], *phrases: str) -> str:
    """The type and the first line of the error that `action` raises, which must say each of
    `phrases`: the same for both libraries, or else it is known that they speak differently."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            action()
        except Exception as error:
            missing = [phrase for phrase in phrases if phrase not in str(error)]
            assert not missing, f"{type(error).__name__} without {missing}: {error}"
            return in_our_words(f"{type(error).__name__}: {said_by(error).line}")
    raise AssertionError(f"no error that says {phrases}")


# --- From objects of either library to plain descriptions


DIGITS = {"float32": 7, "float64": 11}
"""How many of them the record keeps of a tensor: more than `compare` looks at."""


@plain
@dataclass(frozen=True)
class Seen:
    """A tensor as plain data."""

    dtype: str
    requires_grad: bool
    is_leaf: bool
    graph: str
    values: np.ndarray[Any, Any]

    def shortened(self) -> Seen:
        """The same as the record keeps it."""
        digits = DIGITS.get(self.values.dtype.name)
        if digits is None:
            return self
        exact = self.values.reshape(-1).tolist()
        rounded = [float(f"{n:.{digits}g}") for n in exact]
        # The greatest number of a type would be rounded beyond all of them.
        numbers = [n if np.isinf(r) else r for n, r in zip(exact, rounded, strict=True)]
        values = np.array(numbers, self.values.dtype).reshape(self.values.shape)
        return replace(self, values=values)


def describe(T: Any, value: Any) -> Any:
    """`value` with everything that belongs to the library `T` replaced by plain data."""
    if isinstance(value, T.Tensor):
        dtype = type_name(value.dtype)
        return Seen(
            dtype,
            value.requires_grad,
            value.is_leaf,
            graph_text(value) if value.requires_grad else "",
            np.array(
                value.detach().clone().tolist(), dtype if dtype in TOLERANCES else None
            ).reshape(tuple(value.shape)),
        )
    if isinstance(value, T.dtype):
        return type_name(value)
    if hasattr(value, "next_functions"):
        return walk_text([(value, 0)])
    if isinstance(value, dict):
        return {key: describe(T, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [describe(T, item) for item in value]
    assert value is None or isinstance(value, (bool, int, float, str)), (
        f"a program may not return {type(value)}"
    )
    return value


def type_name(dtype: Any) -> str:
    """ "float32" for torch.float32, mg.float32 and np.float32 alike."""
    return str(dtype).rpartition(".")[2]


def node_name(node: Any) -> str:
    """PyTorch calls one kind of node by its C++ name, with namespaces."""
    return str(node.name()).rpartition("::")[2]


def edge_of(tensor: Any) -> tuple[Any, int]:
    """Where the gradient of `tensor` goes; for a leaf, its AccumulateGrad node."""
    if tensor.grad_fn is not None:
        return tensor.grad_fn, tensor.output_nr
    # view_as is the public way to an AccumulateGrad that works everywhere.
    return tensor.view_as(tensor).grad_fn.next_functions[0]


def graph_text(*tensors: Any) -> str:
    """The graphs of `tensors` as text: one line a node, in the order of a walk from the roots."""
    return walk_text([edge_of(tensor) for tensor in tensors if tensor.requires_grad])


def nodes_of(roots: Sequence[tuple[Any, int]]) -> list[Any]:
    """Every node that can be reached, depth first, first edge first."""
    found: list[Any] = []
    seen: set[Any] = set()
    stack = [node for node, _ in reversed(roots)]
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        found.append(node)
        stack.extend(target for target, _ in reversed(node.next_functions))
    return found


def walk_text(roots: Sequence[tuple[Any, int]]) -> str:
    found = nodes_of(roots)
    number = {node: place for place, node in enumerate(found)}
    used = {*roots, *(edge for node in found for edge in node.next_functions)}
    lines = ["roots " + edges_text(roots, number)]
    for node in found:
        # PyTorch's record of an unused output is accidental.
        outputs = ", ".join(
            f"{type_name(output.dtype)}{list(output.shape)}" if (node, index) in used else "unused"
            for index, output in enumerate(node._input_metadata)
        )
        edges = edges_text(node.next_functions, number)
        lines.append(f"{number[node]} {node_name(node)} ({outputs}) -> {edges}")
    return "\n".join(lines)


def edges_text(edges: Sequence[tuple[Any, int]], number: dict[Any, int]) -> str:
    return ", ".join("None" if node is None else f"{number[node]}.{index}" for node, index in edges)


def saved_text(*tensors: Any) -> str:
    """Which tensors each node of a graph has saved: names and shapes, None for what was not needed.

    Sizes and options, which PyTorch's formulas also save, are not compared.
    """
    lines = []
    for node in nodes_of([edge_of(tensor) for tensor in tensors if tensor.requires_grad]):
        shown = []
        for name in sorted({name for name in dir(node) if name.startswith("_saved_")}):
            text = saved_shape(getattr(node, name))
            if text is not None:
                shown.append(f"{name.removeprefix('_saved_')} {text}")
        lines.append(f"{node_name(node)}: {', '.join(shown)}")
    return "\n".join(lines)


def saved_shape(value: Any) -> str | None:
    if value is None:
        return "None"
    if hasattr(value, "shape"):
        return str(list(value.shape))
    if isinstance(value, (list, tuple)) and any(hasattr(item, "shape") for item in value):
        items = [saved_shape(item) for item in value]
        while items[-1] == "None":
            items.pop()
        return f"({', '.join(map(str, items))})"
    return None


def order_of_execution(roots: Sequence[Any], backward: Callable[[], Any]) -> list[str]:
    """The nodes in the order in which `backward` runs them, named by their place in the walk."""
    order: list[str] = []
    for place, node in enumerate(nodes_of([edge_of(root) for root in roots])):
        label = f"{place} {node_name(node)}"
        node.register_prehook(lambda grads, label=label: order.append(label))
    backward()
    return order


# --- Tables of operations

Input = tuple[int, ...] | list[Any] | int | float
"""A shape, to be filled at random; or the values themselves, nested; or a plain number."""

DOMAINS: dict[str, tuple[float, float]] = {
    "any": (-2.0, 2.0),
    "positive": (0.2, 2.0),
    "unit": (0.05, 0.95),
    "symmetric": (-0.9, 0.9),
    "over one": (1.1, 3.0),
}


@dataclass(frozen=True)
class Case:
    """An operation and the inputs to try it on.

    `gradcheck` says whether first and second derivatives are to be checked by differences (not
    where a value sits on a kink); `forward_only` that the result has no gradient at all; `strided`
    is False where PyTorch itself wants memory without gaps.
    """

    name: str
    function: Program
    shapes: tuple[tuple[Input, ...], ...]
    domain: str = "any"
    dtypes: tuple[str, ...] = ("float32", "float64")
    gradcheck: bool = True
    forward_only: bool = False
    strided: bool = True
    integers: tuple[int, ...] = ()
    """The places of inputs that are integers (or booleans) whatever the dtype."""

    def __str__(self) -> str:
        return self.name


def case(name: str, function: Program, shapes: Sequence[Any], **options: Any) -> Case:
    """One line of a table."""
    return Case(name, function, tuple(tuple(inputs) for inputs in shapes), **options)


def make_inputs(
    T: Any, case: Case, inputs: Sequence[Input], dtype: str, strided: bool = False
) -> list[Any]:
    """The inputs of one run: leaves that do not require grad yet, the same numbers for every T."""
    seed = zlib.crc32(f"{case.name}{inputs}".encode())
    generator = np.random.default_rng(seed)
    low, high = DOMAINS[case.domain]
    made = []
    for place, given in enumerate(inputs):
        if isinstance(given, (int, float)):
            made.append(given)
            continue
        values = generator.uniform(low, high, given) if isinstance(given, tuple) else given
        if place in case.integers:
            made.append(T.tensor(values))
        else:
            made.append(leaf(T, np.array(values, "float64"), dtype, strided))
    return made


def leaf(T: Any, values: np.ndarray[Any, Any], dtype: str, strided: bool = False) -> Any:
    """A tensor of `values`. `strided`: the same values, in memory that is not contiguous: with
    gaps, with the first two dimensions swapped (float32), or all in reverse order (float64)."""
    kind = getattr(T, dtype)
    if values.size == 0:
        return T.zeros(values.shape, dtype=kind)
    if not strided or values.ndim == 0:
        return T.tensor(values.tolist(), dtype=kind)
    if values.ndim == 1:
        return T.tensor(np.repeat(values, 2).tolist(), dtype=kind)[::2].detach()
    if dtype == "float64":
        axes = tuple(reversed(range(values.ndim)))
        return T.tensor(values.transpose(axes).tolist(), dtype=kind).permute(axes).detach()
    return T.tensor(values.swapaxes(0, 1).tolist(), dtype=kind).transpose(0, 1).detach()


def variants(case: Case) -> Iterator[tuple[tuple[Input, ...], str, bool]]:
    """Inputs, dtype and layout of each run of a case."""
    for inputs in case.shapes:
        for dtype in case.dtypes:
            for strided in (False, True) if case.strided else (False,):
                yield inputs, dtype, strided


def differentiable(T: Any, outputs: Any) -> list[Any]:
    """The outputs that require grad, whether an operation returns one tensor or a tuple of them."""
    listed = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    return [out for out in listed if isinstance(out, T.Tensor) and out.requires_grad]


def weights_like(T: Any, tensor: Any, salt: int, strided: bool = False) -> Any:
    """Numbers to seed a backward pass with: no two alike, so that nothing cancels by chance."""
    count = math.prod(tensor.shape)
    values = np.cos(np.arange(count) * 0.7 + salt) + 1.5
    return leaf(T, values.reshape(tuple(tensor.shape)), type_name(tensor.dtype), strided)
