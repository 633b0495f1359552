"""Exercises of chapter 04, backward more than once."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Test, Words
from .recognise import alike, each, named, nothing
from .sentences import RETURNS_NONE


def gradients(*expected: Any) -> Test:
    """x.grad of each case in 04.2, however often the gradient went through the shared part."""
    return lambda seen: alike([grad for grad, passes in seen], list(expected))


def four_in_pairs(factor: float) -> Test:
    """In 04.5, w.grad is so many times what it should be for four samples in parts of two."""
    return lambda seen: alike(seen[0]["grad"], factor * seen[0]["wanted"])


def filled_rightly(seen: Any) -> bool:
    # What is wanted is seen for the hints' sake, and known here: the student's process may say all.
    return alike([case["grad"] for case in seen], [-12.5, -39.0, 2.0, -140.0, 2.0]) and all(
        sum(case["parts"]) == case["samples"]
        and max(case["parts"]) <= case["size"]
        and case["in_turn"]
        for case in seen
    )


KEPT: list[Any] = [0, 0, 2, 4, 4, 6, 4, 0, 0, 2, 60]

EXERCISES = {
    "04.1": Exercise(
        asks=("fail_twice",),
        solution='["bent", "size"]',
        accepted=('["size", "bent"]', '("bent", "size")', '{"bent", "size"}'),
        rejected=('["pick"]', '["average", "bent"]', "2", '["bent", "size", "pick"]'),
        right=named("bent", "size"),
        because=Words(
            "tanh and abs save a tensor for their derivative, and it is gone after the first pass.",
            "tanh 和 abs 为求导保存了张量，第一次反向传播之后它就没有了。",
        ),
        hints=(
            Hint(
                '"bent, size"',
                lambda seen: isinstance(seen, str),
                Words(
                    'That is one string. Write a list with one string for each name: ["average", '
                    '"pick"].',
                    '这是一个字符串。请写成列表，每个名字一个字符串：["average", "pick"]。',
                ),
            ),
            Hint(
                '["bent"]',
                named("bent"),
                Words(
                    "tanh, yes. One is missing: for which other is the slope not the same at 2 and "
                    "at -2?",
                    "tanh，对。还差一个：另外哪一个的斜率在 2 和 -2 处不一样？",
                ),
            ),
            Hint(
                '["size"]',
                named("size"),
                Words(
                    "abs, yes: it needs the sign of its input. What does tanh need for its slope?",
                    "abs，对：它需要输入的正负号。tanh 的斜率需要什么？",
                ),
            ),
            Hint(
                '["average", "bent", "size", "pick"]',
                named("average", "bent", "size", "pick"),
                Words(
                    "A second pass fails only where something saved is missing. Which of the four "
                    "save nothing?",
                    "只有缺少已保存的东西时，第二次反向传播才会失败。四个之中哪些什么也不保存？",
                ),
            ),
            Hint(
                '["average", "pick"]',
                named("average", "pick"),
                Words(
                    "The other way round: these two save nothing, so they can run again.",
                    "正好相反：这两个什么也不保存，所以可以再执行。",
                ),
            ),
            Hint(
                "[]",
                named(),
                Words(
                    'Some of them do fail. Try results["bent"].backward() twice.',
                    '确实有会失败的。把 results["bent"].backward() 运行两次试试。',
                ),
            ),
        ),
        otherwise=Words(
            "For each one ask: does its derivative depend on the value of x? Then it saved "
            "something. Write the names as a list of strings.",
            "对每一个问：它的导数与 x 的值有关吗？有关，它就保存了东西。请把名字写成字符串的列表。",
        ),
    ),
    "04.2": Exercise(
        asks=("one_pass",),
        probe="""
            seen = []
            for values in ([1.0, 2.0], [-1.0, 0.5, 3.0]):
                x = mg.tensor(values, requires_grad=True)
                h = x * x
                passes = []
                h.register_hook(passes.append)
                one_pass(h.sum(), (h * h).sum())
                seen.append([x.grad, len(passes)])
        """,
        solution="(first + second).backward()",
        accepted=(
            "mg.autograd.backward([first, second])",
            "total = first + second\ntotal.backward()",
            "mg.stack([first, second]).sum().backward()",
            "one_pass = lambda first, second: (second + first).backward(retain_graph=True)",
        ),
        rejected=(
            "(first - second).backward()",
            "((first + second) / 2).backward()",
            "(first + second).backward(retain_graph=True)\n(first + second).backward()",
        ),
        right=each([[6, 36], 1], [[-6, 1.5, 114], 1]),
        because=Words(
            "2x from the first loss and 4x^3 from the second, and one pass through h. For "
            "x = [1, 2]: [2 + 4, 4 + 32].",
            "第一个损失带来 2x，第二个带来 4x^3，经过 h 只有一次。当 x = [1, 2] 时："
            "[2 + 4, 4 + 32]。",
        ),
        hints=(
            Hint(
                "first.backward(retain_graph=True)\nsecond.backward()",
                lambda seen: gradients([6, 36], [-6, 1.5, 114])(seen) and seen[0][1] == 2,
                Words(
                    "The numbers are right, but the gradient went through the shared part twice. "
                    "Add the losses first.",
                    "数对了，但梯度经过共用的部分有两次。请先把损失加起来。",
                ),
            ),
            Hint(
                "first.backward()",
                gradients([2, 4], [-2, 1, 6]),
                Words(
                    "That is the gradient of the first loss alone.",
                    "这只是第一个损失的梯度。",
                ),
            ),
            Hint(
                "second.backward()",
                gradients([4, 32], [-4, 0.5, 108]),
                Words(
                    "That is the gradient of the second loss alone.",
                    "这只是第二个损失的梯度。",
                ),
            ),
            Hint(
                "(first * second).backward()",
                lambda seen: alike(seen[0], [[54, 228], 1]),
                Words(
                    "That is the gradient of their product. Losses are added.",
                    "这是两者乘积的梯度。损失应当相加。",
                ),
            ),
            Hint(
                "return first + second",
                lambda seen: seen[0] == [None, 0],
                Words(
                    "x.grad is still None: no backward pass has come to x.",
                    "x.grad 还是 None：没有反向传播到达 x。",
                ),
            ),
        ),
        otherwise=Words(
            "For x = [1, 2], h = x * x and the losses h.sum() and (h * h).sum(), x.grad should be "
            "[6, 36].",
            "当 x = [1, 2]、h = x * x，损失为 h.sum() 和 (h * h).sum() 时，x.grad 应当是 [6, 36]。",
        ),
    ),
    "04.3": Exercise(
        asks=("carry_over",),
        probe="""
            seen = []
            for weight, start in ((0.5, 1.0), (-2.0, 3.0)):
                w = mg.tensor(weight, requires_grad=True)
                state = w * mg.tensor(start) + 1
                state.backward()
                try:
                    for _ in range(2):
                        state = w * carry_over(state) + 1
                        state.backward()
                    seen.append([state.item(), w.grad.item()])
                except RuntimeError as error:
                    if "a second time" not in str(error):
                        raise
                    seen.append("freed")
        """,
        solution="lambda state: state.detach()",
        accepted=(
            "lambda state: state.item()",
            "lambda state: mg.tensor(state.item())",
            "def carry_over(state):\n    with mg.no_grad():\n        return state.clone()",
            "lambda state: state.detach().clone()",
        ),
        rejected=(
            "lambda state: None",
            "lambda state: state.detach() + 1",
            "lambda state: -state.detach()",
            "0.5",
        ),
        right=each([1.875, 4.25], [-21, 9]),
        because=Words(
            "For w = 0.5: 1.5, 1.75, 1.875. Each step differentiates w * (old state) + 1 alone, so "
            "w.grad is the sum of the old states: 1 + 1.5 + 1.75 = 4.25.",
            "w = 0.5 时：1.5、1.75、1.875。每一步只对 w * (旧状态) + 1 求导，所以 w.grad 是旧状态之"
            "和：1 + 1.5 + 1.75 = 4.25。",
        ),
        hints=(
            Hint(
                "lambda state: state",
                lambda seen: seen[0] == "freed",
                Words(
                    "What is handed over still leads into the graph of the step before. Hand over "
                    "the number without its graph.",
                    "交出去的东西仍然通向上一步的图。请只交出数，不要图。",
                ),
            ),
            Hint(
                "lambda state: mg.tensor(1.0)",
                lambda seen: alike([seen[0][0], seen[1][0]], [1.5, -1]),
                Words(
                    "No error, but no memory either: every step starts from 1. The number in the "
                    "state should be handed on.",
                    "没有错误，但也没有记忆：每一步都从 1 出发。应当把状态里的数传下去。",
                ),
            ),
        ),
        otherwise=Words(
            "carry_over is called with the old state, a tensor, and returns the same number "
            "without its graph. z.detach() in chapter 2 did this.",
            "carry_over 接收旧的状态（一个张量），返回同一个数，但不带图。第 2 章的 z.detach() 做的"
            "就是这件事。",
        ),
    ),
    "04.4": Exercise(
        asks=("slope",),
        probe="""
            seen = []
            for f, value, before in (
                (lambda t: t**3, 2.0, None),
                (lambda t: t * t + t, -1.5, 7.0),
                (mg.exp, 0.0, 3.0),
            ):
                x = mg.tensor(value, requires_grad=True)
                if before is not None:
                    x.grad = mg.tensor(before)
                answer = slope(f, x)
                seen.append([answer, x.grad])
        """,
        solution="(gradient,) = mg.autograd.grad(f(x), x)\nreturn gradient",
        accepted=(
            "return mg.autograd.grad(f(x), x)[0].item()",
            "leaf = x.detach().clone().requires_grad_()\nf(leaf).backward()\nreturn leaf.grad",
            "before, x.grad = x.grad, None\n"
            "f(x).backward()\n"
            "found, x.grad = x.grad, before\n"
            "return found",
        ),
        rejected=("return f(x)", "return 12.0", "return (f(x + 1) - f(x)) / 1"),
        right=each([12, None], [-2, 7], [1, 3]),
        because=Words(
            "12 at 2 for t^3, -2 at -1.5 for t^2 + t, 1 at 0 for exp; and every x.grad is what it "
            "was.",
            "t^3 在 2 处是 12，t^2 + t 在 -1.5 处是 -2，exp 在 0 处是 1；每个 x.grad 都保持原样。",
        ),
        hints=(
            Hint(
                "print(mg.autograd.grad(f(x), x)[0])",
                lambda seen: nothing([answer for answer, grad in seen]),
                RETURNS_NONE,
            ),
            Hint(
                "return mg.autograd.grad(f(x), x)",
                lambda seen: alike(seen, [[[12], None], [[-2], 7], [[1], 3]]),
                Words(
                    "The gradient is in there, but in a list or tuple, or with a dimension more. "
                    "Return the one number or tensor.",
                    "梯度在里面，但外面还有一层列表或元组，或者多了一维。请返回那一个数或张量。",
                ),
            ),
            Hint(
                "x.grad = None\nf(x).backward()\nfound = x.grad\nx.grad = None\nreturn found",
                lambda seen: alike([part[0] for part in seen], [12, -2, 1]),
                Words(
                    "The derivatives are right. But x.grad was None, 7 and 3 before, and not all "
                    "of these are left.",
                    "导数都对。但 x.grad 原来分别是 None、7 和 3，现在有的变了。",
                ),
            ),
            Hint(
                "f(x).backward()\nreturn x.grad",
                lambda seen: alike([part[0] for part in seen], [12, 5, 4]),
                Words(
                    "12 is right, where x.grad was None before. Where it held a number already, "
                    "the derivative was added to it.",
                    "原来 x.grad 是 None 的那次，12 是对的。原来已经有数的时候，导数被加了上去。",
                ),
            ),
        ),
        otherwise=Words(
            "slope(lambda t: t**3, x) at x = 2 should be 12, and x.grad as it was before.",
            "slope(lambda t: t**3, x) 在 x = 2 处应当是 12，而 x.grad 保持原样。",
        ),
    ),
    "04.5": Exercise(
        asks=("fill_gradient",),
        probe="""
            seen = []
            for samples, size in ((4, 2), (5, 2), (3, 3), (7, 4), (3, 1)):
                x = mg.arange(float(samples)) + 1
                y = x * x - 3
                w = mg.tensor(1.5, requires_grad=True)
                parts, turns = [], []

                def model(weight, part):
                    parts.append(len(part) if part.shape else 1)
                    turns.append("forward")
                    predicted = weight * part
                    if predicted.requires_grad:
                        predicted.register_hook(lambda g: turns.append("backward"))
                    return predicted

                fill_gradient(model, w, x, y, size)
                whole = mg.tensor(1.5, requires_grad=True)
                ((whole * x - y) ** 2).mean().backward()
                seen.append(
                    {
                        "samples": samples,
                        "size": size,
                        "parts": parts,
                        "in_turn": turns == ["forward", "backward"] * len(parts),
                        "grad": w.grad,
                        "wanted": whole.grad,
                    }
                )
        """,
        solution="for start in range(0, len(x), size):\n"
        "    part, target = x[start : start + size], y[start : start + size]\n"
        "    loss = ((model(w, part) - target) ** 2).sum() / len(x)\n"
        "    loss.backward()",
        accepted=(
            "for part, target in zip(x.split(size), y.split(size)):\n"
            "    loss = ((model(w, part) - target) ** 2).mean()\n"
            "    (loss * len(part) / len(x)).backward()",
            "w.grad = None\n"
            "for i in range(len(x)):\n"
            "    ((model(w, x[i : i + 1]) - y[i : i + 1]) ** 2 / len(x)).sum().backward()",
            "start = 0\n"
            "while start < len(x):\n"
            "    part = slice(start, min(start + size, len(x)))\n"
            "    error = model(w, x[part]) - y[part]\n"
            "    (error @ error).backward()\n"
            "    start += size\n"
            "w.grad /= len(x)",
            "for one, target in zip(x, y):\n"
            "    ((model(w, one) - target) ** 2 / len(x)).backward()",
        ),
        rejected=(
            "for i in range(len(x)):\n"
            "    (model(w, x[i : i + 1]) - y[i : i + 1]).abs().sum().backward()",
            "for part, target in zip(x.split(size), y.split(size)):\n"
            "    (((model(w, part) - target) ** 2).sum() * len(x)).backward()",
            "for part, target in zip(x.split(size), y.split(size)):\n"
            "    w.grad = None\n"
            "    (((model(w, part) - target) ** 2).sum() / len(x)).backward()",
        ),
        right=filled_rightly,
        because=Words(
            "The same gradient as all samples at once, and never more than `size` of them in a "
            "graph.",
            "与所有样本一次算出的梯度相同，而一张图里从不超过 `size` 个样本。",
        ),
        hints=(
            Hint(
                "pass",
                lambda seen: seen[0]["grad"] is None,
                Words(
                    "w.grad is still None: no gradient has come to w.",
                    "w.grad 还是 None：没有梯度到达 w。",
                ),
            ),
            Hint(
                "((w * x - y) ** 2).mean().backward()",
                lambda seen: not any(case["parts"] for case in seen),
                Words(
                    "model was never called. It need not be w * x: take your predictions from it.",
                    "从来没有调用过 model。它不一定是 w * x：请用它来预测。",
                ),
            ),
            Hint(
                "((model(w, x) - y) ** 2).mean().backward()",
                lambda seen: any(max(case["parts"]) > case["size"] for case in seen),
                Words(
                    "model was given more than `size` samples in one call.",
                    "model 在一次调用中得到了多于 `size` 个样本。",
                ),
            ),
            Hint(
                "for start in range(0, len(x) - size + 1, size):\n"
                "    part, target = x[start : start + size], y[start : start + size]\n"
                "    (((model(w, part) - target) ** 2).sum() / len(x)).backward()",
                lambda seen: sum(seen[1]["parts"]) < 5,
                Words(
                    "Of 5 samples in parts of 2, not all came to the model as its second argument. "
                    "The last part may be smaller.",
                    "5 个样本、每部分 2 个时，没有把全部样本作为第二个参数交给 model。最后一部分可"
                    "以更小。",
                ),
            ),
            Hint(
                "loss = 0\n"
                "for part, target in zip(x.split(size), y.split(size)):\n"
                "    loss = loss + ((model(w, part) - target) ** 2).sum() / len(x)\n"
                "loss.backward()",
                lambda seen: (
                    all(alike(case["grad"], case["wanted"]) for case in seen)
                    and not all(case["in_turn"] for case in seen)
                ),
                Words(
                    "The gradient is right. But a part was computed before backward() had run for "
                    "the part before, so two graphs were in memory at once.",
                    "梯度是对的。但前一部分还没有做 backward()，就计算了下一部分，内存里同时有两"
                    "部分的图。",
                ),
            ),
            Hint(
                "for part, target in zip(x.split(size), y.split(size)):\n"
                "    ((model(w, part) - target) ** 2).mean().backward()",
                four_in_pairs(2),
                Words(
                    "For 4 samples in parts of 2, w.grad is twice what it should be. The mean is "
                    "over all samples: divide the sum over each part by the number of all.",
                    "4 个样本、每部分 2 个时，w.grad 是应有值的两倍。平均是对全部样本取的：每一部分"
                    "的和都要除以样本总数。",
                ),
            ),
            Hint(
                "for part, target in zip(x.split(size), y.split(size)):\n"
                "    ((model(w, part) - target) ** 2).sum().backward()",
                four_in_pairs(4),
                Words(
                    "For 4 samples w.grad is four times what it should be: it is the gradient of "
                    "the sum. Asked for is the mean.",
                    "4 个样本时，w.grad 是应有值的四倍：这是和的梯度，要的是平均。",
                ),
            ),
        ),
        otherwise=Words(
            "w.grad should be the gradient of ((model(w, x) - y) ** 2).mean() over all samples. "
            "Compare the two for four samples in parts of two.",
            "w.grad 应当是全部样本的 ((model(w, x) - y) ** 2).mean() 的梯度。用四个样本、每部分两个"
            "比较一下。",
        ),
    ),
    "04.6": Exercise(
        asks=("kept",),
        probe="""
            from minigrad_lessons.engine import after
            Tensor = getattr(kept, "__globals__", {}).get("Tensor")  # the learner's own
            if not (hasattr(Tensor, "walk") and hasattr(Tensor, "free")):
                Tensor = after(4).Tensor
            a, b = Tensor(2.0), Tensor(-3.0)
            c = a * b
            y = c * c
            seen = [kept(a), kept(a + b), kept(a * a), kept(y), kept(y + c), kept(c * (a + b) + y)]
            y.backward(retain_graph=True)
            seen.append(kept(y))
            y.backward()
            seen += [kept(y), kept(y + a), kept(a * b + y)]
            t = Tensor(1.0)
            for _ in range(30):
                t = t * t
            seen.append(kept(t))
        """,
        solution="seen, todo, count = set(), [result], 0\n"
        "while todo:\n"
        "    tensor = todo.pop()\n"
        "    if tensor not in seen:\n"
        "        seen.add(tensor)\n"
        "        count += len(tensor.saved or ())\n"
        "        todo += tensor.inputs\n"
        "return count",
        accepted=(
            "found = {}\n"
            "def go(tensor):\n"
            "    if id(tensor) not in found:\n"
            "        found[id(tensor)] = 0 if tensor.saved is None else len(tensor.saved)\n"
            "        for below in tensor.inputs:\n"
            "            go(below)\n"
            "go(result)\n"
            "return sum(found.values())",
            "def below(tensor, known):\n"
            "    if not any(tensor is each for each in known):\n"
            "        known.append(tensor)\n"
            "        for each in tensor.inputs:\n"
            "            below(each, known)\n"
            "    return known\n"
            "return sum(2 for tensor in below(result, []) if tensor.saved)",
        ),
        rejected=(
            "return 0",
            "return len(result.saved or ())",
            "return len(result.saved or ()) + sum(kept(below) for below in result.inputs)",
        ),
        right=lambda seen: alike(seen, KEPT),
        because=Words(
            "Two numbers for each product that has not been freed, each product counted once.",
            "每个没有释放的乘法有两个数，每个乘法只算一次。",
        ),
        hints=(
            Hint(
                "seen, todo, count = set(), [result], 0\n"
                "while todo:\n"
                "    tensor = todo.pop()\n"
                "    if tensor not in seen:\n"
                "        seen.add(tensor)\n"
                "        count += bool(tensor.saved)\n"
                "        todo += tensor.inputs\n"
                "return count",
                lambda seen: alike([2 * count for count in seen], KEPT),
                Words(
                    "That is the number of products. Each of them has saved two numbers.",
                    "这是乘法的个数。每次乘法保存了两个数。",
                ),
            ),
            Hint("print(result.saved)", nothing, RETURNS_NONE),
        ),
        otherwise=Words(
            "For c = a * b and y = c * c there are four saved numbers, though two paths lead from "
            "y to c. After y.backward() there are none.",
            "当 c = a * b、y = c * c 时，保存的数有四个，虽然从 y 到 c 有两条路径。y.backward() "
            "之后一个也没有。",
        ),
    ),
}
