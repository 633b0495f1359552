"""The steps of a pass as SVGs, a PDF, a GIF and a film: every step, its text, and nothing cut."""

from __future__ import annotations

import itertools
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.engines import LayoutError
from minigrad_viz.picture.sheet import DARK, LIGHT, Sheet, measured
from minigrad_viz.picture.theme import FONT_SIZE
from minigrad_viz.stepper.export import SIZES
from minigrad_viz.stepper.page_graph import PART, Graph
from minigrad_viz.stepper.page_numbers import extremes
from minigrad_viz.stepper.step_page import StepPages
from minigrad_viz.stepper.transcript import Transcript
from minigrad_viz.stepper.turn import Turns
from PIL import Image

import minigrad as mg


def mlp(lib: ModuleType) -> Any:
    """A layer, a second one, and a loss."""
    lib.manual_seed(0)
    x, y = lib.randn(5, 4), lib.randn(5, 1)
    w1, w2 = lib.randn(4, 4, requires_grad=True), lib.randn(4, 1, requires_grad=True)
    b1 = lib.zeros(4, requires_grad=True)
    return ((((x @ w1 + b1).tanh() @ w2) - y) ** 2).mean()


def in_place(lib: ModuleType) -> Any:
    x = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a = x * 2
    a[0] = a[1]
    a.mul_(x)
    return a.exp().sum()


def convolution(lib: ModuleType) -> Any:
    lib.manual_seed(0)
    x, w = lib.randn(1, 2, 4, 4), lib.randn(3, 2, 3, 3, requires_grad=True)
    b = lib.zeros(3, requires_grad=True)
    return lib.nn.functional.conv2d(x, w, b).relu().mean()


def not_finite(lib: ModuleType) -> Any:
    x = lib.tensor([[0.0, 1.0], [2.0, 3.0]], requires_grad=True)
    return ((x @ x).log() * (x + x)).sum() * float("inf")


def failing(lib: ModuleType) -> Any:
    x = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a = x.exp()
    y = (a * a).sum()
    a += 1
    return y


def chain(lib: ModuleType) -> Any:
    """Sixty operations in a row, every other of which uses x."""
    x = lib.tensor([0.5, -0.2], requires_grad=True)
    y = x
    for _ in range(30):
        y = (y * x).sin()
    return y.sum()


PROGRAMS = [mlp, in_place, convolution, not_finite, failing]


def pages(stepper: Any, size: str = "slide", dark: bool = False) -> StepPages:
    width, height = SIZES[size]
    places = range(len(stepper.payload["steps"]))
    return StepPages(stepper.payload, width * 72, height * 72, dark, places)


def squeezed(text: str) -> str:
    """Text without spaces: lines are broken where there is no room."""
    return "".join(text.split())


def texts(svg: str) -> str:
    root = ET.fromstring(svg)
    drawn = [e for e in root.iter() if e.tag.endswith("}text")]
    return squeezed(" ".join("".join(e.itertext()) for e in drawn))


# --- What is on the pages


@pytest.mark.parametrize(("program", "language"), [(mlp, "en"), (in_place, "zh")])
def test_every_step_is_a_picture_with_its_text(
    lib: ModuleType, program: Callable[[ModuleType], Any], language: str, tmp_path: Path
) -> None:
    stepper = viz.step(program(lib), language=language)
    steps = stepper.payload["steps"]
    files = stepper.to_svg_sequence(tmp_path / "steps")
    assert len(files) == len(steps) == len(list((tmp_path / "steps").iterdir()))
    assert files == sorted(files)
    transcript = Transcript(stepper.payload)
    for number, (step, file) in enumerate(zip(steps, files, strict=True), start=1):
        text = texts(file.read_text(encoding="utf-8"))
        assert f"{number}/{len(steps)}" in text
        named = transcript.is_named(step)
        assert squeezed(step["title"] if named else transcript.called(step["node"])) in text
        for event in stepper.payload["events"][step["first"] : step["last"] + 1]:
            for label, _ in transcript.facts(event):
                assert squeezed(label) in text
            if event["kind"] in ("seed", "start", "formula", "leaf_gradient"):
                assert squeezed(event["caption"]) in text


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_page_says_what_the_text_form_says(
    lib: ModuleType, program: Callable[[ModuleType], Any]
) -> None:
    """The same labels in the same order, and beside them the same tensors."""
    payload = viz.step(program(lib)).payload
    transcript, turns = Transcript(payload), Turns(payload)
    for place, step in enumerate(payload["steps"]):
        events = payload["events"][step["first"] : step["last"] + 1]
        facts = [fact for event in events for fact in transcript.facts(event)]
        told = [label for label, _ in itertools.groupby(label for label, _ in facts)]
        turn = turns.turn(place)
        shown = [section.label for section in turn.sections if section.label]
        assert shown == [label for label in told if label != "because"]
        for event in events:
            values = event.get("incoming", []) + event.get("outgoing", [])
            values += [each["value"] for each in event.get("saved", [])]
            drawn = [piece.value for section in turn.sections for piece in section.pieces]
            assert {v for v in values if v is not None} <= set(drawn)


def test_a_sum_shows_its_terms() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    turn = Turns(viz.step(x * x).payload).turn(1)
    said = [[piece.text for piece in section.pieces] for section in turn.sections]
    assert said[-2:] == [["→ AccumulateGrad (x)"], ["", "+", "", "=", ""]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_numbers_that_a_node_holds_are_on_the_page(lib: ModuleType, language: str) -> None:
    """In the words of the text form: the rule of `x ** 3` says n, and the page which n."""
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    stepper = viz.step((x**3).sum(), language=language)
    turn = Turns(stepper.payload).turn(2)
    assert turn.title == "PowBackward0"
    label = {"en": "with", "zh": "其中"}[language]
    (held,) = (section for section in turn.sections if section.label == label)
    assert [piece.text for piece in held.pieces] == ["exponent = 3"]
    assert squeezed(f"{label} exponent = 3") in squeezed(stepper.text)


def test_numbers_rule_and_line_are_on_the_page(tmp_path: Path) -> None:
    x = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = (x * x).sum()
    file = viz.step(y).to_svg_sequence(tmp_path / "steps")[2]
    text = texts(file.read_text(encoding="utf-8"))
    assert "y=(x*x).sum()" in text
    assert "⋅" in text  # of the rule
    assert "self=xv0" in text
    assert text.count("1234") >= 2  # the cells of x, saved twice
    assert "2468" in text  # and of the sum


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_cut_and_nothing_overlaps(
    program: Callable[[ModuleType], Any], size: str, language: str
) -> None:
    stepper = viz.step(program(mg), language=language)
    made = pages(stepper, size)
    for place in range(len(stepper.payload["steps"])):
        boxes = []
        for text in made.page(place).figure.texts:
            if text.get_clip_on():  # the graph's, which may end at its frame
                continue
            written, letters, math = text.get_text(), text.get_fontsize(), text.get_parse_math()
            mono = "Mono" in text.get_fontfamily()[0]
            bold = text.get_fontweight() == "bold"
            wide, high, deep = measured(written.strip("$"), letters, mono, bold, math)
            left, y = text.get_position()
            left -= wide if text.get_ha() == "right" else 0
            boxes.append((written, left, y - high, left + wide, y + deep))
        for written, left, top, right, bottom in boxes:
            assert -0.1 <= left and right <= made.width + 0.1, written
            assert -0.1 <= top and bottom <= made.height + 0.1, written
        for one, other in itertools.combinations(boxes, 2):
            apart = one[1] >= other[3] - 0.5 or other[1] >= one[3] - 0.5
            apart = apart or one[2] >= other[4] - 0.5 or other[2] >= one[4] - 0.5
            assert apart, (one, other)


@pytest.mark.parametrize("rule", [r"7391 g", r"\begin{matrix} 7391 & b \end{matrix}"])
def test_a_rule_of_the_readers_own(rule: str, tmp_path: Path) -> None:
    """Which may be anything: what cannot be set is written as text."""

    class Mine(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = mg.tensor(1.0, requires_grad=True)
    y = Mine.apply(x)
    type(y.grad_fn).rule = rule
    file = viz.step(y).to_svg_sequence(tmp_path)[1]
    assert "7391" in texts(file.read_text(encoding="utf-8"))


def test_of_a_larger_tensor_shape_and_extremes_are_shown(tmp_path: Path) -> None:
    x = mg.arange(70.0).reshape(7, 10).requires_grad_()
    file = viz.step((x * x).sum()).to_svg_sequence(tmp_path / "steps")[2]
    text = texts(file.read_text(encoding="utf-8"))
    assert "[7,10]float32" in text
    assert "from0to69" in text


def test_what_is_not_finite_is_counted() -> None:
    value = {"shape": [3], "dtype": "float32", "data": [1.0, "nan", "inf"]}
    assert extremes(value, "en") == "norm 1, from 1 to 1, 2 not finite"  # type: ignore[arg-type]
    value["data"] = ["nan", "inf", "-inf"]
    assert extremes(value, "en") == "none finite"  # type: ignore[arg-type]
    assert extremes(value, "zh") == "没有有限值"  # type: ignore[arg-type]
    del value["data"]
    assert extremes(value, "en") == "without numbers"  # type: ignore[arg-type]


def test_dark_differs_from_light(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    light = stepper.to_svg_sequence(tmp_path / "light")
    dark = stepper.to_svg_sequence(tmp_path / "dark", dark=True)
    for one, other in zip(light, dark, strict=True):
        one_text, other_text = one.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")
        assert LIGHT.ground in one_text and LIGHT.ground not in other_text
        assert DARK.ground in other_text and DARK.ground not in one_text
        assert texts(one_text) == texts(other_text)


def test_chinese_has_a_font() -> None:
    """Where a font with Chinese is installed, as the tests' machine has one, no sign is a box."""
    stepper = viz.step(in_place(mg), language="zh")
    image = pages(stepper).page(1).pixels(50)  # a warning would fail the test
    assert image.size == (640, 360)


# --- The graph


def test_marks_follow_the_pass(lib: ModuleType) -> None:
    stepper = viz.step(mlp(lib))
    graph = pages(stepper).graph
    nodes = {node["id"]: node for node in stepper.payload["nodes"]}
    steps = stepper.payload["steps"]
    told = [graph.marks(place) for place in range(len(steps))]
    for step, marks, after in zip(steps, told, [*told[1:], None], strict=True):
        seed = nodes[marks.now]["kind"] == "root"
        assert seed or marks.now == step["node"]
        assert marks.now not in marks.done
        if after is not None:
            assert after.done >= marks.done | (set() if seed else {marks.now})
            assert after.passed >= marks.passed | marks.passing
    last = told[-1]
    ran = {node["id"] for node in nodes.values() if node["kind"] in ("function", "accumulate")}
    assert ran - last.done == {last.now}
    assert last.passed | last.passing == {
        edge["id"] for edge in stepper.payload["edges"] if edge["kind"] != "saved"
    }


def test_a_second_pass_begins_anew() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    y, z = x * x, x.exp()
    stepper = viz.step([y, z], in_turn=True)
    graph = pages(stepper).graph
    seeds = [n for n, step in enumerate(stepper.payload["steps"]) if "seed" in step["title"]]
    assert len(seeds) == 2
    assert graph.marks(seeds[1]).done  # which is still to be seen when the second one begins
    assert not graph.marks(seeds[1] + 1).done


@pytest.mark.parametrize("size", SIZES)
def test_of_a_long_graph_the_part_around_the_node_is_shown(lib: ModuleType, size: str) -> None:
    stepper = viz.step(chain(lib))
    made = pages(stepper, size)
    made.page(0)
    (windows,) = made.graph.windows.values()
    moved = 0
    for place, (marks, window) in enumerate(zip(made.graph.changes, windows, strict=True)):
        assert window is not None
        whole, now, _ = made.graph.picture(marks.now)
        node = whole.nodes[now]
        left, top, wide, high = window
        assert left <= node.left and node.right <= left + wide
        assert top <= node.top and node.bottom <= top + high
        moved += place > 0 and window != windows[place - 1]
    assert moved > 20
    assert PART * FONT_SIZE > 8  # points, which can be read


def test_in_a_folded_graph_the_inside_of_the_box_is_shown(lib: ModuleType) -> None:
    lib.manual_seed(0)
    layers = [lib.nn.Sequential(lib.nn.Linear(3, 3), lib.nn.Tanh()) for _ in range(6)]
    stepper = viz.step(lib.nn.Sequential(*layers)(lib.randn(2, 3)).sum(), fold=True)
    graph = pages(stepper).graph
    seen = [graph.picture(marks.now) for marks in graph.changes]
    assert all(now in whole.nodes for whole, now, _ in seen)
    assert any(names for _, _, names in seen)


def test_what_graphviz_could_not_draw_is_no_picture() -> None:
    payload = viz.step(mg.ones(2, requires_grad=True).sum()).payload
    with pytest.raises(LayoutError, match="nothing to export"):
        Graph({**payload, "svg": ""})


def test_boxes_that_share_a_picture_have_their_own_words_on_the_page() -> None:
    weights = [mg.ones(2, requires_grad=True) for _ in range(300)]
    h = mg.ones(2)
    for weight in weights:
        h = (h * weight).tanh()
    names = {f"w{place}": weight for place, weight in enumerate(weights)}
    payload = viz.step(h.sum(), names=names, fold=True).payload
    assert any("words" in box.get("inside", {}) for box in payload["clusters"])
    graph = Graph(payload)
    edges = {edge["id"] for edge in payload["edges"]}
    leaves = [node for node in payload["nodes"] if node["kind"] == "leaf"]
    assert len(leaves) == len(weights)
    for leaf in leaves:
        inside, seen, _ = graph.picture(leaf["id"])
        assert seen == leaf["id"]
        assert [line.text for line in inside.nodes[seen].lines] == leaf["label"].split("\n")
        assert edges >= inside.edges.keys()


# --- Files


def test_pages_of_a_pdf_and_frames_of_a_gif(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg), language="zh")
    count = len(stepper.payload["steps"])
    book = stepper.to_pdf(tmp_path / "steps.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", book)) == count
    with Image.open(stepper.to_gif(tmp_path / "steps.gif", dpi=50, seconds=0.5)) as film:
        assert (film.n_frames, film.size) == (count, (640, 360))
        assert film.info["duration"] == 500 and film.info["loop"] == 0


def test_the_same_pass_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for place in ("one", "two"):
        stepper = viz.step(mlp(mg))
        folder = tmp_path / place
        files = stepper.to_svg_sequence(folder, steps=slice(0, 3))
        files.append(stepper.to_pdf(folder / "steps.pdf", steps=slice(0, 3)))
        files.append(stepper.to_gif(folder / "steps.gif", dpi=40, steps=slice(0, 3)))
        made.append([file.read_bytes() for file in files])
    assert made[0] == made[1]


def test_some_steps_in_another_size(tmp_path: Path) -> None:
    stepper = viz.step(mlp(mg))
    files = stepper.to_svg_sequence(tmp_path, steps=slice(-2, None), size="post")
    assert [file.name for file in files] == ["step-10.svg", "step-11.svg"]
    assert 'width="576pt" height="576pt"' in files[0].read_text(encoding="utf-8")
    files += stepper.to_svg_sequence(tmp_path, steps=slice(0, 1), size=(6, 5))
    assert sorted(tmp_path.iterdir()) == sorted(files)  # what was there stays


def test_a_film_is_made_by_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for it counts what it is sent, and writes where it is told to."""
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "sent = len(sys.stdin.buffer.read())\n"
        "open(sys.argv[-1], 'w').write(f'{sent} {sys.argv[1:-1]}')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    stepper = viz.step(in_place(mg))
    film = stepper.to_mp4(tmp_path / "steps.mp4", dpi=50, seconds=2)
    sent, _, command = film.read_text().partition(" ")
    assert int(sent) == len(stepper.payload["steps"]) * 640 * 360 * 3
    assert "'640x360'" in command and "'0.500000'" in command
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no such codec')\n")
    with pytest.raises(RuntimeError, match=r"^ffmpeg failed: no such codec$"):
        stepper.to_mp4(tmp_path / "other.mp4", dpi=50)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "steps.mp4"]


# --- What cannot be written


def test_without_ffmpeg_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"needs the program ffmpeg.*to_gif"):
        viz.step(in_place(mg)).to_mp4(tmp_path / "steps.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["to_pdf", "to_gif"])
def test_a_file_that_cannot_be_written(kind: str, tmp_path: Path) -> None:
    write = getattr(viz.step(in_place(mg)), kind)
    with pytest.raises(FileNotFoundError, match=r"^cannot write '.*nowhere.*file': No such file"):
        write(tmp_path / "nowhere" / "file")
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError, match=r"^cannot write '.*folder'"):
        write(tmp_path / "folder")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_what_cannot_be_written_is_not_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minigrad_viz.stepper.export.pdf", lambda: 1 / 0)
    with pytest.raises(FileNotFoundError):
        viz.step(in_place(mg)).to_pdf(tmp_path / "nowhere" / "file")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    with pytest.raises(FileNotFoundError, match=r"^cannot write '.*nowhere.*steps': No such file"):
        stepper.to_svg_sequence(tmp_path / "nowhere" / "steps")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(NotADirectoryError, match=r"^cannot write '.*file'"):
        stepper.to_svg_sequence(tmp_path / "file")
    assert [path.name for path in tmp_path.rglob("*")] == ["file"]
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("kind", ["to_svg_sequence", "to_pdf", "to_gif"])
def test_a_failure_on_the_way_leaves_what_there_was(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepper = viz.step(in_place(mg))
    place = tmp_path / "place"
    write = getattr(stepper, kind)
    options = {"steps": slice(0, 2), "size": (6, 4)}
    write(place, **options)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    draw = Sheet.box

    def fail(sheet: Sheet, *args: Any, **kwargs: Any) -> None:
        if sheet.width == 504:  # the second time alone
            raise MemoryError
        draw(sheet, *args, **kwargs)

    monkeypatch.setattr(Sheet, "box", fail)
    with pytest.raises(MemoryError):
        write(place, **(options | {"size": (7, 4)}))
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


def test_no_steps(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    with pytest.raises(ValueError, match=r"nothing to export.*slice\(20, 30, None\).*8 steps"):
        stepper.to_pdf(tmp_path / "steps.pdf", steps=slice(20, 30))
    with pytest.raises(TypeError, match="steps must be a slice, not a int"):
        stepper.to_pdf(tmp_path / "steps.pdf", steps=3)  # type: ignore[arg-type]
    stepper.payload = stepper.payload | {"steps": [], "events": []}
    with pytest.raises(ValueError, match="nothing to export of this pass: it has no step"):
        stepper.to_pdf(tmp_path / "steps.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_graph_that_is_too_large_has_no_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad_viz.picture import placement
    from minigrad_viz.stepper import page_graph

    for module in (placement, page_graph):
        monkeypatch.setattr(module, "MOST_NODES", 5)
    stepper = viz.step(in_place(mg), fold=False)
    with pytest.raises(ValueError, match=r"this graph has .* nodes, and a picture can show 5"):
        stepper.to_gif(tmp_path / "steps.gif")
    assert list(tmp_path.iterdir()) == []


def test_without_graphviz_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad_viz.picture import engines

    monkeypatch.setattr(engines, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(engines.NoEngine, match="no Graphviz was found"):
        viz.step(in_place(mg)).to_pdf(tmp_path / "steps.pdf")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": "huge"}, "size must be 'slide', 'post', or width and height in inches"),
        ({"size": (1, 1)}, "from 4 to 40 inches"),
        ({"size": (float("nan"), 5)}, "from 4 to 40 inches"),
        ({"dpi": 5000}, "dpi must be from 10 to 640 for this size, not 5000"),
        ({"seconds": 0}, "seconds must be from 0.02 to 600, not 0"),
    ],
)
def test_wrong_options(options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        viz.step(in_place(mg)).to_gif(tmp_path / "steps.gif", **options)
    assert list(tmp_path.iterdir()) == []
