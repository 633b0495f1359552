"""A list where a tensor is needed, or the other way round: cat, stack, sum, tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from ...model.names import is_tensor
from ...model.values import shape_of
from ..rules.rule import Match, Words
from ..syntax import last_name
from .raised import Raised
from .rule import ErrorRule


def find_loose(raised: Raised) -> Match | None:
    """Find `torch.cat(a, b)`, whose tensors are no list."""
    for call in raised.called("cat", "stack", "concat", "hstack", "vstack"):
        tensors = [a for a in call.args if is_tensor(raised.object(a))]
        if len(tensors) < 2 or tensors != call.args[: len(tensors)]:
            continue
        listed: list[ast.expr] = [ast.List(tensors, ast.Load()), *call.args[len(tensors) :]]
        cure = ast.unparse(ast.Call(call.func, listed, call.keywords))
        return Match({"call": ast.unparse(call), "function": last_name(call), "cure": cure})
    return None


LOOSE = ErrorRule(
    key="tensors_without_list",
    en=Words(
        "tensors that are no list",
        "`{call}`{where} hands over the tensors one by one, and {function}() takes one list of "
        "them.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "张量没有放进列表",
        "`{call}`{where}逐个传入张量，而 {function}() 接受一个列表。",
        "请写 `{cure}`。",
    ),
    message=r"must be tuple of Tensors, not Tensor|(cat|stack|concat)\(\) takes",
    find=find_loose,
    broken="a, b = T.ones(2, 3), T.ones(2, 3)\nc = T.cat(a, b)",
    sound="a, b = T.ones(2, 3), T.ones(2, 3)\nc = T.cat([a, b])",
)


JOINING = ("cat", "stack", "concat")
MAKING = ("tensor", "as_tensor", "LongTensor", "FloatTensor")


def first_arguments(raised: Raised, *names: str) -> Iterator[tuple[ast.Call, str, Any]]:
    """Yield calls of the line to these functions, with text and value of the first argument."""
    for call in raised.called(*names):
        if call.args:
            yield call, ast.unparse(call.args[0]), raised.object(call.args[0])


def find_empty(raised: Raised) -> Match | None:
    for call, text, value in first_arguments(raised, *JOINING):
        if isinstance(value, list | tuple) and not value:
            return Match({"t": text, "function": last_name(call)})
    return None


EMPTY_LIST = """
outs = []
for x in T.ones({count}, 2):
    outs.append(x)
y = T.stack(outs)
"""

EMPTY = ErrorRule(
    key="empty_list",
    en=Words(
        "an empty list",
        "`{t}` is empty, and {function}(){where} needs at least one tensor.",
        "Look at the loop that fills `{t}`: it added nothing.",
    ),
    zh=Words(
        "空列表",
        "`{t}` 是空的，而 {function}(){where}至少需要一个张量。",
        "请看填充 `{t}` 的循环：它什么也没有加入。",
    ),
    message=r"non-empty (list of Tensors|TensorList)",
    find=find_empty,
    broken=EMPTY_LIST.format(count=0),
    sound=EMPTY_LIST.format(count=2),
)


OF_MATH = ("log", "exp", "sqrt", "sin", "cos", "tan", "tanh", "ceil", "floor", "atan")
GETS = r"(\w+)\(\): argument '\w+' \(position 1\) must be Tensor, not (list|tuple|int|float)"
CONVERTED = r"only one element tensors can be converted|cannot be converted to Scalar"


def find_argument(raised: Raised) -> Match | None:
    """Find a number, numbers or a list of tensors in place of a tensor, or of an array."""
    named = raised.match(GETS)
    names = JOINING if raised.match("as element") else (*MAKING, "from_numpy")
    said = raised.match(r"(?:Tensor, not|array \(got) (\w+)")
    kind, library = "list" if said is None else said[1], raised.parts["library"]
    for call, text, value in first_arguments(raised, *([named[1]] if named else names)):
        inside = value if isinstance(value, list | tuple) else ()
        types = {type(each).__name__ for each in inside}
        unknown = named is not None and not types and kind in ("list", "tuple")
        cure = f"{library}.tensor({text})"
        if types and all(map(is_tensor, inside)):
            if len({shape_of(each) for each in inside}) != 1:
                return None
            cure = f"{library}.stack({text})"
        elif unknown or raised.match(CONVERTED) or not types <= {"int", "float", "list"}:
            continue
        if named is not None:
            made = ast.parse(cure, mode="eval").body
            cure = ast.unparse(ast.Call(call.func, [made, *call.args[1:]], call.keywords))
            if last_name(call) in OF_MATH and not types and "math" in raised.context.variables:
                cure = f"math.{last_name(call)}({text})"
        of_what = f"[{', '.join(sorted(types))}]" if types else ""
        parts = {"t": text, "kind": f"{kind}{of_what}", "function": last_name(call)}
        return Match({**parts, "cure": cure})
    return None


OTHER = ErrorRule(
    key="other_argument",
    en=Words(
        "a number, numbers or a list where a function takes something else",
        "{function}(){where} does not take `{t}`, which is a {kind}.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "函数要的不是数字或列表",
        "{function}(){where}不接受 `{t}`，它的类型是 {kind}。",
        "请写 `{cure}`。",
    ),
    message=rf"expected Tensor as element \d+ in argument 0|must be Tensor, not|{CONVERTED}"
    r"|expected np.ndarray \(got (list|tuple|float|int)\)",
    find=find_argument,
    broken="losses = [T.tensor(1.0), T.tensor(2.0)]\ntotal = T.sum(losses)",
    sound="losses = [T.tensor(1.0), T.tensor(2.0)]\ntotal = T.sum(T.stack(losses))",
    before=("item_of_many",),
)


def find_dimensions(raised: Raised) -> Match | None:
    """Find a vector that is joined to a matrix."""
    for call in raised.called("cat", "concat"):
        given = call.args[0] if call.args else None
        if not isinstance(given, ast.List | ast.Tuple) or len(given.elts) != 2:
            continue
        values = [raised.object(each) for each in given.elts]
        if not all(is_tensor(each) for each in values):
            continue
        low = min((0, 1), key=lambda i: len(shape_of(values[i])))
        small, large = shape_of(values[low]), shape_of(values[1 - low])
        if len(small) != 1 or len(large) != 2 or small[0] not in large:
            return None
        dim = 1 if small[0] == large[0] else 0
        texts = [ast.unparse(each) for each in given.elts]
        cure = f"{texts[low]}.unsqueeze({dim})"
        parts = {"a": texts[1 - low], "one": str(large), "b": texts[low], "other": str(small)}
        return Match({**parts, "cure": cure, "dim": dim})
    return None


JOINED = """
x, t = T.ones(4, 3), T.ones(4)
y = T.cat([x, t{column}], dim=1)
"""

DIMENSIONS = ErrorRule(
    key="vector_joined_to_matrix",
    en=Words(
        "a vector joined to a matrix",
        "`{a}` has the shape {one} and `{b}` {other}{where}: tensors that are joined need as many "
        "dimensions.",
        "Write `{cure}` for `{b}`, and join along `dim={dim}`.",
    ),
    zh=Words(
        "把向量拼接到矩阵上",
        "`{a}` 的形状是 {one}，`{b}` 的形状是 {other}{where}：拼接的张量维数要相同。",
        "请把 `{b}` 写成 `{cure}`，并沿 `dim={dim}` 拼接。",
    ),
    message=r"Tensors must have same number of dimensions",
    find=find_dimensions,
    broken=JOINED.format(column=""),
    sound=JOINED.format(column=".unsqueeze(1)"),
)


def find_words(raised: Raised) -> Match | None:
    for _, text, value in first_arguments(raised, *MAKING):
        if isinstance(value, list | tuple) and value and isinstance(value[0], str):
            cure = f"[sorted(set({text})).index(each) for each in {text}]"
            return Match({"t": text, "first": repr(value[0]), "cure": cure})
    return None


WORDS = """
labels = ["cat", "dog", "cat"]
y = T.tensor({labels})
"""

STRINGS = ErrorRule(
    key="tensor_of_words",
    en=Words(
        "a tensor of words",
        "`{t}`{where} holds words, such as {first}, and a tensor holds numbers.",
        "Number the words: `{cure}`.",
    ),
    zh=Words(
        "用文字建立张量",
        "`{t}`{where}里是文字，例如 {first}，而张量只存放数字。",
        "请给它们编号：`{cure}`。",
    ),
    message=r"too many dimensions 'str'|new\(\): invalid data type 'str'",
    find=find_words,
    broken=WORDS.format(labels="labels"),
    sound=WORDS.format(labels="[sorted(set(labels)).index(each) for each in labels]"),
)


def find_ragged(raised: Raised) -> Match | None:
    for _, text, value in first_arguments(raised, *MAKING):
        if not isinstance(value, list | tuple) or not all(isinstance(v, list) for v in value):
            continue
        lengths = [len(row) for row in value]
        if len(set(lengths)) < 2:
            continue
        library = raised.parts["library"]
        cure = f"{library}.nn.utils.rnn.pad_sequence([{library}.tensor(r) for r in {text}], "
        parts = {"t": text, "low": min(lengths), "high": max(lengths)}
        return Match({**parts, "cure": f"{cure}batch_first=True)"})
    return None


RAGGED = ErrorRule(
    key="ragged_rows",
    en=Words(
        "rows of different lengths",
        "`{t}`{where} has rows of different lengths, from {low} to {high}, and those of a tensor "
        "are equal.",
        "Pad them with zeros: `{cure}`.",
    ),
    zh=Words(
        "各行长度不同",
        "`{t}`{where}的各行长度不同，从 {low} 到 {high}，而张量的各行长度相同。",
        "请用零填充：`{cure}`。",
    ),
    message=r"expected sequence of length \d+ at dim \d+",
    find=find_ragged,
    broken="rows = [[1, 2], [3]]\nx = T.tensor(rows)",
    sound="rows = [[1, 2], [3, 4]]\nx = T.tensor(rows)",
)
