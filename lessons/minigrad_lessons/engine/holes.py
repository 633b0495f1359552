"""The holes in the chapters' own engine: the course's lines, and a program that tells them apart.

A chapter has one cell with holes, or two. own_lines.py compares what a learner types with these
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..exercises.exercise import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A cell that a learner completes.

    `lines` fill its holes in order. `asks` finds the functions that have them, and `hints` has a
    sentence for each of these. `program` binds `seen`.
    """

    lines: tuple[str, ...]
    asks: Callable[[Mapping[str, Any]], list[Any]]
    program: str
    because: Words
    hints: tuple[Words, ...]


OWN: dict[tuple[int, int], Own] = {
    (2, 1): Own(
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
        hints=(
            Words(
                "The slope of a product with respect to one factor is the other factor.",
                "乘积对一个因数的斜率是另一个因数。",
            ),
            Words(
                "A leaf, which has no inputs, adds `g`; otherwise each input walks on with `g` "
                "times its slope.",
                "没有输入的叶子节点加上 `g`；否则每个输入带着 `g` 乘以自己的斜率继续走。",
            ),
        ),
    ),
    (3, 1): Own(
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
        hints=(
            Words(
                "`retain_grad` sets `self.keeps` to True.",
                "`retain_grad` 把 `self.keeps` 设为 True。",
            ),
            Words(
                "`walk` is that of chapter 2, with one more reason to keep: `self.keeps`.",
                "`walk` 就是第 2 章的 `walk`，只是多了一个留下的理由：`self.keeps`。",
            ),
        ),
    ),
    (4, 1): Own(
        lines=("(self.data, other.data)", "self.saved is None", "return self.saved[place]"),
        asks=lambda names: [names["Tensor"].__mul__, names["Tensor"].read],
        program="""
            a, b = Tensor(2.0), Tensor(-5.0)
            p = a * b
            seen = [p.data, len(p.saved), p.read(0), p.read(1)]
            p.saved = None
            try:
                p.read(0)
            except RuntimeError:
                seen.append("refused")
        """,
        because=Words(
            "A product saves its factors, and `read` refuses once they are gone.",
            "乘法保存它的因数，`read` 在它们没有了之后拒绝给出。",
        ),
        hints=(
            Words(
                "A product saves the numbers of both factors: `(self.data, other.data)`.",
                "乘法保存两个因数的数：`(self.data, other.data)`。",
            ),
            Words(
                "`freed` is true if `self.saved` is None. Otherwise `read` returns the number at "
                "`place` of `self.saved`.",
                "`self.saved` 是 None 时，`freed` 为真。否则 `read` 返回 `self.saved` 里 `place` "
                "处的数。",
            ),
        ),
    ),
    (4, 2): Own(
        lines=(
            "(g * node.read(1), g * node.read(0))",
            "RULES[self.name](self, g)",
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
            *(vars(names["Tensor"])[name] for name in ("walk", "free", "backward")),
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
        hints=(
            Words(
                "The rule of a product multiplies `g` by what `node.read` gives, the second factor "
                "first.",
                "乘法的规则把 `g` 乘以 `node.read` 给出的数，先是第二个因数。",
            ),
            Words(
                "`parts` is what the rule with the name of the result returns: "
                "`RULES[self.name](self, g)`.",
                "`parts` 是以结果的名字查到的规则所返回的：`RULES[self.name](self, g)`。",
            ),
            Words(
                "`free` sets `saved` to None, if there is anything in it, and calls `free` of each "
                "input.",
                "`saved` 不为空时，`free` 把它设为 None，然后调用每个输入的 `free`。",
            ),
            Words(
                "`backward` walks with 1.0, and then frees unless `retain_graph` is true.",
                "`backward` 以 1.0 出发去走，然后释放，除非 `retain_graph` 为真。",
            ),
        ),
    ),
    (5, 1): Own(
        lines=(
            "Tensor.recording and any(tensor.requires_grad for tensor in inputs)",
            "[(tensor, tensor.version[0]) for tensor in saved]",
            "return Tensor(self.data)",
        ),
        asks=lambda names: [names["record"], names["Tensor"].detach],
        program="""
            u, v = Tensor(3.0, requires_grad=True), Tensor(2.0)
            p, q = u * v, v * v
            seen = [p.requires_grad, q.requires_grad, len(q.inputs)]
            seen += [[tensor.data, version] for tensor, version in p.saved]
            with no_grad():
                seen.append((u * v).requires_grad)
            v.version[0] += 1
            seen.append((u * v).saved[1][1])
            d = p.detach()
            seen += [d.data, d.requires_grad, len(d.inputs)]
        """,
        because=Words(
            "A result remembers if an input asks, and what is saved carries its version.",
            "有输入要求梯度，结果才会记住；保存的东西带着当时的版本。",
        ),
        hints=(
            Words(
                "`remembers`: `Tensor.recording`, and any of `inputs` with `requires_grad`. "
                "`result.saved`: the pairs `(tensor, tensor.version[0])`.",
                "`remembers`：`Tensor.recording` 为真，并且 `inputs` 中有一个 `requires_grad`。"
                "`result.saved`：各对 `(tensor, tensor.version[0])`。",
            ),
            Words(
                "`detach` returns a new tensor with the number alone: `Tensor(self.data)`.",
                "`detach` 返回一个只有数值的新张量：`Tensor(self.data)`。",
            ),
        ),
    ),
    (5, 2): Own(
        lines=(
            "tensor.version[0] != version",
            """\
if Tensor.recording and self.requires_grad:
    raise RuntimeError("a tensor that requires grad is changed in place: use no_grad()")
self.data += other
self.version[0] += 1""",
        ),
        asks=lambda names: [names["Tensor"].read, names["Tensor"].add_],
        program="""
            u, v = Tensor(3.0, requires_grad=True), Tensor(2.0)
            p = u * v
            seen = [p.read(0), p.read(1)]
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
            "Every change in place is counted, and `read` compares the counts.",
            "每次就地修改都会计数，`read` 会比较这些计数。",
        ),
        hints=(
            Words(
                "`changed`: `tensor.version[0]` is not `version`.",
                "`changed`：`tensor.version[0]` 不等于 `version`。",
            ),
            Words(
                "`add_` raises a RuntimeError if `Tensor.recording` and `self.requires_grad`; "
                "otherwise it adds `other` to `self.data`, and 1 to `self.version[0]`.",
                "如果 `Tensor.recording` 且 `self.requires_grad`，`add_` 就抛出 RuntimeError；"
                "否则把 `other` 加到 `self.data` 上，并给 `self.version[0]` 加 1。",
            ),
        ),
    ),
    (6, 1): Own(
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
        hints=(
            Words(
                "A rule returns a tuple: here one array of the input's shape, filled with `g` "
                "(`np.broadcast_to`).",
                "规则返回一个元组：这里是一个与输入同形状、处处为 `g` 的数组（"
                "`np.broadcast_to`）。",
            ),
            Words(
                "`detach` makes a tensor of the same data, whose `version` is the same list.",
                "`detach` 用同样的数据造一个张量，`version` 是同一个列表。",
            ),
        ),
    ),
    (7, 1): Own(
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
            "self.incoming = g if self.incoming is None else self.incoming + g",
        ),
        asks=lambda names: [names["count_uses"], names["Node"].receive],
        program="""
            a, constant = Tensor(1.0, True), Tensor(2.0)
            b = a + a
            c = b * b + b * constant
            uses = count_uses(c.grad_fn)
            seen = sorted([node.name, uses[node]] for node in uses)
            for g in (2.0, 5.0):
                c.grad_fn.receive(g)
                seen.append(c.grad_fn.incoming)
        """,
        because=Words(
            "Each edge is counted once, each node is visited once, and a node adds what arrives.",
            "每条边数一次，每个节点访问一次，节点把到达的加起来。",
        ),
        hints=(
            Words(
                "Begin with `{root: 0}`. Follow the edges of each node once; every edge that "
                "leads to a node, not to None, adds 1 to it. A node seen for the first time is to "
                "be followed.",
                "从 `{root: 0}` 开始。每个节点的边只跟一次；每条通向节点（而不是 None）的边给它加 "
                "1。第一次见到的节点，接着要跟它的边。",
            ),
            Words(
                "The first `g` becomes `self.incoming`; each later one is added to it.",
                "第一个 `g` 成为 `self.incoming`，以后每一个都加到它上面。",
            ),
        ),
    ),
    (8, 1): Own(
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
        hints=(
            Words(
                "`self.read()` gives the saved tensors as a list. A product hands each factor `g` "
                "times the other.",
                "`self.read()` 以列表给出保存的张量。乘积把 `g` 乘以另一个因数交给每个因数。",
            ),
            Words(
                "eˣ is its own slope, so `g` times the saved result is returned, alone in a tuple.",
                "eˣ 的斜率就是它自己，所以返回 `g` 乘以保存的结果，单独放在元组里。",
            ),
        ),
    ),
    (10, 1): Own(
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
        hints=(
            Words(
                "Each element is the one number `a`, so `a` receives the sum of what arrives: "
                "`g.sum()`, in a tuple.",
                "每个元素都是同一个数 `a`，所以 `a` 收到的是到达的总和：`g.sum()`，放在元组里。",
            ),
            Words(
                "The sum hands `g` to every element, by an operation that is recorded: "
                "`apply(ExpandBackward0, g, shape=self.shapes[0])`, in a tuple.",
                "求和把 `g` 交给每个元素，要用会被记录的运算：`apply(ExpandBackward0, g, "
                "shape=self.shapes[0])`，放在元组里。",
            ),
            Words(
                "The power hands on `g` times n·aⁿ⁻¹, in a tuple. Compute it with Tensors, so "
                "that it is recorded.",
                "幂传下 `g` 乘以 n·aⁿ⁻¹，放在元组里。要用 Tensor 来算，才会被记录。",
            ),
            Words(
                "`recording` sets `Tensor.recording`, yields, and puts back what was there, in a "
                "`finally`.",
                "`recording` 设置 `Tensor.recording`，然后 yield，最后在 `finally` 里恢复。",
            ),
        ),
    ),
    (11, 1): Own(
        lines=("return g if g.data.shape == shape else apply(SumToBackward0, g, shape=shape)",),
        asks=lambda names: [names["fitted"]],
        program="""
            rows, bias = Tensor([[1.0, 2.0, 0.5], [0.0, 1.0, -1.0]], True), Tensor([0.25], True)
            column, number = Tensor([[2.0], [3.0]], True), Tensor(0.5, True)
            result = ((rows + bias) * column + number).sum()
            result.backward(create_graph=True)
            leaves = [rows, bias, column, number]
            seen = [leaf.grad.data for leaf in leaves]
            second = (bias.grad * bias.grad).sum()
            for leaf in leaves:
                leaf.grad = None
            second.backward()
            seen.append(column.grad.data)
        """,
        because=Words("What was repeated receives the sum.", "被重复的收到总和。"),
        hints=(
            Words(
                "`fitted` returns `g` itself if `g.data.shape` is `shape`, otherwise "
                "`apply(SumToBackward0, g, shape=shape)`.",
                "如果 `g.data.shape` 就是 `shape`，`fitted` 返回 `g` 本身，否则返回 "
                "`apply(SumToBackward0, g, shape=shape)`。",
            ),
        ),
    ),
    (11, 2): Own(
        lines=(
            "return g, g * -1",
            "a, b = self.read()\nreturn g @ b.t(), a.t() @ g",
            "(result,) = self.read()\nreturn (g * (result * result * -1 + 1),)",
        ),
        asks=lambda names: [names[f"{kind}Backward0"].backward for kind in ("Sub", "Mm", "Tanh")],
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
            "Each rule is made of operations, so it can be differentiated again.",
            "每条规则都由运算组成，所以还能再求导。",
        ),
        hints=(
            Words(
                "A difference hands on `g` to the first input and `g * -1` to the second.",
                "减法把 `g` 传给第一个输入，把 `g * -1` 传给第二个。",
            ),
            Words(
                "A matrix product hands on `g @ b.t()` and `a.t() @ g`, where `a, b = "
                "self.read()`.",
                "矩阵乘法传下 `g @ b.t()` 和 `a.t() @ g`，其中 `a, b = self.read()`。",
            ),
            Words(
                "tanh has saved its result, and its slope is 1 minus the square of that. The rule "
                "returns a tuple.",
                "tanh 保存的是结果，斜率是 1 减去结果的平方。规则返回一个元组。",
            ),
        ),
    ),
}
"""The cells by chapter and part; those of chapter 5 are in its second half, 5b."""
