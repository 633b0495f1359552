"""A copy of everything that a function can change, and its restoration to the bit."""

from __future__ import annotations

import collections
import random
import sys
import types
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from ...model.either_library import set_version, version_of
from .allowed import root_of
from .reach import Cell, Reach, attributes_of

Undo = Callable[[], None]

EMPTY = object()
"""Stands for a name or a cell without a value."""


class Snapshot:
    """Keeps what a function reaches. `restore` undoes every change since then."""

    def __init__(self, reach: Reach) -> None:
        self._libraries = [import_module(n) for n in ("minigrad", "torch") if n in sys.modules]
        self._draws = [*map(keep_generator, reach.generators), *keep_global_draws()]
        self._undo: list[Undo] = [keep_recording(library) for library in self._libraries]
        for each in reach.containers:
            self._undo.append(keep_container(each))
        for each in reach.objects:
            self._undo.append(keep_attributes(each))
        self._undo += [keep_class(each) for each in reach.classes]
        self._undo += [keep_cell(each) for each in reach.cells]
        self._undo += [keep_name(namespace, name) for namespace, name in reach.stored]
        self._undo += [keep_array(each) for each in reach.arrays]
        self._undo += [keep_tensor(each) for each in reach.tensors]

    def restore_draws(self) -> None:
        """Restore the random states alone, so that the next iteration draws the same numbers."""
        for undo in self._draws:
            undo()

    def restore(self) -> None:
        for undo in self._undo:
            undo()
        self.restore_draws()


# --- Tensors


def keep_tensor(tensor: Any) -> Undo:
    """Keep a leaf: its memory, numbers, version, gradient and flag."""
    library = import_module(root_of(type(tensor)))
    alias = tensor.data  # the same memory, with a version of its own
    numbers = alias.clone()
    place, shape, steps = alias.data_ptr(), tuple(alias.shape), tuple(alias.stride())
    counted = not tensor.is_inference()
    version = version_of(tensor) if counted else 0
    gradient, required = tensor.grad, bool(tensor.requires_grad)

    def undo() -> None:
        with library.no_grad():
            if tensor.grad_fn is not None:
                tensor.detach_()
            if bool(tensor.requires_grad) != required:
                tensor.requires_grad_(required)
            now = (tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()))
            if now != (place, shape, steps) or tensor.dtype != alias.dtype:
                tensor.data = alias
            alias.copy_(numbers)
            if tensor.grad is not gradient:
                tensor.grad = gradient
            if counted and version_of(tensor) != version:
                set_version(tensor, version)

    return undo


def keep_array(array: np.ndarray[Any, Any]) -> Undo:
    numbers, shape, writable = array.copy(), array.shape, array.flags.writeable

    def undo() -> None:
        if array.shape != shape:
            array.shape = shape
        if array.flags.writeable != writable:
            array.flags.writeable = writable
        if writable:
            np.copyto(array, numbers)

    return undo


# --- Containers, objects, names


def keep_container(value: Any) -> Undo:
    """Keep the elements of a list, a dictionary and the like; tuples do not change."""
    if isinstance(value, tuple | frozenset):
        return lambda: None
    kept: Any = list(value.items()) if isinstance(value, dict) else list(value)

    def undo() -> None:
        now: Any = list(value.items()) if isinstance(value, dict) else list(value)
        if is_same(now, kept):
            return
        value.clear()
        if isinstance(value, collections.Counter):
            dict.update(value, kept)
        elif isinstance(value, dict | set):
            value.update(kept)
        else:
            value.extend(kept)

    return undo


def is_same(now: list[Any], kept: list[Any]) -> bool:
    """Return whether two lists have the same objects, or pairs of the same objects."""
    if len(now) != len(kept):
        return False
    for each, other in zip(now, kept, strict=True):
        pairs = type(each) is tuple and type(other) is tuple and len(each) == len(other) == 2
        if pairs and each[0] is other[0] and each[1] is other[1]:
            continue
        if each is not other:
            return False
    return True


def keep_attributes(value: Any) -> Undo:
    own = attributes_of(value)
    return (lambda: None) if own is None else keep_container(own)


def keep_class(cls: type) -> Undo:
    kept = dict(vars(cls))

    def undo() -> None:
        for name in vars(cls).keys() - kept.keys():
            delattr(cls, name)
        for name, value in kept.items():
            if vars(cls).get(name, EMPTY) is not value:
                setattr(cls, name, value)

    return undo


def keep_cell(cell: Cell) -> Undo:
    try:
        value = cell.cell_contents
    except ValueError:
        value = EMPTY

    def undo() -> None:
        if value is not EMPTY:
            cell.cell_contents = value
        elif cell != types.CellType():
            del cell.cell_contents

    return undo


def keep_name(namespace: dict[str, Any], name: str) -> Undo:
    value = namespace.get(name, EMPTY)

    def undo() -> None:
        if value is EMPTY:
            namespace.pop(name, None)
        elif namespace.get(name, EMPTY) is not value:
            namespace[name] = value

    return undo


# --- Random numbers and modes


def keep_recording(library: Any) -> Undo:
    recording = bool(library.is_grad_enabled())

    def undo() -> None:
        if bool(library.is_grad_enabled()) != recording:
            library.set_grad_enabled(recording)

    return undo


def keep_generator(source: Any) -> Undo:
    if isinstance(source, random.Random):
        state = source.getstate()
        return lambda: source.setstate(state)
    if isinstance(source, np.random.RandomState):
        drawn = source.get_state(legacy=False)
        return lambda: source.set_state(drawn)
    if isinstance(source, np.random.Generator):
        bits = source.bit_generator
        known = bits.state

        def undo() -> None:
            bits.state = known

        return undo
    kept = source.get_state()
    return lambda: source.set_state(kept)


def keep_global_draws() -> list[Undo]:
    """Keep the generators that Python, NumPy and both libraries share."""
    state = random.getstate()
    found: list[Undo] = [lambda: random.setstate(state)]
    if "numpy.random" in sys.modules:
        drawn = np.random.get_state(legacy=False)  # noqa: NPY002
        found.append(lambda: np.random.set_state(drawn))  # noqa: NPY002
    if "minigrad" in sys.modules:
        draws = import_module("minigrad.arrays.draws")
        ours = draws.states()
        found.append(lambda: draws.set_states(ours))
    if "torch" in sys.modules:
        torch: Any = import_module("torch")
        theirs = torch.get_rng_state()
        found.append(lambda: torch.set_rng_state(theirs))
        if torch.cuda.is_initialized():
            gpus = torch.cuda.get_rng_state_all()
            found.append(lambda: torch.cuda.set_rng_state_all(gpus))
    return found
