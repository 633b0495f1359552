"""The results inside a function, while it computes: what no graph keeps.

A graph knows the operations and what their derivatives need, not the numbers that came out. To
show these, somebody has to look on: at the values that minigrad's functions, which are Python,
return; in PyTorch through the mode that it offers for this. The names of the function's own
variables are read when it returns.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from .names import Names, is_tensor, made_by

Output = tuple[int, int]
"""An autograd node, by identity, and which of its results."""


class Seen:
    """What a function has computed: `values` by the operation's output, the `names` of its
    variables, and its `result`.
    """

    def __init__(self) -> None:
        self.values: dict[Output, Any] = {}
        self.names = Names()
        self.result: Any = None
        self._alive: list[Any] = []  # identities mean something only for objects that live

    def note(self, tensor: Any) -> None:
        """A tensor has been made. Its numbers are copied: a later operation may write over them."""
        node, index = made_by(tensor)
        if node is not None:
            self._alive.append(node)
            self.values.setdefault((id(node), index), tensor.detach().clone())


def watched(function: Callable[..., Any], *arguments: Any, **named: Any) -> Seen:
    """Call the function and look on."""
    seen = Seen()
    code = getattr(function, "__code__", None)

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if event != "return":
            return
        if is_tensor(value):
            seen.note(value)
        if frame.f_code is code:
            for name, local in frame.f_locals.items():
                if is_tensor(local):
                    seen.names.add(name, local)

    before = sys.getprofile()
    with _mode_of_pytorch(seen):
        sys.setprofile(at_event)
        try:
            seen.result = function(*arguments, **named)
        finally:
            sys.setprofile(before)
    return seen


@contextlib.contextmanager
def _mode_of_pytorch(seen: Seen) -> Iterator[None]:
    """Within it, every result of PyTorch is noted, if the reader has PyTorch at all."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return

    class Noting(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            result = function(*args, **(kwargs or {}))
            for each in result if isinstance(result, tuple | list) else (result,):
                if isinstance(each, torch.Tensor):
                    seen.note(each)
            return result

    with Noting():
        yield
