"""A click on a number shows how it came about; what is shown can be computed again."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from tests.sampling import in_this_run

WORK = """() => {
    const root = document.querySelector(".minigrad-stepper").shadowRoot
    const found = []
    for (const value of root.querySelectorAll(".side:last-child .value")) {
        for (const cell of value.querySelectorAll("td[data-flat]")) {
            cell.click()
            found.push(root.querySelector(".work").textContent)
        }
    }
    return [root.querySelector(".node h2 strong").textContent, found]
}"""

BY_NAME = """async ([module, payload]) => {
    const place = document.createElement("div")
    document.body.replaceChildren(place)
    const { mount } = await import(module)
    mount(place, payload)
    const root = place.querySelector(".minigrad-stepper").shadowRoot
    const slider = root.querySelector("input[type=range]")
    const told = []
    for (const [step, { node }] of payload.steps.entries()) {
        slider.value = step
        slider.dispatchEvent(new Event("input", { bubbles: true }))
        for (const item of root.querySelectorAll(".side:last-child > .part > .content > .item"))
            for (const cell of item.querySelectorAll(":scope > .value td[data-flat]")) {
                cell.click()
                told.push([step, node, cell.textContent, root.querySelector(".work").textContent])
            }
    }
    return told
}"""

SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


LETTER = re.compile(r"([\w\u0304]+)\[([\d, ]+)\]")
"""An element of a tensor: "g[1, 0]", "b̄[2]"."""


def evaluated(text: str, tensors: Mapping[str, Any] = MappingProxyType({})) -> float:
    """Compute it as a reader with a calculator would, with the elements of tensors looked up."""
    if text in tensors:  # of no dimension
        return float(tensors[text])
    text = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]", lambda m: f"**{m[0].translate(SUPERSCRIPT)}", text)
    found = [float(tensors[m[1]][tuple(map(int, m[2].split(",")))]) for m in LETTER.finditer(text)]
    text = LETTER.sub(lambda _: f"({found.pop(0)!r})", text)
    for sign, python in {"−": "-", "×": "*", "^": "**", "≤": "<=", "≥": ">=", "√": "sqrt"}.items():
        text = text.replace(sign, python)
    text = re.sub(r"\[([^\]]*)\]", lambda m: f"int({m[1].replace(' = ', ' == ')})", text)
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    text = re.sub(r"⌊([^⌋]*)⌋", r"floor(\1)", text).replace("sqrt", "0+sqrt")
    text = re.sub(r"0\+sqrt(?!\()([\d.]+)", r"sqrt(\1)", text).replace("0+sqrt", "sqrt")
    names = {"ln": math.log, "e": math.e, "sgn": lambda x: math.copysign(x != 0, x), "abs": abs}
    names |= {"σ": lambda x: 1 / (1 + math.exp(-x)), "sin": math.sin, "cos": math.cos}
    names |= {"φ": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), "floor": math.floor}
    names |= {"Φ": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2, "int": int}
    return float(eval(text, {"sqrt": math.sqrt} | names))


@pytest.fixture
def works(page: Any, tmp_path: Path) -> Callable[..., dict[str, list[str]]]:
    """For each step of a pass: what is said about each number that goes out."""

    def collect(stepper: Any) -> dict[str, list[str]]:
        page.goto(stepper.save(tmp_path / "page.html").as_uri())
        page.locator(".stepper").wait_for()
        found = {}
        for step in range(len(stepper.payload["steps"])):
            page.get_by_role("slider").fill(str(step))
            name, said = page.evaluate(WORK)
            found[name] = said
        return found

    return collect


def equations(said: list[str]) -> Iterator[tuple[str, str]]:
    for text in said:
        if match := re.search(r"(\S+) [=≈] (.*)", text):
            yield match[1], match[2]


X = [[0.5, -1.25], [2.0, 0.75]]
CASES: dict[str, Callable[[Any], Any]] = {
    "MulBackward0": lambda x: x * mg.tensor([[2.0, 4.0], [0.5, 8.0]]),
    "DivBackward0": lambda x: mg.tensor(3.0) / x,
    "PowBackward0": lambda x: x**3,
    "ExpBackward0": lambda x: x.exp(),
    "LogBackward0": lambda x: (x * x).log(),
    "TanhBackward0": lambda x: x.tanh(),
    "SigmoidBackward0": lambda x: x.sigmoid(),
    "ReluBackward0": lambda x: x.relu(),
    "SqrtBackward0": lambda x: (x * x).sqrt(),
    "MeanBackward0": lambda x: x.mean(),
    "MeanBackward1": lambda x: x.mean(0),
    "LeakyReluBackward0": lambda x: mg.nn.functional.leaky_relu(x, 0.1),
    "SoftplusBackward0": lambda x: mg.nn.functional.softplus(x),
    "AbsBackward0": lambda x: x.abs(),
    "SubBackward0": lambda x: mg.sub(mg.ones(2, 2), x, alpha=0.5),
    "MmBackward0": lambda x: x @ mg.tensor([[1.0, 2.0], [3.0, 5.0]]),
    "MvBackward0": lambda x: x @ mg.tensor([1.5, -2.0]),
    "BmmBackward0": lambda x: mg.bmm(x.reshape(1, 2, 2), mg.tensor([[[1.0, 2.0], [3.0, 5.0]]])),
    "AddmmBackward0": lambda x: mg.addmm(mg.ones(2, 2), x, mg.tensor([[1.0, 2.0], [3.0, 5.0]])),
    "DotBackward0": lambda x: mg.dot(x.reshape(4), mg.tensor([1.5, -2.0, 0.25, 3.0])),
}


@pytest.mark.sampled("PROOFS", 5)
@pytest.mark.parametrize("name", CASES)
def test_the_arithmetic_gives_the_number(works: Any, name: str) -> None:
    x = mg.tensor(X, requires_grad=True)
    weights = mg.tensor([[1.5, -0.5], [2.5, 3.5]])
    y = CASES[name](x)
    root = y.sum() if name == "MulBackward0" else (y * (weights if y.ndim == 2 else 1.5)).sum()
    said = works(viz.step(root, names={}))[name]
    found = list(equations(said))
    assert len(found) == len(said) == 4
    for left, right in found:
        assert evaluated(right) == pytest.approx(evaluated(left), rel=5e-3, abs=1e-6)


def test_the_words_of_an_example(works: Any) -> None:
    x = mg.tensor([3.0, 0.5], requires_grad=True)
    b = mg.tensor(2.0, requires_grad=True)
    found = works(viz.step((x**2 + b).sum()))
    assert found["PowBackward0"][:2] == [
        "[0]  6 = 1 × 2 × 3^(2 − 1)",
        "[1]  1 = 1 × 2 × 0.5^(2 − 1)",
    ]
    assert found["AddBackward0"][-1] == "2 = 1 × 1 + 1 × 1"


def test_what_arrives_twice_is_added_up(works: Any) -> None:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    found = works(viz.step((x * x).sum()))
    assert "[0]  6 = 3 + 3" in found["MulBackward0"]


def test_what_is_not_certain_is_not_said(works: Any) -> None:
    """A rule that says something else than the node does, and numbers that are not those of it."""
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    stepper = viz.step((x.tanh().softmax(0) * mg.tensor([1.0, 2.0])).sum())
    payload = dict(stepper.payload)
    for node in payload["nodes"]:
        if node["name"] == "TanhBackward0":
            node["rule"] = node["rule"].replace("<mn>2</mn>", "<mn>3</mn>")
    start = next(e for e in payload["events"] if e["kind"] == "start" and e["saved"])
    softmax = next(e for e in payload["events"] if e["kind"] == "start" and e["step"] == 3)
    assert [start["saved"][0]["name"], softmax["saved"][0]["name"]] == ["other", "result"]
    data = payload["values"][softmax["saved"][0]["value"]]["data"]
    data[0] += 0.001
    stepper.payload = payload
    found = works(stepper)
    assert list(equations(found["TanhBackward0"])) == []
    assert list(equations(found["SoftmaxBackward0"])) == []
    assert len(found["SoftmaxBackward0"]) == 2  # each with its number in full


def matrix(T: Any) -> Any:
    return T.tensor([[0.5, -1.25, 1.5], [2.0, 0.75, -0.25]], requires_grad=True)


def image(T: Any, *shape: int, step: float = 0.7) -> Any:
    numbers = np.round(np.sin(np.arange(math.prod(shape)) * step) * 2, 2)
    return T.tensor(numbers.reshape(shape).tolist(), requires_grad=True)


Program = Callable[[Any, Any], Any]
"""Program that makes the node, from a library and its functions."""

NODES: dict[str, list[Program]] = {
    "SoftmaxBackward0": [lambda T, F: matrix(T).softmax(1), lambda T, F: matrix(T).softmax(0)],
    "LogSoftmaxBackward0": [
        lambda T, F: matrix(T).log_softmax(1),
        lambda T, F: matrix(T)[0].log_softmax(0),
    ],
    "NllLossBackward0": [
        lambda T, F: F.cross_entropy(matrix(T), T.tensor([2, 0])),
        lambda T, F: F.cross_entropy(
            matrix(T), T.tensor([2, 0]), weight=T.tensor([0.5, 1.0, 2.0]), reduction="sum"
        ),
        lambda T, F: F.nll_loss(matrix(T), T.tensor([2, 1]), ignore_index=1),
        lambda T, F: F.nll_loss(matrix(T), T.tensor([2, 1]), reduction="none"),
    ],
    "NllLoss2DBackward0": [lambda T, F: F.nll_loss(image(T, 1, 2, 1, 2), T.tensor([[[1, 0]]]))],
    "MseLossBackward0": [
        lambda T, F: F.mse_loss(matrix(T), T.ones(2, 3)),
        lambda T, F: F.mse_loss(matrix(T), T.ones(2, 3), reduction="none"),
    ],
    "SmoothL1LossBackward0": [lambda T, F: F.smooth_l1_loss(matrix(T), image(T, 2, 3))],
    "BinaryCrossEntropyBackward0": [
        lambda T, F: F.binary_cross_entropy(matrix(T).sigmoid(), T.ones(2, 3) / 4)
    ],
    "BinaryCrossEntropyWithLogitsBackward0": [
        lambda T, F: F.binary_cross_entropy_with_logits(matrix(T), image(T, 2, 3)),
        lambda T, F: F.binary_cross_entropy_with_logits(
            matrix(T), image(T, 2, 3), pos_weight=T.tensor([0.5, 1.0, 2.0])
        ),
    ],
    "LinalgVectorNormBackward0": [
        lambda T, F: matrix(T).norm(),
        lambda T, F: matrix(T).norm(1),
        lambda T, F: matrix(T).norm(3, 1),
        lambda T, F: T.linalg.vector_norm(matrix(T), math.inf, 0),
    ],
    "VarBackward0": [
        lambda T, F: matrix(T).var(),
        lambda T, F: matrix(T).var(1, keepdim=True, unbiased=False),
    ],
    "StdBackward0": [lambda T, F: matrix(T).std(), lambda T, F: matrix(T).std(0)],
    "VarMeanBackward0": [lambda T, F: T.var_mean(matrix(T), 1)],
    "ConvolutionBackward0": [
        lambda T, F: F.conv1d(image(T, 1, 2, 5), image(T, 2, 2, 3), image(T, 2)),
        lambda T, F: F.conv2d(
            image(T, 1, 2, 3, 4), image(T, 2, 1, 2, 2), stride=2, padding=1, groups=2
        ),
        lambda T, F: F.conv2d(image(T, 1, 1, 4, 4), image(T, 1, 1, 2, 2), dilation=(1, 2)),
        lambda T, F: F.conv_transpose2d(
            image(T, 1, 2, 2, 2), image(T, 2, 1, 2, 2), image(T, 1), stride=2, output_padding=1
        ),
    ],
    "MaxPool2DWithIndicesBackward0": [
        lambda T, F: F.max_pool2d(image(T, 1, 2, 4, 4), 2),
        lambda T, F: F.max_pool2d(image(T, 1, 1, 4, 4), 3, 1),
        lambda T, F: F.max_pool1d(image(T, 1, 2, 5), 2),
    ],
    "AvgPool2DBackward0": [
        lambda T, F: F.avg_pool2d(image(T, 1, 1, 4, 4), 3, 2, 1),
        lambda T, F: F.avg_pool2d(image(T, 1, 1, 4, 4), 3, 2, 1, count_include_pad=False),
    ],
    "AdaptiveAvgPool2DBackward0": [
        lambda T, F: F.adaptive_avg_pool2d(image(T, 1, 1, 3, 5), (2, 3))
    ],
    "NativeLayerNormBackward0": [
        lambda T, F: F.layer_norm(matrix(T), (3,)),
        lambda T, F: F.layer_norm(image(T, 2, 2, 3), (2, 3), image(T, 2, 3), T.zeros(2, 3)),
    ],
    "NativeBatchNormBackward0": [
        lambda T, F: F.batch_norm(
            image(T, 3, 2), T.zeros(2), T.ones(2), image(T, 2), image(T, 2), training=True
        ),
        lambda T, F: F.batch_norm(image(T, 2, 2, 2), T.zeros(2), T.ones(2) * 4, image(T, 2)),
    ],
    "NativeGroupNormBackward0": [lambda T, F: F.group_norm(image(T, 2, 4, 2), 2, image(T, 4))],
    "CumsumBackward0": [lambda T, F: matrix(T).cumsum(1)],
    "CumprodBackward0": [
        lambda T, F: matrix(T).cumprod(1),
        lambda T, F: T.tensor([2.0, 0.0, 3.0], requires_grad=True).cumprod(0),
    ],
    "ProdBackward0": [lambda T, F: matrix(T).prod()],
    "ProdBackward1": [lambda T, F: matrix(T).prod(0)],
    "LogsumexpBackward0": [lambda T, F: matrix(T).logsumexp(1)],
    "MaxBackward0": [lambda T, F: matrix(T).max(1), lambda T, F: matrix(T).max(0, keepdim=True)],
    "MaxBackward1": [
        lambda T, F: matrix(T).max(),
        lambda T, F: T.tensor([1.0, 1.0, 0.0], requires_grad=True).max(),
    ],
    "MinBackward0": [lambda T, F: matrix(T).min(0)],
    "AmaxBackward0": [lambda T, F: matrix(T).amax(1), lambda T, F: matrix(T).amax()],
    "MaximumBackward0": [lambda T, F: T.maximum(matrix(T), image(T, 3))],
    "SortBackward0": [lambda T, F: matrix(T).sort(1)],
    "TopkBackward0": [lambda T, F: matrix(T).topk(2, 0)],
    "SumBackward1": [lambda T, F: matrix(T).sum(1)],
    "IndexBackward0": [
        lambda T, F: matrix(T)[T.tensor([1, 1, 0])],
        lambda T, F: matrix(T)[:, T.tensor([[2, 0], [2, 2]])],
        lambda T, F: matrix(T)[T.tensor([0, 1]), T.tensor([2, -1])],
        lambda T, F: matrix(T)[matrix(T).detach() > 0],
    ],
    "SelectBackward0": [lambda T, F: matrix(T)[1], lambda T, F: matrix(T)[:, -1]],
    "SliceBackward0": [lambda T, F: matrix(T)[:, 1:], lambda T, F: matrix(T)[:, ::2]],
    "GatherBackward0": [lambda T, F: matrix(T).gather(1, T.tensor([[2, 2], [0, 1]]))],
    "ScatterBackward0": [
        lambda T, F: matrix(T).scatter(1, T.tensor([[2], [0]]), image(T, 2, 1)),
    ],
    "ScatterAddBackward0": [
        lambda T, F: matrix(T).scatter_add(1, T.tensor([[2], [0]]), image(T, 2, 1)),
    ],
    "IndexSelectBackward0": [lambda T, F: matrix(T).index_select(1, T.tensor([0, 0]))],
    "IndexPutBackward0": [
        lambda T, F: matrix(T).index_put((T.tensor([1, 0]), T.tensor([2, 2])), image(T, 2)),
    ],
    "EmbeddingBackward0": [lambda T, F: F.embedding(T.tensor([1, 0, 1]), matrix(T))],
    "MaskedFillBackward0": [lambda T, F: matrix(T).masked_fill(T.tensor([True, False, True]), 0)],
    "MaskedSelectBackward0": [lambda T, F: matrix(T).masked_select(matrix(T).detach() > 0)],
    "WhereBackward0": [
        lambda T, F: T.where(matrix(T).detach() > 0, matrix(T), image(T, 3)),
    ],
    "CatBackward0": [
        lambda T, F: T.cat([matrix(T), image(T, 1, 3)]),
        lambda T, F: T.cat([matrix(T), T.zeros(2, 1), image(T, 2, 1)], 1),
    ],
    "StackBackward0": [lambda T, F: T.stack([matrix(T), image(T, 2, 3)], 1)],
    "SplitBackward0": [lambda T, F: matrix(T).split(2, 1)],
    "UnbindBackward0": [lambda T, F: matrix(T).unbind(0)],
    "TBackward0": [lambda T, F: matrix(T).t()],
    "TransposeBackward0": [lambda T, F: image(T, 1, 2, 3).transpose(-1, 0)],
    "PermuteBackward0": [lambda T, F: image(T, 1, 2, 3).permute(2, 0, 1)],
    "ViewBackward0": [lambda T, F: matrix(T).view(3, 2)],
    "ExpandBackward0": [lambda T, F: image(T, 2, 1).expand(3, 2, 3)],
    "RepeatBackward0": [lambda T, F: matrix(T).repeat(2, 1)],
    "FlipBackward0": [lambda T, F: matrix(T).flip(1)],
    "RollBackward0": [lambda T, F: matrix(T).roll(1, 1), lambda T, F: matrix(T).roll(2)],
    "TrilBackward0": [lambda T, F: matrix(T).tril()],
    "DiagonalBackward0": [lambda T, F: matrix(T).diagonal(1)],
    "ConstantPadNdBackward0": [lambda T, F: F.pad(matrix(T), (1, 0, 0, 2))],
    "ReflectionPad1DBackward0": [lambda T, F: F.pad(matrix(T), (1, 2), "reflect")],
    "ClampBackward1": [lambda T, F: matrix(T).clamp(-1, 1), lambda T, F: matrix(T).clamp(min=0)],
    "GeluBackward0": [lambda T, F: F.gelu(matrix(T))],
    "SiluBackward0": [lambda T, F: F.silu(matrix(T))],
    "RemainderBackward1": [lambda T, F: matrix(T) % (image(T, 2, 3) + 3)],
    "NegBackward0": [lambda T, F: -matrix(T)],
}
"""By the name of a node: programs that make one."""

COMES_TO_NOTHING = re.compile(r"(^|\s)0(: no part of the result came from here)?$")


def told(page: Any, module_url: str, T: Any, name: str) -> Iterator[tuple[str, float]]:
    """Yield the explanation of each number that a node of this name sends, and its result."""
    for program in NODES[name]:
        made = program(T, T.nn.functional)
        several = [made] if isinstance(made, T.Tensor) else list(made)
        roots = [each for each in several if each.requires_grad]
        seeds = [image(T, *root.shape, step=0.3).detach() + 1.5 for root in roots]
        payload = viz.step(roots, seeds, names={}).payload
        nodes = {node["id"] for node in payload["nodes"] if node["name"] == name}
        steps = [step["node"] in nodes for step in payload["steps"]]
        assert nodes
        incoming = {
            event["step"]: [None if v is None else array(payload["values"][v]) for v in g]
            for event in payload["events"]
            if (g := event.get("incoming"))
        }
        found = page.evaluate(BY_NAME, [module_url, payload])
        mine = [each for each in found if steps[each[0]] and each[1] in nodes and each[0]]
        assert mine
        for step, _, cell, text in mine:
            tensors = {f"g{'₀₁₂₃'[i + 1]}": g for i, g in enumerate(incoming[step])}
            known = tensors | {"g": next(g for g in incoming[step] if g is not None)}
            if "ā" in text or "a\u0304" in text:
                continue  # said by another gradient, which has been tried itself
            if COMES_TO_NOTHING.search(text):
                yield cell, 0.0
                continue
            match = re.search(r"(\S+) [=≈] ([^…]*)$", text)
            assert match or "…" in text, f"{name}: no explanation of {text}"
            if match:
                yield cell, evaluated(match[2], known)


def array(value: Any) -> Any:
    return np.array(value["data"], dtype="float64").reshape(value["shape"])


@pytest.mark.sampled("PROOFS", 6)
@pytest.mark.parametrize("name", [name for name in NODES if in_this_run("PROOFS", name)])
def test_gradients_have_arithmetic(page: Any, module_url: str, name: str) -> None:
    check(told(page, module_url, mg, name))


@pytest.mark.sampled("PROOFS", 6)
@pytest.mark.parametrize("name", [n for n in NODES if in_this_run("PROOFS", f"PyTorch's {n}")])
def test_pytorch_gradients_have_arithmetic(
    page: Any, module_url: str, pytorch: Any, name: str
) -> None:
    check(told(page, module_url, pytorch, name))


def check(found: Iterator[tuple[str, float]]) -> None:
    """Terms of four digits give the recorded result, within the error of rounding."""
    for cell, worked in found:
        recorded = float(cell.replace("−", "-"))
        assert worked == pytest.approx(recorded, rel=5e-3, abs=3e-3)


def test_a_page_brings_the_formulas_that_it_needs(tmp_path: Path) -> None:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    plain, soft = (viz.step(y.sum()) for y in (x.exp(), x.softmax(0)))
    sizes = [s.save(tmp_path / "page.html").stat().st_size for s in (plain, soft)]
    assert sizes[1] - sizes[0] > 5_000


def test_letters_and_their_tensors_light_up_together(page: Any, tmp_path: Path) -> None:
    x = mg.tensor([3.0, 1.0], requires_grad=True)
    file = viz.step((x * x.exp()).sum()).save(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    page.locator(".stepper").wait_for()
    letters = page.locator(".rule .letter").all_text_contents()
    assert letters == ["a¯", "g", "b", "b¯", "g", "a"]
    page.locator(".rule .letter").nth(2).hover()
    lit = page.locator(".item.lit")
    assert lit.count() == 1
    assert "other" in lit.inner_text()


def test_numbers_are_reached_by_keyboard(page: Any, tmp_path: Path) -> None:
    x = mg.tensor([[3.0, 1.0], [2.0, 4.0]], requires_grad=True)
    file = viz.step((x * 2).sum()).save(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    page.locator(".stepper").wait_for()
    page.locator(".side:last-child td[data-flat]").first.focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    assert page.locator(".work").inner_text() == "[1, 1]  2 = 1 × 2"
    assert page.locator(".position").inner_text().startswith("3 ")  # no step was made
    page.keyboard.press("Escape")
    assert page.locator(".work").text_content() == ""


def test_heat_map_number_opens_its_arithmetic(page: Any, tmp_path: Path) -> None:
    numbers = np.round(np.sin(np.arange(120)) * 2, 2).reshape(12, 10)
    x = mg.tensor(numbers.tolist(), requires_grad=True)
    file = viz.step((x * 3).sum()).save(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    heat = page.locator(".side:last-child .heat")
    heat.wait_for()
    size = heat.locator("canvas").bounding_box()
    at = {"x": size["width"] * 4.5 / 10, "y": size["height"] * 2.5 / 12}
    heat.locator("canvas").click(position=at)
    assert page.locator(".work").inner_text() == "[2, 4]  3 = 1 × 3"
    heat.locator("canvas").click(position=at)  # again: enough of it
    assert page.locator(".work").text_content() == ""
    heat.locator(".mark").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.locator(".work").inner_text() == "[4, 3]  3 = 1 × 3"
    assert heat.locator(".mark").get_attribute("aria-label") == "3"
    page.keyboard.press("Escape")
    assert page.locator(".work").text_content() == ""
    assert page.locator(".position").inner_text().startswith("3 ")  # no step was made


def test_arrow_keys_cross_heat_map_slices(page: Any, tmp_path: Path) -> None:
    numbers = np.arange(2 * 8 * 8).reshape(2, 8, 8)
    x = mg.tensor(numbers.tolist(), dtype=mg.float32, requires_grad=True)
    file = viz.step((x * x).sum()).save(tmp_path / "page.html")
    page.goto(f"{file.as_uri()}#step=3")
    mark = page.locator(".side:last-child .mark").first
    mark.focus()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert page.locator(".work").inner_text().startswith("[1, 0, 0]  64 = 1 × 64")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".work").inner_text().startswith("[0, 0, 7]  7 = 1 × 7")
    for _ in range(9):
        page.keyboard.press("ArrowUp")  # no further than the rim
    assert page.locator(".work").inner_text().startswith("[0, 0, 7]")
