"""The events of a backward pass, which `record` collects. PyTorch has no counterpart.

    Forward        an operation was computed and left its node (with `record(forward=True)` only)
    Seed           a pass begins: the gradient of a root with respect to itself
    Start          a node runs, with its gradients and its saved values
    Hook           a hook ran: the gradients before and after it
    Formula        the node's backward formula returned a gradient for each of its inputs
    Reduce         one of these was summed to its input's shape: broadcasting undone
    Accumulate     a gradient was passed on, and added to the sum at its target
    LeafGradient   a gradient was added to a leaf's `.grad`
    Free           the node freed its saved tensors
    Error          the node failed, which ended the pass

Every event has its `node`, and the numbers of that moment as a `Value`. Tensors and nodes can also
be inspected without a recording: `changed_at`, `is_settled`, `hooks_on`, `saved_at`, `kept_by` and
`memory_of`. A node's `line` is a `CodeLine`. `Node` is the class of all nodes.

>>> import minigrad as mg
>>> from minigrad.autograd import events, record
>>> x = mg.tensor(3.0, requires_grad=True)
>>> with record() as trace:
...     (x * x).backward()
>>> [(type(e).__name__, e.after.data.item()) for e in trace if isinstance(e, events.LeafGradient)]
[('LeafGradient', 6.0)]

`import minigrad` does not load it; `minigrad.autograd.events` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..arrays.devices import address, device_of
from ..arrays.snapshots import (
    FULL_VALUE_LIMIT,
    Summary,
    Value,
    message_of,
    sketched_by,
    snapshot,
    summarize,
)
from ..core.code_lines import Call, CodeLine, Place
from ..core.events import (
    Accumulate,
    Error,
    Event,
    Formula,
    Forward,
    Free,
    Hook,
    LeafGradient,
    Reduce,
    SavedValue,
    Seed,
    Start,
    Trace,
    name_of_hook,
    recording,
)
from ..core.hooks import Hooks
from ..core.node import Node
from ..core.saved import PLAIN, PackedTensor, SavingNode, TensorGroup
from ..core.views import CopySlices
from ..tensors.tensor import Tensor

__all__ = [
    "FULL_VALUE_LIMIT",
    "Accumulate",
    "Call",
    "CodeLine",
    "Error",
    "Event",
    "Formula",
    "Forward",
    "Free",
    "Hook",
    "LeafGradient",
    "Node",
    "Place",
    "Reduce",
    "SavedValue",
    "Seed",
    "Start",
    "Summary",
    "Trace",
    "Value",
    "call_of",
    "changed_at",
    "hooks_on",
    "is_settled",
    "kept_by",
    "memory_of",
    "message_of",
    "place_of",
    "recording",
    "saved_at",
    "sketched_by",
    "snapshot",
    "summarize",
]


def changed_at(tensor: Tensor) -> CodeLine | None:
    """Return the line that last changed `tensor` in place, if lines were tracked (`track_lines`).

    >>> import minigrad as mg
    >>> x = mg.zeros(2)
    >>> with mg.autograd.track_lines():
    ...     _ = x.add_(1)
    >>> changed_at(x).text
    '_ = x.add_(1)'
    """
    return tensor._changed_at


def place_of(node: Node) -> Place | None:
    """Return the place in the program that made a node, if lines were tracked (`track_lines`).

    >>> import minigrad as mg
    >>> with mg.autograd.track_lines():
    ...     def double(x): return x * 2
    ...     y = double(mg.ones(2, requires_grad=True))
    >>> [code.co_name for code in place_of(y.grad_fn)[::2]]
    ['double', '<module>']
    """
    return node._place


def call_of(node: Node) -> Call | None:
    """Return the call of the innermost module that made a node, if lines were tracked.

    >>> import minigrad as mg
    >>> net = mg.nn.Linear(2, 1)
    >>> with mg.autograd.track_lines():
    ...     y = net(mg.ones(2))
    >>> call_of(y.grad_fn).module() is net
    True
    """
    return node._call


def saved_at(node: Node, name: str) -> tuple[str, int] | None:
    """Return the device and the address of the value that `node` saved as `name`, or None.

    This also works for values that were changed since and can no longer be read.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> y = x.exp()
    >>> node = y.grad_fn
    >>> _ = y.add_(1)
    >>> saved_at(node, "result") == ("cpu", y.data_ptr())
    True
    """
    if not isinstance(node, SavingNode) or node._saved is None:
        return None
    for place, shown in node._names_of_saved():
        kept = getattr(node._saved[place], "_array", None)
        if shown == name and kept is not None:
            return str(device_of(kept)), address(kept)
    return None


def kept_by(node: Node) -> list[tuple[str, Any, Any]]:
    """Return the values that `node` saves, readable or not: name, array, None.

    For a packed value return name, packed value and unpack hook. Numbers are left out, since they
    have no tensor's memory, and so are freed values.

    >>> import minigrad as mg
    >>> x = mg.ones(2, requires_grad=True)
    >>> [(name, array.shape) for name, array, _ in kept_by((2 * x).exp().grad_fn)]
    [('result', (2,))]
    """
    inner = node.operation if isinstance(node, CopySlices) else node
    saved = inner._saved if isinstance(inner, SavingNode) else None
    if not saved:
        return []
    assert isinstance(inner, SavingNode)
    if any(isinstance(value, TensorGroup) for value in saved):
        found = [(name, value) for name, value, _, _ in inner._kept_values()]
    else:
        found = [(name, saved[place]) for place, name in inner._names_of_saved()]
    return [_as_kept(name, value) for name, value in found if type(value) not in PLAIN]


def _as_kept(name: str, value: Any) -> tuple[str, Any, Any]:
    if isinstance(value, PackedTensor):
        return name, value.packed, value.hooks[1]
    if hasattr(type(value), "in_memory"):  # the array from which it will be computed
        return name, value.in_memory, None
    return name, value._array if hasattr(value, "_array") else value, None


def memory_of(tensor: Any) -> Any:
    """Return the array that owns the memory of a tensor, or of an array: that of all its views.

    >>> import minigrad as mg
    >>> x = mg.ones(4)
    >>> memory_of(x[1:3].reshape(1, 2)) is memory_of(x)
    True
    """
    array = getattr(tensor, "_array", tensor)
    while isinstance(getattr(array, "base", None), type(array)):
        array = array.base
    return array


def hooks_on(thing: Tensor | Node) -> tuple[tuple[str, str], ...]:
    """Return kind and name of each hook that a backward pass will call at a tensor or a node.

    The names are those of `Hook` events.

    >>> import minigrad as mg
    >>> def double(gradient):
    ...     return 2 * gradient
    >>> x = mg.ones(2, requires_grad=True)
    >>> handle = x.register_hook(double)
    >>> hooks_on(x)
    (('tensor', 'double'),)
    """
    if isinstance(thing, Node):
        return (*_named("node_pre", thing._hooks.pre), *_named("node_post", thing._hooks.post))
    made_by = thing.grad_fn
    own = thing._hooks if made_by is None else made_by._hooks.tensor.get(thing.output_nr)
    kept = (("retain_grad", ""),) if thing.retains_grad else ()
    return (*_named("tensor", own), *kept, *_named("post_accumulate", thing._post_hooks))


def is_settled(tensor: Tensor) -> bool:
    """Return whether `tensor.grad_fn` can be read without making a node.

    A view whose memory was written gets a new node when `grad_fn` is next read. In the next pass
    that node runs as one made at that moment. So an observer must not read it.

    >>> import minigrad as mg
    >>> y = mg.ones(2, requires_grad=True) * 2
    >>> first = y[0]
    >>> _ = y.mul_(3)
    >>> is_settled(first)
    False
    """
    view = tensor._view
    return tensor._edge is not None or view is None or view._seen == view.base.version()


def _named(kind: str, hooks: Hooks | None) -> Iterator[tuple[str, str]]:
    waiting: Iterable[object] = () if hooks is None else hooks.values()
    return ((kind, name_of_hook(hook)) for hook in waiting)
