"""What `record` collects: one event for each thing that the engine does.

PyTorch has nothing like it. `minigrad_viz` reads these, and whoever wants to watch a backward pass
without a picture.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> with mg.autograd.record() as trace:
    ...     (x * x).backward()
    >>> [type(event).__name__ for event in trace]
    ['Seed', 'Start', 'Formula', 'Free', 'Accumulate', 'Accumulate', 'Start', 'LeafGradient']

`record(forward=True)` begins with a `Forward` for each operation. A backward pass begins with a
`Seed` for each root. Then, for each node: `Start`, the `Hook`s that ran, `Formula`, a `Reduce`
where broadcasting is undone, `Free`, and an `Accumulate` for each gradient handed on; at a leaf,
`LeafGradient`. A node that fails ends the pass with an `Error`.
"""

from ..core.code_lines import CodeLine
from ..core.events import (
    FULL_VALUE_LIMIT,
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
    Summary,
    Trace,
    Value,
    record,
    snapshot,
    summarize,
)

__all__ = [
    "FULL_VALUE_LIMIT",
    "Accumulate",
    "CodeLine",
    "Error",
    "Event",
    "Formula",
    "Forward",
    "Free",
    "Hook",
    "LeafGradient",
    "Reduce",
    "SavedValue",
    "Seed",
    "Start",
    "Summary",
    "Trace",
    "Value",
    "record",
    "snapshot",
    "summarize",
]
