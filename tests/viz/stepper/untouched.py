"""Check that a tool leaves a program as a plain backward pass does.

A program builds a graph with either library, lists the tensors to look at, and returns the pass to
run. It is run twice from the same state: once the pass is a plain `backward`, once a tool of the
visualizer runs it or reads the graph around it. All that a program can observe must then be equal:
gradients to the bit, versions, calls of hooks and functions with their order and numbers, random
generators, modes, and the exception. A second pass shows which tensors were freed.

    def hooked(lib, seen):
        x = seen.tensor("x", lib.ones(2, requires_grad=True))
        x.register_hook(seen.call("double", lambda g: g * 2))
        return (x * x).sum()

    assert_untouched(hooked, torch, step)
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import minigrad_viz as viz
import numpy as np
from minigrad_viz.model.either_library import outside_modes

import minigrad
from minigrad.autograd.events import message_of


class Pass(NamedTuple):
    """A backward pass to be made: `autograd.backward(roots, seeds, **options)`."""

    roots: Sequence[Any]
    seeds: Sequence[Any] | None = None
    options: dict[str, Any] = {}  # never written to


class Seen:
    """The parts of a program to compare: tensors, and calls of its functions."""

    def __init__(self) -> None:
        self.tensors: dict[str, Any] = {}
        self.calls: list[tuple[Any, ...]] = []

    def tensor(self, name: str, tensor: Any) -> Any:
        """Compare this tensor: its numbers, its version, its `.grad`."""
        self.tensors[name] = tensor
        return tensor

    def module(self, module: Any) -> Any:
        """Compare all parameters of a module."""
        self.tensors.update(module.named_parameters())
        return module

    def call(self, name: str, function: Callable[..., Any] = lambda *_: None) -> Any:
        """The function, each of whose calls is noted with the numbers that go in and come out."""

        def noted(*given: Any) -> Any:
            place = len(self.calls)
            self.calls.append((name, *map(image, given)))
            result = function(*given)
            self.calls[place] += ("->", image(result))
            return result

        noted.__name__ = name
        return noted


Program = Callable[[Any, Seen], Any]
"""Builds the graph with the library and returns a result, a list of results, or a Pass."""

Tool = Callable[[Any, Pass], BaseException | None]
"""Makes the pass. Returns the exception that ended it, or raises it."""


# --- The tools


def plain(lib: Any, what: Pass) -> None:
    lib.autograd.backward(list(what.roots), _seeds(what), **what.options)


def step(lib: Any, what: Pass) -> BaseException | None:
    return viz.step(list(what.roots), _seeds(what), **what.options).error


def _before(look: Callable[[Any], Any]) -> Tool:
    def tool(lib: Any, what: Pass) -> None:
        for root in what.roots:
            look(root)
        plain(lib, what)

    return tool


def _after(look: Callable[[Any], Any]) -> Tool:
    def tool(lib: Any, what: Pass) -> None:
        try:
            plain(lib, what)
        finally:
            for root in what.roots:
                look(root)

    return tool


def _drawn(root: Any) -> None:
    drawn = viz.draw(root, saved=True)
    str(drawn)
    drawn._repr_mimebundle_()


def _flow(lib: Any, what: Pass) -> None:
    plain(lib, what)
    _flowed(what)


def _flowed(what: Pass) -> None:
    """grad_flow() of the leaves behind a pass."""
    leaves: dict[str, Any] = {}
    with outside_modes():  # a class that writes down what is asked is not asked by this test
        stack = [root.grad_fn for root in what.roots]
    passed = set()
    while stack:
        node = stack.pop()
        if node is None or node in passed:
            continue
        passed.add(node)
        if hasattr(node, "variable") and node.variable.requires_grad:
            leaves[f"leaf {len(leaves)}"] = node.variable
        stack += [following for following, _ in node.next_functions]
    if leaves:
        viz.grad_flow(leaves)


def _explained_error(lib: Any, what: Pass) -> None:
    try:
        plain(lib, what)
    except Exception as error:
        viz.explain(error)
        viz.explain(what.roots[0], error)
        raise


TOOLS: dict[str, Tool] = {
    "step": step,
    "draw": _before(_drawn),
    "draw after": _after(_drawn),
    "text": _before(lambda root: viz.draw(root).text),
    "text after": _after(lambda root: viz.draw(root).text),
    "explain": _before(viz.explain),
    "explain after": _after(viz.explain),
    "explain error": _explained_error,
    "grad_flow": _flow,
}
"""Every tool that must leave no trace, by name."""


def all_who_look(lib: Any, what: Pass) -> None:
    """A plain pass, with everything that looks at a graph before and after it: to find out which of
    them it was that left a trace, take it from TOOLS.
    """
    for look in LOOKS:
        for root in what.roots:
            look(root)
    try:
        _explained_error(lib, what)
        _flowed(what)
    finally:
        for look in LOOKS:
            for root in what.roots:
                look(root)


LOOKS: tuple[Callable[[Any], Any], ...] = (_drawn, viz.explain)


# --- The comparison


def assert_untouched(program: Program, lib: Any, tool: Tool) -> None:
    """AssertionError, with what differs, if the tool leaves another state than a plain pass."""
    expected, found = left_by(program, lib, plain), left_by(program, lib, tool)
    differing = [key for key in expected | found if expected.get(key) != found.get(key)]
    told = (f"{key}: plain {expected.get(key)!r}, here {found.get(key)!r}" for key in differing)
    assert not differing, "\n".join(told)


def left_by(program: Program, lib: Any, tool: Tool) -> dict[str, Any]:
    """Everything that the program and the tool leave behind, in a form that can be compared."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 (the one that programs share without knowing)
    lib.manual_seed(0)
    seen = Seen()
    what = program(lib, seen)
    if not isinstance(what, Pass):
        what = Pass(what if isinstance(what, list | tuple) else [what])
    left: dict[str, Any] = {"error": _failure(tool, lib, what)}
    left |= _state(lib, seen)
    # A second pass tells which values were freed.
    left["second pass"] = _failure(plain, lib, what)
    left |= {f"{key} after a second pass": value for key, value in _state(lib, seen).items()}
    return left


def _failure(tool: Tool, lib: Any, what: Pass) -> tuple[str, str] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            error = tool(lib, what)
    except Exception as raised:
        error = raised
    return None if error is None else (type(error).__name__, message_of(error))


def _state(lib: Any, seen: Seen) -> dict[str, Any]:
    state: dict[str, Any] = {
        "calls": list(seen.calls),
        "random": image(lib.get_rng_state()),
        "NumPy's random": image(np.random.get_state()),  # noqa: NPY002
        "Python's random": random.getstate(),
        "grad mode": lib.is_grad_enabled(),
        "anomaly mode": lib.is_anomaly_enabled() if hasattr(lib, "is_anomaly_enabled") else None,
    }
    for name, tensor in seen.tensors.items():
        state[name] = image(tensor)
        if not (hasattr(tensor, "is_inference") and tensor.is_inference()):
            state[f"{name}._version"] = tensor._version
        if tensor.is_leaf or tensor.retains_grad:
            state[f"{name}.grad"] = image(tensor.grad)
            state[f"{name}.grad.requires_grad"] = getattr(tensor.grad, "requires_grad", None)
        if not isinstance(tensor, minigrad.Tensor):
            state[f"hooks of {name}"] = len(getattr(tensor, "_backward_hooks", None) or ())
    return state


def image(value: Any) -> Any:
    """The value in a form that is equal only for the same bits."""
    if isinstance(value, tuple | list):
        return tuple(map(image, value))
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if not hasattr(value, "grad_fn"):
        return value if isinstance(value, int | float | str | None) else type(value).__name__
    value = value.detach()
    if isinstance(value, minigrad.Tensor):  # to ask it for what it has not takes a while
        return str(value.dtype), value.shape, value.stride(), value.numpy().tobytes()
    kind = (str(value.dtype), tuple(value.shape) if not _nested(value) else "nested")
    if _nested(value):
        return (*kind, *map(image, value.unbind()))
    if getattr(value, "is_sparse", False):
        return (*kind, value.is_coalesced(), image(value._indices()), image(value._values()))
    if str(value.device) == "meta":
        return (*kind, "meta")
    if str(value.dtype).endswith("bfloat16"):
        value = value.float()  # holds every such number exactly
    if hasattr(value, "resolve_conj"):
        value = value.resolve_conj().resolve_neg()
    return (*kind, value.stride(), np.asarray(value.cpu().numpy()).tobytes())


def _nested(value: Any) -> bool:
    return bool(getattr(value, "is_nested", False))


def _seeds(what: Pass) -> list[Any] | None:
    return None if what.seeds is None else list(what.seeds)
