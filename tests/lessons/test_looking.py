"""How a check looks at an answer: apart from the notebook, on inputs of its own, and never raising.

The exercises here are the test's own, after answers on which checks were wrong: rejected because
backward() had been tried, accepted because of what a global happened to be, or ended in an error.
"""

from __future__ import annotations

import builtins
import linecache
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core import interactiveshell
from minigrad_lessons.exercises.exercise import Exercise, Verdict, Words
from minigrad_lessons.exercises.judge import judge
from minigrad_lessons.exercises.look import Look, look
from minigrad_lessons.exercises.plain import plain
from minigrad_lessons.exercises.rebuild import Rebuilt
from minigrad_lessons.exercises.recognise import each, named, number
from minigrad_lessons.exercises.sentences import CAUSES, EMPTY, ONE_STRING, RETURNS_NONE
from traitlets.config import Config

import minigrad
from tests.record import PRESENT


@pytest.fixture(params=["minigrad", "torch"] if PRESENT else ["minigrad"])
def notebook(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the names of a notebook after its first cell, on either library."""
    names: dict[str, Any] = {"__name__": "__main__", "In": [""]}
    run(names, f"import functools\nimport numpy as np\nimport {request.param} as mg\nnn = mg.nn")
    return names


def run(names: dict[str, Any], cell: str) -> None:
    names["In"].append(cell)
    exec(compile(cell, "<cell>", "exec"), names)


def looked(names: dict[str, Any], ask: str, probe: str | None = None) -> Look:
    return look("99.1", (ask,), probe, names)


def told(names: dict[str, Any], ask: str, probe: str | None = None) -> str:
    """The sentence on why nothing could be seen."""
    found = looked(names, ask, probe)
    assert found.trouble is not None and found.seen is None
    assert found.trouble.zh and found.trouble.en != found.trouble.zh
    return found.trouble.en


CUBIC = """
    seen = []
    for at in (-1.5, 0.0, 2.0):
        x = mg.tensor(at, requires_grad=True)
        cubic(x).backward()
        seen.append(x.grad)
"""
SLOPES = [6.75, 0.0, 12.0]


@pytest.mark.parametrize(
    "cell",
    [
        "def cubic(x):\n    return x * x * x",
        "cubic = lambda x: x**3",
        "power = 3\ncubic = functools.partial(lambda n, x: x**n, 3)",
        "def product(*all):\n    return all[0] * product(*all[1:]) if all else 1\n"
        "def cubic(x):\n    return product(x, x, x)",
        "def made(n):\n    def power(x, left=n):\n"
        "        return x * power(x, left - 1) if left else 1\n    return power\ncubic = made(3)",
        "class Power:\n    def __init__(self, n):\n        self.n = n\n"
        "    def __call__(self, x):\n        return x**self.n\n"
        "class Cubic(Power):\n    def __init__(self):\n        super().__init__(3)\n"
        "cubic = Cubic()",
        "class Powers:\n    n = 3\n    @classmethod\n    def of(cls, x):\n        return x**cls.n\n"
        "    @staticmethod\n    def cube(x):\n        return Powers.of(x)\ncubic = Powers.cube",
        "class Powers:\n    n = 3\n    @classmethod\n    def of(cls, x):\n        return x**cls.n\n"
        "cubic = Powers.of",
        "@functools.cache\ndef cubic(x):\n    return x**3",
        "@functools.wraps(print)\ndef cubic(x):\n    return x**3",
        "class Cube(mg.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n        return x**3\n    @staticmethod\n"
        "    def backward(ctx, g):\n        (x,) = ctx.saved_tensors\n        return 3 * g * x**2\n"
        "cubic = Cube.apply",
        "class Cube(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.n = 3\n    def forward(self, x):\n        return x**self.n\ncubic = Cube()",
        "def cubic(x):\n    return nn.Sequential(nn.Identity())(x) * mg.square(x)",
    ],
)
def test_function_may_be_written_in_any_way(notebook: dict[str, Any], cell: str) -> None:
    run(notebook, cell)
    found = looked(notebook, "cubic", CUBIC)
    assert found == Look(pytest.approx(SLOPES))


def test_library_function_is_an_answer(notebook: dict[str, Any]) -> None:
    run(notebook, "curve = mg.tanh")
    assert looked(notebook, "curve", "seen = curve(mg.tensor(0.0))") == Look(0.0)
    run(notebook, "curve = mg.tensor([1.0, 2.0]).dot")
    assert looked(notebook, "curve", "seen = curve(mg.tensor([3.0, 4.0]))") == Look(11.0)


def test_what_was_walked_is_not_walked_again(notebook: dict[str, Any]) -> None:
    """Once backward() had been tried, right answers were rejected: their graph was gone."""
    run(notebook, "x = mg.tensor([1.0, 2.0], requires_grad=True)\ny = (x * x).sum()\ny.backward()")
    probe = "w = y * 1\nseen = [y, w.requires_grad, y.requires_grad]"
    assert looked(notebook, "y", probe) == Look([5.0, True, True])
    assert looked(notebook, "y") == Look(5.0)
    probe = "(x * x).sum().backward()\nseen = [x, x.grad]"
    assert looked(notebook, "x", probe) == Look([[1.0, 2.0], [4.0, 8.0]])
    assert notebook["x"].grad.tolist() == [2.0, 4.0]


def test_captured_tensor_gets_no_gradient(
    notebook: dict[str, Any],
) -> None:
    run(
        notebook,
        "w = mg.tensor(2.0, requires_grad=True)\n"
        "def made(v):\n    return lambda x: v * x\n"
        "cell = made(w)\ndef default(x, v=w):\n    return v * x\n"
        "bound = functools.partial(lambda v, x: v * x, w)\n"
        "net = nn.Linear(1, 1)",
    )
    for ask in ("cell", "default", "bound"):
        probe = f"x = mg.tensor(3.0, requires_grad=True)\n{ask}(x).backward()\nseen = x.grad"
        assert looked(notebook, ask, probe) == Look(2.0)
    assert notebook["w"].grad is None
    probe = "net(mg.ones(1)).sum().backward()\nseen = [p.grad.tolist() for p in net.parameters()]"
    assert looked(notebook, "net", probe) == Look([[[1.0]], [1.0]])
    assert notebook["net"].bias.grad is None


@pytest.mark.parametrize(
    "cell",
    [
        "net = nn.Linear(1, 1)",
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.part = nn.Linear(1, 1)\n    def forward(self, x):\n"
        "        return self.part(x)\nnet = Net()",
    ],
)
def test_an_optimizer_is_copied_with_its_parameters(notebook: dict[str, Any], cell: str) -> None:
    run(notebook, f"{cell}\nopt = mg.optim.SGD(net.parameters(), lr=0.5)")
    probe = """
        bias = [*net.parameters()][1]
        before = bias.item()
        net(mg.ones(1)).backward()
        opt.step()
        seen = before - bias.item()
    """
    before = [*notebook["net"].parameters()][1].item()
    found = look("99.1", ("net", "opt"), probe, notebook)
    assert found == Look(pytest.approx(0.5))
    assert [*notebook["net"].parameters()][1].item() == before


def test_notebook_value_in_answer_is_named(notebook: dict[str, Any]) -> None:
    """A rule was accepted that read the cell's own x in place of the one it was given."""
    run(notebook, "x = mg.tensor(2.0)\ndef rule(g):\n    return -g / (x * x)")
    says = told(notebook, "rule", "seen = rule(mg.tensor(1.0))")
    assert says.startswith("Your code reads `x`, which is a value of your notebook.")


@pytest.mark.parametrize("kind", ["staticmethod", "classmethod"])
def test_values_read_in_methods_are_told(notebook: dict[str, Any], kind: str) -> None:
    first = "cls, " if kind == "classmethod" else ""
    run(
        notebook,
        f"x = mg.tensor(2.0)\nclass Rule:\n    @{kind}\n    def of({first}g):\n"
        "        return -g / (x * x)\n    def __call__(self, g):\n        return self.of(g)\n"
        "rule = Rule()",
    )
    says = told(notebook, "rule", "seen = rule(mg.tensor(1.0))")
    assert says.startswith("Your code reads `x`, which is a value of your notebook.")


def test_answer_cannot_see_names_of_probe(notebook: dict[str, Any]) -> None:
    run(notebook, "def rule(g):\n    return g * x")
    says = told(notebook, "rule", "x = 3.0\nseen = rule(2.0)")
    assert says.startswith("Your code uses `x`, and nothing of that name is there.")


def test_missing_import_is_named(notebook: dict[str, Any]) -> None:
    run(notebook, "def rule(g):\n    return jnp.sin(g)")
    says = told(notebook, "rule", "seen = rule(2.0)")
    assert says == (
        "Your code uses `jnp`, and nothing of that name is there. Is it misspelt, or not imported?"
    )


def test_an_error_is_told_with_the_call(notebook: dict[str, Any]) -> None:
    run(notebook, "def cubic(x):\n    return x / [][0] if x > 0 else x**3")
    says = told(notebook, "cubic", CUBIC)
    tensor = repr(notebook["mg"].tensor(2.0, requires_grad=True))
    assert says == f"`cubic({tensor})` stopped with IndexError: list index out of range"


def test_error_shows_own_line(notebook: dict[str, Any], clean_linecache: None) -> None:
    cell = "def cubic(x):\n    y = x**3\n    y.numpy()\n    return y"
    linecache.cache["<cell>"] = (len(cell), None, cell.splitlines(keepends=True), "<cell>")
    run(notebook, cell)
    says = told(notebook, "cubic", CUBIC)
    start = "`cubic(tensor(-1.5000, requires_grad=True))` stopped at your line `y.numpy()` with Run"
    assert says.startswith(start) and "`detach()` gives the numbers" in says


def test_given_line_is_not_called_own(notebook: dict[str, Any], clean_linecache: None) -> None:
    """The lesson's own function stops, which a cell above the answer has defined."""
    given, cell = "def given(x):\n    return 1 / 0", "def cubic(x):\n    return given(x)"
    for text, file in ((given, "<given>"), (cell, "<cell>")):
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(given, "<given>", "exec"), notebook)
    run(notebook, cell)
    says = told(notebook, "cubic", CUBIC)
    assert "stopped at your line `return given(x)` with ZeroDivisionError" in says


STOPPING = {
    "backward through the graph a second time": "y = x * x\n    y.backward()\n    y.backward()",
    "appears to not have been used": "mg.autograd.grad(x * x, [x.clone()])",
    "does not require grad and does": "(x.detach() * 2).backward()",
    "implicitly created only for scalar": "(x * mg.ones(2)).backward()",
    "a leaf variable that requires grad": "x += 1",
    "modified by an inplace": "y = x.exp()\n    y += 1\n    y.backward()",
    "call numpy() on tensor": "x.numpy()",
    "object is not iterable": "list(x.grad)",
}


@pytest.mark.parametrize("part", STOPPING)
def test_certain_cause_follows_error(part: str, notebook: dict[str, Any]) -> None:
    (cause,) = (words for key, words in CAUSES.items() if part in key)
    run(notebook, f"def cubic(x):\n    {STOPPING[part]}")
    assert told(notebook, "cubic", CUBIC).endswith(cause.en)


def test_every_cause_is_tried() -> None:
    assert len(STOPPING) == len(CAUSES)


def test_error_after_call_shows_line(notebook: dict[str, Any]) -> None:
    run(notebook, "def cubic(x):\n    return 3.0")
    says = told(notebook, "cubic", CUBIC)
    assert says.startswith("The check called `cubic(tensor(-1.5000, requires_grad=True))`. After ")
    assert "`cubic(x).backward()` stopped with AttributeError: 'float' object has no" in says


@pytest.mark.parametrize("body", ["pass", "print(x**3)", "x**3"])
def test_a_function_that_returns_nothing_is_told(body: str, notebook: dict[str, Any]) -> None:
    run(notebook, f"def cubic(x):\n    {body}")
    says = told(notebook, "cubic", CUBIC)
    assert says.startswith("`cubic(tensor(-1.5000, requires_grad=True))` returned None")


def test_none_of_helper_is_no_answer(notebook: dict[str, Any]) -> None:
    """The last call here is one of a hook, which may return nothing."""
    run(notebook, "def cubic(x):\n    x.register_hook(lambda g: None)\n    return x**3")
    says = told(notebook, "cubic", CUBIC + "    seen.append(x.grad.grad.item())")
    assert "returned None" not in says
    assert "'NoneType' object has no attribute 'item'" in says


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("'7'", "Write the number without quotes."),
        ("' 7.0 '", "Write the number without quotes."),
        ("'8'", "What is it?"),
        ("print(7)", "Your answer is None."),
        ("True", "What is it?"),
        ("8", "What is it?"),
    ],
)
def test_a_number_in_quotes_is_none(answer: str, says: str, notebook: dict[str, Any]) -> None:
    asked = Exercise(
        asks=("seven",),
        solution="7",
        right=number(7),
        because=Words("It is.", "对。"),
        hints=(),
        otherwise=Words("What is it?", "是什么？"),
    )
    run(notebook, f"seven = {answer}")
    verdict = judge(asked, looked(notebook, "seven"))
    assert not verdict.right and says in verdict.says.en


def test_thousand_training_steps_finish(notebook: dict[str, Any]) -> None:
    lines = [
        "def cubic(x):",
        "    w = mg.tensor(0.0, requires_grad=True)",
        "    for _ in range(1000):",
        "        w.grad = None",
        "        ((w - 1) * (w - 1)).backward()",
        "        with mg.no_grad():",
        "            w -= 0.1 * w.grad",
        "    return x * w.detach()",
    ]
    run(notebook, "\n".join(lines))
    assert looked(notebook, "cubic", CUBIC).seen == pytest.approx([1.0] * 3, abs=1e-3)


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("cubic = 3.0", "`cubic` should be something that can be called, such as a function."),
        ("", "`cubic` is not defined. Run the cell above, then this one."),
        ("def cubic(x):\n    raise SystemExit", "stopped with SystemExit"),
        ("def cubic(x):\n    exit()", "stopped with SystemExit"),
        ("def cubic(x):\n    return cubic(x)", "stopped with RecursionError"),
        ("def cubic(x):\n    while True:\n        pass", "was stopped."),
        (
            "def cubic(x):\n    while True:\n        try:\n            pass\n"
            "        except Exception:\n            pass",
            "was stopped.",
        ),
        ("del mg\ndef cubic(x):\n    return x", "Run the first cell of the chapter"),
        ("mg = 3\ndef cubic(x):\n    return x", "Run the first cell of the chapter"),
    ],
)
def test_reason_for_no_judgement_is_stated(notebook: dict[str, Any], cell: str, says: str) -> None:
    run(notebook, "import builtins\nexit = builtins.exit" if "exit()" in cell else "")
    run(notebook, cell)
    assert says in told(notebook, "cubic", CUBIC)


def test_function_in_place_of_value(notebook: dict[str, Any]) -> None:
    run(notebook, "x = mg.ones(2)\ntotal = x.sum")
    assert told(notebook, "total").startswith("`total` is a function where a value is needed")


@pytest.mark.parametrize(
    "cell",
    [
        "f = ...",
        "def f(x):\n    ...",
        "def f(x):\n    return ...",
        "def f(x):\n    y = x * x\n    ...\n    return y",
        "class f:\n    def forward(self, x):\n        return (...,)",
        "f = [1, ...]",
    ],
)
def test_unfilled_hole_is_no_wrong_answer(notebook: dict[str, Any], cell: str) -> None:
    exercise = Exercise(
        asks=("f",),
        probe="seen = f(mg.ones(2, 2))" if "[" not in cell else None,
        solution="",
        right=each(1, 2, 3),
        because=Words("", ""),
        hints=(),
        otherwise=Words("wrong", "错"),
    )
    run(notebook, cell)
    assert judge(exercise, look("99.1", ("f",), exercise.probe, notebook)) == Verdict(False, EMPTY)
    run(notebook, "def f(x):\n    return x[..., 0]")
    verdict = judge(exercise, look("99.1", ("f",), "seen = f(mg.ones(2, 2))", notebook))
    assert verdict.says == exercise.otherwise


def test_ellipsis_as_index_is_no_hole(notebook: dict[str, Any]) -> None:
    run(notebook, "def f(x):\n    return x[..., 0]")
    assert not looked(notebook, "f", "seen = f(mg.ones(2, 2))").unfilled
    run(notebook, "g = ...")
    assert not looked(notebook, "f", "seen = f(mg.ones(2, 2))").unfilled


def test_trying_changes_nothing(notebook: dict[str, Any], capsys: Any) -> None:
    run(
        notebook,
        "kept = []\ndef noisy(x, into=kept):\n    into.append(x)\n    print('!')\n"
        "    mg.manual_seed(7)\n    mg.set_grad_enabled(False)\n"
        "    mg.set_default_dtype(mg.float64)\n    np.random.seed(7)\n    return len(into)",
    )
    mg = notebook["mg"]
    before = mg.get_rng_state().tolist()
    assert looked(notebook, "noisy", "seen = noisy(1)") == Look(1)
    assert notebook["kept"] == [] and capsys.readouterr().out == ""
    assert mg.get_rng_state().tolist() == before
    assert mg.is_grad_enabled() and mg.get_default_dtype() == mg.float32
    assert sys.gettrace() is None or "count" not in repr(sys.gettrace())


def test_figures_of_probe_are_closed(notebook: dict[str, Any]) -> None:
    run(notebook, "import matplotlib.pyplot as plt\nplt.close('all')\nmine = plt.figure()")
    run(notebook, "def plot():\n    plt.figure()\n    plt.plot([1, 2])\n    plt.show()")
    probe = "plot()\nseen = len(plt.gca().lines)"
    assert looked(notebook, "plot", probe) == Look(1)
    plt = notebook["plt"]
    assert plt.get_fignums() == [notebook["mine"].number] and plt.gcf() is notebook["mine"]
    plt.close("all")


def test_set_differs_from_list(notebook: dict[str, Any]) -> None:
    """`{"a", "b"}` was judged as `["a", "b"]`, and told what is wrong with that order."""
    run(notebook, "order = {'b', 'a'}")
    seen = looked(notebook, "order").seen
    assert not each("a", "b")(seen)
    assert named("b", "a")(seen)


def test_late_imports_of_c_code_work(notebook: dict[str, Any]) -> None:
    """To print an array NumPy imports by the caller's __builtins__: that ended in an error."""
    run(notebook, "def f():\n    return 1")
    rebuilt = Rebuilt(notebook).names["f"]
    assert rebuilt.__globals__["__builtins__"] is builtins


def test_class_may_hold_changing_data(notebook: dict[str, Any]) -> None:
    run(
        notebook, "class Counter:\n    made = []\n    def __init__(self):\n        self.made += [1]"
    )
    assert looked(notebook, "Counter", "Counter()\nseen = Counter().made") == Look([1, 1])
    assert notebook["Counter"].made == []


STRANGE = """
class Touchy:
    def __getattr__(self, name):
        raise ValueError(name)
    __len__ = __iter__ = __eq__ = __hash__ = __repr__ = __str__ = __bool__ = __call__ = (
        lambda self, *anything: 1 / 0
    )
cycle = []
cycle.append(cycle)
"""


@pytest.mark.parametrize("value", ["Touchy()", "Touchy", "cycle", "{Touchy: 1}", "iter(int, 1)"])
@pytest.mark.parametrize("probe", [None, "seen = f", "seen = f(1)", "seen = [f == 1, str(f)]"])
def test_no_object_makes_looking_raise(
    notebook: dict[str, Any], value: str, probe: str | None
) -> None:
    run(notebook, STRANGE)
    run(notebook, f"f = {value}")
    found = looked(notebook, "f", probe)
    assert found.trouble is not None or plain(found.seen) == found.seen


@pytest.fixture
def kernel(clean_linecache: None) -> Iterator[Any]:
    """IPython, as a notebook's kernel has it, without the user's history."""
    shell = interactiveshell.InteractiveShell
    yield shell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.clear_instance()


def test_stopped_cell_is_not_judged(kernel: Any) -> None:
    """IPython's last result says whether a cell stopped; outside of IPython it is unknown."""
    names = kernel.user_ns
    kernel.run_cell("import minigrad as mg", store_history=True)
    kernel.run_cell("old = 1", store_history=True)
    assert looked(names, "old") == Look(1)
    kernel.run_cell("old = 1 / 0", store_history=True)
    assert told(names, "old").endswith("nothing to judge: ZeroDivisionError: division by zero")
    kernel.run_cell("old = 1 2", store_history=True)
    assert told(names, "old").partition("judge: ")[2].startswith("SyntaxError: ")
    kernel.run_cell("from minigrad_lessons import check\nrounds = 5", store_history=True)
    kernel.run_cell("rounds = 6 / 0", store_history=True)
    kernel.run_cell("verdict = check('90.3')", store_history=True)
    assert "ZeroDivisionError" in names["verdict"].says.en
    kernel.run_cell("rounds = 6", store_history=True)
    kernel.run_cell("verdict = check('90.3')", store_history=True)
    assert names["verdict"].right
    kernel.run_cell("verdict = check('90.3')", store_history=True)
    assert names["verdict"].right
    kernel.run_cell("old = 2", store_history=True)
    kernel.run_cell("other = 1 / 0", store_history=True)
    assert looked(names, "old") == Look(2)
    assert names["mg"] is minigrad


TWICE = Exercise(
    asks=("twice",),
    probe="seen = [twice(mg.tensor(at)) for at in (1.0, -2.0)]",
    solution="2 * x",
    right=each(2.0, -4.0),
    because=Words("Yes.", "对。"),
    hints=(),
    otherwise=Words("Two times x.", "x 的两倍。"),
)


def judged(names: dict[str, Any], exercise: Exercise) -> Verdict:
    return judge(exercise, look("99.1", exercise.asks, exercise.probe, names))


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("def twice(x):\n    print(2 * x)", RETURNS_NONE),
        ("def twice(x):\n    return None if x > 0 else 3 * x", TWICE.otherwise),
        ("def twice(x):\n    return 3 * x", TWICE.otherwise),
    ],
)
def test_function_returning_only_none_is_reported(
    notebook: dict[str, Any], cell: str, says: Words
) -> None:
    run(notebook, cell)
    assert judged(notebook, TWICE) == Verdict(False, says)


def test_function_without_return_is_accepted(notebook: dict[str, Any]) -> None:
    run(notebook, "def clear(x):\n    x.grad = 5 * x")
    exercise = Exercise(
        asks=("clear",),
        probe="x = mg.tensor([1.0, 2.0], requires_grad=True)\nclear(x)\nseen = [x.grad]",
        solution="x.grad = None",
        right=each(None),
        because=Words("Yes.", "对。"),
        hints=(),
        otherwise=Words("Clear it.", "请清空。"),
    )
    assert judged(notebook, exercise) == Verdict(False, exercise.otherwise)


def test_string_in_place_of_list_is_reported(notebook: dict[str, Any]) -> None:
    exercise = Exercise(
        asks=("names",),
        solution='["a", "b"]',
        right=named("a", "b"),
        because=Words("Yes.", "对。"),
        hints=(),
        otherwise=Words("There are two.", "有两个。"),
    )
    run(notebook, 'names = "a, b"')
    assert judged(notebook, exercise) == Verdict(False, ONE_STRING)
    run(notebook, 'names = [" a", "b"]')
    assert judged(notebook, exercise) == Verdict(True, exercise.because)
