"""The modules, optimizers and tensors that a program can reach by name.

They are in its variables, and in the attributes of the objects there.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ..model.frame_locals import names_in
from ..model.names import is_readable, is_tensor
from .evidence import Place
from .objects import is_module

Thing = tuple[str, Any]
"""A module, an optimizer or a tensor, and the expression that reaches it."""

PLAIN = frozenset((str, int, float, bool, type(None), type, ModuleType, FunctionType))
"""Types of variables that contain none of these."""

MOST = 1000
"""Maximum number of elements of a container to search."""


def is_optimizer(value: Any) -> bool:
    try:
        own = object.__getattribute__(value, "__dict__")  # runs no code of the value
    except AttributeError:
        return False
    return type(own) is dict and isinstance(own.get("param_groups"), list)


def held_by(optimizer: Any) -> list[Any]:
    """Return the tensors that an optimizer moves."""
    return [each for group in optimizer.param_groups for each in group["params"]]


def things_in(places: list[Place], *, tensors: bool = False) -> Iterator[Thing]:
    """Yield what the variables of running functions hold; inner variables hide outer ones.

    With `tensors`, results and elements of lists are included, otherwise only leaves that require
    grad.
    """
    variables: dict[str, Any] = {}
    for frame, _ in places:
        variables |= names_in(frame)
    yield from things_among(variables, tensors=tensors)


def things_of(function: Any) -> dict[str, Any]:
    """Return the variables that a function sees: its globals and its closure."""
    if isinstance(function, functools.partial):
        given = {f"{name}": value for name, value in function.keywords.items()}
        given |= {f"argument{i}": value for i, value in enumerate(function.args)}
        return {**things_of(function.func), **given}
    owner, plain = None, function
    if isinstance(function, MethodType):
        owner, plain = function.__self__, function.__func__
    if not isinstance(plain, FunctionType):
        call = inspect.getattr_static(type(function), "__call__", None)
        if not isinstance(call, FunctionType):
            return {}
        owner, plain = function, call
    found = dict(plain.__globals__)
    for name, cell in zip(plain.__code__.co_freevars, plain.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    if owner is not None:
        found["self"] = owner
    return found


def things_among(variables: dict[str, Any], *, tensors: bool = False) -> Iterator[Thing]:
    """Yield what some variables hold."""
    for name, value in list(variables.items()):
        if not name.startswith("_"):
            yield from things_at(name, value, tensors, 2)


def things_at(name: str, value: Any, tensors: bool, depth: int) -> list[Thing]:
    """Return what `value` holds; nothing for an object that raises when it is asked."""
    try:
        return list(things_held(name, value, tensors, depth))
    except Exception:
        return []


def things_held(name: str, value: Any, tensors: bool, depth: int) -> Iterator[Thing]:
    if type(value) in PLAIN:
        return
    if is_tensor(value):
        if tensors or (value.requires_grad and is_readable(value) and value.is_leaf):
            yield name, value
    elif isinstance(value, type):
        return
    elif is_module(value):
        yield name, value
        if tensors and depth:
            for attribute, inner in vars(value).items():
                if not attribute.startswith("_"):
                    yield from things_at(f"{name}.{attribute}", inner, tensors, 0)
    elif is_optimizer(value):
        yield name, value
    elif depth and isinstance(value, list | tuple):
        for place, inner in enumerate(value[:MOST]):
            yield from things_at(f"{name}[{place}]", inner, tensors, depth - 1)
    elif depth and isinstance(value, dict):
        for key, inner in list(value.items())[:MOST]:
            if isinstance(key, str | int):
                yield from things_at(f"{name}[{key!r}]", inner, tensors, depth - 1)
    elif depth and type(getattr(value, "__dict__", None)) is dict:
        for attribute, inner in list(vars(value).items())[:MOST]:
            if not attribute.startswith("_"):
                yield from things_at(f"{name}.{attribute}", inner, tensors, depth - 1)


def parts_of(module: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield what a module's attributes hold, and what is in lists and dicts there.

    Each comes with the attribute, and its place in it: `[0]`, or "" for the attribute's own value.
    """
    for attribute, value in list(vars(module).items()):
        if attribute.startswith("_"):
            continue
        yield attribute, "", value
        pairs = value.items() if isinstance(value, Mapping) else ()
        for key, each in list(enumerate(value) if isinstance(value, list | tuple) else pairs)[
            :MOST
        ]:
            yield attribute, f"[{key!r}]", each


def unregistered_leaves(module: Any) -> Iterator[Thing]:
    """Yield leaves with requires_grad in a module that `parameters()` does not return."""
    for attribute, place, each in parts_of(module):
        if is_tensor(each) and each.is_leaf and each.requires_grad:
            yield f"self.{attribute}{place}", each


def names_of(things: list[Thing]) -> dict[int, str]:
    """Return the name of each module, parameter and optimizer, by identity."""
    names: dict[int, str] = {}
    things = sorted(things, key=lambda each: each[0].count(".") + each[0].count("["))
    for name, thing in things:
        if "[" not in name and not is_tensor(thing):
            names.setdefault(id(thing), name)
    for name, thing in things:
        if is_module(thing):
            for path, module in thing.named_modules():
                names.setdefault(id(module), f"{name}.{path}".rstrip("."))
            for path, parameter in thing.named_parameters():
                names.setdefault(id(parameter), f"{name}.{path}")
    for name, thing in things:
        names.setdefault(id(thing), name)
    return names
