"""The rules about one gradient of a program that raises no error.

A finding of causes.py is true and not always precise. Each rule knows which findings it refines,
and needs all of its evidence: a working program must never be blamed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..model.autograd_nodes import is_accumulate, node_name
from ..model.program_text import Statement, assigned, receivers
from .causes import Context, Finding
from .ended import module_names
from .evidence import kind_of, leads_to
from .learners import optimizers, reads_gradient
from .objects import is_module
from .reachable import held_by
from .rules.rule import Match, Told, Words
from .silent import FLAT, cure_of_flat, find_storing_line, return_line, statements_of
from .syntax import calls_in, data_writes, last_name, names_in


@dataclass(frozen=True)
class Asked:
    """A question about the gradient of a tensor, and the answer so far."""

    context: Context
    t: Any
    finding: Finding

    @property
    def name(self) -> str:
        return self.context.name(self.t)


@dataclass(frozen=True)
class GradientRule(Told):
    """One reason for a gradient, or for its absence, behind a more general finding."""

    causes: tuple[str, ...]
    """The findings that it refines."""
    find: Callable[[Asked], Match | None]
    broken: str
    """A program with the defect, and below it the question to `explain`."""
    sound: str
    kept: int | None = None
    """How many sentences of the finding stay before those of the rule; None for all."""
    renamed: bool = False
    """Whether the answer's cause is the rule's key."""

    def refine(self, asked: Asked) -> Finding:
        """Return the finding, made more precise if the rule matches."""
        finding = asked.finding
        match = self.find(asked) if finding.cause in self.causes else None
        if match is None:
            return finding
        names = {**module_names(asked.context), "t": asked.name}
        said = self.sentences(
            Match({**names, **match.parts}, rest=match.rest), asked.context.language
        )
        sentences = [*finding.sentences[: self.kept], *said]
        cause = self.key if self.renamed else finding.cause
        shown = finding.shown if match.rest is None else match.rest.shown
        return Finding(cause, sentences, shown, list(match.culprits) or finding.culprits)


def refine(context: Context, t: Any, finding: Finding, fate: str) -> Finding:
    """Refine the finding about the gradient of `t` by each rule that matches, in order.

    `fate` says what happened to its history on the way to a result that does not lead to it.
    """
    for rule in GRADIENTS:
        finding = rule.refine(Asked(context, t, finding))
    if finding.cause == "not_reached" and fate == "plain" and len(finding.sentences) == 1:
        if (made := find_storing_line(context, context.name(t))) is not None:
            finding.sentences.append(context.say("made_for_module", line=context.line(made)))
    return finding


# --- A gradient that is cleared, or zero


def find_between(asked: Asked) -> Match | None:
    """Find lines with backward(), zero_grad() and step() that follow in this order."""
    line = asked.context.line
    for name, optimizer in optimizers(asked.context):
        if not any(each is asked.t for each in held_by(optimizer)):
            continue
        order: list[Statement] = []
        for statement in asked.context.program.statements:
            if receivers(statement, "backward"):
                order = [statement]
            elif name in receivers(statement, "zero_grad") and len(order) == 1:
                order.append(statement)
            elif name in receivers(statement, "step"):
                same = len(order) == 2 and order[0].loops == order[1].loops
                if same and order[0].loops[: len(statement.loops)] == statement.loops:
                    parts = {"before": line(order[0]), "line": line(order[1])}
                    return Match({**parts, "step": line(statement)})
                order = []
    return None


STEPS = """
net = T.nn.Linear(3, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(T.ones(4, 3)).pow(2).mean()
    {first}
    {second}
    opt.step()
viz.explain(net.weight)
"""

BETWEEN = GradientRule(
    key="cleared_between",
    chapter="11",
    en=Words(
        "a gradient cleared before the step",
        "{t}.grad is cleared by {line} between {before} and {step}, before the step, so the "
        "optimizer finds no gradient and changes nothing.",
        "Call zero_grad() before backward(), or after the step.",
    ),
    zh=Words(
        "梯度在 step 之前被清零",
        "{t}.grad 在 {before}与 {step}之间被 {line}清掉了，优化器拿不到梯度，什么也不会改变。",
        "请在 backward() 之前或 step() 之后调用 zero_grad()。",
    ),
    causes=("taken_away", "not_called_or_taken", "zero_grad"),
    find=find_between,
    broken=STEPS.format(first="loss.backward()", second="opt.zero_grad()"),
    sound=STEPS.format(first="opt.zero_grad()", second="loss.backward()"),
    kept=0,
    renamed=True,
)


def find_zeroed(asked: Asked) -> Match | None:
    """Find a line that clears the gradient, after which no pass of the iteration comes."""
    statements = asked.context.program.statements
    lines = asked.context.program.clears(asked.name)
    place = max((i for i, s in enumerate(statements) if lines and s == lines[-1]), default=0)
    after = (s for s in statements[place:] if receivers(s, "backward"))
    if not lines or any(s.loops == lines[-1].loops for s in after):
        return None
    return Match({"line": asked.context.line(lines[-1])})


ZEROED = GradientRule(
    key="zeroed",
    chapter="",
    en=Words(
        "a gradient of zeros after it was cleared",
        "{t}.grad is there, and all of it is zero: it has been cleared ({line}) and nothing came "
        "since, or no change of {t} changes the result.",
        "",
    ),
    zh=Words(
        "清零之后全为零的梯度",
        "{t}.grad 存在，但全为零：要么它被清零（{line}），之后再没有梯度到达；要么 {t} 的变化不会改"
        "变结果。",
        "",
    ),
    causes=("zero_grad",),
    find=find_zeroed,
    broken="w = T.ones(2, requires_grad=True)\n(w * w).sum().backward()\nw.grad = T.zeros(2)\n"
    "viz.explain(w)",
    sound="w = T.ones(2, requires_grad=True)\n(w * w).sum().backward()\nviz.explain(w)",
    kept=0,
)


def find_flat(asked: Asked) -> Match | None:
    """Find an operation without a slope on every path."""
    context, t = asked.context, asked.t
    for root in context.find_roots(t):
        ends = (n for n in context.nodes(root) if is_accumulate(n) and n.variable is t)
        target = next(ends, None)
        for node in context.operations(root):
            if kind_of(node) not in FLAT or target is None:
                continue
            if not leads_to(root.grad_fn, target, without=node):
                where = context.where(context.node_line(node))
                parts = {"root": context.name(root), "node": node_name(node), "where": where}
                rest = Finding("", [cure_of_flat(context, node)], root)
                return Match(parts, culprits=(node,), rest=rest)
    return None


ROUNDED = """
w = T.tensor([0.3, 1.7], requires_grad=True)
loss = ({values} * 3).sum()
loss.backward()
viz.explain(w)
"""

STEPWISE = GradientRule(
    key="flat",
    chapter="",
    en=Words(
        "an operation without a slope",
        "{t}.grad is there, and all of it is zero: every way from {root} to {t} leads through "
        "{node}{where}, whose result changes in jumps, so its slope is zero.",
        "",
    ),
    zh=Words(
        "没有斜率的运算",
        "{t}.grad 存在，但全为零：从 {root} 到 {t} 的每条路都经过 {node}{where}，它的结果只会跳变，"
        "斜率为零。",
        "",
    ),
    causes=("zero_grad",),
    find=find_flat,
    broken=ROUNDED.format(values="T.round(w)"),
    sound=ROUNDED.format(values="w"),
    kept=0,
    renamed=True,
)


# --- A gradient that moves nothing, or is wrong


def find_plain_tensor(asked: Asked) -> Match | None:
    """Find a tensor of a module that learns, and that `parameters()` does not return."""
    context, name = asked.context, asked.name
    owner = context.variables.get(name.rpartition(".")[0])
    made = find_storing_line(context, name) if name.count(".") == 1 else None
    plain = type(asked.t).__name__ != "Parameter"
    if owner is None or made is None or not plain or not is_module(owner):
        return None
    held = [(n, {id(p) for p in held_by(o)}) for n, o in optimizers(context)]
    of_module = {id(p) for p in owner.parameters()}
    moving = [n for n, tensors in held if tensors & of_module]
    in_any = any(id(asked.t) in tensors for _, tensors in held)
    if not moving or in_any or reads_gradient(context, name):
        return None
    parts = {"line": context.line(made), "optimizer": moving[0]}
    return Match({**parts, "attribute": name.rpartition(".")[2]})


MODULE = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = T.nn.Linear(3, 3)
        {made}
    def forward(self, x):
        return self.layer(x) * self.scale
net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
net(T.ones(2, 3)).sum().backward()
opt.step()
viz.explain(net.scale)
"""

PLAIN_TENSOR = GradientRule(
    key="plain_tensor",
    chapter="15",
    en=Words(
        "a plain tensor in a module",
        "{t} gets gradients, but it is a plain tensor since {line}: `parameters()` does not return "
        "it, so `{optimizer}` does not hold it, and it does not move.",
        "Make `self.{attribute}` an `nn.Parameter` there, before the optimizer is made.",
    ),
    zh=Words(
        "模块中的普通张量",
        "{t} 得到梯度，但它是普通张量（{line}）：`parameters()` 不返回它，所以 `{optimizer}` 不持有"
        "它，它不会更新。",
        "请在那里把 `self.{attribute}` 写成 `nn.Parameter`，并在此之后创建优化器。",
    ),
    causes=("has_grad",),
    find=find_plain_tensor,
    broken=MODULE.format(made="self.scale = T.ones(3, requires_grad=True)"),
    sound=MODULE.format(made="self.scale = T.nn.Parameter(T.ones(3))"),
    kept=0,
    renamed=True,
)


def find_elsewhere(asked: Asked) -> Match | None:
    """Find an optimizer whose tensors no module and no variable holds."""
    context = asked.context
    known = {id(tensor) for tensor in context.tensors}
    if type(asked.t).__name__ != "Parameter":
        return None
    for name, optimizer in optimizers(context):
        tensors = held_by(optimizer)
        if any(each is asked.t or id(each) in known for each in tensors):
            return None
        same = any(each.shape == asked.t.shape for each in tensors)
        made = context.program.assignment(name)
        if same and made is not None and context.program.calls("step"):
            return Match({"optimizer": name, "line": context.line(made)})
    return None


REPLACED = """
net = T.nn.Linear(2, 1)
{first}
{second}
net(T.ones(3, 2)).mean().backward()
opt.step()
viz.explain(net.weight)
"""
MADE = {"opt": "opt = T.optim.SGD(net.parameters(), lr=0.1)", "net": "net = T.nn.Linear(2, 1)"}

HELD_ELSEWHERE = GradientRule(
    key="held_elsewhere",
    chapter="15",
    en=Words(
        "an optimizer of tensors that no module has",
        "But {optimizer} will not change {t}: it holds other tensors of the same shapes, which no "
        "module here has any more, since {line}.",
        "Make the optimizer after the model has got its parameters: run that line again, with the "
        "parameters of now.",
    ),
    zh=Words(
        "优化器持有模块已不用的张量",
        "但是 {optimizer} 不会改变 {t}：它自 {line}起持有的是另一些形状相同的张量，这里已没有哪个模"
        "块用到它们。",
        "请在模型有了最终的参数之后再创建优化器：用现在的参数重新运行那一行。",
    ),
    causes=("has_grad",),
    find=find_elsewhere,
    broken=REPLACED.format(first=MADE["opt"], second=MADE["net"]),
    sound=REPLACED.format(first=MADE["net"], second=MADE["opt"]),
    renamed=True,
)


def find_data_write(asked: Asked) -> Match | None:
    """Find a write through `.data` between a loss and its backward pass."""
    context = asked.context
    statements = context.program.statements
    for root in context.find_roots(asked.t):
        name = context.name(root)
        making = context.program.assignment(name)
        walked = [i for i, s in enumerate(statements) if name in receivers(s, "backward")]
        if making is None or not walked:
            continue
        made = max(i for i, s in enumerate(statements) if s == making)
        for index, statement in enumerate(statements[: walked[-1]]):
            for other in data_writes(statement):
                tensor = context.find_named(other)
                if tensor is None or not (tensor is root or context.depends_on(root, tensor)):
                    continue
                if index > made or index > first_use(context, root, tensor, statements):
                    return Match({"other": other, "line": context.line(statement)})
    return None


def first_use(context: Context, root: Any, tensor: Any, statements: list[Statement]) -> int:
    """Return the index of the first named result between a tensor and a root.

    Only names with a single assignment outside of loops count.
    """
    places = [len(statements)]
    for other in context.tensors:
        if other is root or other.grad_fn is None or not context.depends_on(root, other):
            continue
        if tensor is not other and context.depends_on(other, tensor):
            name = context.name(other)
            made = [i for i, s in enumerate(statements) if name in assigned(s.tree)]
            if len(made) == 1 and not statements[made[0]].loops:
                places += made
    return min(places)


WRITTEN = """
x = T.tensor([1.0, 2.0], requires_grad=True)
y = x * x
loss = (y * y).sum()
{first}
{second}
viz.explain(x)
"""

DATA_WRITE = GradientRule(
    key="behind_the_back",
    chapter="5b",
    en=Words(
        "a write through .data before the pass",
        "But {other} was changed through .data after the forward pass, by {line}, which autograd "
        "does not see: where an operation had saved {other}, the gradient was computed with the "
        "new numbers, and is wrong.",
        "Make that change after backward(), or on {other}.clone().",
    ),
    zh=Words(
        "在反向传播之前通过 .data 修改",
        "但是 {other} 在前向传播之后被 {line}通过 .data 修改过，自动微分看不到：凡是保存过 {other} "
        "的运算，都用新的数值计算梯度，结果是错的。",
        "请在 backward() 之后再修改，或者改在 {other}.clone() 上。",
    ),
    causes=("has_grad", "held_elsewhere"),
    find=find_data_write,
    broken=WRITTEN.format(first="y.data[0] = 100.0", second="loss.backward()"),
    sound=WRITTEN.format(first="loss.backward()", second="y.data[0] = 100.0"),
    renamed=True,
)


# --- A gradient that never came


def find_returned(asked: Asked) -> Match | None:
    """Find the line in which the backward of a Function returns."""
    name = node_name(asked.finding.culprits[0]).removesuffix("Backward")
    line = return_line(asked.context.variables.get(name))
    return None if line is None else Match({"line": asked.context.line(line)})


FUNCTION = """
class Twice(T.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return {returned}
x = T.ones(2, requires_grad=True)
loss = Twice.apply(x).sum()
loss.backward()
viz.explain(x)
"""

RETURNED_NONE = GradientRule(
    key="returned_none",
    chapter="8",
    en=Words(
        "a backward that returns None",
        "It returns with {line}.",
        "",
    ),
    zh=Words(
        "backward 返回 None",
        "它用 {line}返回。",
        "",
    ),
    causes=("always_returned_none",),
    find=find_returned,
    broken=FUNCTION.format(returned="None"),
    sound=FUNCTION.format(returned="g * 2"),
)


def find_named(asked: Asked) -> Match | None:
    """Find `loss.backward` without its parentheses."""
    for statement in asked.context.program.statements:
        value = statement.tree.value if isinstance(statement.tree, ast.Expr) else None
        if isinstance(value, ast.Attribute) and value.attr == "backward":
            return Match({"line": asked.context.line(statement)})
    return None


NAMED = (
    "w = T.ones(2, requires_grad=True)\nloss = (w * w).sum()\nloss.backward{call}\nviz.explain(w)"
)

NAMED_ONLY = GradientRule(
    key="named_only",
    chapter="",
    en=Words(
        "backward without parentheses",
        "{line} only names the method: the parentheses are missing.",
        "",
    ),
    zh=Words(
        "backward 缺少括号",
        "{line}只是写出了方法的名字：少了括号。",
        "",
    ),
    causes=("not_called", "not_called_or_taken"),
    find=find_named,
    broken=NAMED.format(call=""),
    sound=NAMED.format(call="()"),
)


def find_copied(asked: Asked) -> Match | None:
    """Find a result that is copied into the weights of a module, without its history."""
    context = asked.context
    named = {context.name(x) for x in context.tensors if x.grad_fn is not None
             and context.depends_on(x, asked.t)}  # fmt: skip
    for statement in context.program.statements:
        for call in calls_in(statement.tree):
            given = {n for each in call.args for n in names_in(each)} & named
            if last_name(call) in ("load_state_dict", "copy_") and given:
                return Match({"made": min(given), "line": context.line(statement)})
    return None


LOADED = """
hyper, small = T.nn.Linear(2, 3), T.nn.Linear(3, 1, bias=False)
made = hyper(T.ones(1, 2))
{use}
loss.backward()
viz.explain(hyper.weight)
"""

COPIED_WEIGHTS = GradientRule(
    key="copied_weights",
    chapter="",
    en=Words(
        "a result copied into weights",
        "{t}.grad is None because {line} copies the numbers of {made} without their history, so "
        "the loss does not depend on {t}.",
        "Compute with {made} itself: `functional_call(module, weights, inputs)`, or a function "
        "such as `F.linear(x, {made})`.",
    ),
    zh=Words(
        "把结果复制到权重里",
        "{t}.grad 是 None，因为{line}只复制了 {made} 的数值，没有它的历史，所以损失不依赖 {t}。",
        "请直接用 {made} 计算：`functional_call(module, weights, inputs)`，或像 `F.linear(x, "
        "{made})` 这样的函数。",
    ),
    causes=("not_called", "not_called_or_taken"),
    find=find_copied,
    broken=LOADED.format(
        use='small.load_state_dict({"weight": made})\nloss = small(T.ones(4, 3)).sum()'
    ),
    sound=LOADED.format(use="loss = T.nn.functional.linear(T.ones(4, 3), made).sum()"),
    kept=0,
    renamed=True,
)


# --- A tensor that does not require grad


def find_buffer(asked: Asked) -> Match | None:
    """Find a buffer of a module: it is stored, and not learned."""
    context = asked.context
    owner, _, attribute = asked.name.rpartition(".")
    module = context.variables.get(owner)
    if module is None or not is_module(module) or attribute not in dict(module.named_buffers()):
        return None
    lines = statements_of(type(module), "__init__")
    made = next((s for s in lines if "register_buffer" in s.text and attribute in s.text), None)
    return Match({"where": context.where(made), "attribute": attribute})


BUFFER = GradientRule(
    key="is_buffer",
    chapter="",
    en=Words(
        "a buffer that is to learn",
        "It is a buffer{where}: the module stores it, and neither parameters() nor an optimizer "
        "has it.",
        "If it is to learn, write `self.{attribute} = nn.Parameter(...)` in place of "
        "register_buffer().",
    ),
    zh=Words(
        "要学习的缓冲区",
        "它是缓冲区{where}：模块保存它，但 parameters() 和优化器都没有它。",
        "如果它要学习，请用 `self.{attribute} = nn.Parameter(...)` 代替 register_buffer()。",
    ),
    causes=("not_required",),
    find=find_buffer,
    broken=MODULE.format(made='self.register_buffer("scale", T.ones(3))'),
    sound=MODULE.format(made="self.scale = T.nn.Parameter(T.ones(3))"),
    kept=1,
)


def find_pretrained(asked: Asked) -> Match | None:
    """Find a weight that `from_pretrained` has frozen."""
    owner = asked.name.rpartition(".")[0]
    made = asked.context.program.assignment(owner) if owner.isidentifier() else None
    if made is None or "from_pretrained(" not in made.text or "freeze" in made.text:
        return None
    return Match({"line": asked.context.line(made)})


TABLE = "table = T.nn.Embedding.from_pretrained(T.ones(4, 2){freeze})\nviz.explain(table.weight)"

PRETRAINED = GradientRule(
    key="pretrained",
    chapter="",
    en=Words(
        "a table that is frozen by default",
        "{line} freezes the table: from_pretrained() has freeze=True by default.",
        "Write `freeze=False` there if it is to learn.",
    ),
    zh=Words(
        "默认冻结的表",
        "{line}冻结了这个表：from_pretrained() 默认 freeze=True。",
        "如果它要学习，请在那里写 `freeze=False`。",
    ),
    causes=("not_required",),
    find=find_pretrained,
    broken=TABLE.format(freeze=""),
    sound=TABLE.format(freeze=", freeze=False"),
    kept=1,
)

GRADIENTS: tuple[GradientRule, ...] = (
    BETWEEN,
    ZEROED,
    STEPWISE,
    PLAIN_TENSOR,
    HELD_ELSEWHERE,
    DATA_WRITE,
    RETURNED_NONE,
    NAMED_ONLY,
    COPIED_WEIGHTS,
    BUFFER,
    PRETRAINED,
)
"""The rules in order; each sees the finding of those before it."""
