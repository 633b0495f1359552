"""A dropout that drops everything."""

from __future__ import annotations

from ..syntax import as_code
from .evidence import Evidence
from .programs import training
from .rule import Match, Rule, Words

NEARLY_ALL = 0.95


def find(evidence: Evidence) -> Match | None:
    """Find dropouts of all or nearly all; a model may be in evaluation mode by now."""
    found = [
        (f"{name}.{path}".rstrip("."), inner)
        for name, module in evidence.modules
        for path, inner in module.named_modules()
        if "Dropout" in type(inner).__name__ and getattr(inner, "p", 0) >= NEARLY_ALL
    ]
    found = [*{id(inner): (name, inner) for name, inner in reversed(found)}.values()][::-1]
    if not found:
        return None
    context, (_, first) = evidence.context, found[0]
    names = tuple(name for name, _ in found)
    chance = float(first.p)
    effect = context.say("drops_all" if chance == 1 else "drops_most", share=f"{chance:.0%}")
    shown = context.say("and").join(f"`{name}`" for name in names)
    parts = {"name": shown, "kind": type(first).__name__, "p": f"{chance:g}", "effect": effect}
    parts["code"] = " = ".join(f"{as_code(name)}.p" for name in names)
    return Match({**parts, "instead": f"{1 - chance or 0.2:.3g}"}, names)


PROGRAM = training(net="T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Dropout({p}), T.nn.Linear(4, 1))")

RULE = Rule(
    key="dropped_units",
    chapter="15",
    en=Words(
        "a dropout of everything",
        "{name} ({kind}) has p={p}, the chance to drop: it drops {effect}.",
        "Write `{code} = {instead}`, or give that p where it is made.",
    ),
    zh=Words(
        "dropout 丢掉了一切",
        "{name}（{kind}）的 p={p} 是丢弃的概率：它丢掉{effect}。",
        "请写 `{code} = {instead}`，或在创建它时给出这个 p。",
    ),
    find=find,
    broken=PROGRAM.format(p=1.0),
    sound=PROGRAM.format(p=0.2),
    before=("zero_input", "zero"),
)
