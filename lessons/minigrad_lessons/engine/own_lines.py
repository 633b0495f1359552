"""The lines of the engine that learners write themselves: one cell in each of nine chapters.

Such a cell is tagged `engine` and `own`, and has holes, each a `...`. `own(2)`, in the cell below
it, runs a small program on the engine of the notebook and on that of the course. If a hole is open,
or the two differ, it fills the holes with the course's lines, so that the chapter goes on.
"""

from __future__ import annotations

import linecache
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dis import get_instructions
from types import CodeType
from typing import Any

from ..exercises.exercise import Words
from ..exercises.plain import plain
from ..exercises.recognise import alike
from ..exercises.steps import EndlessError, bounded
from ..lab.language import language

FILE = "<the course's lines of chapter {}>"
HOLE = re.compile(r"^( *)\.\.\.$|(?<=[=:] )\.\.\.(?=,?$)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A cell that a learner completes.

    `lines` fill its holes in order, `asks` finds the functions that have them, and `program` binds
    `seen`.
    """

    lines: tuple[str, ...]
    asks: Callable[[Mapping[str, Any]], list[Any]]
    program: str
    because: Words
    otherwise: Words


OWN = {
    2: Own(
        lines=(
            """\
slopes = (other.data, self.data)
return Tensor(self.data * other.data, "MulBackward0", (self, other), slopes)""",
            """\
if not self.inputs:
    self.grad = g if self.grad is None else self.grad + g
for tensor, slope in zip(self.inputs, self.slopes):
    tensor.walk(g * slope)""",
        ),
        asks=lambda names: [names["Tensor"].__mul__, names["Tensor"].walk],
        program="""
            u = Tensor(3.0)
            s = u * u + u
            s.backward()
            a, b = Tensor(2.0), Tensor(-5.0)
            (a * b * a).backward()
            seen = [s.data, u.grad, s.grad, a.grad, b.grad]
        """,
        because=Words(
            "Slopes multiply along a path, and the leaf adds.",
            "沿着路径斜率相乘，叶子节点把到达的加起来。",
        ),
        otherwise=Words(
            "The slope of a product with respect to one factor is the other factor. A leaf, which "
            "has no inputs, adds `g`; otherwise each input walks on with `g` times its slope.",
            "乘积对一个因数的斜率是另一个因数。没有输入的叶子节点加上 `g`；否则每个输入带着 `g` "
            "乘以自己的斜率继续走。",
        ),
    ),
    3: Own(
        lines=(
            "self.keeps = True",
            """\
if self.keeps or not self.inputs:
    self.grad = g if self.grad is None else self.grad + g
for tensor, slope in zip(self.inputs, self.slopes):
    tensor.walk(g * slope)""",
        ),
        asks=lambda names: [names["Tensor"].retain_grad, names["Tensor"].walk],
        program="""
            a = Tensor(3.0)
            h, k = a * a, a + a
            h.retain_grad()
            (h * h + k).backward()
            seen = [a.grad, h.grad, k.grad]
        """,
        because=Words(
            "A leaf keeps, a result keeps on request, and both hand on.",
            "叶子节点留下梯度，中间结果有要求才留下，而梯度总会继续往下传。",
        ),
        otherwise=Words(
            "`retain_grad` sets `self.keeps` to True. `walk` is that of chapter 2, with one more "
            "reason to keep: `self.keeps`.",
            "`retain_grad` 把 `self.keeps` 设为 True。`walk` 就是第 2 章的 `walk`，只是多了一个"
            "留下的理由：`self.keeps`。",
        ),
    ),
    4: Own(
        lines=(
            "(g * node.read(1), g * node.read(0))",
            """\
if self.saved:
    self.saved = None
for tensor in self.inputs:
    tensor.free()""",
            """\
self.walk(1.0)
if not retain_graph:
    self.free()""",
        ),
        asks=lambda names: [
            names["RULES"]["MulBackward0"],
            names["Tensor"].free,
            names["Tensor"].backward,
        ],
        program="""
            n = Tensor(10.0)
            y = n * n
            y.backward(retain_graph=True)
            kept = y.saved is not None
            y.backward()
            m, k = Tensor(2.0), Tensor(7.0)
            z = m * k + m
            z.backward()
            seen = [n.grad, kept, y.saved, z.inputs[0].saved, m.grad, k.grad]
            s = m + m
            s.backward()
            s.backward()
            seen.append(m.grad)
        """,
        because=Words(
            "What was saved is freed from the result down, if it need not be kept.",
            "不需要保留时，从结果往下释放保存的一切。",
        ),
        otherwise=Words(
            "The rule of a product multiplies `g` by what `node.read` gives, the second factor "
            "first. `free` clears `saved`, if there is anything in it, and calls `free` of each "
            "input. `backward` walks with 1.0, and then frees unless `retain_graph` is true.",
            "乘法的规则把 `g` 乘以 `node.read` 给出的数，先是第二个因数。`free` 清掉不为空的 "
            "`saved`，并调用每个输入的 `free`。`backward` 以 1.0 出发去走，然后释放，除非 "
            "`retain_graph` 为真。",
        ),
    ),
    5: Own(
        lines=(
            "Tensor.recording and any(tensor.requires_grad for tensor in inputs)",
            "[(tensor, tensor.version[0]) for tensor in saved]",
            "return Tensor(self.data)",
            "tensor.version[0] != version",
            """\
if Tensor.recording and self.requires_grad:
    raise RuntimeError("a tensor that requires grad is changed in place: use no_grad()")
self.data += other
self.version[0] += 1""",
        ),
        asks=lambda names: [
            names["record"],
            *(vars(names["Tensor"])[name] for name in ("detach", "read", "add_")),
        ],
        program="""
            u, v = Tensor(3.0, requires_grad=True), Tensor(2.0)
            p, q = u * v, v * v
            seen = [p.requires_grad, q.requires_grad, len(q.inputs), len(p.saved)]
            with no_grad():
                seen.append((u * v).requires_grad)
            seen += [p.read(0), p.read(1)]
            d = p.detach()
            seen += [d.data, d.requires_grad, len(d.inputs)]
            v.version[0] += 1
            seen.append(p.read(0))
            try:
                p.read(1)
            except RuntimeError as error:
                seen.append(str(error))
            w, x = Tensor(3.0, requires_grad=True), Tensor(2.0)
            x.add_(5.0)
            seen += [x.data, x.version]
            try:
                w.add_(1.0)
            except RuntimeError:
                seen.append("refused")
            with no_grad():
                w.add_(1.0)
            seen += [w.data, w.version]
        """,
        because=Words(
            "What is saved carries its version, and every change in place is counted.",
            "保存的东西带着当时的版本，每次就地修改都会计数。",
        ),
        otherwise=Words(
            "`remembers`: `Tensor.recording`, and any of `inputs` with `requires_grad`. "
            "`result.saved`: the pairs `(tensor, tensor.version[0])`. `detach`: "
            "`Tensor(self.data)`. `changed`: `tensor.version[0]` is not `version`. `add_` raises "
            "a RuntimeError if `Tensor.recording` and `self.requires_grad`; otherwise it adds "
            "`other` to `self.data`, and 1 to `self.version[0]`.",
            "`remembers`：`Tensor.recording` 为真，并且 `inputs` 中有一个 `requires_grad`。"
            "`result.saved`：各对 `(tensor, tensor.version[0])`。`detach`：`Tensor(self.data)`。"
            "`changed`：`tensor.version[0]` 不等于 `version`。`add_`：如果 `Tensor.recording` 且 "
            "`self.requires_grad`，就抛出 RuntimeError；否则把 `other` 加到 `self.data` 上，并给 "
            "`self.version[0]` 加 1。",
        ),
    ),
    6: Own(
        lines=(
            "(np.broadcast_to(g, node.inputs[0].data.shape),)",
            """\
result = Tensor(self.data)
result.version = self.version
return result""",
        ),
        asks=lambda names: [names["engine"].RULES["SumBackward0"], names["Tensor"].detach],
        program="""
            x = Tensor([1.0, 2.0, 3.0], True)
            (x * x).sum().backward()
            y = Tensor([[1.0, 2.0], [3.0, 4.0]], True)
            y.sum().backward()
            d = x.detach()
            seen = [x.grad, y.grad, d.requires_grad, d.version is x.version, d.data]
        """,
        because=Words(
            "Each element gets the gradient of the sum, and a detached tensor shares the counter.",
            "每个元素都得到和的梯度，分离出的张量与原来的共用计数器。",
        ),
        otherwise=Words(
            "A rule returns a tuple: here one array of the input's shape, filled with `g` "
            "(`np.broadcast_to`). `detach` makes a tensor of the same data, whose `version` is the "
            "same list.",
            "规则返回一个元组：这里是一个与输入同形状、处处为 `g` 的数组（`np.broadcast_to`）。"
            "`detach` 用同样的数据造一个张量，`version` 是同一个列表。",
        ),
    ),
    7: Own(
        lines=(
            """\
uses, found = {root: 0}, [root]
while found:
    for below, index in found.pop().next_functions:
        if below is not None:
            if below not in uses:
                uses[below] = 0
                found.append(below)
            uses[below] += 1
return uses""",
        ),
        asks=lambda names: [names["count_uses"]],
        program="""
            a, constant = Tensor(1.0, True), Tensor(2.0)
            b = a + a
            c = b * b + b * constant
            uses = count_uses(c.grad_fn)
            seen = sorted([node.name, uses[node]] for node in uses)
        """,
        because=Words(
            "Each edge is counted once, each node is visited once.",
            "每条边数一次，每个节点访问一次。",
        ),
        otherwise=Words(
            "Begin with `{root: 0}`. Follow the edges of each node once; every edge that leads to "
            "a node, not to None, adds 1 to it. A node seen for the first time is to be followed.",
            "从 `{root: 0}` 开始。每个节点的边只跟一次；每条通向节点（而不是 None）的边给它加 1。"
            "第一次见到的节点，接着要跟它的边。",
        ),
    ),
    8: Own(
        lines=(
            "a, b = self.read()\nreturn g * b, g * a",
            "(result,) = self.read()\nreturn (g * result,)",
        ),
        asks=lambda names: [names["MulBackward0"].backward, names["ExpBackward0"].backward],
        program="""
            a, b, g = Tensor(2.0), Tensor(-3.0), Tensor(5.0)
            product, power = MulBackward0((a, b)), ExpBackward0((a,))
            seen = [product.forward(a, b).data, [part.data for part in product.backward(g)]]
            seen += [power.forward(a).data, [part.data for part in power.backward(g)]]
        """,
        because=Words(
            "A rule reads what forward has saved, and returns one gradient for each input.",
            "规则读出前向时保存的东西，为每个输入返回一个梯度。",
        ),
        otherwise=Words(
            "`self.read()` gives the saved tensors as a list. A product hands each factor `g` "
            "times the other; eˣ is its own slope, so one gradient is returned, in a tuple.",
            "`self.read()` 以列表给出保存的张量。乘积把 `g` 乘以另一个因数交给每个因数；eˣ 的斜率"
            "就是它自己，所以返回一个梯度，放在元组里。",
        ),
    ),
    10: Own(
        lines=(
            "return (g.sum(),)",
            "return (apply(ExpandBackward0, g, shape=self.shapes[0]),)",
            "(a,) = self.read()\nreturn (g * (a ** (self.exponent - 1) * self.exponent),)",
            """\
before, Tensor.recording = Tensor.recording, wanted
try:
    yield
finally:
    Tensor.recording = before""",
        ),
        asks=lambda names: [
            names["ExpandBackward0"].backward,
            names["engine"].SumBackward0.backward,
            names["PowBackward0"].backward,
            names["recording"].__wrapped__,
        ],
        program="""
            x = Tensor([2.0, 3.0], True)
            g = Tensor(1.0, True)
            power, total = (x**3).grad_fn, x.sum().grad_fn
            (slope,), (spread,) = power.backward(g), total.backward(g)
            seen = [slope.data, slope.requires_grad, spread.data, spread.requires_grad]
            (back,) = spread.grad_fn.backward(Tensor([5.0, 7.0], True))
            seen += [back.data, back.requires_grad]
            with recording(False):
                seen.append((x**3).requires_grad)
                with recording(True):
                    seen.append((x**3).requires_grad)
                seen.append(Tensor.recording)
            try:
                with recording(False):
                    raise KeyError
            except KeyError:
                seen.append(Tensor.recording)
        """,
        because=Words(
            "The rules compute with operations that are recorded, if recording is wanted.",
            "规则都用运算来计算，需要时就会被记录。",
        ),
        otherwise=Words(
            "Compute with Tensors, so that it is recorded: `g.sum()` for what was expanded, "
            "`apply(ExpandBackward0, g, shape=self.shapes[0])` for the sum, and `g` times n·aⁿ⁻¹ "
            "for the power. Each rule returns a tuple. `recording` sets `Tensor.recording`, "
            "yields, and puts back what was there, in a `finally`.",
            "要用 Tensor 来算，才会被记录：对展开的用 `g.sum()`，求和用 "
            "`apply(ExpandBackward0, g, shape=self.shapes[0])`，幂用 `g` 乘以 n·aⁿ⁻¹。每条规则返回"
            "一个元组。`recording` 设置 `Tensor.recording`，然后 yield，最后在 `finally` 里恢复。",
        ),
    ),
    11: Own(
        lines=(
            "return g if g.data.shape == shape else apply(SumToBackward0, g, shape=shape)",
            "return g, g * -1",
            "a, b = self.read()\nreturn g @ b.t(), a.t() @ g",
            "(result,) = self.read()\nreturn (g * (result * result * -1 + 1),)",
        ),
        asks=lambda names: [
            names["fitted"],
            *(names[f"{kind}Backward0"].backward for kind in ("Sub", "Mm", "Tanh")),
        ],
        program="""
            rows = Tensor([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0]], True)
            weight, bias = Tensor([[0.5], [-1.0], [2.0]], True), Tensor([0.25], True)
            column, number = Tensor([[2.0], [3.0]], True), Tensor(0.5, True)
            result = ((rows @ weight - bias).tanh() * column - number).sum()
            result.backward(create_graph=True)
            leaves = [rows, weight, bias, column, number]
            seen = [leaf.grad.data for leaf in leaves]
            second = (weight.grad * weight.grad).sum()
            for leaf in leaves:
                leaf.grad = None
            second.backward()
            seen.append(bias.grad.data)
        """,
        because=Words(
            "What was repeated receives the sum, and each rule can be differentiated again.",
            "被重复的收到总和，每条规则都还能再求导。",
        ),
        otherwise=Words(
            "`fitted`: `g` itself if `g.data.shape` is `shape`, otherwise `apply(SumToBackward0, "
            "g, shape=shape)`. A difference hands on `g` and `g * -1`; a product `g @ b.t()` and "
            "`a.t() @ g`; tanh has saved its result, and its slope is 1 minus the square of that. "
            "Each rule returns a tuple.",
            "`fitted`：如果 `g.data.shape` 就是 `shape`，返回 `g` 本身，否则返回 "
            "`apply(SumToBackward0, g, shape=shape)`。减法传下 `g` 和 `g * -1`；矩阵乘法传下 "
            "`g @ b.t()` 和 `a.t() @ g`；tanh 保存的是结果，斜率是 1 减去结果的平方。每条规则返回"
            "一个元组。",
        ),
    ),
}
"""The cells by chapter; that of chapter 5 is in its second half, 5b."""

OPEN = Words(
    "Open: the course's lines stand in, and the chapter goes on. Replace each `...`, then run the "
    "cell above and this one.",
    "还没有填：先由课程的代码代替，本章照常继续。换掉每个 `...`，再运行上面的单元格和这一个。",
)
SOME_OPEN = Words(
    "Still open: {}. The course's lines stand in, and the chapter goes on.",
    "还没有填完：{}。先由课程的代码代替，本章照常继续。",
)
RIGHT = Words("Your lines are in the engine. {}", "你写的代码已经在引擎里。{}")
WRONG = Words(
    "Not yet. {} Until then the course's lines stand in.",
    "还不对。{}在那之前，先由课程的代码代替。",
)
WRONG_IN = Words("Look at {}. {}", "请看 {}。{}")
RAISED = Words("Your lines raised {}: {}.", "你的代码抛出了 {}：{}。")
ENDLESS = Words("Your lines do not come to an end.", "你的代码停不下来。")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence about the learner's lines, and the course's lines if they were requested."""

    right: bool
    says: Words
    lines: str = ""

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, [self.says.text(language()), self.lines]))


def filled(cell: str, chapter: int) -> str:
    """Return the cell of a chapter with the course's lines in its holes."""
    lines = iter(OWN[chapter].lines)

    def line(hole: re.Match[str]) -> str:
        return textwrap.indent(next(lines), hole[1] or "")

    return HOLE.sub(line, cell)


def own(chapter: int, show: bool = False) -> Said:
    """Compare the lines that the calling notebook has in the chapter's holes with the course's.

    Unless they do the same, the course's lines go into the engine of the notebook. `show` returns
    these lines as well.
    """
    from . import own_cell

    notebook = sys._getframe(1).f_globals
    each = OWN[chapter]
    verdict = judged(each, chapter, notebook)
    if not verdict.right:
        source, file = filled(own_cell(chapter), chapter), FILE.format(chapter)
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), notebook)
    return Said(verdict.right, verdict.says, "\n\n".join(each.lines) if show else "")


def judged(each: Own, chapter: int, notebook: Mapping[str, Any]) -> Said:
    """Return whether the lines in a notebook do what the course's lines do."""
    from . import after

    functions = each.asks(notebook)
    if still_open := [function for function in functions if is_open(function)]:
        whole = len(still_open) == len(functions)
        return Said(False, OPEN if whole else put(SOME_OPEN, named(still_open)))
    wrong, course = each.otherwise, vars(after(chapter))
    right = seen_by(each, course)
    if len(functions) > 1 and (found := wrong_functions(each, course, notebook, right)):
        wrong = put(WRONG_IN, named(found), wrong)
    try:
        with bounded():
            if alike(seen_by(each, notebook), right):
                return Said(True, put(RIGHT, each.because))
    except EndlessError:
        wrong = joined(ENDLESS, wrong)
    except Exception as error:
        wrong = joined(put(RAISED, type(error).__name__, str(error)), wrong)
    return Said(False, put(WRONG, wrong))


def wrong_functions(
    each: Own, course: Mapping[str, Any], notebook: Mapping[str, Any], right: Any
) -> list[Any]:
    """Return the learner's functions that are wrong when all others have the course's code."""
    functions = each.asks(notebook)
    own, theirs = [[one.__code__ for one in each.asks(names)] for names in (notebook, course)]
    found = []
    try:
        for function, code in zip(functions, own, strict=True):
            for other, right_code in zip(functions, theirs, strict=True):
                other.__code__ = right_code
            function.__code__ = code
            if not sees(each, notebook, right):
                found.append(function)
    except ValueError:  # the learner's function has a closure
        return []
    finally:
        for function, code in zip(functions, own, strict=True):
            function.__code__ = code
    return found


def sees(each: Own, notebook: Mapping[str, Any], right: Any) -> bool:
    try:
        with bounded():
            return alike(seen_by(each, notebook), right)
    except (EndlessError, Exception):
        return False


def named(functions: Sequence[Any]) -> str:
    return ", ".join(f"`{function.__qualname__}`" for function in functions)


def seen_by(each: Own, engine: Mapping[str, Any]) -> Any:
    """Run the program on a copy of an engine's names."""
    names = dict(engine)
    exec(textwrap.dedent(each.program), names)
    return plain(names["seen"])


def is_open(function: Any) -> bool:
    """Return whether a function still has its `...`, or the course's lines."""
    code = function.__code__
    if code.co_filename.startswith(FILE.partition("{")[0]):
        return True
    return Ellipsis in code.co_consts or does_nothing(code)


def does_nothing(code: CodeType) -> bool:
    """Return whether code only returns None, as a function does whose body is `...`."""
    found = [each for each in get_instructions(code) if each.opname not in ("RESUME", "NOP")]
    return len(found) <= 2 and "CONST" in found[0].opname and found[0].argval is None


def put(sentence: Words, *parts: Words | str) -> Words:
    in_english = [part.en if isinstance(part, Words) else part for part in parts]
    in_chinese = [part.zh if isinstance(part, Words) else part for part in parts]
    return Words(sentence.en.format(*in_english), sentence.zh.format(*in_chinese))


def joined(one: Words, other: Words) -> Words:
    return Words(f"{one.en} {other.en}", f"{one.zh}{other.zh}")
