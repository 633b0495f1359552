"""The steps of a pass as SVGs, a PDF, a GIF and a film: every step, its text, and nothing cut."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.graphviz import LayoutError
from minigrad_viz.picture.palette import DARK, LIGHT
from minigrad_viz.picture.sheet import Sheet, measured
from minigrad_viz.picture.theme import FONT_SIZE
from minigrad_viz.stepper.export import SIZES
from minigrad_viz.stepper.page_graph import PART, Graph
from minigrad_viz.stepper.page_numbers import extremes
from minigrad_viz.stepper.step_content import StepContents
from minigrad_viz.stepper.step_page import StepPages
from minigrad_viz.stepper.transcript import Transcript
from PIL import Image

import minigrad as mg
from tests.sampling import drawn
from tests.speaking import speaking
from tests.stand_ins import stand_in
from tests.viz.stepper.saved_pages import svg_files


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
    return StepPages(stepper.illustrated, width * 72, height * 72, dark, places)


def squeezed(text: str) -> str:
    """Text without spaces: lines are broken where there is no room."""
    return "".join(text.split())


def texts(svg: str) -> str:
    root = ET.fromstring(svg)
    drawn = [e for e in root.iter() if e.tag.endswith("}text")]
    return squeezed(" ".join("".join(e.itertext()) for e in drawn))


# --- What is on the pages


@pytest.mark.parametrize(("program", "language"), [(mlp, "en"), (in_place, "zh")])
def test_every_step_has_picture_and_text(
    lib: ModuleType, program: Callable[[ModuleType], Any], language: str, tmp_path: Path
) -> None:
    with speaking(language):
        stepper = viz.step(program(lib))
    steps = stepper.payload["steps"]
    files = svg_files(stepper, tmp_path / "steps")
    assert len(files) == len(steps) == len(list((tmp_path / "steps").iterdir()))
    assert files == sorted(files)
    transcript = Transcript(stepper.payload)
    for number, (step, file) in enumerate(zip(steps, files, strict=True), start=1):
        text = texts(file.read_text(encoding="utf-8"))
        assert f"{number}/{len(steps)}" in text
        named = transcript.is_named(step)
        assert squeezed(step["title"] if named else transcript.node_name(step["node"])) in text
        for event in stepper.payload["events"][step["first"] : step["last"] + 1]:
            for label, _ in transcript.facts(event):
                assert squeezed(label) in text
            if event["kind"] in ("seed", "start", "formula", "leaf_gradient"):
                assert squeezed(event["caption"]) in text


@pytest.mark.parametrize("program", PROGRAMS)
def test_page_has_the_text_form(lib: ModuleType, program: Callable[[ModuleType], Any]) -> None:
    """The same labels in the same order, with the same tensors."""
    payload = viz.step(program(lib)).payload
    transcript, contents = Transcript(payload), StepContents(payload)
    for place, step in enumerate(payload["steps"]):
        events = payload["events"][step["first"] : step["last"] + 1]
        facts = [fact for event in events for fact in transcript.facts(event)]
        told = [label for label, _ in itertools.groupby(label for label, _ in facts)]
        content = contents.at(place)
        shown = [section.label for section in content.sections if section.label]
        assert shown == [label for label in told if label != "because"]
        for event in events:
            values = event.get("incoming", []) + event.get("outgoing", [])
            values += [each["value"] for each in event.get("saved", [])]
            drawn = [piece.value for section in content.sections for piece in section.pieces]
            assert {v for v in values if v is not None} <= set(drawn)


def test_a_sum_shows_its_terms() -> None:
    x = mg.tensor(2.0, requires_grad=True)
    content = StepContents(viz.step(x * x).payload).at(1)
    said = [[piece.text for piece in section.pieces] for section in content.sections]
    assert said[-2:] == [["→ AccumulateGrad (x)"], ["", "+", "", "=", ""]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_has_numbers_of_node(lib: ModuleType, language: str) -> None:
    """In the words of the text form: the rule of `x ** 3` says n, and the page which n."""
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    with speaking(language):
        stepper = viz.step((x**3).sum())
    content = StepContents(stepper.payload).at(2)
    assert content.title == "PowBackward0"
    label = {"en": "with", "zh": "其中"}[language]
    (held,) = (section for section in content.sections if section.label == label)
    assert [piece.text for piece in held.pieces] == ["exponent = 3"]
    assert squeezed(f"{label} exponent = 3") in squeezed(stepper.text)


def test_page_has_numbers_rule_and_line(tmp_path: Path) -> None:
    x = mg.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = (x * x).sum()
    file = svg_files(viz.step(y), tmp_path / "steps")[2]
    text = texts(file.read_text(encoding="utf-8"))
    assert "y=(x*x).sum()" in text
    assert "⋅" in text  # of the rule
    assert "self=xv0" in text
    assert text.count("1234") >= 2  # the cells of x, saved twice
    assert "2468" in text  # and of the sum


EVERY_PAGE = [
    pytest.param(program, size, language, id=f"{program.__name__}-{size}-{language}")
    for program, size, language in itertools.product(PROGRAMS, SIZES, ["en", "zh"])
]


@pytest.mark.sampled("PAGES", 8)
@pytest.mark.parametrize(("program", "size", "language"), drawn("PAGES", "cut", EVERY_PAGE))
def test_nothing_is_cut_and_nothing_overlaps(
    program: Callable[[ModuleType], Any], size: str, language: str
) -> None:
    with speaking(language):
        stepper = viz.step(program(mg))
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
    file = svg_files(viz.step(y), tmp_path)[1]
    assert "7391" in texts(file.read_text(encoding="utf-8"))


def test_large_tensor_shows_shape_and_extremes(tmp_path: Path) -> None:
    x = mg.arange(70.0).reshape(7, 10).requires_grad_()
    file = svg_files(viz.step((x * x).sum()), tmp_path / "steps")[2]
    text = texts(file.read_text(encoding="utf-8"))
    assert "[7,10]float32" in text
    assert "from0to69" in text


def test_non_finite_numbers_are_counted() -> None:
    value = {"shape": [3], "dtype": "float32", "data": [1.0, "nan", "inf"]}
    assert extremes(value, "en") == "norm 1, from 1 to 1, 2 not finite"  # type: ignore[arg-type]
    value["data"] = ["nan", "inf", "-inf"]
    assert extremes(value, "en") == "none finite"  # type: ignore[arg-type]
    assert extremes(value, "zh") == "没有有限值"  # type: ignore[arg-type]
    del value["data"]
    assert extremes(value, "en") == "without numbers"  # type: ignore[arg-type]


def test_dark_differs_from_light(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    light = svg_files(stepper, tmp_path / "light")
    dark = svg_files(stepper, tmp_path / "dark", dark=True)
    for one, other in zip(light, dark, strict=True):
        one_text, other_text = one.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")
        assert LIGHT.ground in one_text and LIGHT.ground not in other_text
        assert DARK.ground in other_text and DARK.ground not in one_text
        assert texts(one_text) == texts(other_text)


def test_chinese_has_a_font() -> None:
    """Where a font with Chinese is installed, as the tests' machine has one, no sign is a box."""
    with speaking("zh"):
        stepper = viz.step(in_place(mg))
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
        assert seed or marks.now == graph.box(step["node"])
        assert marks.now not in marks.done
        if after is not None:
            assert after.done >= marks.done | (set() if seed else {marks.now})
            assert after.passed >= marks.passed | marks.passing
    last = told[-1]
    run = (node["id"] for node in nodes.values() if node["kind"] in ("function", "accumulate"))
    ran = set(map(graph.box, run))
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


@pytest.fixture(scope="module")
def long_pass() -> Any:
    return viz.step(chain(mg))


@pytest.mark.sampled("PAGES", 1)
@pytest.mark.parametrize("size", SIZES)
def test_long_graph_shows_surroundings_of_node(long_pass: Any, size: str) -> None:
    made = pages(long_pass, size)
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


def test_folded_graph_shows_inside_of_box(lib: ModuleType) -> None:
    lib.manual_seed(0)
    layers = [lib.nn.Sequential(lib.nn.Linear(3, 3), lib.nn.Tanh()) for _ in range(6)]
    stepper = viz.step(lib.nn.Sequential(*layers)(lib.randn(2, 3)).sum(), fold=True)
    graph = pages(stepper).graph
    seen = [graph.picture(marks.now) for marks in graph.changes]
    assert all(now in whole.nodes for whole, now, _ in seen)
    assert any(names for _, _, names in seen)


def test_undrawn_graph_has_no_picture() -> None:
    payload = viz.step(mg.ones(2, requires_grad=True).sum()).illustrated
    with pytest.raises(LayoutError, match="nothing to save"):
        Graph({**payload, "svg": ""})


def test_boxes_sharing_picture_keep_their_text() -> None:
    weights = [mg.ones(2, requires_grad=True) for _ in range(300)]
    h = mg.ones(2)
    for weight in weights:
        h = (h * weight).tanh()
    names = {f"w{place}": weight for place, weight in enumerate(weights)}
    payload = viz.step(h.sum(), names=names, fold=True).illustrated
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


def test_pdf_has_pages_and_gif_has_frames(tmp_path: Path) -> None:
    with speaking("zh"):
        stepper = viz.step(in_place(mg))
    count = len(stepper.payload["steps"])
    book = stepper.save(tmp_path / "steps.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", book)) == count
    with Image.open(stepper.save(tmp_path / "steps.gif", dpi=50, seconds=0.5)) as film:
        assert (film.n_frames, film.size) == (count, (640, 360))
        assert film.info["duration"] == 500 and film.info["loop"] == 0


def test_the_same_pass_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for place in ("one", "two"):
        stepper = viz.step(mlp(mg))
        folder = tmp_path / place
        folder.mkdir()
        some = {"steps": slice(0, 2)}
        files = [stepper.save(folder / f"steps.{kind}", **some) for kind in ("pdf", "zip")]
        files.append(stepper.save(folder / "steps.gif", dpi=40, **some))
        files.append(stepper.save(folder / "steps.html"))
        made.append([file.read_bytes() for file in files])
    assert made[0] == made[1]


def test_some_steps_in_another_size(tmp_path: Path) -> None:
    stepper = viz.step(mlp(mg))
    files = svg_files(stepper, tmp_path / "two", steps=slice(-2, None), size="post")
    assert [file.name for file in files] == ["step-10.svg", "step-11.svg"]
    assert 'width="576pt" height="576pt"' in files[0].read_text(encoding="utf-8")


def test_svg_is_one_step(tmp_path: Path) -> None:
    stepper = viz.step(mlp(mg))
    file = stepper.save(tmp_path / "first.svg", steps=slice(0, 1), size=(6, 5), dark=True)
    assert file == tmp_path / "first.svg"
    (same,) = svg_files(stepper, tmp_path / "one", steps=slice(0, 1), size=(6, 5), dark=True)
    assert file.read_bytes() == same.read_bytes()
    with pytest.raises(ValueError, match=r"an SVG shows one step, not 11: .*steps=slice\(0, 1\)"):
        stepper.save(tmp_path / "all.svg")
    assert not (tmp_path / "all.svg").exists()


def test_a_film_is_made_by_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for it counts what it is sent, and writes where it is told to."""
    program = tmp_path / "bin" / "ffmpeg"
    stand_in(
        program,
        "import sys\n"
        "sent = len(sys.stdin.buffer.read())\n"
        "open(sys.argv[-1], 'w').write(f'{sent} {sys.argv[1:-1]}')\n",
    )
    monkeypatch.setenv("PATH", str(program.parent))
    stepper = viz.step(in_place(mg))
    film = stepper.save(tmp_path / "steps.mp4", dpi=50, seconds=2)
    sent, _, command = film.read_text().partition(" ")
    assert int(sent) == len(stepper.payload["steps"]) * 640 * 360 * 3
    assert "'640x360'" in command and "'0.500000'" in command
    stand_in(program, "import sys\nsys.exit('no such codec')\n")
    with pytest.raises(RuntimeError, match=r"^ffmpeg failed: no such codec$"):
        stepper.save(tmp_path / "other.mp4", dpi=50)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "steps.mp4"]


# --- What cannot be written


def test_without_ffmpeg_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"needs the program ffmpeg.*\.gif"):
        viz.step(in_place(mg)).save(tmp_path / "steps.mp4")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["html", "pdf", "gif", "zip"])
def test_a_file_that_cannot_be_written(kind: str, tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    with pytest.raises(FileNotFoundError, match=rf"No such file.*nowhere.*file\.{kind}"):
        stepper.save(tmp_path / "nowhere" / f"file.{kind}")
    (tmp_path / f"folder.{kind}").mkdir()
    with pytest.raises(IsADirectoryError, match=rf"folder\.{kind}"):
        stepper.save(tmp_path / f"folder.{kind}")
    assert [path.name for path in tmp_path.rglob("*")] == [f"folder.{kind}"]


def test_another_ending_is_an_error(tmp_path: Path) -> None:
    for shown in (viz.step(in_place(mg)), viz.compare(in_place, mg, mg)):
        for name in ("steps", "steps.png"):
            listed = r"must end in \.html, \.pdf, \.gif, \.mp4, \.svg or \.zip"
            with pytest.raises(ValueError, match=rf"^cannot save '{name}': the name {listed}$"):
                shown.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_unwritable_path_raises_before_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minigrad_viz.stepper.export.pdf", lambda: 1 / 0)
    with pytest.raises(FileNotFoundError):
        viz.step(in_place(mg)).save(tmp_path / "nowhere" / "file.pdf")


@pytest.mark.parametrize("kind", ["zip", "pdf", "gif"])
def test_failed_export_keeps_old_file(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepper = viz.step(in_place(mg))
    place = tmp_path / f"place.{kind}"
    options: dict[str, Any] = {"steps": slice(0, 2), "size": (6, 4)}
    stepper.save(place, **options)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    draw = Sheet.box

    def fail(sheet: Sheet, *args: Any, **kwargs: Any) -> None:
        if sheet.width == 504:  # the second time alone
            raise MemoryError
        draw(sheet, *args, **kwargs)

    monkeypatch.setattr(Sheet, "box", fail)
    with pytest.raises(MemoryError):
        stepper.save(place, **(options | {"size": (7, 4)}))
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


def test_no_steps(tmp_path: Path) -> None:
    stepper = viz.step(in_place(mg))
    with pytest.raises(ValueError, match=r"nothing to save.*slice\(20, 30, None\).*8 steps"):
        stepper.save(tmp_path / "steps.pdf", steps=slice(20, 30))
    with pytest.raises(TypeError, match="steps must be a slice, not a int"):
        stepper.save(tmp_path / "steps.pdf", steps=3)  # type: ignore[arg-type]
    stepper.payload = stepper.payload | {"steps": [], "events": []}
    with pytest.raises(ValueError, match="nothing to save of this pass: it has no step"):
        stepper.save(tmp_path / "steps.pdf")
    assert list(tmp_path.iterdir()) == []


def test_too_large_graph_has_no_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from minigrad_viz.picture import placement
    from minigrad_viz.stepper import page_graph

    for module in (placement, page_graph):
        monkeypatch.setattr(module, "MOST_NODES", 5)
    stepper = viz.step(in_place(mg), fold=False)
    with pytest.raises(ValueError, match=r"this graph has .* nodes, and a picture can show 5"):
        stepper.save(tmp_path / "steps.gif")
    assert list(tmp_path.iterdir()) == []


def test_without_graphviz_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from minigrad_viz.picture import graphviz

    monkeypatch.setattr(graphviz, "_bundled", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(graphviz.NoGraphviz, match="Graphviz was not found"):
        viz.step(in_place(mg)).save(tmp_path / "steps.pdf")


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
        viz.step(in_place(mg)).save(tmp_path / "steps.gif", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        ("a.html", {"dark": True}, "a page takes no dark"),
        ("a.html", {"steps": slice(1)}, "a page takes no steps"),
        ("a.pdf", {"dpi": 50}, "a PDF takes no dpi"),
        ("a.zip", {"seconds": 1}, "a ZIP of SVGs takes no seconds"),
        ("a.svg", {"seconds": 1}, "an SVG takes no seconds"),
    ],
)
def test_options_without_effect_raise(
    file: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(TypeError, match=message):
        viz.step(in_place(mg)).save(tmp_path / file, **options)
    assert list(tmp_path.iterdir()) == []
