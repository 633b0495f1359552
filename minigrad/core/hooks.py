"""Functions that someone wants to have called: by the engine, by a module, by an optimizer.

Whoever is hooked into keeps Hooks, whoever has hooked in a RemovableHandle. Neither keeps the other
alive.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from itertools import count
from typing import Any


class Hooks(OrderedDict[int, Any]):
    """Hooks in the order in which they are called. (A plain dict cannot be referred to weakly.)"""

    def add(self, hook: Any, prepend: bool = False) -> RemovableHandle:
        """Call `hook` after the others, or before them."""
        handle = RemovableHandle(self, hook)
        if prepend:
            self.move_to_end(handle.id, last=False)
        return handle

    def now(self) -> list[Any]:
        """Those that are there now: a hook may take itself out when it is called."""
        return list(self.values())


class RemovableHandle:
    """Takes a hook out again. Works as a context manager too."""

    _next_id = count().__next__

    def __init__(self, hooks: Hooks, hook: Any) -> None:
        self.id = RemovableHandle._next_id()
        self._hooks = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self._hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


class NodeHooks:
    """Whom the engine calls when it comes to a node. (How: hook_calls.py.)"""

    __slots__ = ("post", "pre", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Hooks] = {}  # of each output: they see its gradient alone
        self.retained: dict[int, weakref.ref[Any]] = {}  # the outputs that called retain_grad
        self.pre = Hooks()
        self.post = Hooks()


NO_HOOKS = NodeHooks()
