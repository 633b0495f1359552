"""A list where a tensor is needed, or the other way round: cat, stack, sum, tensor."""

from __future__ import annotations

import ast

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


def find_empty(raised: Raised) -> Match | None:
    for call in raised.called("cat", "stack", "concat"):
        value = raised.object(call.args[0]) if call.args else None
        if isinstance(value, list | tuple) and not value:
            return Match({"t": ast.unparse(call.args[0]), "function": last_name(call)})
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


def find_numbers(raised: Raised) -> Match | None:
    """Find a list of numbers for stack() or cat()."""
    for call in raised.called("cat", "stack", "concat"):
        value = raised.object(call.args[0]) if call.args else None
        if isinstance(value, list | tuple) and value and type(value[0]) in (int, float):
            text = ast.unparse(call.args[0])
            cure = f"{raised.parts['library']}.tensor({text})"
            return Match({"t": text, "function": last_name(call), "cure": cure})
    return None


NUMBERS = ErrorRule(
    key="numbers_for_tensors",
    en=Words(
        "numbers where tensors are joined",
        "`{t}` holds numbers, and {function}(){where} joins tensors.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "拼接的是数字而不是张量",
        "`{t}` 里是数字，而 {function}(){where}拼接的是张量。",
        "请写 `{cure}`。",
    ),
    message=r"expected Tensor as element \d+ in argument 0",
    find=find_numbers,
    broken="losses = [0.1, 0.2]\ny = T.stack(losses)",
    sound="losses = [0.1, 0.2]\ny = T.tensor(losses)",
)


def find_summed(raised: Raised) -> Match | None:
    """Find a function of tensors that gets a list of them: `torch.sum(losses)`."""
    named = raised.match(
        r"(\w+)\(\): argument '\w+' \(position 1\) must be Tensor, not (list|tuple)"
    )
    for call in raised.called(named[1]) if named is not None else ():
        value = raised.object(call.args[0]) if call.args else None
        if isinstance(value, list | tuple) and value and all(is_tensor(each) for each in value):
            if len({shape_of(each) for each in value}) != 1:
                return None
            text = ast.unparse(call.args[0])
            given: list[ast.expr] = [
                ast.parse(f"{raised.parts['library']}.stack({text})", mode="eval").body,
                *call.args[1:],
            ]
            cure = ast.unparse(ast.Call(call.func, given, call.keywords))
            return Match({"t": text, "function": last_name(call), "cure": cure})
    return None


SUMMED = ErrorRule(
    key="list_of_tensors",
    en=Words(
        "a list of tensors for a function of one",
        "`{t}` is a list of tensors, and {function}(){where} takes one tensor.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "函数只接受一个张量",
        "`{t}` 是张量的列表，而 {function}(){where}只接受一个张量。",
        "请写 `{cure}`。",
    ),
    message=r"must be Tensor, not (list|tuple)",
    find=find_summed,
    broken="losses = [T.tensor(1.0), T.tensor(2.0)]\ntotal = T.sum(losses)",
    sound="losses = [T.tensor(1.0), T.tensor(2.0)]\ntotal = T.sum(T.stack(losses))",
)

OF_MATH = ("log", "exp", "sqrt", "sin", "cos", "tan", "tanh", "ceil", "floor", "atan")


def find_number(raised: Raised) -> Match | None:
    """Find a function of tensors that gets a number: `torch.log(2.0)`."""
    named = raised.match(
        r"(\w+)\(\): argument '\w+' \(position 1\) must be Tensor, not (int|float)"
    )
    for call in raised.called(named[1]) if named is not None else ():
        if len(call.args) != 1 or isinstance(raised.object(call.args[0]), list | tuple):
            continue
        text = ast.unparse(call.args[0])
        cure = f"{ast.unparse(call.func)}({raised.parts['library']}.tensor({text}))"
        if last_name(call) in OF_MATH and "math" in raised.context.variables:
            cure = f"math.{last_name(call)}({text})"
        return Match({"t": text, "function": last_name(call), "cure": cure})
    return None


NUMBER = ErrorRule(
    key="number_for_tensor",
    en=Words(
        "a number for a function of tensors",
        "`{t}` is a number, and {function}(){where} takes a tensor.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "把数字交给张量的函数",
        "`{t}` 是数字，而 {function}(){where}接受张量。",
        "请写 `{cure}`。",
    ),
    message=r"must be Tensor, not (int|float)",
    find=find_number,
    broken="a = T.log(2.0)",
    sound="import math\na = math.log(2.0)",
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
    for call in raised.called("tensor", "as_tensor", "LongTensor", "FloatTensor"):
        value = raised.object(call.args[0]) if call.args else None
        if isinstance(value, list | tuple) and value and isinstance(value[0], str):
            text = ast.unparse(call.args[0])
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
    for call in raised.called("tensor", "as_tensor", "FloatTensor", "LongTensor"):
        value = raised.object(call.args[0]) if call.args else None
        if not isinstance(value, list | tuple) or not all(isinstance(v, list) for v in value):
            continue
        text, lengths = ast.unparse(call.args[0]), [len(row) for row in value]
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


def find_not_array(raised: Raised) -> Match | None:
    for call in raised.called("from_numpy"):
        text = ast.unparse(call.args[0]) if call.args else ""
        kind = raised.match(r"got (\w+)")
        if text and kind is not None:
            cure = f"{raised.parts['library']}.tensor({text})"
            return Match({"t": text, "kind": kind[1], "cure": cure})
    return None


NOT_ARRAY = ErrorRule(
    key="list_for_array",
    en=Words(
        "from_numpy() of something else",
        "`{t}`{where} is a {kind}, and from_numpy() takes an array of NumPy.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "from_numpy() 得到的不是数组",
        "`{t}`{where}是 {kind}，而 from_numpy() 接受 NumPy 数组。",
        "请写 `{cure}`。",
    ),
    message=r"expected np.ndarray \(got (list|tuple|float|int)\)",
    find=find_not_array,
    broken="x = T.from_numpy([1.0, 2.0])",
    sound="x = T.tensor([1.0, 2.0])",
)
