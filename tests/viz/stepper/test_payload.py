"""The front end's types are those of what Python sends."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import NotRequired, TypedDict

import minigrad_viz as viz
import pytest


@pytest.fixture(scope="module")
def writer(root: Path) -> ModuleType:
    """The script that writes payload.ts."""
    file = root / "viz" / "frontend" / "payload_types.py"
    spec = importlib.util.spec_from_file_location("payload_types", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_typescript_types_match_payload(writer: ModuleType) -> None:
    committed = writer.FILE.read_text(encoding="utf-8")
    assert committed == writer.generate(), "run `python viz/frontend/payload_types.py`"


@pytest.mark.parametrize("kind", ["nodes", "edges", "values", "events", "steps", "files"])
def test_recording_has_the_documented_fields(
    writer: ModuleType, lib: ModuleType, kind: str
) -> None:
    """Those without a question mark always, and no others than those that are named."""
    one = re.search(rf"^  {kind}: (\w+)\[\];", writer.generate(), re.M)
    assert one
    written = re.search(rf"interface {one[1]} \{{(.*?)\n\}}", writer.generate(), re.S)
    assert written
    fields = dict(re.findall(r"^  (\w+)(\??):", written[1], re.M))
    x = lib.ones(2, 1, requires_grad=True)
    stepper = viz.step(lambda: (x * lib.ones(1, 3)).exp().sum())
    sent: list[dict[str, object]] = stepper.payload[kind]
    assert sent
    for each in sent:
        assert {name for name, mark in fields.items() if not mark} <= set(each) <= set(fields)


class Example(TypedDict):
    """What is of interest, in
    two lines.
    """

    shape: list[int | None]  # of the tensor
    done: NotRequired[bool]


def test_how_types_are_written(writer: ModuleType) -> None:
    assert writer.translate_interface(Example, []) == (
        "/**\n * What is of interest, in\n * two lines.\n */\n"
        "export interface Example {\n"
        "  /** of the tensor */\n  shape: (number | null)[];\n  done?: boolean;\n}"
    )
