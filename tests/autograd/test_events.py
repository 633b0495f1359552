"""minigrad.autograd.events: the documented place of what a recording is made of."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

import minigrad as mg
from minigrad.autograd import events


def test_every_event_is_there_and_explained() -> None:
    kinds = get_args(events.Event)
    assert len(kinds) == 10
    for kind in kinds:
        assert getattr(events, kind.__name__) is kind and kind.__name__ in events.__all__
        assert f"    {kind.__name__} " in str(events.__doc__)


def test_module_is_loaded_on_first_use() -> None:
    program = (
        "import sys, minigrad\n"
        "print('minigrad.autograd.events' in sys.modules)\n"
        "print(minigrad.autograd.events.__name__, 'minigrad.autograd.events' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "minigrad.autograd.events", "True"], done.stderr


def test_hooks_match_the_recording() -> None:
    def look(*_: object) -> None:
        pass

    x = mg.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.register_hook(look)
    x.register_hook(look)
    x.register_post_accumulate_grad_hook(look)
    node = y.grad_fn
    assert node is not None
    node.register_prehook(look)
    node.register_hook(look)
    told = (*events.hooks_on(y), *events.hooks_on(node), *events.hooks_on(x))
    with mg.autograd.record() as trace:
        y.sum().backward()
    ran = {(event.kind, event.name) for event in trace if isinstance(event, events.Hook)}
    assert set(told) == ran and len(told) == 6
    assert told[-2:] == (("tensor", "look"), ("post_accumulate", "look"))
    assert events.hooks_on(mg.ones(2)) == ()


def test_line_is_known_when_tracked() -> None:
    x = mg.zeros(2)
    with mg.autograd.track_lines(False):
        x.add_(1)
    assert events.changed_at(x) is None
    with mg.autograd.track_lines():
        x.add_(1)
    line = events.changed_at(x)
    assert line is not None and line.text == "x.add_(1)" and line.filename == __file__


def test_memory_of_saved_numbers() -> None:
    """Also of those that were changed since, which the node refuses to give."""
    x = mg.ones(3, requires_grad=True)
    y = x.exp()
    node = y.grad_fn
    z = x * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="inplace"):
        _ = node._saved_result
    assert events.saved_at(node, "result") == ("cpu", y.data_ptr())
    assert events.saved_at(z.grad_fn, "self") == ("cpu", x.data_ptr())
    assert events.saved_at(z.grad_fn, "weight") is None
    w = mg.ones(3, requires_grad=True)
    freed = (w * w).sum()
    square = freed.grad_fn.next_functions[0][0]
    freed.backward()
    assert events.saved_at(square, "self") is None
