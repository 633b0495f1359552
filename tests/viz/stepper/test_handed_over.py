"""A program that is handed over: what is shown of it, and of its failures, as plain data."""

from __future__ import annotations

import json
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper import handed_over
from minigrad_viz.stepper.handed_over import Part, run

import minigrad as mg

BEGIN = (
    "import minigrad as mg\nimport minigrad_viz as viz\nx = mg.tensor(3.0, requires_grad=True)\n"
)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language is set for the program; a test puts it back."""
    monkeypatch.setenv("MINIGRAD_LANGUAGE", "en")


def kinds(parts: list[Part]) -> list[str]:
    return [part["kind"] for part in parts]


def test_an_answer_is_text_and_picture() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    answer = viz.explain((x * 2).sum(), x)
    part = handed_over.display(answer)
    assert part == {"kind": "explanation", "text": repr(answer), "svg": answer.svg}


def test_first_pass_is_stepped_others_counted() -> None:
    parts = run(f"{BEGIN}for _ in range(3):\n    (x * x).backward()\nprint(x.grad)", "en")
    assert kinds(parts) == ["text", "note", "stepper"]
    assert parts[0]["text"] == "tensor(18.)\n"
    assert parts[1]["text"] == "The first of 3 backward passes:"
    payload = parts[2]["payload"]
    assert [step["title"] for step in payload["steps"]] == [
        "seed",
        "MulBackward0",
        "AccumulateGrad",
    ]
    assert payload["files"][0]["name"] == "program.py"
    assert any(node["name"] == "x" for node in payload["nodes"])


def test_pass_from_several_tensors_is_stepped() -> None:
    (part,) = run(f"{BEGIN}mg.autograd.backward([x * 2, x * 3])")
    assert len(part["payload"]["steps"]) == 4


def test_run_restores_backward() -> None:
    method, function = mg.Tensor.backward, mg.autograd.backward
    run(f"{BEGIN}(x * x).backward()\n1 / 0")
    assert (mg.Tensor.backward, mg.autograd.backward) == (method, function)


def test_values_are_shown_as_in_a_notebook() -> None:
    """The last one, and figures wherever they stand."""
    parts = run(f"{BEGIN}y = x * x\n5\nviz.draw(y)\nprint('before')\nviz.step(y)\n(x.grad, None)")
    assert kinds(parts) == ["picture", "text", "stepper", "text"]
    assert parts[0]["svg"].startswith("<svg") and "MulBackward0" in parts[0]["text"]
    assert parts[1]["text"] == "before\n"
    assert parts[3]["text"] == "(tensor(6.), None)\n"
    assert run("x = 3\nx.real;None") == []


def test_failure_is_shown_and_explained() -> None:
    parts = run(f"{BEGIN}y = x.exp()\ny.backward()\ny.backward()", "en")
    assert kinds(parts) == ["error", "explanation", "note", "stepper"]
    assert parts[0]["text"].splitlines()[:3] == [
        "Traceback (most recent call last):",
        '  File "program.py", line 6, in <module>',
        "    y.backward()",
    ]
    assert "handed_over" not in parts[0]["text"]
    assert "retain_graph=True" in parts[1]["text"] and "(line 5 of program.py)" in parts[1]["text"]
    assert "freed" in parts[1]["svg"]


def test_failing_pass_is_stepped_to_failure() -> None:
    parts = run(f"{BEGIN}y = x.exp()\nwith mg.no_grad():\n    y += 1\n(y * 2).backward()", "zh")
    assert kinds(parts) == ["error", "explanation", "stepper"]
    assert parts[2]["payload"]["events"][-1]["kind"] == "error"
    assert parts[2]["payload"]["language"] == "zh"
    assert "版本" in parts[1]["text"]


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("x = 1 +", "SyntaxError"),
        ("{}['a']", "KeyError: 'a'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("print('said')\nimport not_here", "ModuleNotFoundError"),
    ],
)
def test_other_errors_are_shown_alone(program: str, words: str) -> None:
    parts = run(program)
    assert kinds(parts)[-1] == "error" and "explanation" not in kinds(parts)
    assert words in parts[-1]["text"]


PYTORCH = """
import torch, math
import torch.nn as nn
import torch.nn.functional
from torch import optim
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Linear(2, 1)
loss = F.relu(net(torch.ones(3, 2)) + 9).sum() + torch.nn.functional.tanh(torch.tensor(1.0))
loss.backward()
optim.SGD(net.parameters(), lr=0.1).step()
print(net.bias.grad, math.pi > 3)
"""


def test_minigrad_stands_in_for_pytorch() -> None:
    parts = run(PYTORCH, "en")
    assert kinds(parts) == ["note", "text", "stepper"]
    assert parts[0]["text"].startswith("There is no PyTorch in a browser")
    assert parts[1]["text"] == "tensor([3.]) True\n"
    shown = parts[2]["payload"]["files"][0]["lines"]
    assert shown == PYTORCH.splitlines()  # as the reader wrote it


def test_a_text_that_never_ends_is_cut() -> None:
    (part,) = run("for i in range(100_000): print(i)")
    assert len(part["text"]) == handed_over.LONGEST + 2


def test_page_gets_plain_data() -> None:
    """Nothing in it is a Python object, and no kind is one that a page would take for markup."""
    shown: Any = handed_over.Shown(f"{BEGIN}viz.draw(x * x)\n(x * x).backward()\nx.no_such", "en")
    bundle = shown._repr_mimebundle_()
    assert set(bundle) == {handed_over.KIND, "text/plain"}
    assert kinds(json.loads(bundle[handed_over.KIND])) == ["picture", "error", "stepper"]
