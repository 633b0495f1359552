"""The payload of recordings whose events are written by hand.

The graph is PyTorch's: the builder needs nothing of minigrad but the fields of its events.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest
from minigrad_viz.model.arrange import Arrangement
from minigrad_viz.model.graph_model import Walk, walk
from minigrad_viz.stepper.payload import Payload
from minigrad_viz.stepper.payload_builder import PayloadBuilder
from minigrad_viz.stepper.record import Recording, count_passes, name_nodes, read_facts
from minigrad_viz.stepper.transcript import transcript
from minigrad_viz.texts.language import Language
from minigrad_viz.texts.numerals import cell, value_data, value_text

from minigrad.autograd import events as tr


def value(number: Any) -> tr.Value:
    return tr.snapshot(np.asarray(number, np.float32))


def payload_of(
    graph: Walk,
    events: Sequence[tr.Event],
    leaves: Mapping[str, tr.Value] = MappingProxyType({}),
    language: Language = "en",
) -> Payload:
    recording = Recording(
        model=graph.model,
        frames=Arrangement(),
        facts=read_facts(graph),
        events=tuple(name_nodes(events, graph)),
        passes=count_passes(events),
        leaves=leaves,
        results={},
        gradients={},
        last_lines={},
        lane=None,
        engine="pytorch",
        error=None,
        reason="",
        rehearsal=False,
        language=language,
        layout=None,
        fold=None,
        show=None,
    )
    return PayloadBuilder(recording).build()


def square(
    torch: ModuleType,
    language: Language = "en",
    name: str = "x",
    more: tuple[tr.Event, ...] = (),
) -> Payload:
    """y = x * x at 3, as the engine records it, followed by `more`."""
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    mul = y.grad_fn
    leaf = mul.next_functions[0][0]
    one, three, six = value(1), value(3), value(6)
    saved = (tr.SavedValue("self", three, 0, 0), tr.SavedValue("other", three, 0, 0))
    events: list[tr.Event] = [
        tr.Seed(mul, 0, one),
        tr.Start(mul, (one,), saved),
        tr.Formula(mul, (three, three)),
        tr.Free(mul, ("self", "other")),
        tr.Accumulate(mul, 0, leaf, 0, None, three, three),
        tr.Accumulate(mul, 1, leaf, 0, three, three, six),
        tr.Start(leaf, (six,), ()),
        tr.LeafGradient(leaf, None, six, six),
    ]
    graph = walk(y, names={name: x, "y": y})
    leaves = {"n0": value(9), "n5": three}
    return payload_of(graph, events, leaves, language)


def number(payload: Payload, place: int | None) -> Any:
    assert place is not None
    return payload["values"][place]["data"][0]


def test_two_gradients_meet_at_the_leaf(torch: ModuleType) -> None:
    payload = square(torch)
    first, second = [e for e in payload["events"] if e["kind"] == "accumulate"]
    assert first["before"] is None
    assert number(payload, first["after"]) == 3
    assert number(payload, second["before"]) == 3
    assert number(payload, second["added"]) == 3
    assert number(payload, second["after"]) == 6
    assert (first["slot"], second["slot"]) == (0, 1)
    assert first["target"] == second["target"] == "n4"


def test_turns(torch: ModuleType) -> None:
    payload = square(torch)
    assert payload["steps"] == [
        {"node": "n1", "title": "seed", "first": 0, "last": 0},
        {"node": "n1", "title": "MulBackward0", "first": 1, "last": 5},
        {"node": "n4", "title": "AccumulateGrad", "first": 6, "last": 7},
    ]
    assert [e["step"] for e in payload["events"]] == [0, 1, 1, 1, 1, 1, 2, 2]


def test_saved_tensor_is_joined_to_node(torch: ModuleType) -> None:
    payload = square(torch)
    start = payload["events"][1]
    nodes = {node["id"]: node for node in payload["nodes"]}
    assert [(s["name"], nodes[s["node"]]["name"]) for s in start["saved"]] == [
        ("self", "self = x"),
        ("other", "other = x"),
    ]
    assert all(number(payload, nodes[s["node"]]["value"]) == 3 for s in start["saved"])


def test_equal_values_travel_once(torch: ModuleType) -> None:
    assert [v["data"] for v in square(torch)["values"]] == [[1.0], [3.0], [6.0], [9.0]]


TEXT = """\
backward from y: 3 turns
  1. seed
     hands on    MulBackward0 <- 1
  2. MulBackward0
     comes in    1
     reads       self = x = 3 (version 0), other = x = 3 (version 0)
     gives       3, 3
     frees       self, other
     hands on    AccumulateGrad (x) <- 3
                 AccumulateGrad (x) <- 3 + 3 = 6
  3. AccumulateGrad (x)
     comes in    6
     x.grad      None -> 6"""


def test_text(torch: ModuleType) -> None:
    assert transcript(square(torch)) == TEXT


def test_captions_in_both_languages(torch: ModuleType) -> None:
    english = [e["caption"] for e in square(torch, "en")["events"]]
    assert english[5] == "3 goes to AccumulateGrad of x, where 3 waits: together 6."
    assert english[7] == "x.grad was None and becomes 6."
    chinese = [e["caption"] for e in square(torch, "zh")["events"]]
    assert chinese[5] == "3 交给 x 的 AccumulateGrad，与等在那里的 3 相加，得 6。"
    assert all(caption.endswith("。") for caption in chinese)


def test_braces_in_names_are_literal(torch: ModuleType) -> None:
    payload = square(torch, name="{added} {0} {")
    assert payload["events"][7]["caption"] == "{added} {0} {.grad was None and becomes 6."


def test_events_of_other_graphs_are_left_out(torch: ModuleType) -> None:
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    other = (x * 3).grad_fn
    graph = walk(y)
    events: list[tr.Event] = [
        tr.Seed(y.grad_fn, 0, value(1)),
        tr.Seed(other, 0, value(1)),
        tr.Start(other, (value(1),), ()),
        tr.Accumulate(y.grad_fn, 0, other, 0, None, value(2), value(2)),
    ]
    payload = payload_of(graph, events)
    assert [e["kind"] for e in payload["events"]] == ["seed"]


def test_failure_is_the_last_step(torch: ModuleType) -> None:
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    events: list[tr.Event] = [
        tr.Seed(y.grad_fn, 0, value(1)),
        tr.Error(y.grad_fn, "RuntimeError", "<b>no</b>"),
    ]
    payload = payload_of(walk(y), events)
    assert payload["events"][-1]["message"] == "RuntimeError: <b>no</b>"
    last = "2. MulBackward0\n     fails       RuntimeError: <b>no</b>"
    assert transcript(payload).endswith(last)


def test_reduction_and_hooks(torch: ModuleType) -> None:
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    node = y.grad_fn
    two = value([2.0, 2.0])
    events: list[tr.Event] = [
        tr.Seed(node, 0, value(1)),
        tr.Hook(node, "tensor", "double", (value(1),), (value(2),)),
        tr.Start(node, (value(2),), ()),
        tr.Formula(node, (two, None)),
        tr.Reduce(node, 0, two, value([4.0])),
    ]
    payload = payload_of(walk(y), events)
    captions = [e["caption"] for e in payload["events"]]
    assert captions[1] == "A hook runs (tensor: double): 1 becomes 2."
    assert captions[3] == (
        "Its formula gives [2, 2] for input 0, nothing for input 1, which needs no gradient."
    )
    assert captions[4] == "Input 0 was broadcast, so its gradient is summed from [2] to [1]."
    assert [s["title"] for s in payload["steps"]] == ["seed", "MulBackward0"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (np.float32(0.1), 0.1),
        (np.float64(0.1), 0.1),
        (np.float16(0.1), 0.1),
        (np.float32("nan"), "nan"),
        (float("-inf"), "-inf"),
        (np.int64(3), 3),
        (np.bool_(True), True),
    ],
)
def test_numbers_as_json(number: Any, expected: Any) -> None:
    assert cell(number) == expected
    assert type(cell(number)) is type(expected)


def test_no_recording_gives_invalid_json() -> None:
    arrays = [np.array([np.nan, np.inf, 1]), np.full(5000, np.nan), np.arange(5000.0)]
    for array in arrays:
        text = json.dumps(value_data(tr.snapshot(array)), allow_nan=False)
        assert json.loads(text)["shape"] == list(array.shape)


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.float32(1 / 3), "0.3333"),
        (np.array([[1.0, 2.0], [3.0, 4.5]]), "[[1.0, 2.0], [3.0, 4.5]]"),
        (np.float32(1.9882), "1.9882"),
        (np.array([1e-5, 0.0]), "[1.00e-05, 0]"),
        (np.float32(2.5e7 + 0.25), "25000000"),
        (np.array([2e6, 0.5]), "[2.00e+06, 5.00e-01]"),
        (np.array([-1e-9, 1.0]), "[0, 1]"),
        (np.zeros((0, 3)), "[]"),
        (np.array([True, False]), "[True, False]"),
        (np.ones((5, 3)), "[5, 3] with norm 3.873"),
        (np.ones((100, 100)), "[100, 100] with norm 100"),
    ],
)
def test_values_in_words(array: Any, text: str) -> None:
    assert value_text(value_data(tr.snapshot(array))) == text
