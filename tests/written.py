"""Programs of our own tests, with each backward() also written down as a program by `viz.program`.

Before a pass, it is written down, which must leave no trace; its program is run; then the pass runs
as always. The program must have given the same gradients, bit for bit, and where the pass fails,
`program` must have failed in the same way.

The writer is loaded here, before any pass is replaced: it would keep the replaced one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from minigrad_viz.codegen.program import program as write_down

import minigrad as mg
from minigrad.core.modes import modes


def as_tensor(value: Any) -> Any:
    """Return the result of a program: an array of NumPy, or a tensor of PyTorch."""
    return mg.as_tensor(np.array(value)) if isinstance(value, np.ndarray | np.generic) else value


class Seen:
    """The compared values."""

    def __init__(self) -> None:
        self.passes = 0
        self.called: set[str] = set()
        """First lines that say of a node that it is called, and not written out."""


def leaves_of(roots: Sequence[Any]) -> list[Any]:
    """The leaves that a pass can reach."""
    found, seen, stack = [], set(), [root.grad_fn for root in roots]
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        stack += [each for each, _ in node.next_functions]
    return found


def bits(tensor: Any) -> Any:
    if tensor is None:
        return None
    array = np.asarray(tensor.detach().numpy())
    # Any two NaNs are the same, whatever their signs.
    return array.dtype, array.shape, np.where(array != array, np.nan, array).tobytes()


def compared(seen: Seen, named: Any, run: Any, *args: Any, **options: Any) -> None:
    """Write down, run, and compare with `run()`, the pass itself. `named` are tensors by name."""
    before = {name: (tensor.grad, bits(tensor.grad)) for name, tensor in named.items()}
    error = program = None
    try:
        program = write_down(*args, **options, names=named)
    except Exception as caught:
        error = caught
    for name, tensor in named.items():
        assert tensor.grad is before[name][0]
        assert bits(tensor.grad) == before[name][1]
    if error is not None:
        with pytest.raises(type(error)) as raised:
            run()
        assert str(raised.value).splitlines()[:1] == str(error).splitlines()[:1]
        raise raised.value
    assert program is not None
    try:
        found = program.run() if program.runs else None
    except Exception as failed:  # which may be of a kind that the program under test expects
        raise AssertionError(str(program)) from failed
    run()
    seen.passes += 1
    assert imported_by(str(program)) <= {"minigrad", "numpy", "torch"}
    first = str(program).partition("\n")[0]
    seen.called |= {first} if "Called" in first else set()
    assert ("all of it written out" in first) is (not program.not_written)
    if found is None:
        return
    for name, tensor in named.items():
        if name in found:
            assert bits(as_tensor(found[name])) == bits(tensor.grad), f"{name}\n{program}"
        else:
            assert bits(tensor.grad) == before[name][1], f"{name}\n{program}"


def imported_by(text: str) -> set[str]:
    """The modules that a program imports, by their full names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@contextmanager
def every_pass_written(named: Any, most: int | None = None, T: Any = mg) -> Iterator[Seen]:
    """Compare each pass in the block, or at most `most`; `named()` returns more tensors by name."""
    seen = Seen()
    inside = False
    plainly = T.autograd.backward

    def backward(
        tensors: Any,
        grad_tensors: Any = None,
        retain_graph: Any = None,
        create_graph: Any = False,
        grad_variables: Any = None,
        inputs: Any = None,
    ) -> None:
        nonlocal inside

        def run() -> None:
            plainly(tensors, grad_tensors, retain_graph, create_graph, grad_variables, inputs)

        roots = [tensors] if isinstance(tensors, T.Tensor) else tensors
        seeds = [grad_tensors] if isinstance(grad_tensors, T.Tensor) else grad_tensors
        wanted = [inputs] if isinstance(inputs, T.Tensor) else inputs
        made = all(isinstance(root, T.Tensor) and root.grad_fn is not None for root in roots)
        if T is not mg:
            made = made and not any(each.grad_fn is not None for each in wanted or ())
        within = modes.walk is not None if T is mg else T._C._current_graph_task_id() >= 0
        enough = most is not None and seen.passes >= most
        if enough or inside or create_graph or not made or within:
            run()
            return
        found = named()
        known = {id(tensor) for tensor in found.values()}
        leaves = [leaf for leaf in leaves_of(roots) if id(leaf) not in known]
        tensors_by_name = {f"leaf{place}": leaf for place, leaf in enumerate(leaves)} | found
        inside = True
        try:
            compared(seen, tensors_by_name, run, roots, seeds, inputs=wanted)
        finally:
            inside = False

    def method(
        self: Any,
        gradient: Any = None,
        retain_graph: Any = None,
        create_graph: Any = False,
        inputs: Any = None,
    ) -> None:
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(T.autograd, "backward", backward)
        patch.setattr(T.Tensor, "backward", method)
        yield seen
