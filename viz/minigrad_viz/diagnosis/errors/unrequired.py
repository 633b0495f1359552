"""A request about the gradient of a tensor that does not require grad."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ..causes import UNNAMED, Finding
from ..ended import explain_no_history
from ..evidence import arguments_in
from ..rules.rule import Match, Words
from ..syntax import calls_in
from .raised import Raised
from .rule import ErrorRule


def explain_plain(raised: Raised, t: Any, name: str) -> Match:
    """Explain why the tensor has no history, if that is known; else, the rule says the cure."""
    if t is None:
        return Match({"t": name})
    rest = Finding("")
    rest.topic, sentences = explain_no_history(raised.context, t)
    if type(t).__name__ == "Parameter":
        rest.topic = ""
    rest.sentences = sentences or raised.context.explain_origin(t, rest)
    return Match({"t": name}, rest=rest)


def find_hook(raised: Raised) -> Match:
    return of_receiver(raised, "register_hook")


def find_retain(raised: Raised) -> Match:
    return of_receiver(raised, "retain_grad")


def of_receiver(raised: Raised, method: str) -> Match:
    name = raised.receiver(method)
    return explain_plain(raised, raised.context.find_named(name), name or UNNAMED)


PROGRAM = "x = T.ones(3{flag})\n{request}"

HOOK = ErrorRule(
    key="hook_unneeded",
    chapter="3",
    en=Words(
        "a hook on a tensor that does not require grad",
        "{t} does not require grad, so there will be no gradient for a hook to see{where}.",
        "Call {t}.requires_grad_() before it is used.",
    ),
    zh=Words(
        "给不要求梯度的张量注册钩子",
        "{t} 不要求梯度，所以钩子不会看到任何梯度{where}。",
        "请在使用之前调用 {t}.requires_grad_()。",
    ),
    message=r"cannot register a hook on a tensor that doesn't require gradient",
    find=find_hook,
    broken=PROGRAM.format(flag="", request="x.register_hook(print)"),
    sound=PROGRAM.format(flag=", requires_grad=True", request="x.register_hook(print)"),
)

RETAIN = ErrorRule(
    key="retain_unneeded",
    chapter="3",
    en=Words(
        "retain_grad() of a tensor that does not require grad",
        "{t} does not require grad, so there will be no gradient to keep{where}.",
        "Call {t}.requires_grad_() before it is used.",
    ),
    zh=Words(
        "保留不要求梯度的张量的梯度",
        "{t} 不要求梯度，所以没有梯度可以保留{where}。",
        "请在使用之前调用 {t}.requires_grad_()。",
    ),
    message=r"can't retain_grad on Tensor that has requires_grad=False",
    find=find_retain,
    broken=PROGRAM.format(flag="", request="x.retain_grad()"),
    sound=PROGRAM.format(flag=", requires_grad=True", request="x.retain_grad()"),
)


def find_input(raised: Raised) -> Match:
    context = raised.context
    inputs = arguments_in(raised.error.__traceback__, "inputs")
    bare = next((t for t in inputs if not t.requires_grad), None)
    if bare is None:  # raised again, or without its traceback
        return Match({"t": UNNAMED, "where": ""})
    name = context.name(bare)
    match = explain_plain(raised, bare, name)
    asked = [
        c.args[1] for s in context.program.calls("grad") for c in calls_in(s.tree) if c.args[1:]
    ]
    others = {
        ast.unparse(each): raised.object(each) for each in asked if isinstance(each, ast.Name)
    }
    plain = [n for n, v in others.items() if is_tensor(v) and v.is_leaf and not v.requires_grad]
    if match.rest is not None and (names := [f"`{n}`" for n in plain if n != name]):
        say = context.say("also_plain", names=context.say("and").join(names))
        match.rest.sentences.append(say)
    made = context.program.assignment(name)
    if match.rest is not None and (match.rest.topic or (made is not None and made.block)):
        match.rest.sentences.append(context.say("or_a_leaf_there", t=name))
    return match


GRAD = """
x = T.ones(3{flag})
w = T.ones(3, requires_grad=True)
g = T.autograd.grad((w * x).sum(), x)
"""

INPUT = ErrorRule(
    key="input_not_required",
    en=Words(
        "autograd.grad() of a tensor that does not require grad",
        "autograd.grad() was asked for a gradient with respect to {t}{where}, but {t} does not "
        "require grad.",
        "Call {t}.requires_grad_() before it is used.",
    ),
    zh=Words(
        "对不要求梯度的张量求 autograd.grad()",
        "autograd.grad() 被要求计算对 {t} 的梯度{where}，但 {t} 不要求梯度。",
        "请在使用之前调用 {t}.requires_grad_()。",
    ),
    message=r"differentiated Tensors does not require grad",
    find=find_input,
    broken=GRAD.format(flag=""),
    sound=GRAD.format(flag=", requires_grad=True"),
)
