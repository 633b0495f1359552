"""A tensor without dimensions where elements are asked for, and a tensor where a number is."""

from __future__ import annotations

import ast

from ...model.names import is_tensor
from ...model.values import shape_of
from ..causes import Finding
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised
from .reshaping import elements
from .rule import ErrorRule


def find_iterated(raised: Raised) -> Match | None:
    target = raised.tree.targets[0] if isinstance(raised.tree, ast.Assign) else None
    for call in raised.called("max", "min", "median") if isinstance(target, ast.Tuple) else ():
        of_tensor = isinstance(call.func, ast.Attribute) and is_tensor(
            raised.object(call.func.value)
        )
        if len(call.args) == (0 if of_tensor else 1) and not call.keywords:
            text, call.args = ast.unparse(call), [*call.args, ast.Constant(1)]
            say = raised.context.say("cure_write_at", cure=ast.unparse(call), at="")
            return Match({"t": text}, rest=Finding("", [say]))
    for text, value in raised.operands.items():
        if shape_of(value) == ():
            return Match({"t": text})
    return None


LOSS = "loss = T.ones(3).sum()\n{use}"

ITERATED = ErrorRule(
    key="elements_of_a_number",
    en=Words(
        "elements of a tensor without dimensions",
        "`{t}`{where} has the shape (): it is one number and has no elements to count or to go "
        "through.",
        "Its number is `{t}.item()`. For a tensor of one element, write `{t}.reshape(1)`.",
    ),
    zh=Words(
        "没有维度的张量的元素",
        "`{t}`{where}的形状是 ()：它只是一个数，没有可数或可遍历的元素。",
        "它的数是 `{t}.item()`。若要一个元素的张量，请写 `{t}.reshape(1)`。",
    ),
    message=r"iteration over a 0-d tensor|len\(\) of a 0-d tensor",
    find=find_iterated,
    broken=LOSS.format(use="n = len(loss)"),
    sound=LOSS.format(use="n = len(loss.reshape(1))"),
)


def find_joined(raised: Raised) -> Match | None:
    for call in raised.called("cat", "concat", "hstack", "vstack"):
        texts, values = elements(raised, call)
        if texts and all(is_tensor(each) and shape_of(each) == () for each in values):
            function = f"{raised.parts['library']}.stack"
            cure = ast.unparse(call).replace(ast.unparse(call.func), function, 1)
            return Match({"t": texts[0], "call": last_name(call), "cure": cure})
    return None


LOSSES = "losses = [T.tensor(1.0), T.tensor(2.0)]\ntotal = T.{join}(losses)"

JOINED = ErrorRule(
    key="numbers_joined",
    en=Words(
        "a cat() of tensors without dimensions",
        "`{t}`{where} has the shape (), and {call}() joins along a dimension that exists.",
        "To make a new dimension, write `{cure}`.",
    ),
    zh=Words(
        "对没有维度的张量用 cat()",
        "`{t}`{where}的形状是 ()，而 {call}() 沿已有的维拼接。",
        "要产生新的一维，请写 `{cure}`。",
    ),
    message=r"zero-dimensional tensor .*cannot be concatenated",
    find=find_joined,
    broken=LOSSES.format(join="cat"),
    sound=LOSSES.format(join="stack"),
)


def find_place(raised: Raised) -> Match | None:
    """Find a tensor as the index of a list, or as the size of a range."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            held = [(each, raised.object(each)) for each in (node.left, node.right)]
            lists = [ast.unparse(e) for e, v in held if isinstance(v, list) and v]
            texts = [ast.unparse(e) for e, v in held if is_tensor(v)]
            if lists and texts and all(map(is_tensor, raised.object(ast.Name(lists[0])) or [0])):
                cure = f"{raised.parts['library']}.stack({lists[0]}) * {texts[0]}"
                return Match({"t": texts[0], "use": ast.unparse(node), "cure": cure})
        if isinstance(node, ast.Subscript) and is_tensor(raised.object(node.slice)):
            index, text = raised.object(node.slice), ast.unparse(node.slice)
            holder = ast.unparse(node.value)
            if is_tensor(raised.object(node.value)):
                continue
            cure = f"[{holder}[i] for i in {text}]" if index.dim() else f"{holder}[int({text})]"
            return Match({"t": text, "use": ast.unparse(node), "cure": cure})
        if isinstance(node, ast.Call) and last_name(node) == "range":
            for given in node.args:
                if is_tensor(raised.object(given)):
                    text = ast.unparse(given)
                    sizes = (ast.unparse(a) for a in node.args)
                    cure = ", ".join(f"int({size})" if size == text else size for size in sizes)
                    return Match({"t": text, "use": ast.unparse(node), "cure": f"range({cure})"})
    return None


WORDS = """
words = ["a", "b", "c"]
best = T.tensor([2, 0])
said = {said}
"""

AS_INDEX = ErrorRule(
    key="tensor_as_index",
    en=Words(
        "a tensor where Python wants a whole number",
        "`{t}` is a tensor, and `{use}`{where} is of Python, which takes one whole number there.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "Python 要整数的地方用了张量",
        "`{t}` 是张量，而 `{use}`{where}属于 Python，那里需要一个整数。",
        "请写 `{cure}`。",
    ),
    message=r"only integer tensors of a single element can be converted to an index",
    find=find_place,
    broken=WORDS.format(said="words[best]"),
    sound=WORDS.format(said="[words[i] for i in best]"),
)


def find_inverted(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
            continue
        for tree in (node.right, node.left):
            value = raised.object(tree)
            if is_tensor(value) and str(value.dtype).endswith("bool"):
                text = ast.unparse(tree)
                one = isinstance(node.left, ast.Constant) and node.left.value == 1
                cure = f"~{text}" if one and tree is node.right else f"{text}.float()"
                return Match({"t": text, "use": ast.unparse(node), "cure": cure})
    return None


MASK = "mask = T.tensor([True, False])\nothers = {others}"

INVERTED = ErrorRule(
    key="mask_subtracted",
    en=Words(
        "a subtraction with a mask",
        "`{t}` holds True and False, for which `{use}`{where} has no minus.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对掩码做减法",
        "`{t}` 中是 True 和 False，`{use}`{where}的减号对它们没有定义。",
        "请写 `{cure}`。",
    ),
    message=r"Subtraction, the `-` operator, with (a|two) bool tensor",
    find=find_inverted,
    broken=MASK.format(others="1 - mask"),
    sound=MASK.format(others="~mask"),
)


def find_broadcast(raised: Raised) -> Match | None:
    """Find an operation in place whose result is larger than its tensor."""
    found = raised.match(r"output with shape (\[.*?\]) doesn't match the broadcast shape (\[.*?\])")
    tree = raised.tree
    if found is None or not isinstance(tree, ast.AugAssign):
        return None
    text = ast.unparse(tree.target)
    value = ast.unparse(ast.BinOp(tree.target, tree.op, tree.value))
    return Match({"t": text, "own": found[1], "wide": found[2], "cure": f"{text} = {value}"})


IMAGE = "image, mean = T.ones(1, 4, 4), T.ones(3, 1, 1)\n{change}"

BROADCAST = ErrorRule(
    key="broadcast_in_place",
    chapter="5b",
    en=Words(
        "an operation in place that makes a larger tensor",
        "`{t}` has the shape {own}, and the result of {line} would have {wide}, which does not fit "
        "into it.",
        "If the larger shape is meant, write `{cure}`.",
    ),
    zh=Words(
        "就地运算的结果更大",
        "`{t}` 的形状是 {own}，而 {line}的结果形状是 {wide}，放不进去。",
        "如果确实要更大的形状，请写 `{cure}`。",
    ),
    message=r"doesn't match the broadcast shape",
    find=find_broadcast,
    broken=IMAGE.format(change="image -= mean"),
    sound=IMAGE.format(change="image = image - mean"),
)
