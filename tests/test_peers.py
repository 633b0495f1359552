"""The comparison with other projects: its claims are tried on the projects that are installed.

A table of figures names its command and its day.
"""

from __future__ import annotations

import datetime
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh.md"}
PEERS = {"en": ROOT / "docs/peers.md", "zh": ROOT / "docs/peers.zh.md"}
FIGURES = [*READMES.values(), ROOT / "docs/benchmark.md"]
DATED = [*READMES.values(), *PEERS.values(), ROOT / "docs/benchmark.md"]
COLUMNS = {"minigrad": 1, "torch": 2, "micrograd": 3, "autograd": 4}
NAMED = (
    *("TorchLens", "torchview", "torchvista", "Netron", "TensorFlow Playground"),
    *("Dive into Deep Learning", "micrograd", "TinyTorch"),
)
IMPORTS = {"autograd": "autograd.numpy", "micrograd": "micrograd.engine"}

SECOND_DERIVATIVE = {
    "minigrad": "import minigrad as mg\n{tensors}",
    "torch": "import torch as mg\n{tensors}",
    "autograd": "from autograd import grad\nprint(grad(grad(lambda x: x**3))(2.0))",
    "micrograd": (
        "from micrograd.engine import Value\nx = Value(2.0)\n(x**3).backward()\n"
        "slope, x.grad = x.grad, 0\nslope.backward()\nprint(x.grad)"
    ),
}
"""Programs for the second derivative of x ** 3 at 2, in each project's API."""

TENSORS = """\
x = mg.tensor(2.0, requires_grad=True)
(slope,) = mg.autograd.grad(x**3, x, create_graph=True)
slope.backward()
print(x.grad.item())"""


def output(program: str) -> str | None:
    """Return the output of a program, or None if it fails."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def rows(language: str) -> list[list[str]]:
    """Return the cells of the comparison's rows."""
    text = READMES[language].read_text("utf-8")
    table = re.search(r"^\| \| minigrad \|.*?\n\n", text, re.M | re.S)
    assert table
    return [line.strip("| ").split(" | ") for line in table[0].splitlines()[2:-1]]


def claims(language: str, start: str, peer: str) -> bool:
    """Whether the cell of a peer says yes, in the row with this beginning."""
    (row,) = [row for row in rows(language) if row[0].startswith(start)]
    cell = row[COLUMNS[peer]]
    return cell.startswith(("yes", "是", "it is", "它就是"))


def needs(peer: str) -> None:
    if importlib.util.find_spec(peer) is None:
        pytest.skip(f"{peer} is not installed (pip install '.[test,parity]')")


@pytest.mark.parametrize("peer", COLUMNS)
def test_the_claim_to_run_pytorch_programs(peer: str) -> None:
    needs(peer)
    found = re.search(
        r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$",
        READMES["en"].read_text("utf-8"),
        re.M | re.S,
    )
    assert found
    program = found[1].replace("import minigrad as mg", f"import {IMPORTS.get(peer, peer)} as mg")
    runs = output(program) == found[2]
    assert runs == claims("en", "runs PyTorch's programs", peer)
    assert runs == claims("zh", "能运行 PyTorch 的程序", peer)


@pytest.mark.parametrize("peer", COLUMNS)
def test_the_claim_of_second_derivatives(peer: str) -> None:
    needs(peer)
    printed = output(SECOND_DERIVATIVE[peer].format(tensors=TENSORS))
    has = printed is not None and float(printed) == 12
    assert has == claims("en", "gradients of gradients", peer)
    assert has == claims("zh", "梯度的梯度", peer)


@pytest.mark.parametrize("language", PEERS)
def test_each_peer_is_named_with_its_strength(language: str) -> None:
    text = PEERS[language].read_text("utf-8")
    found = re.findall(r"^\| \[([^\]]+)\]\(https://[^)]+\) \| (.{20,}) \|$", text, re.M)
    assert tuple(name for name, _ in found) == NAMED


def test_both_languages_make_the_same_claims() -> None:
    yes = ("yes", "是", "it is", "它就是")
    english, chinese = (
        [[cell.startswith(yes) for cell in row[1:]] for row in rows(each)] for each in READMES
    )
    assert english == chinese


@pytest.mark.parametrize("document", FIGURES, ids=lambda path: path.name)
def test_a_measured_table_names_command_and_day(document: Path) -> None:
    """A measured table has units of time or memory, or says yes and no."""
    text = document.read_text("utf-8")
    sections = re.split(r"^##+ ", text, flags=re.M)
    measured = [
        section
        for section in sections
        if re.search(r"^\|.*(?:\d (?:µs|ns|ms|MB|s)\b|\| (?:yes|是)\b)", section, re.M)
    ]
    assert measured
    for section in measured:
        name = section.splitlines()[0]
        assert re.search(r"`\.venv/bin/python -m [\w.]+", section), name
        assert re.search(r"\d{1,2} \w+ 20\d\d|20\d\d 年 \d{1,2} 月 \d{1,2} 日", section), name


def test_no_day_lies_ahead() -> None:
    for document in DATED:
        text = document.read_text("utf-8")
        found = [(y, m, d) for y, m, d in re.findall(r"(20\d\d) 年 (\d+) 月 (\d+) 日", text)]
        for written in re.findall(r"\b\d{1,2} [A-Z][a-z]+ 20\d\d\b", text):
            day = datetime.datetime.strptime(written, "%d %B %Y")
            found.append((day.year, day.month, day.day))
        assert found
        for each in found:
            assert datetime.date(*map(int, each)) <= datetime.date.today()
