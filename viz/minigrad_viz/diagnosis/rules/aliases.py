"""One object with two names, where two objects are meant: a target network, the best weights."""

from __future__ import annotations

import ast
import copy
import re
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Statement, assigned
from ..objects import is_module
from ..syntax import calls_in, last_name
from .evidence import Evidence
from .programs import STEPS, training
from .rule import Match, Rule, Words

APART = re.compile(r"target|teacher|frozen|old|ema|best|copy|reference|initial|snapshot", re.I)
"""Names of a model that is to stay as it is while another one learns."""


def find_model(evidence: Evidence) -> Match | None:
    """Find `target_net = net`, where `net` learns and each iteration calls both."""
    for statement in evidence.lines:
        value = getattr(statement.tree, "value", None)
        if not isinstance(statement.tree, ast.Assign) or not isinstance(value, ast.Name):
            continue
        names = assigned(statement.tree)
        if len(names) != 1 or not APART.search(name := min(names)) or APART.search(value.id):
            continue
        module = evidence.context.variables.get(name)
        if module is None or not is_module(module) or not all_called(evidence, name, value.id):
            continue
        same = evidence.context.variables.get(value.id) is module
        if same and any(id(p) in evidence.held for p in module.parameters()):
            parts = {"line": evidence.context.line(statement), "t": name, "other": value.id}
            parts |= copying(evidence)
            return Match(parts, (name,))
    return None


def copying(evidence: Evidence) -> dict[str, str]:
    """Return the name of deepcopy() in the program, with the import if it has none."""
    for name, value in evidence.context.variables.items():
        if value is copy or value is copy.deepcopy:
            return {"copy": f"{name}.deepcopy" if value is copy else name, "first": ""}
    first = evidence.context.say("by_import", module="copy")
    return {"copy": "copy.deepcopy", "first": first}


def all_called(evidence: Evidence, *names: str) -> bool:
    """Return whether lines of the loop call each of these."""
    calls = {ast.unparse(call.func) for s in evidence.repeated for call in calls_in(s.tree)}
    return {*names} <= calls


def find_state(evidence: Evidence) -> Match | None:
    """Find `best = net.state_dict()` in a loop, whose tensors change with the model."""
    for statement in evidence.repeated:
        name, owner = state_kept(statement)
        module = evidence.context.variables.get(owner)
        kept: Any = evidence.context.variables.get(name)
        if not name or module is None or not is_module(module) or not is_loaded(evidence, name):
            continue
        current = module.state_dict() if isinstance(kept, dict) else {}
        mine = [
            t for key, t in current.items() if is_tensor(each := kept.get(key)) and same(t, each)
        ]
        if mine and learns_in_loop(evidence, statement):
            parts = {"line": evidence.context.line(statement), "t": name, "owner": owner}
            return Match(parts, (name,))
    return None


def state_kept(statement: Statement) -> tuple[str, str]:
    """Return the names in `best = net.state_dict()`, or two empty ones."""
    value, names = getattr(statement.tree, "value", None), assigned(statement.tree)
    if not isinstance(value, ast.Call) or last_name(value) != "state_dict" or len(names) != 1:
        return "", ""
    return min(names), ast.unparse(getattr(value.func, "value", value.func))


def is_loaded(evidence: Evidence, name: str) -> bool:
    calls = (call for s in evidence.lines for call in calls_in(s.tree))
    given = (call.args[0] for call in calls if last_name(call) == "load_state_dict" and call.args)
    return any(ast.unparse(each) == name for each in given)


def same(first: object, second: object) -> bool:
    """Return whether two tensors have one memory."""
    places = [each.data_ptr() for each in (first, second)]  # type: ignore[attr-defined]
    return bool(places[0] == places[1] and places[0])


def learns_in_loop(evidence: Evidence, statement: Statement) -> bool:
    """Return whether the loop around a line also has a pass."""
    return any(
        s.file == statement.file and s.loops[:1] == statement.loops[:1] != ()
        for s in evidence.passes
    )


PROGRAM = training(
    first="{first}",
    data="",
    before="target = {made}\nx, later = T.randn(8, 3), T.randn(8, 3)",
    inside="goal = 1 + 0.9 * target(later)\nloss = (net(x) - goal.detach()).pow(2).mean()",
)

MODEL = Rule(
    key="one_model_two_names",
    severity=2,
    chapter="15",
    en=Words(
        "two names of one model",
        "{line} gives one model two names: `{t}` is `{other}` itself, so it changes with each "
        "step.",
        "Write {first}`{t} = {copy}({other})`, and load the weights of `{other}` into it from time "
        "to time.",
    ),
    zh=Words(
        "一个模型两个名字",
        "{line}给同一个模型起了两个名字：`{t}` 就是 `{other}` 本身，所以每次更新它也跟着变。",
        "请写 {first}`{t} = {copy}({other})`，并不时把 `{other}` 的权重载入它。",
    ),
    find=find_model,
    broken=PROGRAM.format(first="", made="net"),
    sound=PROGRAM.format(first="import copy\n", made="copy.deepcopy(net)"),
)

BEST = training(
    first="{first}",
    before="best, least = None, 1e9",
    inside="""
loss = (net(x) - y).pow(2).mean()
if loss.item() < least:
    best, least = None, loss.item()
    best = {state}""",
    steps=f"{STEPS}\nif i == 3:\n    net.load_state_dict(best)",
)

STATE = Rule(
    key="state_not_copied",
    severity=2,
    chapter="15",
    en=Words(
        "kept weights that go on changing",
        "{line} keeps the tensors of `{owner}` themselves, not copies: each step changes `{t}`, "
        "too, so it always holds the last weights.",
        "Write `{t} = {{k: v.clone() for k, v in {owner}.state_dict().items()}}`.",
    ),
    zh=Words(
        "保留的权重仍在变化",
        "{line}保留的是 `{owner}` 的张量本身，不是副本：每次更新也会改变 `{t}`，所以它总是最后的权"
        "重。",
        "请写 `{t} = {{k: v.clone() for k, v in {owner}.state_dict().items()}}`。",
    ),
    find=find_state,
    broken=BEST.format(first="", state="net.state_dict()"),
    sound=BEST.format(first="import copy\n", state="copy.deepcopy(net.state_dict())"),
)
