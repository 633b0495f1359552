"""Everything that shows itself is saved by `.save("name.ext")`, whole or not at all."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg


def loss_of() -> Any:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    return (x * x).sum()


def grad_flow() -> viz.GradFlow:
    net = mg.nn.Linear(2, 1)
    net(mg.ones(3, 2)).sum().backward()
    return viz.grad_flow(net)


def diagnose() -> viz.Diagnosis:
    net = mg.nn.Linear(2, 1)
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)

    def step() -> None:
        net(mg.ones(3, 2)).sum().backward()
        optimizer.step()

    return viz.diagnose(step)


SAVED: dict[str, tuple[Callable[[], Any], str]] = {
    "draw": (lambda: viz.draw(loss_of()), "svg png pdf html dot txt"),
    "program": (lambda: viz.program(loss_of()), "py txt html"),
    "loss_curve": (lambda: viz.loss_curve([2.0, 1.0]), "svg png pdf html txt jpg"),
    "memory": (lambda: viz.memory(loss_of()), "svg png html"),
    "grad_flow": (grad_flow, "svg png html"),
    "forward_and_backward": (
        lambda: viz.forward_and_backward(lambda x: (x * x).sum(), mg.ones(2)),
        "html svg txt",
    ),
    "explore": (lambda: viz.explore(lambda x: x * x, x=(0, 2)), "html svg txt"),
    "explain": (lambda: viz.explain(loss_of()), "html svg txt"),
    "diagnose": (diagnose, "html svg txt"),
    "step": (lambda: viz.step(loss_of()), "html pdf"),
    "compare": (lambda: viz.compare(lambda lib: loss_of(), mg, mg), "html pdf"),
}

STARTS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>"}


@pytest.mark.parametrize("who", SAVED)
def test_each_format_is_written_whole(
    who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    make, formats = SAVED[who]
    shown = make()
    for ending in formats.split():
        path = tmp_path / f"file.{ending}"
        assert shown.save(path) == path
        content = path.read_bytes()
        assert content.startswith(STARTS.get(ending, b"")) and content
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(OSError, match=rf"No space left on device: .*file\.{ending}"):
                shown.save(path)
        assert path.read_bytes() == content
        assert os.listdir(tmp_path) == [path.name]
        path.unlink()


@pytest.mark.parametrize("who", SAVED)
def test_another_ending_is_refused(who: str, tmp_path: Path) -> None:
    make, formats = SAVED[who]
    with pytest.raises(ValueError) as caught:
        make().save(tmp_path / "file.xyz")
    for ending in formats.split():
        assert re.search(rf"\b{ending}\b", str(caught.value)), ending
    assert os.listdir(tmp_path) == []


def test_page_runs_nothing_and_shows_pictures(tmp_path: Path) -> None:
    page = viz.loss_curve([2.0, 1.0]).save(tmp_path / "a.html").read_text("utf-8")
    assert "default-src 'none'" in page and "img-src data:" in page
    assert "script-src" not in page and '<img alt="loss' in page


def test_save_is_the_only_way_to_write() -> None:
    for name in viz.__all__:
        kind = getattr(viz, name)
        if isinstance(kind, type):
            assert not [each for each in dir(kind) if re.match(r"(to|save)_", each)], name
            assert callable(kind.save)  # type: ignore[attr-defined]
