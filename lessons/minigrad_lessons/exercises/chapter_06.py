"""Exercises of chapter 06, when the output is not a scalar."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each

MATRICES = (
    [[1, 2], [3, 4], [5, 6]],
    [[3, 0, 0], [0, 1, 0], [0, 0, -3]],
    [[12]],
    [[2, -1, 0, 4], [0, 1, -3, 0.5]],
)
"""Jacobians in the probe of 06.5: of a matrix, t * t + t, t * t * t, a matrix."""

COLUMNS = (
    ([[3, 2], [1, 1]], 2),
    ([[1, 1, 1], [2, -4, 1], [0.5, 0, 1], [0, 1, 0]], 3),
    ([[2.5, 0, 0, 0], [0, 2.5, 0, 0]], 4),
)
"""Jacobians in the probe of 06.6, with their number of inputs."""


def transposed(rows: Any) -> list[Any]:
    return [list(column) for column in zip(*rows, strict=True)]


def weights(value: Any) -> Test:
    """Expect these gradients of x, and a v with the shape of y, for three shapes of y."""
    return each(
        *(
            [[value(n) * k for k in range(n)], True]
            if flat
            else [[[value(n) * k for k in range(n)]], True]
            for n, flat in ((3, True), (4, True), (5, False))
        )
    )


def jacobians(of: Any, *, grads: bool = True, called: bool = True) -> Test:
    """Expect these Jacobians of 06.5; with `grads` no `.grad`, with `called` one call of f."""

    def test(seen: Any) -> bool:
        return (
            alike([one[0] for one in seen], [of(rows) for rows in MATRICES])
            and (not grads or all(one[1] is None for one in seen))
            and (not called or all(one[2] == 1 for one in seen))
        )

    return test


def entries(table: Any) -> list[Any]:
    """Return the entries of a list of rows or columns in order; [] if it is no such list."""
    if not (isinstance(table, list) and all(isinstance(row, list | None) for row in table)):
        return []
    return [entry for row in table for entry in (row if row is not None else [None])]


def by_columns(of: Any, calls: Any) -> Test:
    """Expect these Jacobians of 06.6, and `calls(n)` calls of f for n inputs."""
    return each(*([of(rows), calls(n)] for rows, n in COLUMNS))


EXERCISES = {
    "06.1": Exercise(
        asks=("at_x",),
        solution="[5, 3]",
        accepted=(
            "(5, 3)",
            "mg.tensor([5.0, 3.0])",
            "np.array([2, -1]) @ [[3, 2], [1, 1]]",
            "(mg.tensor([5.0, 3.0]),)",
        ),
        rejected=("5", "[3, 5]", "[5, 3, 0]", "{5, 3}", "print([5, 3])"),
        right=lambda seen: each(5, 3)(seen) or each([5, 3])(seen),
        because=Words(
            "Twice the first row, minus the second: (6 - 1, 4 - 1).",
            "第一行的两倍，减去第二行：(6 - 1, 4 - 1)。",
        ),
        hints=(
            Hint(
                "[4, 1]",
                each(4, 1),
                Words(
                    "That is the matrix times the vector, J v: what forward mode computes. A "
                    "backward pass computes the vector times the matrix: it adds rows.",
                    "这是矩阵乘以向量 J v，即前向模式算的东西。反向传播算的是向量乘以矩阵：把各行"
                    "相加。",
                ),
            ),
            Hint(
                "[4, 3]",
                each(4, 3),
                Words(
                    "That is the sum of the rows, for v = (1, 1). Here they have the weights 2 and "
                    "-1.",
                    "这是 v = (1, 1) 时的各行之和。这里的权重是 2 和 -1。",
                ),
            ),
            Hint(
                "[[6, 4], [-1, -1]]",
                each([6, 4], [-1, -1]),
                Words(
                    "The rows are weighted correctly. Now add them: x has two elements, and so has "
                    "its gradient.",
                    "各行的权重对了，现在把它们加起来：x 有两个元素，它的梯度也是。",
                ),
            ),
        ),
        otherwise=Words(
            "A list of two numbers: 2 times the row (3, 2), plus -1 times the row (1, 1).",
            "两个数的列表：2 乘以行 (3, 2)，加上 -1 乘以行 (1, 1)。",
        ),
    ),
    "06.2": Exercise(
        asks=("weights_of_mean",),
        probe="""
            seen = []
            for shape in ((3,), (4,), (1, 5)):
                x = mg.arange(float(shape[-1])).reshape(shape).requires_grad_()
                y = x * x
                v = weights_of_mean(y)
                if isinstance(v, mg.Tensor):
                    y.backward(v)
                    seen.append([x.grad, v.shape == y.shape])
                else:
                    seen.append([v, "no tensor"])
        """,
        solution="mg.ones_like(y) / y.numel()",
        accepted=(
            "mg.ones(y.shape) / y.numel()",
            "mg.full_like(y, 1 / y.numel())",
            "weights_of_mean = lambda y: y.detach() * 0 + 1 / y.numel()",
            "def weights_of_mean(y):\n    t = y.detach().requires_grad_()\n"
            "    t.mean().backward()\n    return t.grad",
        ),
        rejected=(
            "mg.ones(3) / 3",
            "1 / y.numel()",
            "mg.tensor(1.0) / y.numel()",
            "y.mean()",
            "y",
            "mg.ones(y.numel()) / y.numel()",
            "y / y / y.numel()",
            "print(mg.ones_like(y) / y.numel())",
        ),
        right=weights(lambda n: 2 / n),
        because=Words(
            "Every one of n elements has the weight 1/n, so x.grad is 2x / n.",
            "n 个元素每个的权重是 1/n，所以 x.grad 是 2x / n。",
        ),
        hints=(
            Hint(
                "mg.ones_like(y)",
                weights(lambda n: 2),
                Words(
                    "The gradients are those of the sum. In a mean, how much does each element "
                    "count?",
                    "得到的是求和的梯度。在平均里，每个元素占多少？",
                ),
            ),
            Hint(
                "mg.ones_like(y) / 3",
                weights(lambda n: 2 / 3),
                Words(
                    "Each element has the weight 1/3: that is right for three elements, and wrong "
                    "for four or five.",
                    "每个元素的权重都是 1/3：三个元素时是对的，四个或五个时就不对了。",
                ),
            ),
            Hint(
                "mg.ones_like(y) / len(y)",
                lambda seen: (
                    alike(seen[:2], [[[2 * k / n for k in range(n)], True] for n in (3, 4)])
                    and alike(seen[2], [[[2 * k for k in range(5)]], True])
                ),
                Words(
                    "Right for a vector. But where y has the shape (1, 5), your weights are 1: the "
                    "number of all elements is 5 there.",
                    "对向量是对的。但当 y 的形状是 (1, 5) 时，你的权重是 1：那里一共有 5 个元素。",
                ),
            ),
            Hint(
                "mg.ones_like(y) * y.numel()",
                weights(lambda n: 2 * n),
                Words(
                    "Each element has the weight n, the number of elements. A mean divides by it.",
                    "每个元素的权重成了元素个数 n。平均是要除以它的。",
                ),
            ),
        ),
        otherwise=Words(
            "y.mean() is y[0]/n + y[1]/n + ... Return a tensor of these weights, with the shape of "
            "y.",
            "y.mean() 就是 y[0]/n + y[1]/n + …… 请返回由这些权重组成的张量，形状与 y 相同。",
        ),
    ),
    "06.3": Exercise(
        asks=("passes",),
        solution="[5, 1000]",
        accepted=("(5, 1_000)", "[5.0, 1e3]", "mg.tensor([5, 1000])"),
        rejected=("[1, 1]", "5", "[1000, 1000]", "{5, 1000}", "[5, 1]"),
        right=each(5, 1000),
        because=Words(
            "Reverse mode brings a row in a pass, and there is a row for each output. Forward "
            "mode brings a column, and there is a column for each input.",
            "反向模式一次得一行，每个输出一行；前向模式一次得一列，每个输入一列。",
        ),
        hints=(
            Hint(
                "[1000, 5]",
                each(1000, 5),
                Words(
                    "The other way round: one pass in reverse mode brings the slopes of one output "
                    "with respect to all inputs.",
                    "反了：反向模式做一次，得到的是一个输出对所有输入的斜率。",
                ),
            ),
            Hint(
                "[5000, 5000]",
                each(5000, 5000),
                Words(
                    "That is the number of entries. One pass brings a whole row or column of them.",
                    "这是元素的个数。做一次就得到其中一整行或一整列。",
                ),
            ),
            Hint(
                "[1, 1000]",
                each(1, 1000),
                Words(
                    "Forward mode is right. One pass in reverse mode brings one weighted sum of "
                    "the rows, in which they cannot be told apart.",
                    "前向模式对了。反向模式做一次只得到各行的一个加权和，从中无法把各行分开。",
                ),
            ),
        ),
        otherwise=Words(
            "How many rows has the Jacobian, and how many columns? Which of them does each mode "
            "bring in one pass?",
            "雅可比矩阵有几行、几列？两种模式做一次，各得到哪一种？",
        ),
    ),
    "06.4": Exercise(
        asks=("rows_of_g",),
        solution="[[4, 1], [2, 5]]",
        accepted=(
            "[[4.0, 1.0], [2.0, 5.0]]",
            "mg.autograd.functional.jacobian(g, mg.tensor([1.0, 2.0]))",
            "np.array([[4, 1], [2, 5]])",
        ),
        rejected=("[[4, 1]]", "[[4, 1], [2, 4]]"),
        right=each([4, 1], [2, 5]),
        because=Words(
            "Compare: mg.autograd.functional.jacobian(g, mg.tensor([1.0, 2.0])).",
            "对照一下：mg.autograd.functional.jacobian(g, mg.tensor([1.0, 2.0]))。",
        ),
        hints=(
            Hint(
                "[[4, 2], [1, 5]]",
                each([4, 2], [1, 5]),
                Words(
                    "Right numbers, rows and columns exchanged. A row belongs to an output: the "
                    "first holds the slopes of y1.",
                    "数对了，但行和列交换了。一行对应一个输出：第一行是 y1 的斜率。",
                ),
            ),
            Hint(
                "[[3, 0], [0, 3]]",
                each([3, 0], [0, 3]),
                Words(
                    "This is the Jacobian of 3x: with the sum as the constant 3. But the sum "
                    "changes with x as well.",
                    "这是 3x 的雅可比矩阵，也就是把总和看作常数 3。可是总和也随 x 变化。",
                ),
            ),
            Hint(
                "[[4, 0], [0, 5]]",
                each([4, 0], [0, 5]),
                Words(
                    "The diagonal is right. But y1 depends on x2 too, through the sum.",
                    "对角线对了。但 y1 也通过总和与 x2 有关。",
                ),
            ),
            Hint(
                "[6, 6]",
                each(6, 6),
                Words(
                    "That is the sum of the rows. The rows themselves are asked for.",
                    "这是各行之和。要的是每一行本身。",
                ),
            ),
        ),
        otherwise=Words(
            "Write out y1 = x1 (x1 + x2) and y2 = x2 (x1 + x2), and take four derivatives.",
            "写出 y1 = x1 (x1 + x2) 和 y2 = x2 (x1 + x2)，求四个导数。",
        ),
    ),
    "06.5": Exercise(
        asks=("jacobian",),
        probe="""
            from minigrad_lessons.engine import after

            engine = after(6)

            def multiply_by(matrix):
                name = f"Times{len(engine.RULES)}"
                engine.RULES[name] = lambda node, g: (np.asarray(g) @ matrix,)
                return lambda t: engine.record(matrix @ t.data, name, (t,))

            seen = []
            for f, at in (
                (multiply_by(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])), [1.0, -1.0]),
                (lambda t: t * t + t, [1.0, 0.0, -2.0]),
                (lambda t: t * t * t, [-2.0]),
                (multiply_by(np.array([[2.0, -1, 0, 4], [0, 1, -3, 0.5]])), [1.0, 2.0, 3.0, 4.0]),
            ):
                calls = []
                def counted(t):
                    calls.append(t)
                    return f(t)
                x = engine.Tensor(at, True)
                found = jacobian(counted, x)
                seen.append([found, x.grad, len(calls)])
        """,
        solution="y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n"
        "    y.backward(v, retain_graph=True)\n    rows.append(x.grad)\n    x.grad = None\n"
        "return np.stack(rows)",
        accepted=(
            "y = f(x)\ntable = np.zeros((len(y.data), len(x.data)))\n"
            "for i in range(len(y.data)):\n    v = np.zeros(len(y.data))\n    v[i] = 1\n"
            "    x.grad = None\n    y.backward(v, retain_graph=True)\n    table[i] = x.grad\n"
            "x.grad = None\nreturn table",
            "y = f(x)\n\ndef row(v):\n    y.backward(v, True)\n    found, x.grad = x.grad, None\n"
            "    return found\n\nreturn np.array([row(v) for v in np.identity(y.data.size)])",
            "y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n"
            "    y.backward(v, retain_graph=True)\n    print(x.grad)\n    rows.append(x.grad)\n"
            "    x.grad = None\nreturn np.vstack(rows)",
        ),
        rejected=(
            "return np.eye(len(x.data))",
            "y = f(x)\ny.backward()\nreturn x.grad",
            "y = f(x)\nfor v in np.eye(y.data.size):\n    y.backward(v, retain_graph=True)\n"
            "return x.grad",
            "y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n    y.backward(v)\n"
            "    rows.append(x.grad)\n    x.grad = None\nreturn np.stack(rows)",
        ),
        right=jacobians(lambda rows: rows),
        because=Words(
            "A row for each output, for a matrix and for functions of each element, with one call "
            "of f; and x.grad is None again.",
            "每个输出一行：无论是矩阵，还是逐元素的函数都对；f 只调用了一次，x.grad 也仍是 None。",
        ),
        hints=(
            Hint(
                "y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n    x.grad = None\n"
                "    y.backward(v, retain_graph=True)\n    rows.append(x.grad)\n"
                "return np.stack(rows)",
                lambda seen: (
                    jacobians(lambda rows: rows, grads=False)(seen)
                    and all(one[1] is not None for one in seen)
                ),
                Words(
                    "The matrices are right. But x.grad is not None afterwards: set it to None "
                    "before you return.",
                    "矩阵都对。但做完之后 x.grad 不是 None：返回之前请把它设为 None。",
                ),
            ),
            Hint(
                "rows = []\nfor i in range(f(x).data.size):\n    y = f(x)\n"
                "    y.backward(np.eye(y.data.size)[i])\n    rows.append(x.grad)\n"
                "    x.grad = None\nreturn np.stack(rows)",
                lambda seen: (
                    jacobians(lambda rows: rows, called=False)(seen)
                    and all(one[2] > 1 for one in seen)
                ),
                Words(
                    "The matrices are right, but f was called more than once. One graph serves for "
                    "all rows, if it is kept with retain_graph=True.",
                    "矩阵都对，但 f 调用了不止一次。用 retain_graph=True 留住计算图，一张图就够"
                    "求出所有的行。",
                ),
            ),
            Hint(
                "y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n"
                "    y.backward(v, retain_graph=True)\n    rows.append(x.grad)\n    x.grad = None\n"
                "return np.stack(rows).T",
                jacobians(transposed, grads=False, called=False),
                Words(
                    "The numbers are right, rows and columns are exchanged: a row belongs to an "
                    "output.",
                    "数对了，但行和列交换了：一行对应一个输出。",
                ),
            ),
            Hint(
                "y = f(x)\nrows = []\nfor v in np.eye(y.data.size):\n"
                "    y.backward(v, retain_graph=True)\n    rows.append(x.grad)\nx.grad = None\n"
                "return np.stack(rows)",
                jacobians(
                    lambda rows: [
                        [sum(column) for column in zip(*rows[: i + 1], strict=True)]
                        for i in range(len(rows))
                    ],
                    grads=False,
                    called=False,
                ),
                Words(
                    "The first row is right, and each later one is the sum of all rows so far: a "
                    "leaf adds what arrives. Empty x.grad before each pass.",
                    "第一行是对的，后面的每一行都成了到它为止各行之和：叶子节点会累加到达的梯度。每"
                    "次"
                    "反向传播之前要清空 x.grad。",
                ),
            ),
        ),
        otherwise=Words(
            "Call f once; for each output start a backward pass with a 1 in its place and 0 "
            "elsewhere; what arrives at x is a row.",
            "调用一次 f；对每个输出，让反向传播从“它的位置是 1、其余是 0”的向量开始；到达 x 的"
            "就是一行。",
        ),
    ),
    "06.6": Exercise(
        asks=("forward_jacobian",),
        probe="""
            functions = (
                lambda x: mg.stack([x[0] * x[1], x[0] + x[1]]),
                lambda x: mg.stack([x.sum(), (x * x).sum(), x[0] * x[2], x[1] + 0]),
                lambda x: x[:2] * 2.5,
            )
            with mg.autograd.forward_ad.dual_level():  # the first time PyTorch loads much for it
                for f in functions:
                    f(mg.autograd.forward_ad.make_dual(mg.ones(3), mg.ones(3)))
            seen = []
            for f, at in zip(functions, ([2.0, 3.0], [1.0, -2.0, 0.5], [0.0, 1.0, 2.0, 3.0])):
                calls = []
                def counted(x):
                    calls.append(x)
                    return f(x)
                found = forward_jacobian(counted, mg.tensor(at))
                seen.append([found, len(calls)])
        """,
        solution="columns = []\nfor direction in mg.eye(len(x)):\n"
        "    with mg.autograd.forward_ad.dual_level():\n"
        "        y = f(mg.autograd.forward_ad.make_dual(x, direction))\n"
        "        columns.append(mg.autograd.forward_ad.unpack_dual(y).tangent)\n"
        "return mg.stack(columns, dim=1)",
        accepted=(
            "forward = mg.autograd.forward_ad\n\ndef column(u):\n    with forward.dual_level():\n"
            "        return forward.unpack_dual(f(forward.make_dual(x, u)))[1]\n\n"
            "return mg.stack([column(u) for u in mg.eye(x.numel())]).T",
            "forward, columns = mg.autograd.forward_ad, []\nwith forward.dual_level():\n"
            "    for i in range(len(x)):\n        u = mg.zeros(len(x))\n        u[i] = 1\n"
            "        columns.append(forward.unpack_dual(f(forward.make_dual(x, u))).tangent)\n"
            "return [[c[row].item() for c in columns] for row in range(len(columns[0]))]",
        ),
        rejected=(
            "return mg.eye(len(x))",
            "with mg.autograd.forward_ad.dual_level():\n    return mg.autograd.forward_ad."
            "unpack_dual(f(mg.autograd.forward_ad.make_dual(x, mg.ones(len(x))))).tangent",
            "return f(x)",
            "return []",
            "return None",
        ),
        right=by_columns(lambda rows: rows, lambda n: n),
        because=Words(
            "A column for each input, and one call of f for each column.",
            "每个输入一列，每一列调用一次 f。",
        ),
        hints=(
            Hint(
                "return mg.autograd.functional.jacobian(f, x)",
                by_columns(lambda rows: rows, lambda n: 1),
                Words(
                    "The matrices are right, but f was called only once. Here it is to be called "
                    "anew for each direction of the input, with make_dual.",
                    "矩阵都对，但 f 只调用了一次。这里要用 make_dual，对输入的每个方向各调用一次 "
                    "f。",
                ),
            ),
            Hint(
                "forward = mg.autograd.forward_ad\ncolumns = []\nfor u in mg.eye(len(x)):\n"
                "    with forward.dual_level():\n"
                "        columns.append(forward.unpack_dual(f(forward.make_dual(x, u))).tangent)\n"
                "return mg.stack(columns)",
                by_columns(transposed, lambda n: n),
                Words(
                    "The numbers are right, rows and columns are exchanged: what a direction of "
                    "the input brings is a column.",
                    "数对了，但行和列交换了：输入的一个方向带来的是一列。",
                ),
            ),
            Hint(
                "forward = mg.autograd.forward_ad\ncolumns = []\nfor u in mg.eye(len(x)):\n"
                "    with forward.dual_level():\n"
                "        y = f(forward.make_dual(x, u))\n"
                "    columns.append(forward.unpack_dual(y).tangent)\n"
                "return [[c if c is None else 0 for c in columns] for row in f(x)]",
                lambda seen: all(set(entries(one[0])) == {None} for one in seen),
                Words(
                    "The tangents are None. They live only inside of `with dual_level():`, so "
                    "unpack_dual has to stand in there too.",
                    "切向量都是 None。它们只在 `with dual_level():` 里面存在，所以 unpack_dual 也要"
                    "写在里面。",
                ),
            ),
        ),
        otherwise=Words(
            "For each row of mg.eye(len(x)), as the direction: inside of dual_level(), make_dual, "
            "call f, unpack_dual. The tangents are the columns.",
            "以 mg.eye(len(x)) 的每一行为方向：在 dual_level() 里面 make_dual、调用 f、"
            "unpack_dual。得到的切向量就是各列。",
        ),
    ),
}
