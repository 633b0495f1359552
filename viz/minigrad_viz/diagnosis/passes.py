"""The rules about a pass that cannot run, since an earlier iteration has freed a part of its graph.

earlier_pass.py finds the iteration and the variable. Here are the sentences and the programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .causes import Context, Finding
from .rules.rule import Match, Told, Words


@dataclass(frozen=True)
class PassRule(Told):
    """One way by which an iteration gets a part of an earlier one's graph."""

    broken: str
    """A program whose last pass raises the error."""
    sound: str
    before: tuple[str, ...] = ()
    """The keys of rules that also match and say less."""

    def finding(self, context: Context, root: Any, parts: Mapping[str, object]) -> Finding:
        return Finding(self.key, self.sentences(Match(parts), context.language), root)


LOOP = """
w, x = T.ones(3, requires_grad=True), T.ones(3)
{before}
for i in range(3):
    {first}
    {second}
    {walk}.backward()
"""


def loop(before: str, first: str, second: str, walk: str) -> str:
    return LOOP.format(before=before, first=first, second=second, walk=walk)


COLLECTED = PassRule(
    key="collected",
    chapter="14",
    en=Words(
        "a list of results of all iterations",
        "backward() from {root} cannot run: {t} still holds the results of the earlier turns, for "
        "{line} adds one in each, and their graphs are freed.",
        "Call backward() once after the loop, or in each turn on what this turn alone has "
        "computed; or keep only what detach() gives.",
    ),
    zh=Words(
        "存放各轮结果的列表",
        "不能从 {root} 反向传播：{line}每一轮都加入一个结果，{t} 里还留着前几轮的结果，而它们的图已"
        "被释放。",
        "请在循环之后只调用一次 backward()，或者每一轮只对这一轮算出的结果调用；或者只保存 "
        "detach() 的结果。",
    ),
    broken=loop("seen = []", "seen.append(w * w)", "loss = T.stack(seen).sum()", "loss"),
    sound=loop("seen = []", "seen.append((w * w).detach())", "loss = (w * seen[-1]).sum()", "loss"),
    before=("carried_total", "carried", "before_loop"),
)

TOTAL = PassRule(
    key="carried_total",
    chapter="14",
    en=Words(
        "a pass from a sum over iterations",
        "backward() from {root} cannot run: {line} adds up over the turns, so {t} still contains "
        "the graph of the earlier turn, which is freed.",
        "Call backward() on what this turn alone has computed, or once after the loop; add up "
        "numbers, with .item().",
    ),
    zh=Words(
        "从各轮之和反向传播",
        "不能从 {root} 反向传播：{line}在各轮之间累加，所以 {t} 里还有上一轮的图，而那里已被释放。",
        "请只对这一轮算出的结果调用 backward()，或者在循环之后只调用一次；累加时用 .item() 加数"
        "值。",
    ),
    broken=loop("total = 0", "loss = (w * w).sum()", "total = total + loss", "total"),
    sound=loop("total = 0", "loss = (w * w).sum()", "total = total + loss.item()", "loss"),
    before=("carried", "before_loop"),
)

CARRIED = PassRule(
    key="carried",
    chapter="14",
    en=Words(
        "a state with the graph of earlier iterations",
        "backward() from {root} cannot run: {t} is computed from its own value of the turn before "
        "in {line}, and the graph of that turn is freed.",
        "Cut the state between the turns: `{instead}` right after the backward pass.",
    ),
    zh=Words(
        "带着前几轮的图的状态",
        "不能从 {root} 反向传播：{t} 在 {line}由它上一轮的值算出，所以这一轮的图通向上一轮的图，而"
        "那里已被释放。",
        "请在两轮之间切断状态：在反向传播之后立即写 `{instead}`。",
    ),
    broken=loop("h = T.zeros(3)", "h = T.tanh(h * w + x)", "loss = h.sum()", "loss"),
    sound=loop("h = T.zeros(3)", "h = T.tanh(h.detach() * w + x)", "loss = h.sum()", "loss"),
    before=("kept_result", "before_loop", "handed_on"),
)

KEPT = PassRule(
    key="kept_result",
    chapter="4",
    en=Words(
        "a result that a function keeps",
        "backward() from {root} cannot run: {t} was computed once, in {line}, and kept, and an "
        "earlier pass has freed its graph.",
        "Compute it anew for each pass; or, if gradients need not go beyond it, keep what detach() "
        "gives.",
    ),
    zh=Words(
        "函数保存的结果",
        "从 {root} 的 backward() 无法运行：{t} 在 {line}只计算了一次就被保存下来，而之前的反向传播"
        "已经释放了它的图。",
        "请为每次反向传播重新计算；如果梯度不必传到它之前，就保存 detach() 的结果。",
    ),
    broken=loop(
        "import functools\n@functools.lru_cache\ndef features():\n    return w * w",
        "f = features()",
        "loss = f.sum()",
        "loss",
    ),
    sound=loop(
        "def features():\n    return w * w",
        "f = features()",
        "loss = f.sum()",
        "loss",
    ),
    before=("before_loop", "handed_on"),
)

BEFORE_LOOP = PassRule(
    key="before_loop",
    chapter="14",
    en=Words(
        "a result from before the loop",
        "backward() from {root} cannot run: {t} was computed once, before the loop, in {line}, and "
        "an earlier pass has freed its graph.",
        "Move that line into the loop, inside each turn; or, if gradients need not go beyond {t}, "
        "use {t}.detach() in the loop.",
    ),
    zh=Words(
        "循环之前算出的结果",
        "不能从 {root} 反向传播：{t} 只在循环之前算过一次（{line}），前一次反向传播已释放它的图。",
        "请把这一行移进循环，每一轮都重新计算；如果梯度不必传到 {t} 之前，就在循环里用"
        " {t}.detach()。",
    ),
    broken=loop("y = w * w", "z = y * x", "loss = z.sum()", "loss"),
    sound=loop("y = (w * w).detach()", "z = y * w", "loss = z.sum()", "loss"),
    before=("handed_on",),
)

CLOSURE = """
w = T.ones(3, requires_grad=True)
opt = T.optim.LBFGS([w])
{outside}
def closure():
    opt.zero_grad()
    {inside}
    loss = y.sum()
    loss.backward()
    return loss
opt.step(closure)
"""

BEFORE_CLOSURE = PassRule(
    key="before_closure",
    chapter="14",
    en=Words(
        "a result from before a closure",
        "backward() from {root} cannot run: {t} was computed once, in {line}, and the optimizer "
        "calls `{closure}` several times: its first pass has freed that graph.",
        "Move that line into `{closure}`.",
    ),
    zh=Words(
        "闭包之前算出的结果",
        "不能从 {root} 反向传播：{t} 只在{line}计算了一次，而优化器多次调用 `{closure}`：第一次反向"
        "传播已经释放了那部分图。",
        "请把这一行移到 `{closure}` 里。",
    ),
    broken=CLOSURE.format(outside="y = w * w", inside="pass"),
    sound=CLOSURE.format(outside="", inside="y = w * w"),
)

QUEUE = "from collections import deque\npast = deque([T.zeros(3)], maxlen=1)"

HANDED_ON = PassRule(
    key="handed_on",
    chapter="4",
    en=Words(
        "an element of a container from an earlier iteration",
        "backward() from {root} cannot run: {line} goes on from what {t} has kept of an earlier "
        "turn, so the graph of this turn leads back into that one, which is freed.",
        "Cut it off there: write `{instead}` in place of `{read}`.",
    ),
    zh=Words(
        "容器中较早一轮的元素",
        "不能从 {root} 反向传播：{line}接着用 {t} 从较早一轮保留下来的内容计算，所以这一轮的图通向"
        "那一轮的图，而那里已被释放。",
        "请在那里切断：写 `{instead}`，而不是 `{read}`。",
    ),
    broken=loop(QUEUE, "h = T.tanh(past[-1] * w + x)", "past.append(h)", "h.sum()"),
    sound=loop(QUEUE, "h = T.tanh(past[-1].detach() * w + x)", "past.append(h)", "h.sum()"),
)

SOMEHOW = PassRule(
    key="carried_somehow",
    chapter="4",
    en=Words(
        "a graph that leads into an earlier iteration",
        "backward() from {root} cannot run: this turn of the loop computed it{where}, but a part "
        "of its graph is of an earlier turn and freed.",
        "Look for what turns hand on (a state, a list, a cache): compute it anew, or cut it with "
        "detach().",
    ),
    zh=Words(
        "通向更早一轮的图",
        "从 {root} 的 backward() 无法运行：它是在循环的这一轮里算出的{where}，但图中有一部分来自更"
        "早的一轮，已经被释放。",
        "请找出在各轮之间传递、又在那里用到的东西（状态、列表、缓存、属性）：每一轮重新计算，或者用"
        " detach() 切断。",
    ),
    broken=loop(
        "class Box: pass\nbox = Box()\nbox.held = T.zeros(3)",
        'loss = (getattr(box, "held") * w + x).sum()',
        'setattr(box, "held", w * loss)',
        "loss",
    ),
    sound=loop(
        "class Box: pass\nbox = Box()\nbox.held = T.zeros(3)",
        'loss = (getattr(box, "held") * w + x).sum()',
        'setattr(box, "held", (w * loss).detach())',
        "loss",
    ),
)

PASSES: tuple[PassRule, ...] = (
    BEFORE_CLOSURE,
    COLLECTED,
    TOTAL,
    CARRIED,
    KEPT,
    BEFORE_LOOP,
    HANDED_ON,
    SOMEHOW,
)
"""The rules in their order.

A state names its line; a result from before the loop is any freed result. So the state comes first,
and what a container hands on last, for its elements may be results from before the loop.
"""
