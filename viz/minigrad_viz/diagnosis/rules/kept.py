"""Graphs of former steps that are kept, or that the next step goes on from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..examination import Examination
from ..observed import Output, Pass, iterations_reached
from .rule import Match, Rule, Words
from .steps import about, of_steps


@of_steps
def find_grows(exam: Examination) -> Iterator[Match]:
    seen = exam.seen
    # A dict comprehension keeps the last pass of each iteration.
    by_iteration = {each.iteration: each for each in seen.passes if each.nodes}
    chain = [by_iteration[iteration] for iteration in sorted(by_iteration)]
    if len(chain) < (3 if seen.iterations is None else 2):
        return
    known: frozenset[int] = frozenset()
    for before, after in pairwise(chain):
        new = before.nodes - known
        if not new & after.nodes or len(after.nodes) <= len(before.nodes):
            return
        known = known | before.nodes
    name = keeper(chain[-2], chain[-1].goes_on)
    counts = exam.say("comma").join(str(len(each.nodes)) for each in chain)
    more = (exam.say("grows_keeper", keeper=name),) if name else ()
    yield Match({"counts": counts}, (name,) if name else (), more=more)


def keeper(before: Pass, used: frozenset[Output]) -> str:
    """Return the variable that held what a later iteration's graph starts from."""
    names = [name for name, result in before.variables.items() if result in used]
    latest = max(names, key=lambda name: before.variables[name][0], default="")
    return latest.partition("[")[0]


@of_steps
def find_kept(exam: Examination) -> Iterator[Match]:
    """Find variables from which the graphs of several iterations are reachable."""
    reached = iterations_reached(exam.things, exam.seen.passes)
    found = [name for name, over in reached.items() if len(over) > 1]
    found = found or [name for name, over in exam.seen.reached.items() if len(over) > 1]
    if found:
        yield about(exam, found)


PROGRAM = """
cell = T.nn.Linear(3, 3)
opt = T.optim.SGD(cell.parameters(), lr=0.1)
x, total, state = T.randn(8, 3), 0, T.zeros(8, 3)
for i in range(4):
    state = cell(x + {state}).tanh()
    loss = state.pow(2).mean()
    opt.zero_grad()
    loss.backward({kept})
    total += {added}
    {after}
"""


def program(state: str = "x", kept: str = "", added: str = "loss.item()") -> str:
    after = "cell.weight.grad" if kept else "opt.step()"
    return PROGRAM.format(state=state, kept=kept, added=added, after=after)


GROWS = Rule(
    key="grows",
    severity=2,
    chapter="14",
    en=Words(
        "a graph that grows",
        "The graph of each step leads on into that of the step before ({counts} operations), so "
        "each step takes longer and needs more memory.",
        "",
    ),
    zh=Words(
        "计算图不断增大",
        "每一步的计算图都连着上一步的计算图（{counts} 个运算），所以一步比一步慢，占用的内存也越来"
        "越多。",
        "",
    ),
    find=find_grows,
    broken=program(state="state", kept="retain_graph=True"),
    sound=program(state="state.detach()"),
    before=("kept",),
    watched=True,
)

KEPT = Rule(
    key="kept",
    severity=1,
    chapter="14",
    en=Words(
        "graphs kept alive",
        "{names}: what it holds keeps the graphs of several steps alive, whose backward passes are "
        "done.",
        "Keep the number alone: add or append `loss.item()`.",
    ),
    zh=Words(
        "计算图没有释放",
        "{names}：它所保存的内容使若干步的计算图一直存在，而这些步的反向传播已经完成。",
        "请只保留数值：累加或追加 `loss.item()`。",
    ),
    find=find_kept,
    broken=program(added="loss"),
    sound=program(),
    watched=True,
)
