"""Random programs on both libraries: values, gradients, versions, hooks and errors must agree.

A few hundred each time; MINIGRAD_FUZZ=100000 asks for that many. A program that once failed belongs
into the list below, with a name.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.parity import same
from tests.programs.module_programs import ModuleInterpreter, module_programs
from tests.programs.random_programs import Step, programs, run
from tests.record import PRESENT, answer, examples

FUZZ = os.environ.get("MINIGRAD_FUZZ", "")


def test_there_is_something_to_compare_with() -> None:
    assert PRESENT or not FUZZ, "PyTorch is not installed: random programs compared nothing"


@examples(program=programs, max_examples=int(FUZZ or 300))
def test_random_program(torch: Any, program: list[Step]) -> None:
    same(torch, run, program)


@examples(program=module_programs, max_examples=int(FUZZ or 300))
def test_random_program_of_another_kind(torch: Any, program: list[Step]) -> None:
    same(torch, run, program, ModuleInterpreter)


FOUND: dict[str, list[Step]] = {
    "the gradient of what was added to nothing selects from nothing": [
        ("leaf", (), 0, True),
        ("leaf", (), 0, False),
        ("leaf", (1, 3), 0, True),
        ("leaf", (1, 3), 0, True),
        ("view", "tail", 2, False),
        ("binary", "index_add", 4, 2, False),
        ("backward", 5, True, False),
    ],
    "a view of a single number shares its memory": [
        ("leaf", (), 0, True),
        ("unary", "sum", 0, False),
        ("view", "transpose", 1, False),
        ("write with", "add_", 2, 0, False),
        ("unary", "twice", 1, False),
    ],
    "the gradient of a single number goes through its view": [
        ("leaf", (), -1, True),
        ("view", "transpose", 0, False),
        ("backward", 1, False, False),
    ],
    "a written view cannot be walked back twice": [
        ("leaf", (2, 1), 0, True),
        ("unary", "clone", 0, False),
        ("write", "set first", 1, False),
        ("backward", 1, True, False),
        ("backward", 1, True, False),
    ],
    "the leaf error comes before that of the shape": [
        ("leaf", (1,), -1, True),
        ("leaf", (3,), 1, False),
        ("view", "squeeze", 0, False),
        ("write with", "sub_", 2, 1, False),
        ("write with", "set numbers to", 0, 1, False),
    ],
    "a mask of several axes": [
        ("leaf", (3, 2), -1, False),
        ("write", "set mask", 0, False),
        ("leaf", (3, 2), -1, True),
        ("write", "set mask", 1, True),
        ("write", "set mask", 1, False),
    ],
    "what is assigned to all of a tensor replaces its history": [
        ("leaf", (3, 2), 0, True),
        ("view", "all", 0, False),
        ("unary", "clone", 0, False),
        ("write with", "set all to", 1, 2, False),
        ("unary", "twice", 0, False),
        ("write with", "set all to", 3, 2, False),
    ],
    "relu has a second derivative, of zero": [
        ("leaf", (3,), -1, True),
        ("unary", "relu", 0, False),
        ("grad", 1, 0, True),
        ("backward", 2, True, False),
    ],
    "a hook that the walk does not need stays silent": [
        ("leaf", (2, 1), 0, True),
        ("mark", "hook", 0),
        ("unary", "sum", 0, False),
        ("binary", "mul", 0, 1, False),
        ("grad", 2, 1, True),
    ],
    "a transposed gradient reaches the base of a written view": [
        ("leaf", (2, 3), 0, True),
        ("view", "t", 0, False),
        ("write", "add_ number", 0, True),
        ("unary", "relu", 1, False),
        ("backward", 2, True, False),
    ],
    "what was never saved cannot be missing the second time": [
        ("leaf", (3,), -2, True),
        ("detach", 0),
        ("binary", "index_add", 0, 1, False),
        ("leaf", (1,), -2, True),
        ("detach", 2),
        ("binary", "index_add", 2, 3, False),
        ("backward", 4, True, False),
        ("backward", 4, True, False),
    ],
    "a gradient of a running total lies in row-major order": [
        ("leaf", (2, 3), -1, True),
        ("unary", "cumsum", 0, False),
        ("leaf", (1,), -2, True),
        ("binary", "sub", 1, 2, False),
        ("view", "column", 3, False),
        ("grad", 3, 1, True),
        ("grad", 1, 0, True),
        ("binary", "maximum by where", 5, 6, False),
        ("view", "flat", 6, False),
        ("view", "flat", 7, False),
    ],
    "a product's input may change before the second derivative": [
        ("leaf", (2, 3), -1, True),
        ("unary", "prod", 0, False),
        ("grad", 1, 0, True),
        ("detach", 0),
        ("write", "add_ number", 3, False),
        ("binary", "mul", 2, 2, False),
        ("backward", 4, True, True),
    ],
    "the saved tensor that is looked at first is named": [
        ("leaf", (3,), -2, True),
        ("view", "part of unbind", 0, False),
        ("binary", "mul", 1, 0, False),
        ("binary", "mul", 0, 1, False),
        ("binary", "maximum", 0, 1, False),
        ("write", "mul_ number", 0, True),
        ("backward", 2, True, False),
        ("backward", 3, True, False),
        ("backward", 4, True, False),
    ],
    "an expanded tensor is reversed into rows": [
        ("leaf", (1, 3), -1, True),
        ("view", "expand", 0, False),
        ("unary", "flip", 1, False),
        ("view", "contiguous", 2, False),
        ("view", "flat", 2, False),
    ],
    "a single number can be reversed, and be written with its own gradient": [
        ("leaf", (), -1, True),
        ("unary", "flip", 0, False),
        ("backward", 1, False, True),
        ("unary", "flip", 1, True),
        ("backward", 0, False, True),
        ("mark", "step", 0),
    ],
    "retain_grad outlives a write under no_grad": [
        ("leaf", (2, 1), -1, True),
        ("view", "tail", 0, True),
        ("view", "tail", 0, False),
        ("mark", "retain_grad", 2),
        ("write", "mul_ number", 2, True),
        ("backward", 2, True, False),
    ],
    "backward to a tensor that needs no gradient": [
        ("leaf", (), 0, True),
        ("leaf", (), 0, False),
        ("backward to", 0, 1, False),
    ],
    "backward to a result runs its node": [
        ("leaf", (3,), 0, True),
        ("binary", "mul", 0, 0, False),
        ("mark", "node hook", 1),
        ("unary", "square", 1, False),
        ("backward to", 2, 1, True),
        ("backward", 1, True, False),
        ("backward", 1, True, False),
    ],
    "a hook is not shown what goes nowhere": [
        ("leaf", (3,), 0, True),
        ("leaf", (3,), 1, False),
        ("binary", "add", 0, 1, False),
        ("mark", "node hook", 2),
        ("backward", 2, True, False),
    ],
    "hooks of a turn without gradient": [
        ("leaf", (3,), 0, True),
        ("mark", "hook", 0),
        ("mark", "post hook", 0),
        ("packed", 0, 0, False),
        ("mark", "hook", 1),
        ("mark", "node prehook", 1),
        ("mark", "node hook", 1),
        ("function", "no gradient", 1, False),
        ("backward", 2, True, False),
    ],
    "a hook on a part without gradient": [
        ("leaf", (3,), 0, True),
        ("parts", "unbind", 0, False),
        ("mark", "hook", 1),
        ("backward", 2, True, False),
    ],
    "a turn without gradient looks at what was saved": [
        ("leaf", (3,), 0, True),
        ("unary", "twice", 0, False),
        ("binary", "mul", 1, 1, False),
        ("function", "no gradient", 2, False),
        ("write", "zero_", 1, False),
        ("backward", 3, True, False),
    ],
    "in place on a leaf in a function": [
        ("leaf", (3,), 0, True),
        ("function", "in place", 0, False),
        ("function", "in place", 0, True),
    ],
    "an input that a function returns under no_grad": [
        ("leaf", (3,), 0, True),
        ("function", "the same", 0, True),
        ("unary", "twice", 1, False),
    ],
    "a plain input that a function returned is written": [
        ("leaf", (3,), 0, True),
        ("leaf", (3,), 0, False),
        ("function", "the same", 1, False),
        ("write with", "add_", 1, 0, False),
    ],
    "a result is copied into whole numbers": [
        ("leaf", (3,), 0, True),
        ("parts", "max", 0, False),
        ("unary", "sum", 0, False),
        ("write with", "copy_", 2, 3, False),
    ],
    "a view is older than what its base requires": [
        ("leaf", (3,), 0, False),
        ("view", "tail", 0, False),
        ("mark", "requires grad", 0),
        ("unary", "twice", 1, False),
        ("backward", 2, True, False),
    ],
    "the base of a view no longer requires grad": [
        ("leaf", (3,), 0, True),
        ("view", "tail", 0, False),
        ("mark", "requires no grad", 0),
        ("write", "add_ number", 0, False),
        ("backward", 1, True, False),
    ],
    "a leaf moves into the graph": [
        ("leaf", (3,), 0, True),
        ("unary", "twice", 0, False),
        ("mark", "requires no grad", 0),
        ("write with", "add_", 0, 1, False),
        ("backward", 0, True, False),
    ],
    "a result is written by a function and forgets its gradient": [
        ("leaf", (3,), 0, True),
        ("unary", "neg", 0, False),
        ("mark", "retain_grad", 1),
        ("backward", 1, True, True),
        ("function", "in place", 1, False),
        ("backward", 1, True, False),
    ],
    "a leaf no longer requires grad": [
        ("leaf", (3,), 0, True),
        ("unary", "neg", 0, False),
        ("mark", "post hook", 0),
        ("mark", "requires no grad", 0),
        ("backward", 1, True, False),
    ],
    "whole numbers are filled with a result": [
        ("leaf", (3,), 0, True),
        ("parts", "max", 0, False),
        ("leaf", (), 1, True),
        ("write with", "set all to", 2, 3, False),
        ("unary", "sum", 2, False),
    ],
    "backward from a view that leads nowhere": [
        ("leaf", (3,), 0, False),
        ("view", "tail", 0, False),
        ("mark", "requires grad", 0),
        ("backward", 1, False, False),
        ("backward", 1, True, False),
    ],
    "a view was looked at before its base required grad": [
        ("leaf", (3,), 0, False),
        ("view", "flat", 0, False),
        ("write", "add_ number", 0, False),
        ("unary", "twice", 1, False),
        ("mark", "requires grad", 0),
        ("backward", 1, True, False),
    ],
    "a gradient of another type": [
        ("leaf", (3,), 0, True),
        ("parts", "max", 0, False),
        ("unary", "sum", 0, False),
        ("backward with", 0, 0, True),
        ("backward with", 3, 2, True),
        ("leaf", (), 1, True),
        ("backward with", 4, 2, False),
        ("backward", 4, True, False),
    ],
    "a checkpoint is given what was changed since": [
        ("leaf", (3,), 0, True),
        ("detach", 0),
        ("unary", "checkpoint", 0, False),
        ("unary", "older checkpoint", 0, False),
        ("write", "add_ number", 1, False),
        ("backward", 2, True, False),
        ("backward", 3, True, False),
    ],
    "an older checkpoint is gone through twice": [
        ("leaf", (3,), 0, True),
        ("unary", "older checkpoint", 0, False),
        ("backward", 1, True, False),
        ("backward", 1, True, False),
    ],
    "a leaf gets a new shape where nothing is recorded": [
        ("leaf", (2, 3), 0, False),
        ("view", "tail", 0, False),
        ("write", "t_", 1, True),
        ("mark", "requires grad", 0),
        ("unary", "twice", 1, False),
        ("backward", 2, True, False),
    ],
    "a checkpoint is computed again in each backward pass": [
        ("leaf", (3,), 0, True),
        ("unary", "checkpoint", 0, False),
        ("backward", 1, True, True),
        ("backward", 1, True, True),
    ],
    "the leaf error comes before that of the dimensions": [
        ("leaf", (2, 3), 0, True),
        ("view", "unflatten", 0, False),
        ("write", "t_", 1, False),
    ],
    "a leaf that is a view moves into the graph": [
        ("leaf", (1,), 0, False),
        ("view", "first", 0, False),
        ("mark", "requires grad", 1),
        ("write with", "add_", 0, 1, False),
        ("backward", 0, True, False),
    ],
    "a function writes a view whose base no longer requires grad": [
        ("leaf", (), 0, True),
        ("function", "the same", 0, False),
        ("mark", "requires no grad", 0),
        ("function", "in place", 1, True),
    ],
    "a saved result is detached and then changed": [
        ("leaf", (3,), 0, True),
        ("unary", "neg", 0, False),
        ("unary", "square", 1, False),
        ("mark", "detach_", 1),
        ("write", "add_ number", 1, False),
        ("backward", 2, True, False),
    ],
    "hooks see the gradients of all that was joined": [
        ("leaf", (3,), 0, True),
        ("leaf", (3,), 1, False),
        ("binary", "cat", 0, 1, False),
        ("mark", "node hook", 2),
        ("binary", "stack", 1, 0, False),
        ("mark", "node hook", 3),
        ("backward", 2, True, False),
        ("backward to", 3, 0, False),
    ],
    "a function of a view that leads nowhere": [
        ("leaf", (1,), 0, False),
        ("view", "first", 0, False),
        ("mark", "requires grad", 0),
        ("function", "square", 1, False),
        ("function", "two", 1, False),
        ("function", "the same", 1, False),
        ("backward", 2, False, True),
        ("backward", 3, True, False),
        ("grad", 2, 1, False),
        ("backward", 2, False, False),
        ("backward", 2, False, False),
    ],
    "new data leave the graph as it was": [
        ("leaf", (3,), 0, True),
        ("unary", "neg", 0, False),
        ("mark", "new data", 0),
        ("grad", 1, 0, False),
        ("backward", 1, True, False),
    ],
    "a function that writes to a view older than what its base requires is told of a leaf": [
        ("leaf", (1,), 0, False),
        ("view", "first", 0, False),
        ("mark", "requires grad", 0),
        ("function", "in place", 1, False),
    ],
}


@pytest.mark.parametrize("name", FOUND)
def test_found_before(torch: Any, name: str) -> None:
    same(torch, run, FOUND[name])


def test_programs_do_something(torch: Any) -> None:
    """The interpreter itself: a program with a graph, a write, a hook, an error and gradients."""
    program: list[Step] = [
        ("leaf", (3,), 0, True),
        ("unary", "twice", 0, False),
        ("mark", "hook", 1),
        ("view", "tail", 1, False),
        ("write", "mul_ number", 2, False),
        ("write", "zero_", 0, False),
        ("backward", 1, True, False),
    ]
    variables, log = answer(torch, run, program)
    assert log == [
        ["5", "RuntimeError", ["a leaf Variable that requires grad"]],
        ["hook on 1", [1.0, 2.0, 2.0]],
    ]
    assert variables[0] == [None, [[2.0, 4.0, 4.0], [3]], 0]
