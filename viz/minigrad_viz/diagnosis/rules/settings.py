"""Settings by which steps do next to nothing: a clip, a weight decay, a rate of one group."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.program_text import assigned
from ..syntax import calls_in
from .evidence import Evidence
from .outcome import outcome
from .programs import STEPS, training
from .rule import Match, Rule, Words
from .shuffled_apart import is_loss
from .uphill import has_grown

SMALLEST_CLIP = 1e-3
"""Steps of a clipped gradient are at most this times the rate."""

LARGEST_DECAY = 0.1
"""A weight that shrinks by a larger share in each step goes to zero."""

STRONG_DECAY = 0.3
"""A weight decay to blame where nothing is learned, if each step takes a hundredth."""


def find_clip(evidence: Evidence) -> Match | None:
    """Find a call that clips the gradients to next to nothing."""
    for statement in evidence.lines:
        for call in calls_in(statement.tree):
            if not ast.unparse(call.func).endswith(("clip_grad_norm_", "clip_grad_value_")):
                continue
            limits = [k.value for k in call.keywords if k.arg in ("max_norm", "clip_value")]
            limit = (limits or [*call.args[1:2]])[:1]
            number = limit[0].value if limit and isinstance(limit[0], ast.Constant) else None
            if isinstance(number, int | float) and 0 <= number < SMALLEST_CLIP:
                return Match({"line": evidence.context.line(statement), "limit": f"{number:g}"})
    return None


def find_decay(evidence: Evidence) -> Match | None:
    """Find an optimizer whose weight decay takes a large share of each weight in each step."""
    for name, group in groups(evidence):
        decay = float(group.get("weight_decay", 0) or 0)
        # A velocity adds the steps up.
        share = (
            float(group.get("lr", 0)) * decay / max(1 - float(group.get("momentum", 0) or 0), 0.01)
        )
        if share >= LARGEST_DECAY or (decay >= STRONG_DECAY and share >= 0.01 and fails(evidence)):
            where = evidence.context.where(evidence.context.program.assignment(name))
            parts = {"optimizer": name, "decay": f"{group['weight_decay']:g}", "where": where}
            return Match({**parts, "share": f"{share:.0%}"}, (name,))
    return None


def fails(evidence: Evidence) -> bool:
    """Return whether the loss is no better than that of a guess."""
    found = outcome(evidence)
    return found is not None and found.learned_nothing


def find_idle_group(evidence: Evidence) -> Match | None:
    """Find a group with a rate of zero in an optimizer that moves others."""
    for name, group in groups(evidence):
        learned = [p for p in group["params"] if any(p is leaf for leaf in evidence.leaves)]
        if float(group.get("lr", 1)) != 0 or not learned or is_scheduled(evidence, group):
            continue
        names = evidence.context.say("and").join(f"`{evidence.name(p)}`" for p in learned[:2])
        where = evidence.context.where(evidence.context.program.assignment(name))
        return Match({"optimizer": name, "names": names, "where": where}, (name,))
    return None


def find_maximize(evidence: Evidence) -> Match | None:
    """Find an optimizer of a model that maximizes a loss, such as a mean squared error."""
    root = evidence.root
    if root is None or not is_result_of_loss(evidence, evidence.context.name(root)):
        return None
    for name, group in groups(evidence):
        learned = any(type(p).__name__ == "Parameter" for p in group["params"])
        if group.get("maximize") and learned and (evidence.seen is None or has_grown(evidence)):
            where = evidence.context.where(evidence.context.program.assignment(name))
            parts = {"optimizer": name, "where": where, "loss": evidence.context.name(root)}
            return Match(parts, (name,))
    return None


def is_result_of_loss(evidence: Evidence, name: str) -> bool:
    """Return whether a line gives a variable the result of a loss function."""
    values = (s.tree.value for s in evidence.lines
              if isinstance(s.tree, ast.Assign) and name in assigned(s.tree))  # fmt: skip
    return any(isinstance(value, ast.Call) and is_loss(evidence, value) for value in values)


def is_scheduled(evidence: Evidence, group: dict[str, Any]) -> bool:
    """Return whether the group began with a rate that was not zero."""
    return bool(float(group.get("initial_lr", 0)))


def groups(evidence: Evidence) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, optimizer in evidence.stepping:
        for group in optimizer.param_groups:
            yield name, group


PROGRAM = training(
    net='net = T.nn.Linear(3, 1)\nslow = {{"params": [net.weight], "lr": {rate}}}',
    opt='T.optim.SGD([slow, {{"params": [net.bias]}}], lr=0.1, weight_decay={decay})',
    steps=STEPS.replace("opt.s", "T.nn.utils.clip_grad_norm_(net.parameters(), {limit})\nopt.s"),
)
SOUND = PROGRAM.format(rate=0.05, decay=0.01, limit=1.0)

CLIP = Rule(
    key="tiny_clip",
    chapter="14",
    en=Words(
        "gradients clipped to nothing",
        "{line} clips the gradients to {limit}, so each step moves the parameters by next to "
        "nothing.",
        "Clip at a larger norm, such as 1.0.",
    ),
    zh=Words(
        "梯度被裁剪得几乎为零",
        "{line}把梯度裁剪到 {limit}，所以每一步几乎不改变参数。",
        "请用更大的范数裁剪，例如 1.0。",
    ),
    find=find_clip,
    broken=PROGRAM.format(rate=0.05, decay=0.01, limit=1e-6),
    sound=SOUND,
    before=("unmoved", "small_steps"),
)

DECAY = Rule(
    key="large_decay",
    chapter="15",
    en=Words(
        "a weight decay that wins",
        "The weight decay of `{optimizer}`{where} is {decay}: each step takes {share} of every "
        "weight, so the weights go to zero.",
        "Take a smaller one, such as `weight_decay=1e-4`.",
    ),
    zh=Words(
        "权重衰减过大",
        "`{optimizer}`{where}的 weight_decay 是 {decay}：每一步都使每个权重减少 {share}，所以权重趋"
        "于零。",
        "请用更小的值，例如 `weight_decay=1e-4`。",
    ),
    find=find_decay,
    broken=PROGRAM.format(rate=0.05, decay=10, limit=1.0),
    sound=SOUND,
    before=("not_learned",),
)

IDLE_GROUP = Rule(
    key="idle_group",
    chapter="15",
    en=Words(
        "a learning rate of zero",
        "`{optimizer}`{where} holds {names} in a group with the learning rate 0, so they do not "
        "move.",
        "Give that group a rate above 0.",
    ),
    zh=Words(
        "学习率为零",
        "`{optimizer}`{where}把 {names} 放在学习率为 0 的参数组里，所以它们不会更新。",
        "请给这个参数组设大于 0 的学习率。",
    ),
    find=find_idle_group,
    broken=PROGRAM.format(rate=0.0, decay=0.01, limit=1.0),
    sound=SOUND,
    before=("unmoved",),
)

UPWARDS = training(
    opt="T.optim.SGD(net.parameters(), lr=0.01, maximize={maximize})",
    inside="loss = T.nn.functional.mse_loss(net(x), y)",
)

MAXIMIZE = Rule(
    key="maximize",
    chapter="15",
    en=Words(
        "an optimizer that climbs",
        "`{optimizer}`{where} has maximize=True, so its steps make `{loss}` larger.",
        "Leave `maximize=True` out.",
    ),
    zh=Words(
        "优化器在使损失增大",
        "`{optimizer}`{where}设置了 maximize=True，所以它的每一步都使 `{loss}` 增大。",
        "请去掉 `maximize=True`。",
    ),
    find=find_maximize,
    broken=UPWARDS.format(maximize=True),
    sound=UPWARDS.format(maximize=False),
)
