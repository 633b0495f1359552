"""A result that is computed once before the loop, from weights that the steps change since."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ...model.autograd_nodes import is_accumulate
from ...model.names import is_tensor, made_by
from ...model.program_text import Statement
from ...model.values import has_numbers
from ..evidence import leads_to, sequence_of
from ..objects import attributes_of, is_library
from ..syntax import assigned_in, calls_in, keyword, root_of_pass
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words


def find(evidence: Evidence) -> Match | None:
    """Find a part of the loss's graph that is older than the loop, and leads to held weights."""
    root = evidence.root
    if root is None or root.grad_fn is None or not evidence.stepping:
        return None
    walked = [s for s in evidence.passes if s.loops or evidence.seen is not None]
    shared = shared_nodes(evidence)
    ends = [n for n in evidence.context.nodes(root) if is_accumulate(n)]
    ends = [n for n in ends if id(n.variable) in evidence.held]
    behind = {id(node) for node in evidence.nodes}
    for name, tensor in results(evidence) if walked else ():
        node = made_by(tensor)[0]
        if node is None or id(node) not in behind or node is root.grad_fn:
            continue
        if shared is not None and sequence_of(node) not in shared:
            continue
        # What is compared with new results of the same weights is a former one on purpose.
        reached = [end for end in ends if leads_to(node, end)]
        old = [e.variable for e in reached if not leads_to(root.grad_fn, e, without=node)]
        made = making_line(evidence, name, walked[0]) if old else None
        if made is None:
            continue
        parts = {"t": name, "line": evidence.context.line(made), "weight": evidence.name(old[0])}
        parts["more"] = more(evidence, walked[0])
        return Match(parts, (name,), (node,))
    return None


def shared_nodes(evidence: Evidence) -> frozenset[int] | None:
    """Return the nodes that the passes of all watched iterations share, or None without them."""
    seen = evidence.seen
    if seen is None:
        return None
    first = {each.iteration: each.nodes for each in reversed(seen.passes)}
    shared = [one & other for one, other in combinations(first.values(), 2)]
    same = len(shared) > 1 and all(each == shared[0] for each in shared)  # a state would grow
    return shared[0] if same else frozenset()


def results(evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the results with a history that variables and attributes of objects hold."""
    found = dict[int, tuple[str, Any]]()
    for name, value in evidence.context.variables.items():
        inside = () if is_library(type(value)) else attributes_of(value).items()
        for path, each in ((name, value), *((f"{name}.{k}", v) for k, v in inside)):
            if is_tensor(each) and has_numbers(each) and not each.is_leaf:
                found.setdefault(id(each), (path, each))
    yield from sorted(found.values(), key=lambda each: -sequence_of(made_by(each[1])[0]))


def making_line(evidence: Evidence, name: str, walked: Statement) -> Statement | None:
    """Return the only line that gives a variable its value, if no loop repeats it."""
    last = name.rpartition(".")[2]
    wanted = {name} if last == name else {f"self.{last}", name}
    lines = [s for s in (*evidence.lines, *evidence.written) if assigned_in(s.tree) & wanted]
    made = [*dict.fromkeys(lines)]
    again = [s for s in evidence.repeated if s.loops or not walked.loops]
    if len(made) != 1 or made[0] in again:
        return None
    early = made[0].line < min((walked.line, *walked.loops)) or last != name
    return made[0] if early and made[0].file == walked.file and not made[0].loops else None


def more(evidence: Evidence, walked: Statement) -> str:
    """Return the advice to leave `retain_graph=True` out, if the pass has it."""
    for call in calls_in(walked.tree):
        if root_of_pass(call) is not None and keyword(call, "retain_graph") is True:
            return evidence.context.say("without_retaining")
    return ""


PROGRAM = training(
    first="w = T.zeros(3, 1, requires_grad=True)",
    net="",
    opt="T.optim.SGD([w], lr=0.1)",
    before="row = {before}",
    inside="{inside}\nloss = (x + row - y).pow(2).mean()",
)

RULE = Rule(
    key="computed_before",
    chapter="5",
    en=Words(
        "a result from before the loop",
        "{line} computes `{t}` once, before the loop, from `{weight}`, which the steps change "
        "since: `{t}` keeps the numbers of its first value, and so does the loss.",
        "Move that line into the loop, before the loss{more}.",
    ),
    zh=Words(
        "循环之前算出的结果",
        "{line}在循环之前由 `{weight}` 只算了一次 `{t}`，而更新此后一直在改变 `{weight}`：`{t}` 仍"
        "是最初的数值，损失也一样。",
        "请把这一行移进循环，放在计算损失之前{more}。",
    ),
    find=find,
    broken=PROGRAM.format(before="w.T + T.zeros(8, 3)", inside="pass"),
    sound=PROGRAM.format(before="T.zeros(8, 3)", inside="row = w.T + T.zeros(8, 3)"),
    before=("zero", "not_learned", "hidden_tensors"),
)
