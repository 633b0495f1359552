"""A recording is frozen plain data, from which the payload follows."""

from __future__ import annotations

import dataclasses
import pickle
import sys
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper.payload_builder import payload
from minigrad_viz.stepper.record import Recording, Request, record
from minigrad_viz.stepper.step import show_recording

import minigrad as mg


def recording_of(lib: ModuleType, **options: Any) -> Recording:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).exp().sum()
    return record(Request(tensor=y, frame=sys._getframe(), names={"x": x}, **options))


def test_recording_can_be_pickled(lib: ModuleType) -> None:
    recording = recording_of(lib)
    again = pickle.loads(pickle.dumps(recording))
    assert payload(again) == payload(recording)


def test_recording_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        recording_of(mg).language = "zh"  # type: ignore[misc]


def test_events_name_nodes_by_id(lib: ModuleType) -> None:
    recording = recording_of(lib)
    ids = {node.id for node in recording.model.nodes}
    assert {event.node for event in recording.events} <= ids
    assert recording.passes == 1 and recording.error is None


def test_show_runs_no_pass(lib: ModuleType) -> None:
    recording = recording_of(lib, keep_grad=False)
    first, second = show_recording(recording), show_recording(recording)
    assert first.text == second.text and first.payload == second.payload
    assert isinstance(first, viz.Stepper)


def test_wrong_inputs_leave_gradients_alone(lib: ModuleType) -> None:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    x.grad = before = lib.ones(2)
    with pytest.raises(TypeError, match="needs tensors as inputs, not a int"):
        viz.step((x * x).sum(), keep_grad=False, inputs=3)  # type: ignore[arg-type]
    assert x.grad is before


def test_unknown_attribute_of_package_raises() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Steper'"):
        viz.Steper  # noqa: B018
