"""Find the module of each operation.

The parameters' names show it: an operation that uses "blocks.0.weight" belongs to blocks.0. An
operation without parameters belongs to the module that its neighbours on both sides share. The
modules of some operations were recorded (module_calls.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Scope = tuple[str, ...]
"""The parts of a module's name; () for none."""

Key = TypeVar("Key", bound=Hashable)
"""Stands for a function: the id of its node, or a number."""


def modules(
    used: Mapping[Key, Iterable[str]],
    below: Mapping[Key, Sequence[Key]],
    known: Mapping[Key, str],
) -> dict[Key, str]:
    """Return the name of the module of each function that belongs to one.

    used   the names of the leaves that a function uses
    below  the functions that get a function's gradients; every function is a key
    known  the recorded modules of functions, empty if no module was running
    """
    own: dict[Key, Scope] = {f: tuple(path.split(".")) if path else () for f, path in known.items()}
    for function, names in used.items():
        if function in known:
            continue
        for name in names:
            if scope := tuple(name.split(".")[:-1]):
                own[function] = common([own.get(function, scope), scope])
    if not own:
        return {}
    above: dict[Key, list[Key]] = {function: [] for function in below}
    for function, others in below.items():
        for other in others:
            above[other].append(function)
    order = _in_order(above, below)
    before = _nearest(order, above, own)
    after = _nearest(order[::-1], below, own)
    found: dict[Key, str] = {}
    for function in below:
        sides = [before.get(function), after.get(function)]
        scopes = [scope for scope in sides if scope is not None]
        scope = own.get(function, common(scopes) if len(scopes) == 2 else ())
        if scope:
            found[function] = ".".join(scope)
    return found


def common(scopes: Sequence[Scope]) -> Scope:
    """Return the beginning that all of them share."""
    first, last = min(scopes), max(scopes)
    length = 0
    while length < min(len(first), len(last)) and first[length] == last[length]:
        length += 1
    return first[:length]


def _nearest(
    order: Sequence[Key], neighbours: Mapping[Key, Sequence[Key]], own: Mapping[Key, Scope]
) -> dict[Key, Scope]:
    """Return what the nearest functions with a scope on one side have in common."""
    found: dict[Key, Scope] = {}
    for function in order:
        scopes = [own.get(n, found.get(n)) for n in neighbours[function]]
        known = [scope for scope in scopes if scope is not None]
        if known:
            found[function] = common(known)
    return found


def _in_order(above: Mapping[Key, Sequence[Key]], below: Mapping[Key, Sequence[Key]]) -> list[Key]:
    """Return the functions, each after all users of its result."""
    waiting = {function: len(users) for function, users in above.items()}
    ready = [function for function, count in waiting.items() if count == 0]
    order = []
    while ready:
        function = ready.pop()
        order.append(function)
        for other in below[function]:
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    return order
