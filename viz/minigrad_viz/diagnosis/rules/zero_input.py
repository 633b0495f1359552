"""Layers that get nothing but zeros: their bias learns, and their weight does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...model.hooks import names_on
from ..observed import largest
from .data_scale import given
from .evidence import Evidence
from .rule import Match, Rule, Words
from .steps import LOOP


def find(evidence: Evidence) -> Match | None:
    """Find a layer whose weight gets a gradient of zeros, while that of its bias is not zero."""
    looped = any(s.loops for s in evidence.passes) or evidence.seen is not None
    for name, module in layers(evidence) if looped and evidence.stepping else ():
        own = dict(module.named_parameters(recurse=False))
        weight, bias = own.get("weight"), own.get("bias")
        if weight is None or bias is None or names_on(weight) or not evidence.gradient(bias) > 0:
            continue
        kind = type(module).__name__
        alone = kind == "LayerNorm" and weight.numel() == 1
        rounded = NOTHING * evidence.gradient(bias) if alone else 0.0
        if evidence.gradient(weight) <= rounded and was_always_zero(evidence, weight, rounded):
            key = "zero_of_one" if "Norm" in kind else "zero_given"
            zero = [n for _, n, v in given(evidence) if largest(v) == 0]
            if key == "zero_given" and not zero:  # what samples ask may cancel
                continue
            parts = {"t": name, "kind": kind, "why": evidence.context.say(key, x=[*zero, ""][0])}
            parts["cure"] = evidence.context.say(f"cure_{key}")
            size = "exactly_zero" if evidence.gradient(weight) == 0 else "next_to_zero"
            parts["size"] = evidence.context.say(size)
            return Match(parts, (f"{name}.weight",))
    return None


def layers(evidence: Evidence) -> Iterator[tuple[str, Any]]:
    """Yield the modules inside those of the program, with their names."""
    for name, module in evidence.modules:
        for path, inner in module.named_modules():
            yield f"{name}.{path}".rstrip("."), inner


def was_always_zero(evidence: Evidence, weight: Any, rounded: float = 0.0) -> bool:
    watched = evidence.watched(weight)
    return watched is None or all(each.largest <= rounded for each in watched.sizes)


NOTHING = 1e-4
"""Share of the bias's gradient below which that of a normalized number is rounding."""


RULE = Rule(
    key="zero_input",
    chapter="16",
    en=Words(
        "a layer that gets zeros",
        "The gradient of `{t}.weight` is {size} and that of `{t}.bias` is not: {why}.",
        "{cure}",
    ),
    zh=Words(
        "只得到零的层",
        "`{t}.weight` 的梯度{size}，而 `{t}.bias` 的不是：{why}。",
        "{cure}",
    ),
    find=find,
    broken=LOOP.format(before="x = x // 10 * 0.0", inside="loss.backward()\n    opt.step()"),
    sound=LOOP.format(before="x = x / 10", inside="loss.backward()\n    opt.step()"),
    before=("zero", "alike_outputs"),
)
