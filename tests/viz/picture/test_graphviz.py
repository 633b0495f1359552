"""Which Graphviz is used: the one that is named, the one in the wheel, the one on the PATH, none.

Each case runs in a process of its own with a PATH and a set of importable packages of its own, as
they differ between machines. The stand-in for `dot` is a small program that hands the bundled
library what it was given, so that its output is real.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import minigrad_viz as viz
import pytest
from minigrad_viz.picture import apart, placement
from minigrad_viz.picture.graphviz import LayoutError, NoGraphviz, choose_layout, render

import minigrad as mg
from tests.stand_ins import stand_in

DRAW = """
import sys
sys.modules.update({name: None for name in BLOCKED})  # None makes an import fail
import minigrad as mg, minigrad_viz as viz
from minigrad_viz.picture.graphviz import choose_layout
x = mg.tensor(3.0, requires_grad=True)
y = x * x
"""

FAKE_DOT = """
import pathlib, sys
import pygraphviz
(pathlib.Path(__file__).parent / "used").touch()
given = dict((a[:2], a[2:]) for a in sys.argv[1:])
graph = pygraphviz.AGraph(string=sys.stdin.read())
sys.stdout.buffer.write(graph.draw(format=given["-T"], prog=given["-K"]))
"""


@pytest.fixture
def path_with_dot(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    stand_in(folder / "dot", FAKE_DOT)
    return folder


def run(code: str, path: Path, *blocked: str) -> subprocess.CompletedProcess[str]:
    """Run `code` after a small program, where only `path` is on the PATH."""
    source = Path(__file__).parents[3]
    env = os.environ | {
        "PATH": str(path),
        "PYTHONPATH": os.pathsep.join(map(str, (source, source / "viz"))),
    }
    program = DRAW.replace("BLOCKED", repr(blocked)) + code
    return subprocess.run(
        [sys.executable, "-c", program],
        env=env,
        cwd=path,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_bundled_graphviz_comes_first(path_with_dot: Path) -> None:
    done = run("print(choose_layout()); viz.draw(y).svg", path_with_dot)
    assert done.stdout.split() == ["pygraphviz"], done.stderr
    assert not (path_with_dot / "used").exists()


def test_without_dot_on_the_path(tmp_path: Path) -> None:
    done = run("viz.draw(y).save('graph.svg') and print(viz.draw(y).svg[:4])", tmp_path)
    assert done.stdout.strip() == "<svg", done.stderr
    assert done.stderr == ""
    assert (tmp_path / "graph.svg").exists()


def test_dot_is_used_without_the_bundled_one(path_with_dot: Path) -> None:
    code = "print(choose_layout()); print(viz.draw(y).svg[:4])"
    done = run(code, path_with_dot, "pygraphviz")
    assert done.stdout.split() == ["dot", "<svg"], done.stderr
    assert (path_with_dot / "used").exists()


@pytest.mark.parametrize("layout", ["pygraphviz", "dot"])
def test_named_layout_is_used(layout: str, path_with_dot: Path) -> None:
    done = run(f"print(viz.draw(y, layout={layout!r}).svg[:4])", path_with_dot)
    assert done.stdout.strip() == "<svg", done.stderr
    assert (path_with_dot / "used").exists() == (layout == "dot")


def test_both_layouts_give_the_same_picture(path_with_dot: Path) -> None:
    code = "print(viz.draw(y, layout='dot').svg == viz.draw(y, layout='pygraphviz').svg)"
    assert run(code, path_with_dot).stdout.strip() == "True"


def test_without_graphviz_the_dot_text_is_shown(tmp_path: Path) -> None:
    code = "print(viz.draw(y)._repr_mimebundle_()['text/plain'])"
    done = run(code, tmp_path, "pygraphviz")
    assert done.stderr == ""
    assert done.stdout.startswith("y  scalar\n└─ MulBackward0")
    assert "No picture: Graphviz was not found" in done.stdout
    assert "pip install pygraphviz" in done.stdout
    assert "digraph backward {" in done.stdout


def test_missing_layout_is_no_traceback(tmp_path: Path) -> None:
    code = "print(viz.draw(y, layout='dot')._repr_mimebundle_()['text/plain'])"
    done = run(code, tmp_path)
    assert done.stderr == ""
    assert "No picture: Graphviz 'dot' was not found" in done.stdout


def test_without_graphviz_the_steps_are_left(tmp_path: Path) -> None:
    code = "s = viz.step(y); print(s.picture == '', 'x.grad      None -> 6' in s.text)"
    done = run(code, tmp_path, "pygraphviz")
    assert done.stdout.split() == ["True", "True"], done.stderr


def test_without_graphviz_the_dot_text_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "graph.png"
    done = run(f"print(viz.draw(y).save({str(file)!r}))", tmp_path, "pygraphviz")
    assert done.stdout.strip() == str(file.with_suffix(".dot"))
    assert "UserWarning: wrote graph.dot in place of a png file" in done.stderr
    assert file.with_suffix(".dot").read_text().startswith("digraph")
    assert not file.exists()


def test_without_the_extra_the_text_is_left(tmp_path: Path) -> None:
    code = "print(viz.draw(y)); print(viz.draw(y)._repr_mimebundle_()['text/plain'])"
    done = run(code, tmp_path, "pygraphviz", "graphviz", "anywidget")
    assert done.stdout.count("MulBackward0") == 2, done.stderr
    assert "pip install 'minigrad-lab[viz]'" in done.stdout


def test_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match=r"one of 'pygraphviz', 'dot', 'viz\.js', not 'neato'"):
        choose_layout("neato")


def test_layout_for_browsers_is_not_here() -> None:
    with pytest.raises(NoGraphviz, match=r"Graphviz 'viz\.js' was not found"):
        choose_layout("viz.js")


def test_invalid_dot_text_raises_layout_error(path_with_dot: Path) -> None:
    with pytest.raises(LayoutError, match=r"could not draw this graph: .*syntax error"):
        render("digraph { [", "svg", layout="pygraphviz")


def test_the_library_does_not_write_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    assert render("digraph { a -> b }", "svg", layout="pygraphviz")
    assert capfd.readouterr().err == ""


# --- Limits


@pytest.fixture(params=["pygraphviz", "dot"])
def layout(
    request: pytest.FixtureRequest, path_with_dot: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Each Graphviz that runs in a process of its own, with little memory."""
    monkeypatch.setenv("PATH", str(path_with_dot))
    monkeypatch.setattr(apart, "MEMORY", 400 * 1024**2)
    name: str = request.param
    return name


def crossing(nodes: int, edges: int) -> str:
    """A graph whose lines cross each other, as DOT text."""
    draw = random.Random(0)
    ends = (sorted(draw.sample(range(nodes), 2)) for _ in range(edges))
    return "digraph {" + "".join(f"n{one} -> n{other};" for one, other in ends) + "}"


HOSTILE = {
    "ranks without end": "digraph { a -> b [minlen=100000000] }",
    "a label without end": 'digraph { a [label="%s"] }' % ("x\\n" * 1_000_000),
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_layout_beyond_memory_limit_stops(layout: str, source: str) -> None:
    with pytest.raises(LayoutError, match=r"with 400 MB of memory\. Let it be folded"):
        render(source, "svg", layout=layout)
    assert render("digraph { a -> b }", "svg", layout=layout)


def test_layout_beyond_time_limit_stops(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "MEMORY", 4 * 1024**3)
    monkeypatch.setattr(apart, "SECONDS", 1)
    with pytest.raises(LayoutError, match="after 1 seconds over the layout of this graph"):
        render(crossing(400, 2000), "svg", layout=layout)


def test_stopped_drawing_leaves_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = y = mg.ones(1, requires_grad=True)
    for _ in range(placement.SMALL):
        y = y * x
    monkeypatch.setattr(apart, "MEMORY", 80 * 1024**2)
    shown = viz.draw(y, fold=False)._repr_mimebundle_()
    assert "image/svg+xml" not in shown
    assert "with 80 MB of memory" in shown["text/plain"]
    assert shown["text/plain"].startswith("y  [1]")


def test_limits_do_not_change_small_picture() -> None:
    """Small graphs of ours are drawn in this process, where no limit is needed."""
    x = mg.ones(2, requires_grad=True)
    source = viz.draw((x * 2).exp().sum()).dot
    assert render(source, "svg", small=True) == render(source, "svg")


def test_worst_small_graph_takes_little_time() -> None:
    """Processor time, of all processes of this one."""
    before = os.times()
    for nodes in (40, 100, 300):
        assert render(crossing(nodes, placement.SMALL), "svg", small=True)
    assert sum(os.times()[:4]) - sum(before[:4]) < 10


def test_graph_is_drawn_without_subprocess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = "digraph { a -> b }"
    expected = render(source, "svg", layout="pygraphviz")
    monkeypatch.setattr(sys, "executable", "/usr/bin/another-program")
    assert render(source, "svg", layout="pygraphviz") == expected


def test_windows_on_arm_needs_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("platform.machine", lambda: "ARM64")
    cure = r"Graphviz was not found\. Install Graphviz from graphviz\.org so that the program `dot`"
    assert re.fullmatch(f"{cure} is on the PATH", str(NoGraphviz(None)))


def test_broken_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare Debian has no GLib and no X, which the wheel leaves to the system."""
    problem = "libgobject-2.0.so.0: cannot open shared object file"

    def broken(name: str) -> None:
        raise ImportError(problem)

    monkeypatch.setattr("minigrad_viz.picture.graphviz.importlib.import_module", broken)
    said = str(NoGraphviz(None))
    assert f"pygraphviz is installed and cannot be loaded: {problem}. " in said
    assert (
        "apt-get install libglib2.0-0 libxext6 libxrender1" in said
        and "`dot` is on the PATH" in said
    )
