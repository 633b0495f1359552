"""The seven holes of the lab: solutions, known mistakes, and the programs of the checks.

A program uses `lib`, which is the student's engine, minigrad or PyTorch, and binds `seen`. The
answer is right if it sees on the student's engine what it sees on the libraries. Besides PyTorch's
names, `lib` has `kind(node)`, `count_uses(root)` and `runs(result)`, see lab.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..exercises.exercise import Words


@dataclass(frozen=True, slots=True)
class Mistake:
    """A known mistake: the text typed into the hole, and a sentence that helps."""

    typed: str
    says: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A hole: the names that its cell binds, its solution, and known mistakes.

    The engine with the first mistake is the hole's counterexample.
    """

    asks: tuple[str, ...]
    solution: str
    program: str
    because: Words
    otherwise: Words
    mistakes: tuple[Mistake, ...]


VALUE = Hole(
    asks=("Value",),
    solution="""\
self.data = np.asarray(data, dtype=float)
self.grad = None
self.grad_fn = grad_fn""",
    program="""
x = lib.tensor([3.0, -1.0], requires_grad=True)
y = -x
seen = [x.data, x.grad, x.grad_fn is None, y.grad_fn is None, y.data]
(-y).sum().backward()
seen.append(x.grad)
""",
    because=Words(
        "A value has its numbers, no gradient yet, and the node that made it.",
        "一个值有它的数值，还没有梯度，并记得产生它的节点。",
    ),
    otherwise=Words(
        "Three attributes are needed: `data` as an array, `grad`, and `grad_fn` as it was given.",
        "需要三个属性：数组形式的 `data`、`grad`，以及原样保存的 `grad_fn`。",
    ),
    mistakes=(
        Mistake(
            "self.data = np.asarray(data, dtype=float)\nself.grad = None\nself.grad_fn = None",
            Words(
                "Your value forgets its node: `grad_fn` should be what `__init__` was given.",
                "你的值忘了自己的节点：`grad_fn` 应当是传给 `__init__` 的那个。",
            ),
        ),
        Mistake(
            "self.data = data\nself.grad = None\nself.grad_fn = grad_fn",
            Words(
                "A list has no arithmetic. Make an array: `np.asarray(data, dtype=float)`.",
                "列表不能做算术。请变成数组：`np.asarray(data, dtype=float)`。",
            ),
        ),
        Mistake(
            "data = np.asarray(data, dtype=float)\ngrad = None\ngrad_fn = grad_fn",
            Words(
                "Names without `self.` are gone when `__init__` ends. Write `self.data` and so on.",
                "不写 `self.` 的名字，`__init__` 一结束就没有了。请写 `self.data` 等等。",
            ),
        ),
        Mistake(
            "self.data = np.asarray(data, dtype=float)\nself.grad = 0.0\nself.grad_fn = grad_fn",
            Words(
                "Before the first pass there is no gradient: `grad` should be None. A zero would "
                "say that a nudge changes nothing.",
                "第一次反向传播之前还没有梯度：`grad` 应当是 None。零表示轻推一下没有任何影响。",
            ),
        ),
    ),
)

OPERATIONS = Hole(
    asks=("__mul__", "__add__"),
    solution="""\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, MulBackward0(self, other))


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, AddBackward0(self, other))""",
    program="""
a = lib.tensor(2.0, requires_grad=True)
b = lib.tensor(-3.0, requires_grad=True)
ab = a * b
c = ab + a
square = a * a
below = lambda value: [node for node, _ in value.grad_fn.next_functions] if value.grad_fn else []
kinds = lambda value: [lib.kind(node) for node in below(value)]
seen = [ab.data, c.data, lib.kind(ab.grad_fn), lib.kind(c.grad_fn), kinds(ab), kinds(c)]
leaves = below(ab) + below(square)
seen += [len(leaves), len(set(leaves)), below(c)[:1] == [ab.grad_fn]]
""",
    because=Words(
        "Each operation hands its result a node, whose edges lead to both inputs.",
        "每个运算都给结果一个节点，节点的边通向两个输入。",
    ),
    otherwise=Words(
        "Return a `Value` with the computed number and a node made of `self` and `other`.",
        "返回一个 `Value`：算出的数，以及由 `self` 和 `other` 构成的节点。",
    ),
    mistakes=(
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, NegBackward0(self))


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, NegBackward0(self))""",
            Words(
                "A product has the node MulBackward0, a sum AddBackward0, and each has two inputs.",
                "乘积的节点是 MulBackward0，和的节点是 AddBackward0，它们都有两个输入。",
            ),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, MulBackward0)


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, AddBackward0)""",
            Words(
                "This is the node's class. Call it with both inputs: `MulBackward0(self, other)`.",
                "这是节点的类。请带上两个输入来调用它：`MulBackward0(self, other)`。",
            ),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, MulBackward0(self.data, other.data))


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, AddBackward0(self.data, other.data))""",
            Words(
                "Numbers remember nothing. Hand on the values: `MulBackward0(self, other)`.",
                "数什么也不记得。请把两个值交给节点：`MulBackward0(self, other)`。",
            ),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return self.data * other.data


@into(Value)
def __add__(self, other):
    return self.data + other.data""",
            Words(
                "That is a plain number, without memory. Return a `Value` with a node.",
                "这只是一个数，什么也不记得。请返回带有节点的 `Value`。",
            ),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, AddBackward0(self, other))


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, MulBackward0(self, other))""",
            Words("The two nodes are exchanged.", "两个节点弄反了。"),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data)


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data)""",
            Words(
                "The numbers are right, but the results have no node. Hand it to `Value` after the "
                "number.",
                "数值对，但结果没有节点。把节点作为第二个参数交给 `Value`。",
            ),
        ),
        Mistake(
            """\
@into(Value)
def __mul__(self, other):
    return Value(self.data * other.data, MulBackward0(self, self))


@into(Value)
def __add__(self, other):
    return Value(self.data + other.data, AddBackward0(self, self))""",
            Words(
                "The second input is missing in the node: both edges lead to the first.",
                "节点里缺了第二个输入：两条边都通向第一个。",
            ),
        ),
    ),
)

RULE = Hole(
    asks=("MulBackward0",),
    solution="return [g * b, g * a]",
    program="""
a = lib.tensor(2.0, requires_grad=True)
b = lib.tensor([-3.0, 5.0], requires_grad=True)
c = lib.tensor(7.0, requires_grad=True)
((a * b) * c).sum().backward()
d = lib.tensor(4.0, requires_grad=True)
((d * d) * d).backward()
seen = [a.grad, b.grad, c.grad, d.grad]
""",
    because=Words(
        "Each input gets what arrives, times the other input.",
        "每个输入得到的，是到达的梯度乘以另一个输入。",
    ),
    otherwise=Words(
        "Return a list of two: what arrives times how far a nudge of `a` moves the product, and "
        "the same for `b`.",
        "返回两项的列表：到达的梯度乘以轻推 `a` 时乘积移动的倍数；对 `b` 也一样。",
    ),
    mistakes=(
        Mistake(
            "return [g * a, g * b]",
            Words(
                "The factors are exchanged: a nudge of `a` is made `b` times as large.",
                "因数弄反了：轻推 `a`，放大的倍数是 `b`。",
            ),
        ),
        Mistake(
            "return [b, a]",
            Words(
                "That is right if the product is the result. Otherwise multiply by what arrives, "
                "`g`.",
                "只有乘积本身就是结果时才对。否则还要乘以到达的 `g`。",
            ),
        ),
        Mistake(
            "return [g * b]",
            Words(
                "A product has two inputs, so the rule returns two gradients.",
                "乘积有两个输入，所以规则返回两个梯度。",
            ),
        ),
    ),
)

SUMS = Hole(
    asks=("added",),
    solution="return g if old is None else old + g",
    program="""
a = lib.tensor(3.0, requires_grad=True)
b = lib.tensor(10.0, requires_grad=True)
s = a * a + a * b
(s * s).backward()
seen = [a.grad.tolist(), b.grad.tolist()]
(a + a).backward()
seen += [a.grad.tolist(), b.grad.tolist()]
x = lib.tensor([1.0, 2.0], requires_grad=True)
y = lib.tensor([3.0, 5.0], requires_grad=True)
((x + y) * x).sum().backward()
seen += [x.grad.tolist(), y.grad.tolist()]
""",
    because=Words(
        "What arrives is added to what is there; at first that is nothing.",
        "到达的加到已有的上面；起初什么也没有。",
    ),
    otherwise=Words(
        "Return the sum of `old` and `g`, and `g` alone if `old` is None.",
        "返回 `old` 与 `g` 的和；如果 `old` 是 None，就只返回 `g`。",
    ),
    mistakes=(
        Mistake(
            "return g",
            Words(
                "What was there is lost: only what arrives last remains.",
                "原有的丢掉了：只剩下最后到达的。",
            ),
        ),
        Mistake(
            "return g if old is None else old * g",
            Words(
                "Along a path slopes multiply. Where paths meet, they add.",
                "沿着一条路径斜率相乘；路径相遇时是相加。",
            ),
        ),
        Mistake(
            "return old + g",
            Words(
                "At first `old` is None, and nothing can be added to None. Return `g` alone then.",
                "起初 `old` 是 None，None 不能相加。这时只返回 `g`。",
            ),
        ),
        Mistake(
            "return g + old",
            Words(
                "At first `old` is None, and None cannot be added to `g`. Return `g` alone then.",
                "起初 `old` 是 None，不能加到 `g` 上。这时只返回 `g`。",
            ),
        ),
        Mistake(
            "if not old:\n    return g\nreturn old + g",
            Words(
                "`old` may be an array, which is not true or false. Ask whether `old is None`.",
                "`old` 可能是数组，数组谈不上真假。请判断 `old is None`。",
            ),
        ),
        Mistake(
            "return g if old is None else old",
            Words(
                "What arrives later is lost: only what came first remains.",
                "后来到达的丢掉了：只剩下最先到达的。",
            ),
        ),
    ),
)

COUNTS = Hole(
    asks=("count_uses",),
    solution="""\
uses, to_see = {root: 0}, [root]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below not in uses:
            uses[below] = 0
            to_see.append(below)
        uses[below] += 1
return uses""",
    program="""
a = lib.tensor(2.0, requires_grad=True)
b = lib.tensor(5.0, requires_grad=True)
c = a + a
d = c * c
e = d * b + a
uses = lib.count_uses(e.grad_fn)
seen = [sorted([lib.kind(node), count] for node, count in uses.items()), uses.get(e.grad_fn)]
seen += [uses.get(c.grad_fn), len(uses)]
""",
    because=Words(
        "Each edge is counted once, whatever lies above it.",
        "每条边只数一次，不管它上面是什么。",
    ),
    otherwise=Words(
        "Return a dict from nodes to numbers of edges; the root has 0.",
        "返回一个字典，从节点到边数；根节点是 0。",
    ),
    mistakes=(
        Mistake(
            """\
uses, to_see = {root: 0}, [root]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below not in uses:
            uses[below] = 1
            to_see.append(below)
return uses""",
            Words(
                "A node that is used twice has the count 1 here. Count every edge, also to a node "
                "that you have seen.",
                "被用了两次的节点在这里只数了 1 次。每条边都要数，也包括通向已经见过的节点的边。",
            ),
        ),
        Mistake(
            """\
uses, to_see = {root: 0}, [root]
while to_see:
    for below, _ in to_see.pop().next_functions:
        uses[below] = uses.get(below, 0) + 1
        to_see.append(below)
return uses""",
            Words(
                "You count paths, and their number doubles with each sum. Look at each node once: "
                "append it when you first see it.",
                "你数的是路径，每遇到一次加法，条数就翻倍。每个节点只看一次：第一次见到时才加入。",
            ),
        ),
        Mistake(
            """\
uses = {root: 0}
for edge in root.next_functions:
    uses[edge] = uses.get(edge, 0) + 1
return uses""",
            Words(
                "You count pairs of a node and a number. Take the node of each pair: "
                "`for below, _ in node.next_functions`.",
                "你数的是（节点，数）这样的对。请取出每一对里的节点："
                "`for below, _ in node.next_functions`。",
            ),
        ),
        Mistake(
            """\
uses = {root: 0}
for below, _ in root.next_functions:
    uses[below] = uses.get(below, 0) + 1
return uses""",
            Words(
                "You count the edges of the root alone. Go on with the nodes below it, each once.",
                "你只数了根节点的边。下面的节点也要看，每个一次。",
            ),
        ),
        Mistake(
            """\
uses, to_see = {}, [root]
while to_see:
    for below, _ in to_see.pop().next_functions:
        if below not in uses:
            uses[below] = 0
            to_see.append(below)
        uses[below] += 1
return uses""",
            Words(
                "The root is missing: begin with `{root: 0}`.",
                "缺了根节点：从 `{root: 0}` 开始。",
            ),
        ),
    ),
)

WALK = Hole(
    asks=("walk",),
    solution="""\
g, node.incoming = node.incoming, None
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    below.receive(fitted(part, shape))
    waiting[below] -= 1
    if waiting[below] == 0:
        ready.append(below)""",
    program="""
a = lib.tensor(1.0, requires_grad=True)
b = a + a
c = b * b
seen = [lib.runs(c), a.grad]
x = total = lib.tensor(1.0, requires_grad=True)
for _ in range(10):
    total = total + total
seen += [lib.runs(total), x.grad]
y = lib.tensor(3.0, requires_grad=True)
s = y + y
t = s + y
t.backward()
seen.append(y.grad.tolist())
t.backward()
seen.append(y.grad.tolist())
""",
    because=Words(
        "Each node runs once, with the sum of all that has arrived.",
        "每个节点只执行一次，用的是全部到达的梯度之和。",
    ),
    otherwise=Words(
        "Run a node when its count has come down to 0, and never before.",
        "一个节点的计数减到 0 时才执行它，不能更早。",
    ),
    mistakes=(
        Mistake(
            """\
g, node.incoming = node.incoming, None
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    walk(below, fitted(part, shape))""",
            Words(
                "The node of `b` runs more than once. Wait with `count_uses`.",
                "`b` 的节点执行了不止一次。用 `count_uses` 来等待。",
            ),
        ),
        Mistake(
            """\
g = node.incoming
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    below.receive(fitted(part, shape))
    waiting[below] -= 1
    if waiting[below] == 0:
        ready.append(below)""",
            Words(
                "The second pass finds what the first one has left: set `node.incoming` to None "
                "when you take it.",
                "第二次反向传播看到了第一次留下的东西：取走之后，把 `node.incoming` 设为 None。",
            ),
        ),
        Mistake(
            """\
node.incoming = None
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    below.receive(fitted(part, shape))
    waiting[below] -= 1
    if waiting[below] == 0:
        ready.append(below)""",
            Words(
                "Each node runs with the gradient of the root. Take its own first: "
                "`g = node.incoming`.",
                "每个节点用的都是根节点的梯度。请先取出它自己的：`g = node.incoming`。",
            ),
        ),
        Mistake(
            """\
g, node.incoming = node.incoming, None
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    below.receive(fitted(part, shape))
    waiting[below] -= 1""",
            Words(
                "Only the root has run. Count `waiting[below]` down by 1 for each gradient; at 0 "
                "put the node on `ready`.",
                "只有根节点执行了。每交出一份梯度，就把 `waiting[below]` 减 1；减到 0 时，把这个"
                "节点放进 `ready`。",
            ),
        ),
        Mistake(
            """\
g, node.incoming = node.incoming, None
for (below, _), shape, part in zip(node.next_functions, node.shapes, node.backward(g)):
    waiting[below] -= 1
    if waiting[below] == 0:
        below.receive(fitted(part, shape))
        ready.append(below)""",
            Words(
                "A node receives only the last gradient here. Hand on each of them, ready or not.",
                "这里每个节点只收到最后一份梯度。不论是否就绪，每一份都要交给它。",
            ),
        ),
    ),
)

SHAPES = Hole(
    asks=("fitted",),
    solution="""\
g = g.sum(axis=tuple(range(g.ndim - len(shape))))
stretched = tuple(place for place, size in enumerate(shape) if size == 1)
return g.sum(axis=stretched, keepdims=True)""",
    program="""
rows = lib.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
bias = lib.tensor([10.0, 20.0], requires_grad=True)
column = lib.tensor([[2.0], [3.0], [4.0]], requires_grad=True)
factor = lib.tensor(7.0, requires_grad=True)
((rows * column + bias) * factor).sum().backward()
seen = [rows.grad, bias.grad, column.grad, factor.grad]
seen += [list(np.shape(each)) for each in seen]
""",
    because=Words(
        "Each input gets a gradient of its own shape: the sum over all its uses.",
        "每个输入得到的梯度都是它自己的形状：对它的所有使用求和。",
    ),
    otherwise=Words(
        "Sum over the dimensions that the input did not have, then over those of size 1.",
        "先对输入原来没有的维度求和，再对大小为 1 的维度求和。",
    ),
    mistakes=(
        Mistake(
            "return g",
            Words(
                "The gradient has the shape of the result; its input has another.",
                "梯度是结果的形状，而它的输入是另一种形状。",
            ),
        ),
        Mistake(
            "return g.sum(axis=tuple(range(g.ndim - len(shape))))",
            Words(
                "A bias is right now. A column, of size 1 in a dimension, is not: sum there too, "
                "and keep the dimension.",
                "偏置对了。某个维度大小为 1 的列还不对：那里也要求和，并保留这个维度。",
            ),
        ),
        Mistake(
            """\
g = g.sum(axis=tuple(range(g.ndim - len(shape))))
return g.sum(axis=tuple(place for place, size in enumerate(shape) if size == 1))""",
            Words(
                "A dimension where the input has size 1 has gone. Sum over it, and keep it: "
                "`keepdims=True`.",
                "输入大小为 1 的那个维度不见了。对它求和，同时保留它：`keepdims=True`。",
            ),
        ),
        Mistake(
            """\
g = g.mean(axis=tuple(range(g.ndim - len(shape))))
stretched = tuple(place for place, size in enumerate(shape) if size == 1)
return g.mean(axis=stretched, keepdims=True)""",
            Words(
                "Each use counts in full: the gradients of the uses add. A mean is too small.",
                "每次使用都要算全：各次使用的梯度是相加。取平均就太小了。",
            ),
        ),
    ),
)

HOLES = dict(enumerate([VALUE, OPERATIONS, RULE, SUMS, COUNTS, WALK, SHAPES], start=1))
