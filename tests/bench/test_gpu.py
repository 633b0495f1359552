"""`make bench-gpu` where there is no GPU: on the CPU in its place, and on the stand-in for CuPy."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench import gpu
from tests.bench.__main__ import Worker
from tests.bench.rows import PEERS, ROWS_ON_GPU, Training
from tests.gpu import foreign


class Tiny(Training):
    """Training, with a second minigrad in the place of PyTorch, which takes longer to import."""

    title = "training, tiny"
    targets = {"itself": 1e6}
    batch = 4

    def itself(self, mg: Any) -> Any:
        return self.tensors(mg)


def test_whole_benchmark_runs_on_cpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu, "BOTH", ("minigrad", "itself"))
    options = ["--device", "cpu", "--rounds", "2", "--duration", "0.001", "--rows", "tiny"]
    assert gpu.main(options, [*ROWS_ON_GPU, Tiny()]) == 0
    first, machine, _, header, _, line = capsys.readouterr().out.splitlines()
    assert "no GPU, but cpu" in first and "rounds: 2" in machine
    assert [cell.strip() for cell in header.split("|")][1:-1] == list(gpu.HEADER)
    cells = [cell.strip() for cell in line.split("|")][1:-1]
    assert (cells[0], cells[2], cells[-1]) == ("training, tiny", "itself", "met")
    assert float(cells[4]) > 0 and "±" in cells[1] and "±" in cells[3]


def test_step_is_prepared_and_synchronized(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign.install(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(root)]))
    worker = Worker("minigrad", 1, "cuda")
    assert worker.sample(Watched(), 2) > 0
    worker.close()


class Watched(Training):
    """Training that looks, in the process that runs it, at where its data are and at the clock."""

    batch = 4

    def tensors(self, T: Any) -> Any:
        assert T.tensor(1.0).is_cuda
        step = super().tensors(T)

        def watched() -> Any:
            assert foreign.copies["synchronize"] == 1, "not waited for before the clock starts"
            assert not T.tensor(1.0).is_cuda, "the default device is still another one"
            loss = step()
            assert loss.is_cuda
            return loss

        return watched


@pytest.mark.parametrize("cupy", ["missing", "there"])
def test_missing_requirements_are_named(
    cupy: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", foreign.module() if cupy == "there" else None)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(gpu, "about", lambda peer: gpu.ABOUT[peer]())
    assert gpu.main([]) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "PyTorch is not installed" in sentence
    assert ("CuPy is not installed" in sentence) == (cupy == "missing")


def test_gpu_and_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", foreign.module())
    described = gpu.about_minigrad()
    assert described["device"] == "a stand-in"
    assert described["version"].endswith("CUDA 13.0)")


def test_only_the_page_of_the_gpu_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path
) -> None:
    """The table replaces what is between the marks."""
    page = tmp_path / "gpu.md"
    page.write_text((root / "docs/gpu.md").read_text(encoding="utf-8"), encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    monkeypatch.setattr(gpu, "PAGE", page)
    monkeypatch.setattr(gpu, "about", lambda peer: {"device": "a GPU", "version": f"{peer} 1"})
    monkeypatch.setattr(gpu, "measure", lambda row, present, rounds, *_, **__: times(present))

    def times(present: Any) -> Any:
        return {peer: [(number + 1) * 1e-3] * 3 for number, peer in enumerate(present)}

    assert gpu.main(["--write"], [Tiny(), *ROWS_ON_GPU]) == 0
    begin, end = "<!-- benchmark-gpu -->\n", "\n<!-- /benchmark-gpu -->"
    (head, _, rest), after = before.partition(begin), page.read_text(encoding="utf-8")
    tail = rest.partition(end)[2]
    assert after.startswith(head + begin) and after.endswith(end + tail)
    written = after.removeprefix(head + begin).removesuffix(end + tail)
    assert "a GPU; minigrad 1; torch 1;" in written
    assert written.count("| torch | 2 ms ± 0% | 0.50 |") == len(ROWS_ON_GPU) + 1


@pytest.mark.parametrize("option", [["--rows", "tiny"], ["--device", "cpu"]])
def test_partial_results_are_not_written(
    option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        gpu.main(["--write", *option])
    assert "leave out --rows and --device" in capsys.readouterr().err


def test_every_aim_names_a_working_peer() -> None:
    for row in ROWS_ON_GPU:
        assert set(row.targets) <= set(gpu.BOTH) <= set(row.peers()) <= set(PEERS)
