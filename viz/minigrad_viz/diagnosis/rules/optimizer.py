"""An optimizer that never steps, holds other tensors, or steps by next to nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from ...model.program_text import Statement
from ..learners import reads_gradient
from ..objects import attributes_of, is_library, is_module
from ..reachable import held_by, is_optimizer, parts_of
from ..syntax import assigned_in
from .evidence import Evidence, holds_any, rates, tree_of
from .not_held import never_steps
from .programs import training
from .rule import Match, Rule, Words

OF_MODEL = re.compile(r"\b(\w+)\.parameters\(\)")

SMALLEST_RATE = 1e-8
"""Steps by such a rate are lost in the rounding of a weight."""

ENDS_AT_ZERO = ("Cosine", "OneCycle", "Polynomial", "Linear", "Lambda", "Multiplicative")
"""Schedulers that are meant to end at a rate of zero, or that may do anything."""


def find_never_steps(evidence: Evidence) -> Match | None:
    if evidence.seen is not None or not any(s.loops for s in evidence.passes):
        return None
    for name, optimizer in evidence.optimizers:
        held = [t for t in evidence.leaves if any(t is each for each in held_by(optimizer))]
        last = name.rpartition(".")[2]
        others = [o for n, o in evidence.optimizers if n != name]
        alone = not any(holds_any(other, held) for other in others)
        several = bool(others) and alone and never_steps(last, [*evidence.texts])
        if not held or (any(steps_of_optimizer(evidence)) and not several):
            continue
        if any(moved_by_hand(evidence, t) for t in held):
            continue
        line = evidence.context.line(evidence.passes[-1])
        return Match({"optimizer": name, "line": line, "instead": f"{last}.step()"}, (name,))
    return None


def steps_of_optimizer(evidence: Evidence) -> Iterator[str]:
    """Yield the texts in the program that step, or may step, an optimizer."""
    for text in evidence.texts:
        for node in ast.walk(tree_of(text)):
            if isinstance(node, ast.Attribute) and node.attr == "step":
                owner = ast.unparse(node.value)
                if not hasattr(evidence.context.variables.get(owner), "last_epoch"):
                    yield ast.unparse(node)


def find_step_skipped(evidence: Evidence) -> Match | None:
    """Find an optimizer without a state, though its parameters have gradients and it has a line."""
    if evidence.seen is not None and evidence.seen.iterations is not None:
        return None  # a later call may step
    for name, optimizer in [each for each in evidence.things if is_optimizer(each[1])]:
        held = held_by(optimizer)
        filled = any(each.grad is not None for each in held)
        lines = [s for s in evidence.calls("step", name) if s.arms and s.loops]
        if not lines or not filled or optimizer.state or not keeps_state(optimizer):
            continue
        parts = {"optimizer": name, "line": evidence.context.line(lines[-1])}
        return Match({**parts, "text": lines[-1].text}, (name,))
    return None


def keeps_state(optimizer: Any) -> bool:
    """Return whether the first step of an optimizer leaves something in its `state`."""
    kind = type(optimizer).__name__
    group = optimizer.param_groups[0]
    return kind.startswith(("Adam", "RMSprop", "NAdam", "RAdam")) or bool(group.get("momentum"))


def moved_by_hand(evidence: Evidence, leaf: Any) -> bool:
    """Return whether the program was given a chance to move the leaf itself."""
    texts = evidence.code
    return any(
        ".grad" in text.replace("zero_grad", "").replace("requires_grad", "") for text in texts
    )


def find_other_tensors(evidence: Evidence) -> Match | None:
    """Find an optimizer of which the loss depends on no parameter."""
    if not evidence.leaves or not evidence.stepping or used_elsewhere(evidence):
        return None
    if any(id(t) in evidence.held for t in evidence.leaves):
        return None
    if any(is_moved(evidence, t) or made_in_loop(evidence, t) for t in evidence.leaves):
        return None
    name, optimizer = evidence.stepping[0]
    held = held_by(optimizer)
    if evidence.seen is not None and not all(
        t.requires_grad and id(t) in evidence.names for t in held
    ):
        return None  # frozen, or parameters that the model no longer has
    context = evidence.context
    made = context.program.assignment(name)
    if hidden_in(evidence) is not None:
        return None
    models = [
        n
        for n, m in evidence.modules
        if any(t is p for t in evidence.leaves for p in m.parameters())
    ]
    model = min(models, key=len, default="")
    names = [evidence.name(t) for t in evidence.leaves[:2]]
    if not model and any(id(t) not in evidence.names for t in evidence.leaves[:2]):
        return None  # a copy that the program made on the way
    shown = f"{model}.parameters()" if model else f"[{', '.join(names)}]"
    instead = f"{name} = {construction(made, optimizer, shown)}"
    parts = {"optimizer": name, "where": context.where(made), "instead": instead}
    parts["names"] = context.say("and").join(f"`{each}`" for each in names)
    parts["cure"] = cure_other(evidence, made, model, instead)
    return Match(parts, (name,))


def cure_other(evidence: Evidence, made: Statement | None, model: str, instead: str) -> str:
    """Return the cure: one model, made once, for the loss and the optimizer."""
    say, text = evidence.context.say, "" if made is None else made.text
    given = OF_MODEL.search(text)
    for line in evidence.lines:
        if given is not None and line.loops and given[1] in assigned_in(line.tree):
            parts = {"model": given[1], "line": evidence.context.line(line), "instead": text}
            fold = any(len(s.loops) > len(line.loops) for s in evidence.passes)
            return say("cure_rebuilt_fold" if fold else "cure_rebuilt", **parts)
    if (replacing := replaced_after(evidence, made)) is not None:
        return say("cure_made_before", line=evidence.context.line(replacing))
    return say("cure_other_tensors", instead=instead)


def replaced_after(evidence: Evidence, made: Statement | None) -> Statement | None:
    """Return the line after an optimizer's that gives a module of the loss a new part."""
    if made not in evidence.lines:
        return None
    for line in evidence.lines[evidence.lines.index(made) + 1 :]:
        for target in line.tree.targets if isinstance(line.tree, ast.Assign) else ():
            if isinstance(target, ast.Attribute | ast.Subscript) and not line.loops:
                part = part_at(evidence, target)
                parameters = part.parameters() if is_module(part) else [part]
                if any(t is p for t in evidence.leaves for p in parameters):
                    return line
    return None


def part_at(evidence: Evidence, target: ast.Attribute | ast.Subscript) -> Any:
    """Return what stands at `net.head` or `net[2]`, or None."""
    if isinstance(target, ast.Attribute):
        return evidence.object(target)
    outer = evidence.object(target.value)
    inside = dict(outer.named_children()) if is_module(outer) else {}
    return inside.get(ast.unparse(target.slice))


def made_in_loop(evidence: Evidence, leaf: Any) -> bool:
    """Return whether each iteration makes a variable's tensor anew: it is no weight then."""
    made = evidence.context.program.assignment(evidence.name(leaf))
    return made is not None and bool(made.loops)


def used_elsewhere(evidence: Evidence) -> bool:
    """Return whether a parameter of an optimizer got a gradient from another loss."""
    if evidence.seen is not None:
        known = evidence.seen.watched
        return any(id(t) in known and known[id(t)].passes for t in evidence.held.values())
    return (
        any(t.grad is not None for t in evidence.held.values())
        or len({s.text for s in evidence.passes}) > 1
    )


def is_moved(evidence: Evidence, leaf: Any) -> bool:
    """Return whether the program changes a leaf itself, or seems to."""
    return reads_gradient(evidence.context, evidence.name(leaf)) or any(
        ".grad" in s.text and "zero_grad" not in s.text for s in evidence.lines
    )


def construction(made: Statement | None, optimizer: Any, tensors: str) -> str:
    """Return the text that makes an optimizer of other tensors, with the options that it has."""
    call = getattr(None if made is None else made.tree, "value", None)
    if isinstance(call, ast.Call) and call.args and not isinstance(call.args[0], ast.Starred):
        options = [ast.unparse(each) for each in (*call.args[1:], *call.keywords)]
        return f"{ast.unparse(call.func)}({', '.join([tensors, *options])})"
    rate = rates(optimizer)[0] if rates(optimizer) else 0.1
    return f"{type(optimizer).__name__}({tensors}, lr={rate:g})"


def hidden_in(evidence: Evidence) -> tuple[str, str, Any] | None:
    """Return a module, its plain list, and a learning module inside that is not registered."""
    for name, module in evidence.modules:
        if is_library(type(module)):
            continue
        known = {id(p) for p in module.parameters()}
        for attribute, place, each in parts_of(module):
            if not place or not is_module(each):
                continue
            learned = [p for p in each.parameters() if any(p is t for t in evidence.leaves)]
            if learned and not any(id(p) in known or id(p) in evidence.held for p in learned):
                return name, attribute, getattr(module, attribute)
    return None


def find_plain_list(evidence: Evidence) -> Match | None:
    if evidence.seen is not None or not evidence.stepping:
        return None
    if (found := hidden_in(evidence)) is None:
        return None
    name, attribute, value = found
    kind = "ModuleDict" if isinstance(value, dict) else "ModuleList"
    lines = [s for s in evidence.lines if f".{attribute} = " in s.text]
    where = evidence.context.where(lines[0]) if lines else ""
    parts = {
        "t": f"{name}.{attribute}",
        "where": where,
        "kind": kind,
        "optimizer": evidence.stepping[0][0],
    }
    return Match({**parts, "attribute": attribute}, (f"{name}.{attribute}",))


def find_tiny_rate(evidence: Evidence) -> Match | None:
    may_end = any(type(each).__name__.startswith(ENDS_AT_ZERO) for each in schedulers(evidence))
    for name, optimizer in evidence.stepping:
        now = rates(optimizer)
        if may_end and not (now := watched_rates(evidence, optimizer)):
            continue
        if now and max(now) <= SMALLEST_RATE:
            made = evidence.context.program.assignment(name)
            parts = {
                "optimizer": name,
                "rate": f"{max(now):.1g}",
                "where": evidence.context.where(made),
            }
            kinds = [type(each).__name__ for each in schedulers(evidence)]
            parts["by"] = kinds[0] if kinds else type(optimizer).__name__
            parts["at"] = evidence.context.where(scheduling_line(evidence)) if kinds else ""
            cure = "cure_rate_schedule" if kinds else "cure_rate_up"
            return Match({**parts, "cure": evidence.context.say(cure)}, (name,))
    return None


def scheduling_line(evidence: Evidence) -> Statement | None:
    """Return the line in which a schedule steps."""
    names = [name for name, _ in named_schedulers(evidence)]
    return next((s for name in names for s in evidence.calls("step", name)), None)


def watched_rates(evidence: Evidence, optimizer: Any) -> list[float]:
    """Return the rates of the watched steps, or nothing if there was one step at most."""
    known = [] if evidence.seen is None else evidence.seen.rates.get(id(optimizer), [])
    return known if len(known) > 1 else []


def schedulers(evidence: Evidence) -> list[Any]:
    return [scheduler for _, scheduler in named_schedulers(evidence)]


def named_schedulers(evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the schedulers of variables, and of the attributes of the program's own objects."""
    for name, value in [*evidence.context.variables.items()]:
        own = "__main__" == type(value).__module__ or not is_library(type(value))
        inner = attributes_of(value).items() if own else ()
        for path, each in ((name, value), *((f"{name}.{k}", v) for k, v in inner)):
            if "lr_scheduler" in str(getattr(type(each), "__module__", "")):
                yield path, each


PROGRAM = training(
    first="net, other = T.nn.Linear(3, 1), T.nn.Linear(3, 3)",
    net="",
    opt="T.optim.SGD({held}.parameters(), lr={rate})",
    steps="opt.zero_grad()\nloss.backward()\n{step}",
)

NEVER_STEPS = Rule(
    key="never_steps",
    chapter="11",
    en=Words(
        "no step",
        "`{optimizer}` never steps, so its parameters do not move: the gradients of {line} are "
        "used by nothing.",
        "Call `{instead}` after the backward pass.",
    ),
    zh=Words(
        "没有更新",
        "`{optimizer}` 从来没有更新，所以它的参数不动：{line}得到的梯度没有被使用。",
        "请在反向传播之后调用 `{instead}`。",
    ),
    find=find_never_steps,
    broken=PROGRAM.format(held="net", rate=0.1, step="pass"),
    sound=PROGRAM.format(held="net", rate=0.1, step="opt.step()"),
)

SKIPPING = training(
    opt="T.optim.Adam(net.parameters())",
    steps="loss.backward()\nif (i + 1) % {every} == 0:\n    opt.step()\n    opt.zero_grad()",
)

STEP_SKIPPED = Rule(
    key="step_skipped",
    chapter="14",
    en=Words(
        "a step that is never reached",
        "`{optimizer}` has not stepped once: the condition around {line} was never true, and its "
        "parameters have their first values.",
        "Let the condition come true within the loop, or call `{text}` once more after it.",
    ),
    zh=Words(
        "从来没有执行到更新",
        "`{optimizer}` 一次也没有更新：{line}外面的条件从来没有成立，它的参数仍是最初的值。",
        "请让这个条件在循环之内能够成立，或者在循环之后再调用一次 `{text}`。",
    ),
    find=find_step_skipped,
    broken=SKIPPING.format(every=64),
    sound=SKIPPING.format(every=2),
)

OTHER_TENSORS = Rule(
    key="other_tensors",
    chapter="15",
    en=Words(
        "an optimizer of other parameters",
        "`{optimizer}`{where} holds no parameter that the loss depends on: the gradients reach "
        "{names}, which it does not hold.",
        "{cure}",
    ),
    zh=Words(
        "优化器持有的是别的参数",
        "`{optimizer}`{where}持有的参数都与损失无关：得到梯度的是 {names}，而它不持有它们。",
        "{cure}",
    ),
    find=find_other_tensors,
    broken=PROGRAM.format(held="other", rate=0.1, step="opt.step()"),
    sound=PROGRAM.format(held="net", rate=0.1, step="opt.step()"),
    before=("no_grad", "not_called", "not_held", "not_reached_by_loss"),
)

PLAIN_LIST = Rule(
    key="plain_list",
    chapter="15",
    en=Words(
        "layers that are not registered",
        "`{t}`{where} is a plain list or dictionary, which `parameters()` does not search: "
        "`{optimizer}` does not hold the layers in it, so they do not learn.",
        "Put them into `{nn}.{kind}` before the optimizer is made.",
    ),
    zh=Words(
        "没有注册的层",
        "`{t}`{where}是普通的列表或字典，`parameters()` 不会在其中查找：`{optimizer}` 不持有其中的"
        "层，所以它们不学习。",
        "请在创建优化器之前把它们放进 `{nn}.{kind}`。",
    ),
    find=find_plain_list,
    broken=training(
        first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [T.nn.Linear(3, 3), T.nn.Linear(3, 3)]
        self.head = T.nn.Linear(3, 1)

    def forward(self, x):
        for layer in self.layers:
            x = T.tanh(layer(x))
        return self.head(x)

""",
        net="Net()",
    ),
    sound=training(
        first="""
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [T.nn.Linear(3, 3), T.nn.Linear(3, 1)]

    def forward(self, x):
        for layer in self.layers:
            x = T.tanh(layer(x))
        return x

""",
        net="Net()",
        opt="T.optim.SGD([p for layer in net.layers for p in layer.parameters()], lr=0.1)",
    ),
)

TINY_RATE = Rule(
    key="tiny_rate",
    chapter="14",
    en=Words(
        "a learning rate of nothing",
        "The learning rate of `{optimizer}` is {rate}, set by {by}{at}: its steps change nothing.",
        "{cure}",
    ),
    zh=Words(
        "学习率几乎为零",
        "`{optimizer}` 的学习率是 {rate}，由 {by} 设定{at}：它的更新什么也不改变。",
        "{cure}",
    ),
    find=find_tiny_rate,
    broken=PROGRAM.format(held="net", rate="1e-12", step="opt.step()"),
    sound=PROGRAM.format(held="net", rate="1e-5", step="opt.step()"),
    before=("unmoved",),
)
