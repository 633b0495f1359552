"""What only a leaf can do: to be told to require grad, to be copied, to be held by an optimizer."""

from __future__ import annotations

import ast

from ...model.autograd_nodes import node_name
from ...model.names import is_tensor
from ..causes import UNNAMED, Finding
from ..evidence import arguments_in
from ..objects import is_module
from ..rules.rule import Match, Words
from .no_parameters import storing_line
from .raised import Raised
from .rule import ErrorRule


def find_flag(raised: Raised) -> Match:
    tree = raised.tree
    targets = tree.targets if isinstance(tree, ast.Assign) else []
    owners = [ast.unparse(t.value) for t in targets if isinstance(t, ast.Attribute)]
    return Match({"t": next(iter(owners), "") or raised.receiver("requires_grad_") or UNNAMED})


FLAG = ErrorRule(
    key="flag_of_result",
    chapter="3",
    en=Words(
        "a result that is told whether to require grad",
        "{t} is the result of an operation{where}, and only a leaf can be told whether it requires "
        "grad.",
        "Take {t}.detach() where its history is not wanted.",
    ),
    zh=Words(
        "给运算的结果设置是否要求梯度",
        "{t} 是运算的结果{where}，只有叶子节点才能设置是否要求梯度。",
        "不需要它的历史时，请用 {t}.detach()。",
    ),
    message=r"can only change requires_grad flags of leaf variables",
    find=find_flag,
    broken="w = T.ones(2, requires_grad=True)\ny = w * 2\ny.requires_grad = False",
    sound="w = T.ones(2, requires_grad=True)\ny = (w * 2).detach()\ny.requires_grad = False",
)


def find_whole(raised: Raised) -> Match:
    return Match()


INTEGERS = ErrorRule(
    key="integers",
    en=Words(
        "integers that are told to require grad",
        "Integers cannot require grad{where}: a gradient is about small changes, which only "
        "floating-point numbers have.",
        "Write them as floating-point numbers (1.0, not 1), or convert the tensor with .float() "
        "first.",
    ),
    zh=Words(
        "让整数要求梯度",
        "整数不能要求梯度{where}：梯度说的是微小的变化，只有浮点数才有。",
        "请写成浮点数（1.0，而不是 1），或者先用 .float() 转换。",
    ),
    message=r"nly Tensors of floating point .*can require gradients",
    find=find_whole,
    broken="w = T.tensor([1, 2], requires_grad=True)",
    sound="w = T.tensor([1.0, 2.0], requires_grad=True)",
)


def find_copied(raised: Raised) -> Match:
    copied = next((call.args[0] for call in raised.called("deepcopy", "copy") if call.args), None)
    if copied is None:
        return Match({"t": UNNAMED})
    parts, module = {"t": ast.unparse(copied)}, raised.object(copied)
    for path, part in module.named_modules() if is_module(module) else ():
        for name, value in vars(part).items():
            if is_tensor(value) and value.grad_fn is not None:
                held = ".".join(filter(None, (parts["t"], path, name)))
                made = raised.context.where(storing_line(type(part), name))
                rest = Finding("", [raised.context.say("cure_held_result", t=held, made=made)])
                return Match(parts, rest=rest)
    return Match(parts)


COPY = """
import copy
x = T.ones(2, requires_grad=True)
y = x * 2
z = {copied}
"""

COPIED = ErrorRule(
    key="deepcopy",
    chapter="12",
    en=Words(
        "a deep copy of a result",
        "Only leaves can be copied by deepcopy, and `{t}`{where} is, or holds, the result of an "
        "operation.",
        "Copy the numbers of a result with .detach().clone().",
    ),
    zh=Words(
        "用 deepcopy 复制运算的结果",
        "deepcopy 只能复制叶子节点，而 `{t}`{where} 是（或含有）运算的结果。",
        "要复制结果的数值，请用 .detach().clone()。",
    ),
    message=r"support the deepcopy protocol",
    find=find_copied,
    broken=COPY.format(copied="copy.deepcopy(y)"),
    sound=COPY.format(copied="y.detach().clone()"),
    severity=1,
)


def find_optimized(raised: Raised) -> Match:
    given = arguments_in(raised.error.__traceback__, "param", "parameter")
    t = next((t for t in given if t.grad_fn is not None), None)
    if t is None:
        return Match({"t": UNNAMED, "made": ""})
    context = raised.context
    where = context.where(context.node_line(t.grad_fn))
    made = context.say("made_by_node", node=node_name(t.grad_fn), where=where)
    return Match({"t": context.name(t), "made": made})


OPTIMIZED = ErrorRule(
    key="optimizer_result",
    chapter="3",
    en=Words(
        "an optimizer of a result",
        "An optimizer changes leaves, and {t} is not a leaf{made}.",
        "If {t} is meant to be a weight, make its numbers first and call {t}.requires_grad_() "
        "last.",
    ),
    zh=Words(
        "优化器得到了运算的结果",
        "优化器只能更新叶子节点，而 {t} 不是叶子节点{made}。",
        "如果 {t} 本来要当作权重，就先算出它的数，最后再调用 {t}.requires_grad_()。",
    ),
    message=r"can't optimize a non-leaf Tensor",
    find=find_optimized,
    broken="w = T.ones(2, requires_grad=True) * 0.5\nopt = T.optim.SGD([w], lr=0.1)",
    sound="w = (T.ones(2) * 0.5).requires_grad_()\nopt = T.optim.SGD([w], lr=0.1)",
)


def find_place(raised: Raised) -> Match | None:
    named = raised.match(r"as parameter '(\w+)'")
    return None if named is None else Match({"t": named[1]})


LAYER = """
layer = T.nn.Linear(2, 1)
with T.no_grad():
    {change}
"""

PLACE = ErrorRule(
    key="place_of_parameter",
    chapter="11",
    en=Words(
        "a plain tensor in the place of a parameter",
        "{t} is a parameter, and {line} would put a plain tensor in its place, which the optimizer "
        "would not know.",
        "Change the parameter itself, in place under no_grad, or compute with the new tensor under "
        "another name.",
    ),
    zh=Words(
        "用普通张量取代参数",
        "{t} 是参数，而 {line}要用普通张量取代它，优化器不会认识这个张量。",
        "请在 no_grad 之中就地修改参数本身，或者给新张量另取名字再计算。",
    ),
    message=r"cannot assign '.*' as parameter '(\w+)'",
    find=find_place,
    broken=LAYER.format(change="layer.weight = layer.weight * 0.5"),
    sound=LAYER.format(change="layer.weight *= 0.5"),
)
