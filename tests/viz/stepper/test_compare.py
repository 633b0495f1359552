"""compare(program, one, other): two recorded passes side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import minigrad_viz as viz
import pytest
from minigrad_lessons.engine.wrong import right_engine, wrong_engine
from PIL import Image

import minigrad as mg
from tests.speaking import speaking
from tests.viz.stepper.saved_pages import svg_files


def program(lib: Any) -> Any:
    a = lib.tensor(1.0, requires_grad=True)
    b = a + a
    c = b + b
    return c


def test_first_difference() -> None:
    both = viz.compare(program, right_engine(), wrong_engine("without_order"))
    assert both.differ == 2
    right, wrong = both.steppers
    assert right.changed == wrong.changed == ("a",)
    assert "a.grad      None -> 4" in str(right)
    assert "a.grad      1 + 1 = 2" in str(wrong)
    assert both.text == "\n\n".join(
        [
            f"right_engine: {right}",
            f"without_order: {wrong}",
            "\n".join(
                [
                    "  1. =  seed                seed",
                    "  2. ≠  AddBackward0 (c)    AddBackward0 (c)",
                    "        hands on AddBackward0 (b) <- 1 + 1 = 2 | —",
                    "  3. ≠  AddBackward0 (b)    AddBackward0 (b)",
                    "        comes in 2 | 1; gives 2 | 1; 2 | 1; and 2 more",
                    "  4. ≠  AccumulateGrad (a)  AccumulateGrad (a)",
                    "        comes in 4 | 1; a.grad None -> 4 | None -> 1",
                    "  5. +  —                   AddBackward0 (b)",
                    "  6. +  —                   AccumulateGrad (a)",
                    "  7. +  —                   AddBackward0 (c)",
                ]
            ),
            "\n".join(both.sentences),
        ]
    )
    assert both.sentences == (
        "They differ from step 2 on.",
        "Both graphs have the same operations (2), joined in the same way.",
        "After the pass a.grad is 4 in “right_engine”, 2 in “without_order”.",
    )
    assert repr(both) == both.text


def test_the_same_program_on_minigrad_and_pytorch(torch: Any) -> None:
    both = viz.compare(program, mg, torch)
    assert both.differ is None
    assert "differ" not in both.payload
    assert both.sentences == (
        "They do the same in every step.",
        "Both graphs have the same operations (2), joined in the same way.",
    )
    assert all("line" in node for node in both.payload["passes"][1]["nodes"][1:3])
    assert both.payload["titles"] == ["minigrad", "torch"]


def test_shorter_pass_differs_at_its_end() -> None:
    def settled(lib: Any) -> Any:
        x = lib.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward()
        return y

    both = viz.compare(settled, right_engine(), wrong_engine("never_frees"))
    assert both.differ == 2  # the error, where the other goes on
    assert "has freed what it saved" in str(both.steppers[0].error)
    assert both.steppers[1].error is None

    def chain(length: int) -> Any:
        y = mg.tensor(3.0, requires_grad=True)
        for _ in range(length):
            y = y.exp()
        return y

    assert viz.compare(chain, 1, 1).differ is None
    both = viz.compare(chain, 1, 2)
    assert both.differ == 2
    assert "find its way" not in both.text  # a leaf without a name cannot be told from others


def test_comparison_is_shown_and_saved(tmp_path: Path) -> None:
    with speaking("zh"):
        both = viz.compare(program, right_engine(), wrong_engine("overwrites"), titles=("对", "错"))
    assert both.sentences[0] == "从第 2 步起，两者不同。"
    bundle, _ = both._repr_mimebundle_()
    assert bundle["text/plain"] == both.text
    assert "minigrad-output" in bundle["text/html"]
    page = both.save(tmp_path / "pair.html").read_text(encoding="utf-8")
    assert "<title>对 | 错</title>" in page and 'lang="zh"' in page


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (3, "compare\\(\\) needs a function"),
        (lambda: None, "cannot"),
        (lambda lib: None, "needs a tensor of minigrad or PyTorch, not a NoneType"),
    ],
)
def test_invalid_program_raises(given: Callable[..., Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        viz.compare(given, mg, mg)


# --- What differs between two passes, and where it begins


def signs(both: viz.Comparison) -> str:
    """Return the mark of each row: "=" where both do the same."""
    marks = {None: "=", "differs": "x", "one": "+", "unsure": "?"}
    return "".join(marks[row.get("mark")] for row in both.payload["rows"])


def marked(both: viz.Comparison, side: int) -> dict[str, str]:
    """Return the marks in a graph, by the name of the node and its variable."""
    labels = {n["id"]: n["label"].replace("\n", " ") for n in both.payload["passes"][side]["nodes"]}
    return {labels[id]: mark for id, mark in both.payload["marks"][side].items()}


@pytest.fixture(params=["minigrad", "torch"])
def lib(request: pytest.FixtureRequest) -> Any:
    return mg if request.param == "minigrad" else request.getfixturevalue("torch")


def test_a_detach(lib: Any) -> None:
    def product(cut: bool) -> Any:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        w = lib.tensor([3.0, 4.0], requires_grad=True)
        y = x * w
        u = y.detach() if cut else y
        return (u * x).sum()

    both = viz.compare(product, True, False, titles=("cut", "whole"))
    number = product.__code__.co_firstlineno
    assert signs(both) == "==x+x+"
    assert both.sentences == (
        "They differ from step 3 on.",
        f"Input 0 of MulBackward0 (line {number + 5}: `return (u * x).sum()`): in “whole” the "
        f"gradient goes on to MulBackward0 (y) (line {number + 3}: `y = x * w`), in “cut” "
        "nowhere.",
        f"Only in “whole”: MulBackward0 (y) (line {number + 3}: `y = x * w`).",
        "Only in “whole” does a gradient find its way to w.",
        "After the pass x.grad is [3, 8] in “cut”, [6, 16] in “whole”.",
    )
    assert both.payload["rows"][3]["steps"] == [None, 3]
    assert both.payload["rows"][4]["steps"] == [3, 4]
    assert marked(both, 0) == {"MulBackward0 [2]": "differs", "AccumulateGrad x": "differs"}
    ours = marked(both, 1)
    assert ours.pop("MulBackward0 [2]") == ours.pop("AccumulateGrad x") == "differs"
    assert set(ours.values()) == {"one"}
    assert {"MulBackward0 y: [2]", "AccumulateGrad w", "w [2]"} <= set(ours)


def test_an_operation_more(lib: Any) -> None:
    def chain(more: bool) -> Any:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        if more:
            y = y.exp()
        return (y * 3).sum()

    both = viz.compare(chain, True, False, titles=("more", "less"))
    assert signs(both) == "==x+xx"
    assert both.payload["rows"][2]["said"] == (
        "hands on ExpBackward0 <- [3, 3] | —; — | MulBackward0 (y) <- [3, 3]"
    )
    assert "Only in “more”: ExpBackward0" in both.text
    assert "Only in “less”" not in both.text


def test_one_operation_in_the_place_of_another(lib: Any) -> None:
    def chosen(name: str) -> Any:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = getattr(x, name)()
        return y.sum()

    both = viz.compare(chosen, "exp", "sin")
    assert [row["steps"] for row in both.payload["rows"]] == [[n, n] for n in range(4)]
    assert both.payload["rows"][2] == {
        "steps": [2, 2],
        "mark": "differs",
        "said": "ExpBackward0 | SinBackward0",
    }
    assert "in “'exp'” the gradient goes on to ExpBackward0" in both.sentences[1]


def test_in_place_and_not(lib: Any) -> None:
    def rectified(in_place: bool) -> Any:
        x = lib.tensor([1.0, -2.0], requires_grad=True)
        h = x * 2
        h = h.relu_() if in_place else h.relu()
        return (h * 3).sum()

    both = viz.compare(rectified, True, False)
    assert signs(both) == "===x=="
    assert "(version 1) | " in both.payload["rows"][3]["said"]
    assert "After the pass the leaves that both have hold the same .grad." in both.sentences
    assert marked(both, 0) == {"ReluBackward0 h: [2]": "differs"}


def test_retained_graph_and_second_pass(lib: Any) -> None:
    def square(again: bool) -> Any:
        x = lib.tensor(3.0, requires_grad=True)
        y = x * x
        if again:
            y.backward(retain_graph=True)
        return y

    both = viz.compare(square, False, False, retain_graph=(False, True), titles=("a", "b"))
    assert signs(both) == "=x="
    assert "“a” lets go of what it has saved; “b” keeps it." in both.sentences
    assert both.payload["rows"][1]["said"] == "frees self | —; other | —"
    both = viz.compare(square, False, True, titles=("first", "second"))
    assert signs(both) == "==x"
    assert both.sentences[2:] == (
        "Before the pass x.grad is None in “first”, 6 in “second”.",
        "After the pass x.grad is 6 in “first”, 12 in “second”.",
    )


def test_another_learning_rate(lib: Any) -> None:
    def second_step(rate: float) -> Any:
        w = lib.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
        with lib.no_grad():
            w -= rate * w.grad
        w.grad = None
        return (w * w).sum()

    both = viz.compare(second_step, 0.25, 0.5)
    assert signs(both) == "==xx"
    assert both.sentences[1:] == (
        "Both graphs have the same operations (2), joined in the same way.",
        "w is [0.5, 1.0] in “0.25”, [0, 0] in “0.5”.",
        "After the pass w.grad is [1, 2] in “0.25”, [0, 0] in “0.5”.",
    )
    assert viz.compare(second_step, 0.25, 0.25).differ is None


def test_extra_iteration_is_aligned_from_result(lib: Any) -> None:
    def loop(turns: int) -> Any:
        w = lib.tensor(0.5, requires_grad=True)
        h = w * 1.0
        for _ in range(turns):
            h = h.tanh()
        return h

    both = viz.compare(loop, 2, 3)
    assert signs(both) == "=xx+xx"
    assert "2 in “2”, 3 in “3”. Those nearest to the result stand" in both.text
    assert "Only in" not in both.text


def test_ambiguous_nodes_are_matched_by_order(lib: Any) -> None:
    def loop(turns: int) -> Any:
        w = lib.tensor(0.5, requires_grad=True)
        h = w * 1.0
        for _ in range(turns):
            h = h.tanh()
        return h.exp() if turns == 2 else h.sin()

    both = viz.compare(loop, 2, 3)
    assert signs(both) == "x++???xx"
    assert "3 in “3”. Which is which cannot be told." in both.text
    assert "Only in “2”: ExpBackward0" in both.text
    assert {"unsure"} == {m for name, m in marked(both, 1).items() if name.startswith("Tanh")}


def test_contradicting_matches_match_nothing() -> None:
    def joined(crossed: bool) -> Any:
        x = mg.tensor(2.0, requires_grad=True)
        a, b = [each * 3 for each in (x, x.exp())]
        return a - b if crossed else b - a

    both = viz.compare(joined, False, True)
    assert both.differ is not None and "Only in" not in both.text


def test_more_than_rounding_is_a_difference() -> None:
    def scaled(factor: float) -> Any:
        x = mg.tensor([1.0, 1e-4], requires_grad=True)
        return (x * mg.tensor([factor, 1.0])).sum()

    assert viz.compare(scaled, 3.0, 3.0 * (1 + 1e-6)).differ is None
    both = viz.compare(scaled, 3.0, 3.0 * (1 + 1e-4), titles=("a", "b"))
    assert both.differ == 3
    assert both.sentences[-1].endswith("[3, 1] in “a”, [3.0003, 1.0000] in “b”.")

    def small(second: float) -> Any:  # next to a large number
        x = mg.tensor([1e4, 1.0], requires_grad=True)
        return (x * mg.tensor([1e4, second])).sum()

    assert viz.compare(small, 1.0, 1.1).differ is not None


def test_numbers_that_are_none() -> None:
    def divided(zero: float) -> Any:
        x = mg.tensor([1.0, 0.0], requires_grad=True)
        return (x / zero).sum()

    assert viz.compare(divided, 0.0, 0.0).differ is None
    assert viz.compare(divided, 0.0, 1.0).differ == 3


def test_compared_part_of_large_tensors_is_stated() -> None:
    def product(seed: int) -> Any:
        mg.manual_seed(seed)
        w = mg.randn(50, 50, requires_grad=True)
        return (w * w).sum()

    both = viz.compare(product, 1, 1)
    assert both.differ is None
    assert both.sentences[-1].startswith("Of tensors with more than 1024 numbers")
    assert viz.compare(product, 1, 2).differ == 3


def test_a_pass_that_fails() -> None:
    def squared(keep: bool) -> Any:
        x = mg.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward(retain_graph=keep)
        return y

    both = viz.compare(squared, True, False, titles=("kept", "freed"))
    assert signs(both) == "=x+"
    assert both.payload["rows"][1]["said"].startswith("fails — | RuntimeError: Trying to ")
    assert both.sentences[2].startswith("“freed” fails in its step 2: RuntimeError: Trying")


def test_packed_values_may_be_equal() -> None:
    def square(packs: bool) -> Any:
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        if not packs:
            return (x * x).sum()
        with mg.autograd.graph.saved_tensors_hooks(lambda t: [t], lambda packed: packed[0]):
            return (x * x).sum()

    both = viz.compare(square, True, False)
    assert not any(row.get("said", "").startswith("reads") for row in both.payload["rows"])


def test_leaves_of_one_name_match_by_use(lib: Any) -> None:
    def network(cut: bool) -> Any:
        lib.manual_seed(0)
        layers = [lib.nn.Linear(2, 2) for _ in range(4)]
        h = lib.ones(1, 2)
        for place, layer in enumerate(layers):
            h = layer(h)
            if cut and place == 1:
                h = h.detach()
        return h.sum()

    both = viz.compare(network, True, False, titles=("cut", "whole"))
    said = "\n".join(both.sentences)
    assert "in “whole” the gradient goes on to AddmmBackward0" in said
    assert "in “cut” to AccumulateGrad" not in said and "lead elsewhere" not in said
    assert "hold the same .grad." in said
    assert not {"differs", "unsure"} & set(both.payload["marks"][0].values()) - {"differs"}


def test_titles_tell_two_settings_apart() -> None:
    def product(numbers: list[float]) -> Any:
        return (mg.tensor(numbers, requires_grad=True) * 2).sum()

    many = [float(n) for n in range(99)]
    both = viz.compare(product, many, [*many, 1.0])
    assert both.payload["titles"] == ["a list (1)", "a list (2)"]
    assert viz.compare(product, [1.0], [2.0]).payload["titles"] == ["[1.0]", "[2.0]"]


def test_unnamed_leaf_matches_any() -> None:
    def product(named: bool) -> Any:
        x = mg.tensor(3.0, requires_grad=True)
        if named:
            w = mg.tensor(2.0, requires_grad=True)
            return (x * w).exp()
        return (mg.tensor(2.0, requires_grad=True) * x).sin()

    both = viz.compare(product, True, False)
    assert "find its way to w" not in both.text


def test_wrong_engines_differ_from_right_one() -> None:
    def all_of_it(lib: Any) -> Any:
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        b = lib.tensor(1.0, requires_grad=True)
        y = x * x + b
        return (y.detach() * y).sum()

    told = {
        "set_of_parents": "Input 1 of MulBackward0",
        "overwrites": "x.grad is [4, 20]",
        "never_frees": "keeps it.",
        "through_detach": "MulBackward0: 2 in “right_engine”, 3 in “through_detach”.",
        "without_order": "They differ from step",
    }
    for name, words in told.items():
        both = viz.compare(all_of_it, right_engine(), wrong_engine(name))
        assert words in "\n".join(both.sentences), name


# --- As files


def cut_or_whole(cut: bool) -> Any:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    w = mg.tensor([3.0, 4.0], requires_grad=True)
    y = x * w
    u = y.detach() if cut else y
    return (u * x).sum()


@pytest.fixture(scope="module")
def both() -> viz.Comparison:
    return viz.compare(cut_or_whole, True, False, titles=("cut", "whole"))


@pytest.mark.parametrize("dark", [False, True])
def test_page_shows_both_halves(both: viz.Comparison, tmp_path: Path, dark: bool) -> None:
    files = svg_files(both, tmp_path / "rows", dark=dark)
    assert [file.name for file in files] == [f"step-{n}.svg" for n in range(1, 7)]
    texts = [texts_of(file) for file in files]
    assert "=  both do the same" in texts[0]
    assert texts[2].count("MulBackward0") >= 3 and "MulBackward0 (n2)" in texts[2]
    assert {"cut", "whole", "3 / 4", "3 / 6"} <= set(texts[2])
    assert {"cut (no step here)", "+  MulBackward0 (y): only in “whole”"} <= set(texts[3])
    assert "4 / 6" in texts[3] and "3 / 4" not in texts[3]
    assert "cut (over)" in texts[5]
    assert all("They differ from step 3 on." in page for page in texts)
    signs = [page.count("≠") for page in texts]  # at the nodes that are in sight
    assert min(signs) > 0 and "+" in texts[3]
    ground = "#16191d" if dark else "#ffffff"
    assert ground in files[0].read_text(encoding="utf-8")
    again = svg_files(both, tmp_path / "again", dark=dark)
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in again]


def texts_of(file: Path) -> list[str]:
    root = ElementTree.parse(file).getroot()
    return [
        "".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")
    ]


def test_pdf_has_pages_and_gif_frames(both: viz.Comparison, tmp_path: Path) -> None:
    pdf = both.save(tmp_path / "rows.pdf", size="post").read_bytes()
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page ") == 6
    file = both.save(tmp_path / "rows.gif", dpi=40, steps=slice(2, 5))
    with Image.open(file) as image:
        assert getattr(image, "n_frames", 1) == 3 and image.size == (512, 288)
    with pytest.raises(ValueError, match="has none of the 6 steps"):
        both.save(tmp_path / "none.pdf", steps=slice(9, 10))


def test_a_page_in_chinese(tmp_path: Path) -> None:
    with speaking("zh"):
        both = viz.compare(cut_or_whole, True, False, titles=("截断", "完整"))
    (file,) = svg_files(both, tmp_path / "zh", steps=slice(3, 4))
    texts = texts_of(file)
    assert "截断 (此处无步骤)" in texts
    assert "从第 3 步起，两者不同。" in texts
