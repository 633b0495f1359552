"""Exercises of chapter 03, gradients of intermediate results."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import alike, each, named, nothing, number
from .sentences import RETURNS_NONE


def at(*places: int) -> Any:
    """The part of what was seen at a place: `at(0, 1)(seen)` is `seen[0][1]`."""

    def pick(seen: Any) -> Any:
        for place in places:
            seen = seen[place]
        return seen

    return pick


SIZES: list[Any] = [
    [720**0.5, 18**0.5, 2**0.5],
    [15570.25**0.5, 480.25**0.5, 2**0.5, 2**0.5],
    [2.0],
]
ARRIVALS: list[Any] = [
    [12.0, 12.0, 6.0, 6.0],
    [18.0, 18.0, 9.0],
    [6.0, 6.0, 3.0],
    [1.0],
    [],
    [2.0],
    [1.0],
    [None, None, None, None],
]


def in_another_order(seen: Any) -> bool:
    """All that should arrive arrives, and somewhere in another order."""
    return seen != ARRIVALS and [sorted(part) for part in seen[:-1]] == [
        sorted(part) for part in ARRIVALS[:-1]
    ]


EXERCISES = {
    "03.1": Exercise(
        asks=("h_grad",),
        solution="7.0",
        accepted=("7", "2 * 2 + 3", "mg.tensor(7.0)", "mg.autograd.grad(y, h)[0]"),
        rejected=("'seven'", "'7'", "8.0", "None", "print(7)", "[7.0, 14.0]"),
        right=number(7),
        because=Words(
            "2 h = 4 through the square, 3 through the product: h keeps the sum, 7.",
            "经过平方的是 2 h = 4，经过乘积的是 3：h 保留的是总和 7。",
        ),
        hints=(
            Hint(
                "14.0",
                number(14),
                Words(
                    "14 is x.grad. The gradient of h has not yet been multiplied by 2.",
                    "14 是 x.grad。h 的梯度还没有乘以 2。",
                ),
            ),
            Hint(
                "4.0",
                number(4),
                Words(
                    "4 is what arrives through h * h. h is also used in 3 * h.",
                    "4 只是经过 h * h 到达的部分，h 还出现在 3 * h 中。",
                ),
            ),
            Hint(
                "5.0",
                number(5),
                Words(
                    "5 is 2 + 3: one edge from h * h to h is counted. It has two, because both "
                    "factors are h.",
                    "5 等于 2 + 3：从 h * h 到 h 的边只算了一条。它有两条，因为两个因子都是 h。",
                ),
            ),
            Hint(
                "10.0",
                number(10),
                Words(
                    "10 is the value of y. The question is how fast y changes with h.",
                    "10 是 y 的值。这里问的是 y 随 h 变化的快慢。",
                ),
            ),
        ),
        otherwise=Words(
            "y = h * h + 3 * h, and h is 2. What is the derivative of y with respect to h?",
            "y = h * h + 3 * h，h 等于 2。y 对 h 的导数是多少？",
        ),
    ),
    "03.2": Exercise(
        asks=("both_gradients",),
        probe="""
            seen = []
            for value in (1.0, -3.0):
                x = mg.tensor(value, requires_grad=True)
                seen.append(both_gradients(x))
        """,
        solution="h.retain_grad()",
        accepted=(
            "h.register_hook(lambda g: setattr(h, 'grad', g))",
            "def both_gradients(x):\n    h = 2 * x\n    return mg.autograd.grad(h * h, [x, h])",
            "def both_gradients(x):\n"
            "    seen = []\n"
            "    h = 2 * x\n"
            "    h.register_hook(seen.append)\n"
            "    (h * h).backward()\n"
            "    return [x.grad, seen[0]]",
        ),
        rejected=("return None", "h = 3 * x\nh.retain_grad()", "x.backward()", "1 / 0"),
        right=each([8, 4], [-24, -12]),
        because=Words(
            "h was asked before the pass, so it kept its gradient: 4 for x = 1. Twice as much went "
            "on to x.",
            "在 backward() 之前就向 h 提出了要求，所以它留下了自己的梯度：x = 1 时是 4。"
            "继续传给 x 的是它的两倍。",
        ),
        hints=(
            Hint(
                "h = h.detach().requires_grad_()",
                lambda seen: seen[0][0] is None and seen[0][1] is not None,
                Words(
                    "h has a gradient now, but x has none: no path leads from the result to x any "
                    "more.",
                    "h 现在有梯度了，x 却没有：从结果到 x 不再有路径。",
                ),
            ),
            Hint(
                "h.requires_grad_()",
                lambda seen: alike(seen, [[8, None], [-24, None]]),
                Words(
                    "h.grad is None: nothing told h to keep its gradient before backward() ran.",
                    "h.grad 是 None：在 backward() 运行之前，没有什么让 h 把梯度保留下来。",
                ),
            ),
            Hint(
                "h.grad = mg.tensor(4.0)",
                lambda seen: alike(at(0, 1)(seen), 4) and alike(at(1, 1)(seen), 4),
                Words(
                    "The gradient of h came out as 4 for every x. For x = -3 it is -12: let "
                    "backward() find it.",
                    "不论 x 是多少，得到的 h 的梯度都是 4。x = -3 时它应当是 -12：请让 backward() "
                    "来求。",
                ),
            ),
        ),
        otherwise=Words(
            "For x = 1 the function should return 8 for x and 4 for h; for x = -3, -24 and -12.",
            "x = 1 时，函数应当返回 x 的梯度 8 和 h 的梯度 4；x = -3 时是 -24 和 -12。",
        ),
    ),
    "03.3": Exercise(
        asks=("have_grad",),
        solution='["a", "p"]',
        accepted=('["p", "a"]', '("a", "p")', '{"a", "p"}'),
        rejected=("[]", '["p"]', '["p", "b"]', "2"),
        right=named("a", "p"),
        because=Words(
            "A leaf that requires a gradient, and a result that was asked to keep its own.",
            "一个是要求梯度的叶子节点，一个是被要求保留梯度的中间结果。",
        ),
        hints=(
            Hint(
                '"a, p"',
                lambda seen: isinstance(seen, str),
                Words(
                    'That is one string. Write a list with one string for each name: ["a", "k"].',
                    '这是一个字符串。请写成列表，每个名字一个字符串：["a", "k"]。',
                ),
            ),
            Hint(
                "[a, p]",
                lambda seen: isinstance(seen, list) and isinstance(seen[0], float),
                Words(
                    'That is a list of numbers. Write the names, in quotes: ["a", "k"].',
                    '这是由数组成的列表。请写名字，并加上引号：["a", "k"]。',
                ),
            ),
            Hint(
                '["a"]',
                named("a"),
                Words(
                    "a has one. One of the results was asked to keep its gradient as well.",
                    "a 有。还有一个中间结果被要求保留梯度。",
                ),
            ),
            Hint(
                '["a", "k", "p"]',
                lambda seen: isinstance(seen, list) and "k" in seen,
                Words(
                    "k is a leaf, but it never asked for a gradient: k.requires_grad is False.",
                    "k 是叶子节点，但它从未要求梯度：k.requires_grad 为 False。",
                ),
            ),
            Hint(
                '["a", "p", "q", "s"]',
                lambda seen: isinstance(seen, list) and bool({"q", "s"} & set(seen)),
                Words(
                    "A gradient passes through q and s, but nobody asked them to keep it.",
                    "梯度确实经过了 q 和 s，但没有人要求它们保留。",
                ),
            ),
        ),
        otherwise=Words(
            "For each tensor ask: is it a leaf that requires a gradient? Was retain_grad() called "
            "on it? Write the names as a list of strings.",
            "对每个张量问两个问题：它是要求梯度的叶子节点吗？对它调用过 retain_grad() 吗？请把名字"
            "写成字符串的列表。",
        ),
    ),
    "03.4": Exercise(
        asks=("limit",),
        probe="""
            seen = []
            for values in ([0.25, -3.0, 20.0], [[0.0, 0.75], [-0.5, 9.0]], 1.5):
                x = mg.tensor(values, requires_grad=True)
                h = 2 * x
                h.register_hook(limit)
                # The gradient that comes to h is x.
                (h * h / 4).sum().backward()
                seen.append((x.grad / 2).tolist())
        """,
        solution="lambda g: g.clamp(-1.0, 1.0)",
        accepted=(
            "lambda g: mg.clamp(g, -1, 1)",
            "lambda g: g.clamp(max=1.0).clamp(min=-1.0)",
            "lambda g: mg.where(g > 1, mg.ones_like(g), mg.where(g < -1, -mg.ones_like(g), g))",
            "lambda g: mg.minimum(mg.maximum(g, -mg.ones_like(g)), mg.ones_like(g))",
            "def limit(g):\n    large = g.abs() > 1\n    return g * ~large + g.sign() * large",
        ),
        rejected=(
            "lambda g: g.clamp(-2, 2)",
            "lambda g: g.clamp(-1, 1).sum()",
            "lambda g: max(-1, min(1, g))",
            "7",
        ),
        right=each([0.25, -1, 1], [[0, 0.75], [-0.5, 1]], 1),
        because=Words(
            "What is between -1 and 1 goes through unchanged, and everything else becomes -1 or 1.",
            "-1 和 1 之间的原样通过，其余的都变成了 -1 或 1。",
        ),
        hints=(
            Hint(
                "lambda g: print(g)",
                each([0.25, -3, 20], [[0, 0.75], [-0.5, 9]], 1.5),
                Words(
                    "The gradient passed unchanged. A hook changes it by what it returns.",
                    "梯度原样通过了。钩子要靠返回值来改变梯度。",
                ),
            ),
            Hint(
                "lambda g: g.clamp(max=1.0)",
                each([0.25, -3, 1], [[0, 0.75], [-0.5, 1]], 1),
                Words(
                    "The large ones are cut, but -3 still passes. There is a lower limit too.",
                    "太大的数被截住了，但 -3 仍然通过了。还有一个下限。",
                ),
            ),
            Hint(
                "lambda g: g.clamp(min=-1.0)",
                each([0.25, -1, 20], [[0, 0.75], [-0.5, 9]], 1.5),
                Words(
                    "The negative ones are cut, but 20 still passes. There is an upper limit too.",
                    "太小的负数被截住了，但 20 仍然通过了。还有一个上限。",
                ),
            ),
            Hint(
                "lambda g: g.sign()",
                lambda seen: not alike(seen[0][0], 0.25),
                Words(
                    "0.25 lies between the limits and should come out as 0.25. It came out as "
                    "another number.",
                    "0.25 在两个界限之间，应当原样通过，现在却变成了别的数。",
                ),
            ),
            Hint(
                "lambda g: g.abs().clamp(max=1.0)",
                lambda seen: alike(seen[0], [0.25, 1, 1]),
                Words(
                    "-3 should become -1. It has become 1: the sign is lost.",
                    "-3 应当变成 -1，现在却变成了 1：符号丢了。",
                ),
            ),
        ),
        otherwise=Words(
            "A hook is a function of the gradient g that returns a tensor. Of [0.25, -3, 20] it "
            "should make [0.25, -1, 1].",
            "钩子是以梯度 g 为参数、返回一个张量的函数。它应当把 [0.25, -3, 20] 变成 "
            "[0.25, -1, 1]。",
        ),
    ),
    "03.5": Exercise(
        asks=("gradient_sizes",),
        probe="""
            x = mg.tensor([1.0, -2.0], requires_grad=True)
            first = [lambda t: t * 2, lambda t: t * t, lambda t: t * 3]
            seen = [gradient_sizes(first, x)]
            x = mg.tensor([[0.5, 1.0], [2.0, -1.0]], requires_grad=True)
            second = [lambda t: t + 1, lambda t: (t * t).sum(1), lambda t: t * t, lambda t: -t]
            seen.append(gradient_sizes(second, x))
            seen.append(gradient_sizes([lambda t: t * 5], x))
        """,
        solution="results = []\n"
        "for layer in layers:\n"
        "    x = layer(x)\n"
        "    x.retain_grad()\n"
        "    results.append(x)\n"
        "x.sum().backward()\n"
        "return [result.grad.norm().item() for result in results]",
        accepted=(
            "sizes = []\n"
            "for layer in layers:\n"
            "    x = layer(x)\n"
            "    x.register_hook(lambda g: sizes.insert(0, g.norm().item()))\n"
            "x.sum().backward()\n"
            "return sizes",
            "results = [x]\n"
            "for layer in layers:\n"
            "    results.append(layer(results[-1]))\n"
            "gradients = mg.autograd.grad(results[-1].sum(), results[1:])\n"
            "return [(g * g).sum().sqrt() for g in gradients]",
            "found = {}\n"
            "def spy(i):\n"
            "    def hook(g):\n"
            "        found[i] = g.norm()\n"
            "    return hook\n"
            "for i, layer in enumerate(layers):\n"
            "    x = layer(x)\n"
            "    x.register_hook(spy(i))\n"
            "x.sum().backward()\n"
            "return [found[i] for i in range(len(layers))]",
        ),
        rejected=(
            "return []",
            "return [1.0 for layer in layers]",
            "return [x.norm() for layer in layers]",
        ),
        right=lambda seen: alike(seen, SIZES),
        because=Words(
            "One length for each layer, from the first to the last, and no gradient was lost.",
            "每一层一个长度，从第一层到最后一层，没有丢掉任何梯度。",
        ),
        hints=(
            Hint(
                "sizes = []\n"
                "for layer in layers:\n"
                "    x = layer(x)\n"
                "    x.register_hook(lambda g: sizes.append(g.norm().item()))\n"
                "x.sum().backward()\n"
                "return sizes",
                lambda seen: alike(seen, [sizes[::-1] for sizes in SIZES]),
                Words(
                    "The numbers are right, but the last layer comes first. The first one should.",
                    "数都对，但最后一层排在最前面。应当是第一层在最前面。",
                ),
            ),
            Hint(
                "results = [x]\n"
                "for layer in layers:\n"
                "    x = layer(x)\n"
                "    x.retain_grad()\n"
                "    results.append(x)\n"
                "x.sum().backward()\n"
                "return [result.grad.norm().item() for result in results]",
                lambda seen: [len(sizes) for sizes in seen] == [4, 5, 2],
                Words(
                    "There is one number more than there are layers. The gradient of x itself is "
                    "not asked for.",
                    "得到的数比层数多一个。不需要 x 自己的梯度。",
                ),
            ),
            Hint(
                "for layer in layers:\n"
                "    x = layer(x)\n"
                "    x.register_hook(lambda g: print(g.norm()))\n"
                "x.sum().backward()",
                nothing,
                RETURNS_NONE,
            ),
            Hint(
                "sizes = []\n"
                "for layer in layers:\n"
                "    x = layer(x)\n"
                "    sizes.append(x.norm().item())\n"
                "return sizes",
                lambda seen: alike(seen[0], [20**0.5, 272**0.5, 3 * 272**0.5]),
                Words(
                    "These are the lengths of the results. Asked for are the lengths of their "
                    "gradients.",
                    "这是各层结果的长度。要的是它们的梯度的长度。",
                ),
            ),
            Hint(
                "results = []\n"
                "for layer in layers:\n"
                "    x = layer(x)\n"
                "    x.retain_grad()\n"
                "    results.append(x)\n"
                "x.sum().backward()\n"
                "return [result.grad.sum().item() for result in results]",
                lambda seen: alike(seen[0], [-12, 6, 2]),
                Words(
                    "These are the sums of the gradients, in which positive and negative numbers "
                    "cancel. norm() gives the length.",
                    "这是梯度各元素之和，正负会抵消。norm() 给出的才是长度。",
                ),
            ),
        ),
        otherwise=Words(
            "For x = [1, -2] and the layers t * 2, t * t, t * 3 the list should be about "
            "[26.83, 4.24, 1.41].",
            "当 x = [1, -2]、各层为 t * 2、t * t、t * 3 时，列表应当约为 [26.83, 4.24, 1.41]。",
        ),
    ),
    "03.6": Exercise(
        asks=("arrivals",),
        probe="""
            from minigrad_lessons.engine import after
            Tensor = getattr(arrivals, "__globals__", {}).get("Tensor")  # the learner's own
            if not hasattr(Tensor, "walk"):
                Tensor = after(3).Tensor
            x, v = Tensor(3.0), Tensor(2.0)
            h = x * v
            y = h * h + h * x
            seen = [arrivals(y, x), arrivals(y, v), arrivals(y, h), arrivals(y, y)]
            seen += [arrivals(y, Tensor(3.0)), arrivals(h, x), arrivals(x, x)]
            seen.append([tensor.grad for tensor in (x, v, h, y)])
        """,
        solution="found = [1.0] if result is wanted else []\n"
        "for tensor, slope in zip(result.inputs, result.slopes):\n"
        "    found += [g * slope for g in arrivals(tensor, wanted)]\n"
        "return found",
        accepted=(
            "found = []\n"
            "def go(tensor, g):\n"
            "    if tensor is wanted:\n"
            "        found.append(g)\n"
            "    for below, slope in zip(tensor.inputs, tensor.slopes):\n"
            "        go(below, g * slope)\n"
            "go(result, 1.0)\n"
            "return found",
            "found, todo = [], [(result, 1.0)]\n"
            "while todo:\n"
            "    tensor, g = todo.pop()\n"
            "    if tensor is wanted:\n"
            "        found.append(g)\n"
            "    below = [(t, g * s) for t, s in zip(tensor.inputs, tensor.slopes)]\n"
            "    todo += reversed(below)\n"
            "return found",
            "Tensor = after(2).Tensor\n"
            "\n"
            "@into(Tensor)\n"
            "def arrive(self, wanted, g):\n"
            "    here = [g] if self is wanted else []\n"
            "    for tensor, slope in zip(self.inputs, self.slopes):\n"
            "        here += tensor.arrive(wanted, g * slope)\n"
            "    return here\n"
            "\n"
            "def arrivals(result, wanted):\n"
            "    return result.arrive(wanted, 1.0)",
        ),
        rejected=(
            "return []",
            "return [1.0]",
            "return [slope for t, slope in zip(result.inputs, result.slopes) if t is wanted]",
        ),
        right=lambda seen: alike(seen, ARRIVALS),
        because=Words(
            "One number for each path, and together they are what backward() would leave in .grad.",
            "每条路径一个数，加起来就是 backward() 会留在 .grad 里的数。",
        ),
        hints=(
            Hint(
                "result.backward()\nreturn [wanted.grad]",
                lambda seen: any(grad is not None for grad in seen[-1]),
                Words(
                    "A .grad was changed. Go down the paths yourself, with the inputs and the "
                    "slopes.",
                    "有的 .grad 被改动了。请自己用 inputs 和 slopes 沿着路径往下走。",
                ),
            ),
            Hint(
                "def total(r):\n"
                "    if r is wanted:\n"
                "        return 1.0\n"
                "    return sum(s * total(t) for t, s in zip(r.inputs, r.slopes))\n"
                "return [total(result)]",
                lambda seen: alike(seen[0], 36) or alike(seen[0], [36]),
                Words(
                    "36 is the sum of what arrives at x. Give the four numbers one by one.",
                    "36 是到达 x 的总和。请把四个数一个一个给出来。",
                ),
            ),
            Hint(
                "found, todo = [], [(result, 1.0)]\n"
                "while todo:\n"
                "    tensor, g = todo.pop()\n"
                "    if tensor is wanted:\n"
                "        found.append(g)\n"
                "    todo += [(t, g * s) for t, s in zip(tensor.inputs, tensor.slopes)]\n"
                "return found",
                in_another_order,
                Words(
                    "The numbers are right, their order is not. walk goes down the path of the "
                    "first input to its end before it begins with the second.",
                    "数都对，但顺序不对。walk 会先沿第一个输入的路径走到底，再开始走第二个输入的。",
                ),
            ),
            Hint(
                "found = [1.0] if result.data == wanted.data else []\n"
                "for tensor, slope in zip(result.inputs, result.slopes):\n"
                "    found += [g * slope for g in arrivals(tensor, wanted)]\n"
                "return found",
                lambda seen: alike(seen[:4], ARRIVALS[:4]) and len(seen[4]) > 0,
                Words(
                    "Asked for another Tensor that also holds 3, but is no part of the graph, it "
                    "should return []. Compare with `is`.",
                    "问的是另一个也存着 3、但不在图里的 Tensor 时，应当返回 []。请用 `is` 来比较。",
                ),
            ),
            Hint(
                "print(result.inputs, result.slopes)",
                lambda seen: nothing(seen[:-1]),
                RETURNS_NONE,
            ),
            Hint(
                "found = []\n"
                "for tensor, slope in zip(result.inputs, result.slopes):\n"
                "    found += [slope] if tensor is wanted else arrivals(tensor, wanted)\n"
                "return found",
                lambda seen: (
                    [len(part) for part in seen[:3]] == [4, 3, 3]
                    and not alike(seen[:4], ARRIVALS[:4])
                ),
                Words(
                    "Every path to x, v and h was found, but not every number is right. Along a "
                    "path all slopes are multiplied; at the result itself 1 arrives.",
                    "通向 x、v 和 h 的路径都找到了，但有的数不对。沿一条路径要把所有斜率相乘；"
                    "到达结果自身的是 1。",
                ),
            ),
        ),
        otherwise=Words(
            "For h = x * v and y = h * h + h * x with x = 3 and v = 2, arrivals(y, x) should be "
            "[12, 12, 6, 6].",
            "当 h = x * v、y = h * h + h * x，x = 3、v = 2 时，arrivals(y, x) 应当是 "
            "[12, 12, 6, 6]。",
        ),
    ),
}
