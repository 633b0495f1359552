"""Exercises of chapter 05, stopping gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, named, nothing, number
from .sentences import RETURNS_NONE


def numbers_of(*expected: Any) -> Test:
    """In 05.2, the numbers that w holds in the two cases."""
    return lambda seen: alike([case["w"] for case in seen], list(expected))


def updated(seen: Any) -> bool:
    return numbers_of(0.8, [-3.2, 0.3])(seen) and all(
        case["leaf"] and case["requires_grad"] and case["version"] > 0 for case in seen
    )


def values_unchanged(seen: Any) -> bool:
    return len(seen) == len(KEPT) and all(
        case["later"] == case["now"] == numbers and case["requires_grad"] is False
        for case, numbers in zip(seen, KEPT, strict=True)
    )


def unhindered(seen: Any) -> bool:
    """Somewhere the engine refused a change in place, because it was recording."""
    return any(case["losses"] == "recording" for case in seen)


def descent(
    f: Callable[[float], float],
    slope: Callable[[float], float],
    at: float,
    rate: float,
    steps: int,
) -> list[Any]:
    """The losses of a descent, and where it ends."""
    losses = []
    for _ in range(steps):
        losses.append(f(at))
        at -= rate * slope(at)
    return [losses, at]


def descended(seen: Any) -> bool:
    # What is wanted is seen for the hints' sake, and known here: the student's process may say all.
    wanted = [
        descent(lambda w: (w - 3) ** 2, lambda w: 2 * (w - 3), 0.0, 0.1, 40),
        descent(lambda w: w**4 - 4 * w, lambda w: 4 * w**3 - 4, 0.5, 0.05, 30),
        descent(lambda w: (w - 3) ** 2, lambda w: 2 * (w - 3), 5.0, 0.25, 1),
    ]
    return (
        alike([[case["losses"], case["w"]] for case in seen], wanted)
        and all(case["version"] >= case["steps"] for case in seen)
        and all(case["leaf"] for case in seen)
    )


KEPT: list[Any] = [[1.0, 2.0], [0.5, -3.0]]
"""The tensors that must be kept in the probe of 05.3."""

POWERS: list[Any] = [[[1, 2, 4, 8], 17], [[1, -3, 9], -5], [[1, 0, 0, 0, 0], 1], [[1], 0]]

EXERCISES = {
    "05.1": Exercise(
        asks=("x_grad",),
        solution="54.0",
        accepted=("54", "mg.tensor(54.0)", "9 * 2 * 3", "mg.autograd.grad(z, x)[0]"),
        rejected=("18.0", "'54 or so'", "'54'", "None", "print(54)"),
        right=number(54),
        because=Words(
            "One factor is the constant 9; the other, x * x, has the derivative 6. 9 * 6 = 54.",
            "一个因子是常数 9，另一个因子 x * x 的导数是 6。9 * 6 = 54。",
        ),
        hints=(
            Hint(
                "108.0",
                number(108),
                Words(
                    "108 is the derivative of x^4, with both factors differentiated. One of them "
                    "is detached.",
                    "108 是 x^4 的导数，两个因子都求了导。其中一个已经分离了。",
                ),
            ),
            Hint(
                "6.0",
                number(6),
                Words(
                    "6 is the derivative of y alone. It is still multiplied by the constant "
                    "y.detach().",
                    "6 只是 y 的导数，还要乘以常数 y.detach()。",
                ),
            ),
            Hint(
                "z",
                number(81),
                Words(
                    "81 is the value of z. The question is how fast z changes with x.",
                    "81 是 z 的值。这里问的是 z 随 x 变化的快慢。",
                ),
            ),
            Hint(
                "0.0",
                number(0),
                Words(
                    "Only the first factor is detached. The second still has its history.",
                    "只有第一个因子被分离，第二个仍然有历史。",
                ),
            ),
        ),
        otherwise=Words(
            "Write z as c * x * x with a constant c. How large is c, and what is the derivative?",
            "把 z 写成 c * x * x，c 是常数。c 等于多少，导数又是多少？",
        ),
    ),
    "05.2": Exercise(
        asks=("update",),
        probe="""
            seen = []
            for values, power in ((1.0, 2), ([-2.0, 3.0], 3)):
                w = mg.tensor(values, requires_grad=True)
                (w**power).sum().backward()
                update(w)
                seen.append(
                    {
                        "w": w,
                        "leaf": w.is_leaf,
                        "requires_grad": w.requires_grad,
                        "version": w._version,
                    }
                )
        """,
        solution="with mg.no_grad():\n    w -= 0.1 * w.grad",
        accepted=(
            "with mg.no_grad():\n    w.sub_(0.1 * w.grad)",
            "with mg.no_grad():\n    w.copy_(w - 0.1 * w.grad)\n    w.grad = None",
            "w.detach().add_(-0.1 * w.grad)",
            "w.requires_grad_(False)\nw -= w.grad / 10\nw.requires_grad_()",
            "@mg.no_grad()\ndef update(w):\n    w.add_(w.grad, alpha=-0.1)",
        ),
        rejected=("w -= 0.1 * w.grad", "w.zero_()", "with mg.no_grad():\n    w *= 0.8"),
        right=updated,
        because=Words(
            "1 becomes 1 - 0.1 * 2 = 0.8 in the same leaf, and its version counts the change.",
            "在同一个叶子节点里，1 变成了 1 - 0.1 * 2 = 0.8，而且它的版本记下了这次修改。",
        ),
        hints=(
            Hint(
                "w = w - 0.1 * w.grad",
                numbers_of(1, [-2, 3]),
                Words(
                    "The tensor that was handed over still holds its old numbers. Only a change in "
                    "place reaches it, such as -= on it under no_grad.",
                    "传进来的张量里还是旧的数。只有就地修改才能改到它，例如在 no_grad 里对它用 "
                    "-=。",
                ),
            ),
            Hint(
                "w.data -= 0.1 * w.grad",
                lambda seen: (
                    numbers_of(0.8, [-3.2, 0.3])(seen)
                    and any(case["version"] == 0 for case in seen)
                ),
                Words(
                    "The numbers are right, but w._version is still 0: a node that had saved w "
                    "would not notice the change. Use no_grad.",
                    "数对了，但 w._version 仍然是 0：如果有节点保存过 w，就发现不了这次修改。请用 "
                    "no_grad。",
                ),
            ),
            Hint(
                "with mg.no_grad():\n    w -= 0.1 * w.grad\nw.requires_grad_(False)",
                lambda seen: any(not case["requires_grad"] for case in seen),
                Words(
                    "Afterwards w requires no gradient, so the next step would learn nothing.",
                    "之后 w 不再要求梯度，下一步就学不到东西了。",
                ),
            ),
            Hint(
                "with mg.no_grad():\n    w += 0.1 * w.grad",
                numbers_of(1.2, [-0.8, 5.7]),
                Words(
                    "That goes uphill. The gradient points to where the function grows.",
                    "这是在上坡。梯度指向函数增大的方向。",
                ),
            ),
            Hint(
                "with mg.no_grad():\n    w -= w.grad",
                numbers_of(-1, [-14, -24]),
                Words(
                    "That subtracts the whole gradient. Take 0.1 of it.",
                    "这减去了整个梯度。应当只取 0.1 倍。",
                ),
            ),
        ),
        otherwise=Words(
            "When the loss is w * w and w is 1, w.grad is 2. After update(w), w should be 0.8, and "
            "still a leaf that requires a gradient.",
            "损失是 w * w、w 为 1 时，w.grad 是 2。update(w) 之后，w 应当是 0.8，而且仍是要求梯度的"
            "叶子节点。",
        ),
    ),
    "05.3": Exercise(
        asks=("keep",),
        probe="""
            seen = []
            leaf = mg.tensor([1.0, 2.0], requires_grad=True)
            for w in (leaf, mg.tensor([0.25, -1.5], requires_grad=True) * 2):
                answer = keep(w)
                is_tensor = hasattr(answer, "requires_grad")
                now = answer.tolist() if is_tensor else None
                with mg.no_grad():
                    w += 10
                seen.append(
                    {
                        "now": now,
                        "later": answer.tolist() if is_tensor else None,
                        "requires_grad": answer.requires_grad if is_tensor else None,
                        "w": w,
                    }
                )
        """,
        solution="w.detach().clone()",
        accepted=(
            "w.clone().detach()",
            "mg.tensor(w.tolist())",
            "w.detach() + 0",
            "w.data.clone()",
            "def keep(w):\n    with mg.no_grad():\n        return w * 1",
        ),
        rejected=(
            "w.detach().clone() * 2",
            "mg.tensor([1.0, 2.0])",
            "w.detach().clone().int()",
            "mg.zeros(2)",
            "1 / 0",
        ),
        right=values_unchanged,
        because=Words(
            "No history and numbers of its own: w can change, what was kept does not.",
            "没有历史，又有自己的一份数：w 可以变，留下来的不变。",
        ),
        hints=(
            Hint(
                "w.tolist()",
                lambda seen: seen[0]["now"] is None,
                Words(
                    "keep should return a tensor.",
                    "keep 应当返回一个张量。",
                ),
            ),
            Hint(
                "w.detach()",
                lambda seen: any(
                    case["now"] in KEPT and case["later"] != case["now"] for case in seen
                ),
                Words(
                    "What was kept has changed together with w: it shares its numbers.",
                    "留下来的东西跟着 w 一起变了：它们共用同一份数。",
                ),
            ),
            Hint(
                "w.clone()",
                lambda seen: any(case["requires_grad"] is True for case in seen),
                Words(
                    "The numbers do not change any more, but the tensor with them requires a "
                    "gradient.",
                    "数不会再变了，但存着这些数的张量要求梯度。",
                ),
            ),
        ),
        otherwise=Words(
            "For w = [1, 2], keep(w) should be a tensor with [1, 2] that requires no gradient.",
            "当 w = [1, 2] 时，keep(w) 应当是值为 [1, 2]、不要求梯度的张量。",
        ),
    ),
    "05.4": Exercise(
        asks=("with_wrong_gradient",),
        solution='["scaled", "shifted"]',
        accepted=('["shifted", "scaled"]', '{"scaled", "shifted"}', '("scaled", "shifted")'),
        rejected=("[]", "[scaled, shifted]", '["scaled", "nothing"]', '["halved"]'),
        right=named("scaled", "shifted"),
        because=Words(
            "length and lowest follow w, so paths to w lead through them, and these are cut.",
            "length 和 lowest 随 w 变化，所以有路径经过它们通向 w，而这些路径被切断了。",
        ),
        hints=(
            Hint(
                '"scaled, shifted"',
                lambda seen: isinstance(seen, str),
                Words(
                    "That is one string. Write a list with one string for each name: "
                    '["halved", "logged"].',
                    '这是一个字符串。请写成列表，每个名字一个字符串：["halved", "logged"]。',
                ),
            ),
            Hint(
                '["scaled"]',
                named("scaled"),
                Words(
                    "scaled, yes. Another function has a number that follows w and counts as a "
                    "constant.",
                    "scaled，对。还有一个函数里的某个数随 w 变化，却当成了常数。",
                ),
            ),
            Hint(
                '["shifted"]',
                named("shifted"),
                Words(
                    "shifted, yes. Another function has a number that follows w and counts as a "
                    "constant.",
                    "shifted，对。还有一个函数里的某个数随 w 变化，却当成了常数。",
                ),
            ),
            Hint(
                '["scaled", "shifted", "halved", "logged"]',
                lambda seen: isinstance(seen, list) and len(set(seen)) == 4,
                Words(
                    "All four cut something off. Ask of each: does that follow w, and is it part "
                    "of what the function returns?",
                    "四个都切断了什么。对每一个都问：它随 w 变化吗，返回的数里有它吗？",
                ),
            ),
            Hint(
                '["scaled", "shifted", "halved"]',
                lambda seen: isinstance(seen, list) and {"scaled", "halved"} <= set(seen),
                Words(
                    "halved is in your list. Its 0.5 is the same for every w.",
                    "你的列表里有 halved。不论 w 是多少，它里面的 0.5 都一样。",
                ),
            ),
            Hint(
                '["scaled", "shifted", "logged"]',
                lambda seen: isinstance(seen, list) and {"scaled", "logged"} <= set(seen),
                Words(
                    "logged is in your list. What it returns is loss, and loss has its history.",
                    "你的列表里有 logged。它返回的是 loss，而 loss 带着历史。",
                ),
            ),
        ),
        otherwise=Words(
            "In each function find the number that is cut off. Does it follow w, and is it part of "
            "what is returned? Write the names as a list of strings.",
            "在每个函数里找出被切断的那个数。它随 w 变化吗，返回的数里有它吗？请把名字写成字符串的"
            "列表。",
        ),
    ),
    "05.5": Exercise(
        asks=("failing",),
        solution='["product_input", "exponential"]',
        accepted=(
            '["exponential", "product_input"]',
            '{"product_input", "exponential"}',
            '("product_input", "exponential")',
        ),
        rejected=(
            "[]",
            "[product_input, exponential]",
            '["product_input", "nothing"]',
        ),
        right=named("product_input", "exponential"),
        because=Words(
            "product_input changes what the product saved, exponential what exp saved: its result. "
            "The other four change nothing that was saved.",
            "product_input 改了乘法保存的东西，exponential 改了 exp 保存的东西，也就是它的结果。"
            "另外四个改的都没有保存过。",
        ),
        hints=(
            Hint(
                '"product_input, exponential"',
                lambda seen: isinstance(seen, str),
                Words(
                    "That is one string. Write a list with one string for each name: "
                    '["add_input", "square"].',
                    '这是一个字符串。请写成列表，每个名字一个字符串：["add_input", "square"]。',
                ),
            ),
            Hint(
                '["product_input"]',
                named("product_input"),
                Words(
                    "product_input, yes. Not every operation saves its inputs: what does exp need "
                    "for its derivative?",
                    "product_input，对。并不是每个运算保存的都是输入：exp 求导需要什么？",
                ),
            ),
            Hint(
                '["exponential"]',
                named("exponential"),
                Words(
                    "exponential, yes. And what does w * x need for the gradient of w?",
                    "exponential，对。那么 w * x 求 w 的梯度需要什么？",
                ),
            ),
            Hint(
                '["add_input", "product_input", "product_result", "twice_in_place", '
                '"exponential", "square"]',
                lambda seen: isinstance(seen, list) and len(set(seen)) == 6,
                Words(
                    "All six change a tensor in place, but only two of them change one that was "
                    "saved.",
                    "六个都就地改了张量，但只有两个改的是已保存的张量。",
                ),
            ),
            Hint(
                '["product_input", "product_result", "exponential"]',
                lambda seen: (
                    isinstance(seen, list)
                    and bool({"product_result", "twice_in_place"} & set(seen))
                ),
                Words(
                    "The derivative of a product needs its factors, never its result. So the "
                    "result may be changed: try product_result.",
                    "乘法求导要用到因子，从来不用结果。所以结果可以改：试试 product_result。",
                ),
            ),
            Hint(
                '["product_input", "exponential", "square"]',
                lambda seen: isinstance(seen, list) and "square" in seen,
                Words(
                    "The derivative of w**2 needs w. In square it is the result that is changed.",
                    "w**2 求导要用到 w，而 square 里被改的是结果。",
                ),
            ),
            Hint(
                '["add_input", "product_input"]',
                lambda seen: isinstance(seen, list) and "add_input" in seen,
                Words(
                    "add_input changes x, but the addition has not saved it: its derivative is 1.",
                    "add_input 改了 x，但加法并没有保存它：加法的导数是 1。",
                ),
            ),
        ),
        otherwise=Words(
            "For each one ask: what does the derivative with respect to w need, and is it that "
            "which is changed? Write the names as a list of strings.",
            "对每一个问：对 w 求导需要什么，被改的是不是它？请把名字写成字符串的列表。",
        ),
    ),
    "05.6": Exercise(
        asks=("powers",),
        probe="""
            seen = []
            for weight, n in ((2.0, 4), (-3.0, 3), (0.0, 5), (0.5, 1)):
                w = mg.tensor(weight, requires_grad=True)
                table = powers(w, n)
                values, gradient = table, "no tensor"
                if hasattr(table, "requires_grad"):
                    values, gradient = table.tolist(), 0.0
                if getattr(table, "requires_grad", False):
                    try:
                        table.sum().backward()
                    except RuntimeError as error:
                        if "inplace" not in str(error):
                            raise
                        gradient = "changed in place"
                if w.grad is not None:
                    gradient = w.grad
                seen.append([values, gradient])
        """,
        solution="entries = [mg.tensor(1.0)]\n"
        "while len(entries) < n:\n"
        "    entries.append(entries[-1] * w)\n"
        "return mg.stack(entries)",
        accepted=(
            "table = mg.ones(n)\n"
            "for i in range(1, n):\n"
            "    table[i] = table[i - 1].clone() * w\n"
            "return table",
            "table = mg.ones(1)\n"
            "for i in range(1, n):\n"
            "    table = mg.cat([table, table[-1:] * w])\n"
            "return table",
            "return mg.stack([w**i for i in range(n)])",
            "return w ** mg.arange(float(n))",
        ),
        rejected=("return mg.ones(n)", "return w", "return mg.stack([w] * n)"),
        right=lambda seen: alike(seen, POWERS),
        because=Words(
            "Nothing that a product has saved is changed any more, and every entry leads to w.",
            "乘法保存的东西不再被改动，而且每一项都通向 w。",
        ),
        hints=(
            Hint(
                "return mg.exp(mg.arange(float(n)) * mg.log(w))",
                lambda seen: alike(seen[0], POWERS[0]) and not alike(seen[1][0], POWERS[1][0]),
                Words(
                    "Right at w = 2, but not at w = -3. A logarithm needs a positive number; "
                    "multiply instead.",
                    "w = 2 时是对的，w = -3 时不对。对数只能用于正数，请改用乘法。",
                ),
            ),
            Hint(
                "return [w**i for i in range(n)]",
                lambda seen: any(case[1] == "no tensor" for case in seen),
                Words(
                    "What came back is no tensor. mg.stack makes one out of a list of tensors.",
                    "返回的不是张量。mg.stack 可以把由张量组成的列表合成一个张量。",
                ),
            ),
            Hint(
                "table = mg.ones(n)\n"
                "for i in range(1, n):\n"
                "    table[i] = table[i - 1] * w\n"
                "return table",
                lambda seen: any(case[1] == "changed in place" for case in seen),
                Words(
                    "The values may be right, but backward() fails: something that was saved has "
                    "been changed in place. Put each entry into a tensor of its own.",
                    "数值也许是对的，但 backward() 失败了：保存过的东西被就地修改了。请让每一项"
                    "各自是一个张量。",
                ),
            ),
            Hint(
                "return mg.tensor([w.item() ** i for i in range(n)])",
                lambda seen: (
                    alike([case[0] for case in seen], [case[0] for case in POWERS])
                    and alike([case[1] for case in seen], [0, 0, 0, 0])
                ),
                Words(
                    "The values are right, but no gradient comes to w: the table has no path that "
                    "leads there.",
                    "数值是对的，但没有梯度传到 w：从这张表没有路径通向它。",
                ),
            ),
            Hint(
                "entries = [w]\n"
                "while len(entries) < n:\n"
                "    entries.append(entries[-1] * w)\n"
                "return mg.stack(entries)",
                lambda seen: alike(seen[0][0], [2, 4, 8, 16]),
                Words(
                    "The table begins with w. It should begin with 1.",
                    "这张表从 w 开始。应当从 1 开始。",
                ),
            ),
            Hint(
                "entries = [mg.tensor(1.0)]\n"
                "for i in range(n):\n"
                "    entries.append(entries[-1] * w)\n"
                "return mg.stack(entries)",
                lambda seen: alike(seen[0][0], [1, 2, 4, 8, 16]),
                Words(
                    "There is one entry too many: 1 is the first of the n.",
                    "多了一项：1 是 n 项中的第一项。",
                ),
            ),
        ),
        otherwise=Words(
            "powers(w, 4) at w = 2 should be a tensor with [1, 2, 4, 8], and the gradient of its "
            "sum 17.",
            "powers(w, 4) 在 w = 2 处应当是张量 [1, 2, 4, 8]，对它求和再求导得到 17。",
        ),
    ),
    "05.7": Exercise(
        asks=("descend",),
        probe="""
            from minigrad_lessons.engine import after
            engine = after(5)
            Tensor = engine.Tensor

            def valley(w):
                distance = w + Tensor(-3.0)
                return distance * distance

            def steep(w):
                square = w * w
                return square * square + w * Tensor(-4.0)

            seen = []
            for f, slope, start, rate, steps in (
                (valley, lambda w: 2 * (w - 3), 0.0, 0.1, 40),
                (steep, lambda w: 4 * w**3 - 4, 0.5, 0.05, 30),
                (valley, lambda w: 2 * (w - 3), 5.0, 0.25, 1),
            ):
                w, at, wanted = Tensor(start, True), start, []
                w.grad = 100.0    # of an earlier pass
                try:
                    losses = descend(engine, f, w, rate, steps)
                except RuntimeError as error:
                    if "changed in place" not in str(error):
                        raise
                    losses = "recording"
                for _ in range(steps):
                    wanted.append(f(Tensor(at)).data)
                    at -= rate * slope(at)
                seen.append(
                    {
                        "losses": losses,
                        "wanted": wanted,
                        "w": w.data,
                        "start": start,
                        "end": at,
                        "steps": steps,
                        "version": w.version[0],
                        "leaf": w.requires_grad and not w.inputs,
                    }
                )
        """,
        solution="losses = []\n"
        "for _ in range(steps):\n"
        "    w.grad = None\n"
        "    loss = f(w)\n"
        "    loss.backward()\n"
        "    losses.append(loss.data)\n"
        "    with engine.no_grad():\n"
        "        w.add_(-rate * w.grad)\n"
        "return losses",
        accepted=(
            "def one():\n"
            "    w.grad = None\n"
            "    loss = f(w)\n"
            "    loss.backward()\n"
            "    with engine.no_grad():\n"
            "        w.add_(-(rate * w.grad))\n"
            "    return loss.data\n"
            "return [one() for _ in range(steps)]",
            "losses, i = [], 0\n"
            "w.grad = None\n"
            "while i < steps:\n"
            "    losses += [f(w)]\n"
            "    losses[-1].backward()\n"
            "    losses[-1] = losses[-1].data\n"
            "    w.requires_grad = False\n"
            "    w.add_(-rate * w.grad)\n"
            "    w.requires_grad, w.grad, i = True, None, i + 1\n"
            "return losses",
        ),
        rejected=(
            "return 1 / 0",
            "with engine.no_grad():\n    w.add_(0.5)\nreturn [1.0]",
            "return [loss.data for loss in f]",
        ),
        right=descended,
        because=Words(
            "The losses fall as they should. w is the same leaf, changed in place in each step.",
            "损失如期下降，w 还是同一个叶子节点，每一步都就地修改。",
        ),
        hints=(
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    w.add_(-rate * w.grad)\n"
                "return losses",
                unhindered,
                Words(
                    "w was changed in place while the engine was recording, which it refuses. Do "
                    "it under engine.no_grad(), of the engine that you are given.",
                    "引擎还在记录时就地修改了 w，而引擎不允许这样做。请在 engine.no_grad() 里修改，"
                    "用的是传进来的那个 engine。",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    with engine.no_grad():\n"
                "        w.add_(-rate * w.grad)\n"
                "print(losses)",
                lambda seen: (
                    nothing([case["losses"] for case in seen])
                    and all(alike(case["w"], case["end"]) for case in seen)
                ),
                RETURNS_NONE,
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    w.data -= rate * w.grad\n"
                "return losses",
                lambda seen: (
                    all(alike(case["w"], case["end"]) for case in seen)
                    and all(case["version"] == 0 for case in seen)
                ),
                Words(
                    "w ends where it should, but its version is still 0: nobody could notice the "
                    "change. Use add_ under no_grad.",
                    "w 到了该到的地方，但它的版本仍然是 0：没有人能发现这些修改。请在 no_grad 里用 "
                    "add_。",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    w = engine.Tensor(w.data - rate * w.grad, True)\n"
                "return losses",
                lambda seen: all(alike(case["w"], case["start"]) for case in seen),
                Words(
                    "The tensor w that was handed over still holds the number from the start. "
                    "Change it in place.",
                    "传进来的张量 w 里还是开始时的数。请就地修改它。",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    with engine.no_grad():\n"
                "        w.add_(-rate * w.grad)\n"
                "return losses",
                lambda seen: alike(seen[2]["w"], 5 - 0.25 * 104),
                Words(
                    "In the first step the gradient of an earlier pass, 100, was added to the new "
                    "one. Clear it before backward().",
                    "第一步里，以前留下的梯度 100 加到了新的梯度上。请在 backward() 之前清空。",
                ),
            ),
            Hint(
                "losses = []\n"
                "w.grad = None\n"
                "for _ in range(steps):\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    with engine.no_grad():\n"
                "        w.add_(-rate * w.grad)\n"
                "return losses",
                lambda seen: (
                    alike(seen[2]["w"], seen[2]["end"])
                    and alike(seen[0]["losses"][:2], seen[0]["wanted"][:2])
                    and not alike(seen[0]["losses"], seen[0]["wanted"])
                ),
                Words(
                    "The first step is right, a later one is not. What is in w.grad when the "
                    "second step calls backward()?",
                    "第一步是对的，后面的不对。第二步调用 backward() 时，w.grad 里是什么？",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss.data)\n"
                "    with engine.no_grad():\n"
                "        w.add_(rate * w.grad)\n"
                "return losses",
                lambda seen: alike(seen[2]["w"], 6),
                Words(
                    "For the loss (w - 3)^2 the first step from 5 goes to 6: that is uphill.",
                    "对损失 (w - 3)^2，从 5 出发的第一步走到了 6：这是在上坡。",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    with engine.no_grad():\n"
                "        w.add_(-rate * w.grad)\n"
                "    losses.append(f(w).data)\n"
                "return losses",
                lambda seen: (
                    all(alike(case["w"], case["end"]) for case in seen)
                    and alike(seen[0]["losses"][:-1], seen[0]["wanted"][1:])
                ),
                Words(
                    "w goes where it should, but each loss is the one after the change. Note it "
                    "before w is changed.",
                    "w 走得对，但每个损失都是修改之后的。请在修改 w 之前记下。",
                ),
            ),
            Hint(
                "losses = []\n"
                "for _ in range(steps):\n"
                "    w.grad = None\n"
                "    loss = f(w)\n"
                "    loss.backward()\n"
                "    losses.append(loss)\n"
                "    with engine.no_grad():\n"
                "        w.add_(-rate * w.grad)\n"
                "return losses",
                lambda seen: seen[2]["losses"] == [{"type": "Tensor"}],
                Words(
                    "The list holds Tensors. Note their numbers, loss.data.",
                    "列表里是 Tensor。请记下它们的数值 loss.data。",
                ),
            ),
        ),
        otherwise=Words(
            "For the loss (w - 3)^2 from 5, one step with the rate 0.25 should return [4.0] and "
            "leave 4 in w.",
            "对损失 (w - 3)^2，从 5 出发，以学习率 0.25 走一步，应当返回 [4.0]，w 变成 4。",
        ),
    ),
}
