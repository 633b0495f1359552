"""Exercises of chapter 13, the harvest."""

from __future__ import annotations

from typing import Any

from .exercise import Exercise, Hint, Words
from .recognise import each


def three_numbers(seen: Any) -> bool:
    """Each engine has found something else, none of them failed, and the right one says the same
    again.
    """
    return len(set(seen[:3])) == 3 and seen[3] == seen[0] and not {"error", "None"} & set(seen)


NOT_IN_THE_TABLE = Words(
    "Write a list of three names from the table, the one behind 12 first.",
    "请写一个列表，包含表中的三个名字，12 背后的那个写在最前。",
)

EXERCISES = {
    "13.1": Exercise(
        asks=("found_by",),
        solution='["without_order", "set_of_parents", "overwrites"]',
        accepted=(
            '("without_order", "set_of_parents", "overwrites")',
            '[name for number in ("12", "10", "4") for name in beliefs(cubic)[number]]',
            '"without_order set_of_parents overwrites".split()',
            '[beliefs(cubic)[number] for number in ("12", "10", "4")]',
        ),
        rejected=(
            '"without_order"',
            "[12, 10, 4]",
            '["overwrites", "overwrites", "overwrites"]',
            '{"without_order", "set_of_parents", "overwrites"}',
            "beliefs(cubic)",
        ),
        right=lambda seen: (
            each("without_order", "set_of_parents", "overwrites")(seen)
            or each(["without_order"], ["set_of_parents"], ["overwrites"])(seen)
        ),
        because=Words(
            "`beliefs(cubic)` says the same. `viz.compare` steps through one of them and the right "
            "engine together.",
            "`beliefs(cubic)` 说的也是这些。请用 `viz.compare` 把其中一个与正确的引擎并排看一遍。",
        ),
        hints=(
            Hint(
                '["without_order", "overwrites", "set_of_parents"]',
                each("without_order", "overwrites", "set_of_parents"),
                Words(
                    "12 is right. Which engine leaves only the last gradient that arrives at `a`? "
                    "It comes from b = a · a.",
                    "12 对了。哪个引擎里 `a` 只剩最后到达的梯度？它来自 b = a · a。",
                ),
            ),
            Hint(
                '["set_of_parents", "without_order", "overwrites"]',
                each("set_of_parents", "without_order", "overwrites"),
                Words(
                    "4 is right. With a set of inputs, which two gradients reach `a`? Add them.",
                    "4 对了。如果输入是集合，有哪两份梯度到达 `a`？把它们加起来。",
                ),
            ),
            Hint(
                '["overwrites", "set_of_parents", "without_order"]',
                each("overwrites", "set_of_parents", "without_order"),
                Words(
                    "10 is right. The other two are the wrong way round: which engine drops the 1 "
                    "that d hands to `b`, and keeps all that reaches `a`?",
                    "10 对了，另外两个反了：哪个引擎丢掉了 d 交给 `b` 的 1，"
                    "却留下了到达 `a` 的一切？",
                ),
            ),
        ),
        otherwise=NOT_IN_THE_TABLE,
    ),
    "13.2": Exercise(
        asks=("tell",),
        probe="""
            from minigrad_lessons.engine.wrong import answered, right_engine, wrong_engine

            seen = []
            for make, *name in (
                (right_engine,),
                (wrong_engine, "set_of_parents"),
                (wrong_engine, "overwrites"),
                (right_engine,),
            ):
                engine = make(*name)
                engine.__name__ = "engine"  # its numbers are to tell it, and not its name
                seen.append(answered(tell, engine))
        """,
        solution=(
            "def tell(lib):\n"
            "    a = lib.tensor(2.0, requires_grad=True)\n"
            "    b = a * a + a\n"
            "    b.backward()\n"
            "    return a.grad"
        ),
        accepted=(
            "a = lib.tensor(2.0, requires_grad=True)\n"
            "b = a * a\n"
            "(b * a + b).backward()\n"
            "return a.grad",
            "a = lib.tensor(3.0, requires_grad=True)\n(a + a + a).backward()\nreturn [a.grad]",
            "a = lib.tensor([1.0, 2.0], requires_grad=True)\n"
            "(a * a * a + a).sum().backward()\n"
            "return a.grad.tolist()",
        ),
        rejected=(
            "return 3",
            "import random\nreturn random.random()",
            'return {"set_of_parents": 3, "overwrites": 2}.get(lib.__name__, 5)',
            "a = lib.tensor(2.0, requires_grad=True)\nb = a * a\nb.backward()\nb.backward()",
            "a = lib.tensor(2.0, requires_grad=True)\n(a * 3.0).backward()\nreturn a.grad",
        ),
        right=three_numbers,
        because=Words(
            "Three engines, three numbers: each belief can be known by its own.",
            "三个引擎，三个数：每个想法都能从它的数认出来。",
        ),
        hints=(
            Hint(
                "return gradient_of_a(lib)",
                lambda seen: seen[0] != seen[1] == seen[2] != "error",
                Words(
                    "The two wrong engines still agree. Use the tensor once more, in another "
                    "operation of the same graph.",
                    "两个错误的引擎仍然一致。请在同一张图的另一个运算里再用一次那个张量。",
                ),
            ),
            Hint(
                "a = lib.tensor(2.0, requires_grad=True)\n(a * 3.0 + a).backward()\nreturn a.grad",
                lambda seen: seen[0] == seen[1] != seen[2],
                Words(
                    "The engine with the set agrees with the right one. It goes wrong only where "
                    "one operation has the same input twice, and a gradient other than 0 is lost.",
                    "用集合的引擎与正确的一致。只有当一个运算的两个输入是同一个张量、而且丢掉的梯度"
                    "不是 0 时，它才会出错。",
                ),
            ),
        ),
        otherwise=Words(
            "The three engines have to give three different gradients.",
            "三个引擎应当给出三个不同的梯度。",
        ),
    ),
    "13.3": Exercise(
        asks=("gradients",),
        probe="""
            from minigrad_lessons.engine import after

            def number(g):
                return g.data if hasattr(g, "grad_fn") else g

            seen = []
            for at_a, at_b in ((2.0, 3.0), (-1.0, 0.5)):
                engine = after(12)
                a, b, c = (engine.Tensor(at, True) for at in (at_a, at_b, 5.0))
                a.grad, c.grad = engine.Tensor(7.0), engine.Tensor(11.0)
                f = (a * b + a) * b
                found = gradients(engine, f, b, c)
                found = found if isinstance(found, (list, tuple)) else [found]
                seen.append([number(g) for g in (*found, a.grad, b.grad, c.grad)])
        """,
        solution=(
            "def gradients(engine, result, *leaves):\n"
            '    """What backward() would bring to these leaves; every .grad stays as it was."""\n'
            "    nodes = engine.count_uses(result.grad_fn)\n"
            '    ends = [node.variable for node in nodes if hasattr(node, "variable")]\n'
            "    before = {leaf: leaf.grad for leaf in [*ends, *leaves]}\n"
            "    for leaf in before:\n"
            "        leaf.grad = None\n"
            "    result.backward()\n"
            "    found = [leaf.grad for leaf in leaves]\n"
            "    for leaf, grad in before.items():\n"
            "        leaf.grad = grad\n"
            "    return found"
        ),
        accepted=(
            "found = {}\n"
            "def keep(self, g):\n"
            "    found[self] = found[self] + g if self in found else g\n"
            "right, engine.Tensor.keep = engine.Tensor.keep, keep\n"
            "try:\n"
            "    result.backward()\n"
            "finally:\n"
            "    engine.Tensor.keep = right\n"
            "return [found.get(leaf) for leaf in leaves]",
            "def below(node):\n"
            "    yield node\n"
            "    for other, _ in node.next_functions:\n"
            "        if other is not None:\n"
            "            yield from below(other)\n"
            "ends = {n.variable for n in below(result.grad_fn) if hasattr(n, 'variable')}\n"
            "old = [(t, t.grad) for t in ends | set(leaves)]\n"
            "for t, _ in old:\n"
            "    t.grad = None\n"
            "result.backward(retain_graph=True)\n"
            "new = tuple(t.grad for t in leaves)\n"
            "for t, g in old:\n"
            "    t.grad = g\n"
            "return new",
            "ends = [n.variable for n in engine.count_uses(result.grad_fn) "
            "if isinstance(n, engine.AccumulateGrad)]\n"
            "old = {t: t.grad for t in [*ends, *leaves]}\n"
            "for t in old:\n"
            "    t.grad = None\n"
            "result.backward()\n"
            "new = [None if t.grad is None else t.grad.data for t in leaves]\n"
            "for t in old:\n"
            "    t.grad = old[t]\n"
            "return new",
        ),
        rejected=(
            "return [leaf.grad for leaf in leaves]",
            "return [None, None]",
            "return [14, None]",
            "result.backward()",
            "result.backward()\nreturn {leaf: leaf.grad for leaf in leaves}",
        ),
        right=each([14, None, 7, None, 11], [-2, None, 7, None, 11]),
        because=Words(
            "The gradient of `b`, None for `c`, and every `.grad` is what it was.",
            "`b` 的梯度对，`c` 得到 None，每个 `.grad` 都与之前一样。",
        ),
        hints=(
            Hint(
                "result.backward()\nreturn [leaf.grad for leaf in leaves]",
                each([14, 11, 19, 14, 11], [-2, 11, 7.75, -2, 11]),
                Words(
                    "That is `backward()`: `.grad` of all leaves has been added to, and a leaf "
                    "that has nothing to do with the result shows an old gradient.",
                    "这就是 `backward()`：所有叶子节点的 `.grad` 都被加上了，"
                    "与结果无关的叶子节点显示的是旧的梯度。",
                ),
            ),
            Hint(
                "before = [leaf.grad for leaf in leaves]\n"
                "for leaf in leaves:\n"
                "    leaf.grad = None\n"
                "result.backward()\n"
                "found = [leaf.grad for leaf in leaves]\n"
                "for leaf, grad in zip(leaves, before):\n"
                "    leaf.grad = grad\n"
                "return found",
                each([14, None, 19, None, 11], [-2, None, 7.75, None, 11]),
                Words(
                    "What was asked for is right, and is put back. But `.grad` of a leaf that was "
                    "not named had 7 before and has 19 now. Which leaves does the graph have?",
                    "要求的都对了，也放回去了。但有一个没有指定的叶子节点，"
                    "`.grad` 之前是 7，现在是 19。"
                    "图里有哪些叶子节点？",
                ),
            ),
            Hint(
                "nodes = engine.count_uses(result.grad_fn)\n"
                "ends = [node.variable for node in nodes if hasattr(node, 'variable')]\n"
                "before = {leaf: leaf.grad for leaf in ends}\n"
                "for leaf in ends:\n"
                "    leaf.grad = None\n"
                "result.backward()\n"
                "found = [leaf.grad for leaf in leaves]\n"
                "for leaf, grad in before.items():\n"
                "    leaf.grad = grad\n"
                "return found",
                each([14, 11, 7, None, 11], [-2, 11, 7, None, 11]),
                Words(
                    "Nearly. A leaf that the result does not come from had an old gradient, and "
                    "that was returned in place of None.",
                    "差一点。有一个叶子节点与结果无关，它有旧的梯度，"
                    "返回的却是这个旧梯度而不是 None。",
                ),
            ),
            Hint(
                "nodes = engine.count_uses(result.grad_fn)\n"
                "ends = [node.variable for node in nodes if hasattr(node, 'variable')]\n"
                "for leaf in [*ends, *leaves]:\n"
                "    leaf.grad = None\n"
                "result.backward()\n"
                "found = [leaf.grad for leaf in leaves]\n"
                "for leaf in [*ends, *leaves]:\n"
                "    leaf.grad = None\n"
                "return found",
                each([14, None, None, None, None], [-2, None, None, None, None]),
                Words(
                    "The gradients are right, but what stood in `.grad` before is lost.",
                    "梯度都对，但 `.grad` 里原来的东西丢了。",
                ),
            ),
        ),
        otherwise=Words(
            "Asked is a list: the gradient of `b` and, for `c`, None; and every `.grad` as before.",
            "要的是一个列表：`b` 的梯度，以及 `c` 的 None；并且每个 `.grad` 与之前一样。",
        ),
    ),
    "13.4": Exercise(
        asks=("keep",),
        probe="""
            from minigrad_lessons.engine import after
            # The answer may make tensors itself: these and its own have to be of one engine.
            kind = getattr(keep, "__globals__", {}).get("Tensor", after(12).Tensor)

            def number(g):
                return None if g is None else float(g.data)

            before, kind.keep = kind.keep, keep
            try:
                a, b, x = (kind(each, True) for each in (2.0, 3.0, 2.0))
                (a + b).backward()
                if a.grad is not None:
                    a.grad.add_(10.0)
                seen = [number(b.grad), number(a.grad)]
                (a + b).backward()
                seen += [number(b.grad), number(a.grad)]
                (x * x * x).backward(create_graph=True)
                (x * x).backward(create_graph=True)
                first, x.grad = x.grad, None
                if first is not None and first.grad_fn is not None:
                    first.backward()
                seen += [number(first), number(x.grad)]
            finally:
                kind.keep = before
        """,
        solution=(
            "def keep(self, g):\n    self.grad = g * 1.0 if self.grad is None else self.grad + g"
        ),
        accepted=(
            "self.grad = g + 0.0 if self.grad is None else g + self.grad",
            "if self.grad is None:\n    self.grad = g - 0.0\nelse:\n    self.grad = self.grad + g",
            "if self.grad is None:\n    self.grad = g * 1.0\nelse:\n    self.grad += g",
            "zero = type(g)(0.0)\nself.grad = (zero if self.grad is None else self.grad) + g",
        ),
        rejected=(
            "self.grad = None",
            "self.grad = g * 2.0",
            "return g",
            "keep = 5",
            "if self.grad is None:\n    self.grad = g * 1.0\nelse:\n    self.grad.add_(g)",
        ),
        right=each(1, 11, 1 + 1, 11 + 1, 12 + 4, 12 + 2),
        because=Words(
            "Each leaf has a gradient of its own, added up as before, and with its history.",
            "每个叶子节点都有自己的一份梯度，照样相加，历史也还在。",
        ),
        hints=(
            Hint(
                "self.grad = g if self.grad is None else self.grad + g",
                lambda seen: seen[:2] == [11, 11],
                Words(
                    "Two leaves still share a gradient: a change of one changes the other.",
                    "两个叶子节点仍然共用一份梯度：改一个，另一个也变了。",
                ),
            ),
            Hint(
                "self.grad = g * 1.0",
                each(1, 11, 1, 1, 4, 2),
                Words(
                    "Nothing is shared any more, but a second `backward()` replaces the gradient "
                    "in place of adding to it.",
                    "不再共用了，但第二次 `backward()` 替换了梯度，而不是加上去。",
                ),
            ),
            Hint(
                "self.grad = Tensor(g.data.copy()) if self.grad is None else self.grad + g",
                lambda seen: each(1, 11, 2, 12, 16)(seen[:5]) and seen[5] != 14,
                Words(
                    "Nothing is shared, and the sums are right. But with `create_graph` a part has "
                    "no history, so the second derivative is not right. Copy by an operation.",
                    "不再共用，和也对了。但在 `create_graph` 时，有一部分没有历史，二阶导数就不对。"
                    "请用一个运算来复制。",
                ),
            ),
        ),
        otherwise=Words(
            "The first gradient that arrives is to be kept as a copy, and the others added to it.",
            "最先到达的梯度要以副本的形式留下，后来的加到它上面。",
        ),
    ),
    "13.5": Exercise(
        asks=("multiplies",),
        probe="""
            from minigrad_lessons.engine.wrong import answered, right_engine

            def square(lib):
                a = lib.tensor(3.0, requires_grad=True)
                (a * a + a).backward()
                return a.grad

            def twice(lib):
                a = lib.tensor(3.0, requires_grad=True)
                b = a * 2.0
                (b * b).backward()
                (a * 5.0).backward()
                return a.grad

            seen = []
            for program in (square, twice):
                engine = right_engine()
                multiplies(engine)
                seen.append(answered(program, engine))
        """,
        solution=(
            "def multiplies(engine):\n"
            "    @into(engine.Node)\n"
            "    def receive(self, g):\n"
            "        self.incoming = g if self.incoming is None else self.incoming * g"
        ),
        accepted=(
            "def receive(self, g):\n"
            "    self.incoming = g * (1.0 if self.incoming is None else self.incoming)\n"
            "engine.Node.receive = receive",
            "@into(engine.Node)\ndef receive(self, g):\n"
            "    self.incoming = (self.incoming or 1) * g",
            "engine.Node.receive = lambda self, g: setattr(\n"
            "    self, 'incoming', g if self.incoming is None else self.incoming * g\n"
            ")",
        ),
        rejected=(
            "@into(engine.Node)\ndef receive(self, g):\n    self.incoming = g",
            "return engine",
        ),
        right=each("9", "77"),
        because=Words(
            "3 · 3 · 1 = 9; and (6 · 6) · 2 + 5 = 77, since two passes still add up.",
            "3 · 3 · 1 = 9；而 (6 · 6) · 2 + 5 = 77，因为两次反向传播仍然相加。",
        ),
        hints=(
            Hint(
                "@into(engine.Tensor)\n"
                "def keep(self, g):\n"
                "    self.grad = g if self.grad is None else self.grad * g",
                each("7", "120"),
                Words(
                    "That multiplies what several `backward()` bring. Within one pass, gradients "
                    "meet at the nodes, before that.",
                    "这是把几次 `backward()` 带来的相乘。在同一次反向传播里，"
                    "梯度在此之前就在节点处相遇。",
                ),
            ),
            Hint(
                "@into(engine.Node)\n"
                "def receive(self, g):\n"
                "    self.incoming = g if self.incoming is None else self.incoming * g\n"
                "@into(engine.Tensor)\n"
                "def keep(self, g):\n"
                "    self.grad = g if self.grad is None else self.grad * g",
                each("9", "360"),
                Words(
                    "Within one pass that is right. But several `backward()` should still add up.",
                    "同一次反向传播里是对的。但几次 `backward()` 仍应相加。",
                ),
            ),
        ),
        otherwise=Words(
            "a · a + a at 3 should give 3 · 3 · 1 = 9. Where does what arrives meet what waits?",
            "a · a + a 在 3 处应当得到 3 · 3 · 1 = 9。到达的与等待的在哪里相遇？",
        ),
    ),
}
