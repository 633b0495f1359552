"""Each row for each peer, once: the peers compute the same numbers, or their times say nothing.

pytest-benchmark times the steps when it is asked to (`pytest tests/bench --benchmark-enable`). No
test asserts a time: the table of `make bench`, in which each peer has its own process, does that.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bench import __main__ as main
from tests.bench import distributed
from tests.bench.rows import PEERS, ROWS, Row

EACH = [
    pytest.param(row, peer, id=f"{type(row).__name__}-{peer}")
    for row in ROWS
    for peer in row.peers()
]


def numbers(result: Any) -> Any:
    return np.asarray(result.tolist() if hasattr(result, "tolist") else result, np.float64)


@pytest.mark.sampled("PROOFS", 20)
@pytest.mark.parametrize(("row", "peer"), EACH)
def test_row(row: Row, peer: str, benchmark: Any) -> None:
    pytest.importorskip(PEERS[peer])
    if not benchmark.enabled:
        row = copy.copy(row)  # it is the time that a longer chain says something of
        row.operations = min(row.operations, 1000)
    step, reference = row.step(peer), row.step("minigrad")
    for _ in range(2):  # the second run finds what the first one left behind
        np.testing.assert_allclose(numbers(step()), numbers(reference()), rtol=1e-4, atol=1e-6)
    benchmark(step)


def test_every_aim_names_a_working_peer() -> None:
    for row in ROWS:
        assert set(row.targets) <= set(row.peers()) <= set(PEERS)


@pytest.mark.parametrize(
    ("document", "name"),
    [*[(main.PAGE, part) for part in main.PARTS], (distributed.PAGE, "distributed")],
)
def test_only_the_tables_are_replaced(document: Path, name: str, tmp_path: Path) -> None:
    text = document.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    assert [text.count(mark) for mark in (begin, end)] == [1, 1]
    copy = tmp_path / document.name
    copy.write_text(text, encoding="utf-8")
    for table in ["first"], ["second", "| a |"]:
        main.write(table, copy, name)
    before, after = text.split(begin)[0], text.split(end)[1]
    assert copy.read_text(encoding="utf-8") == f"{before}{begin}\nsecond\n| a |\n\n{end}{after}"


def test_document_without_marks_is_unchanged(tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text("text")
    with pytest.raises(ValueError, match=r"page\.md has no place for the benchmark tables"):
        main.write(["table"], document, "benchmark")
    assert document.read_text() == "text"


def test_an_interrupted_run_keeps_its_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("".join(f"<!-- {p} -->\nold\n<!-- /{p} -->\n" for p in main.PARTS))

    def interrupted(present: object) -> Iterator[str]:
        yield "| half |"
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "PAGE", page)
    monkeypatch.setattr(main, "versions_of_peers", lambda _: {"minigrad": "0", "compiled": None})
    monkeypatch.setattr(main, "works", lambda *_: iter(["| new |"]))
    monkeypatch.setattr(main, "scales", interrupted)
    monkeypatch.setattr("sys.argv", ["bench", "--write"])
    with pytest.raises(KeyboardInterrupt):
        main.main()
    works, graphs = page.read_text().split("<!-- graphs -->")
    assert "| new |" in works and "old" not in works
    assert "old" in graphs and "half" not in graphs
