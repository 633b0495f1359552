"""A data set that a DataLoader cannot draw from, or whose rows are unpacked in another way."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from ...model.frame_locals import variables_of
from ..causes import Finding
from ..objects import is_library
from ..rules.rule import Match, Words
from .raised import Raised, lines_of
from .rule import ErrorRule


def rows_of(raised: Raised) -> tuple[ast.expr, ast.expr, Any] | None:
    """Return the target and the iterated expression of a loop over a DataLoader, and its data."""
    tree = raised.tree
    if not isinstance(tree, ast.Assign):
        return None
    for node in ast.walk(tree.value):
        if isinstance(node, ast.Name | ast.Attribute):
            value = raised.object(node)
            if type(value).__name__ == "DataLoader":
                return tree.targets[0], tree.value, value.dataset
    return None


def find_rows(raised: Raised) -> Match | None:
    found = rows_of(raised)
    tensors = getattr(found[2], "tensors", None) if found is not None else None
    if found is None or not isinstance(tensors, tuple | list):
        return None
    target, loader, _ = found
    count = len(tensors)
    numbered = isinstance(loader, ast.Call) and ast.unparse(loader.func) == "enumerate"
    inner = target
    if numbered and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        inner = target.elts[1]
    if isinstance(inner, ast.Tuple) and len(inner.elts) == count:
        return None
    names = [ast.unparse(e) for e in inner.elts] if isinstance(inner, ast.Tuple) else []
    extra = [n for n in ("z", "w", "v", "u") if n not in names]
    named = [*names, *extra][:count] if names else []
    if len(named) != count:
        return None
    text = f"{', '.join(named)}{',' if count == 1 else ''}"
    if numbered:
        first = ast.unparse(target.elts[0]) if isinstance(target, ast.Tuple) else "i"
        text = f"{first}, ({text})"
    return Match({"count": count, "cure": f"for {text} in {ast.unparse(loader)}:"})


ROWS = """
x = T.ones(4, 2)
data = T.utils.data.TensorDataset(x, x, x)
loader = T.utils.data.DataLoader(data, batch_size=2)
for {names} in loader:
    total = a.sum()
"""

UNPACKED = ErrorRule(
    key="batch_unpacked",
    en=Words(
        "a batch, unpacked into another number of parts",
        "Each batch has {count} tensor(s), as many as the data set, and {line} unpacks another "
        "number.",
        "Write `{cure}`",
    ),
    zh=Words(
        "批量拆包的个数不对",
        "每个批量有 {count} 个张量，与数据集相同，而{line}拆成了别的个数。",
        "请写 `{cure}`",
    ),
    message=r"values to unpack",
    find=find_rows,
    broken=ROWS.format(names="a, b"),
    sound=ROWS.format(names="a, b, c"),
)


def find_length(raised: Raised) -> Match | None:
    missing = raised.match(r"object of type '(\w+)' has no len\(\)")
    kind = raised.context.variables.get(missing[1]) if missing is not None else None
    if not isinstance(kind, type) or not hasattr(kind, "__getitem__"):
        return None
    held = stored_data(kind)
    cure = f"def __len__(self): return len({held[0]})" if held else ""
    return Match({"kind": kind.__name__, "cure": cure}) if cure else None


def stored_data(kind: type) -> list[str]:
    """Return the attributes that `__getitem__` indexes: `self.x`."""
    found = []
    for line in lines_of(kind, "__getitem__"):
        for node in ast.walk(line.tree or ast.Pass()):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value).startswith("self."):
                found.append(ast.unparse(node.value))
    return found


DATA = """
class Data(T.utils.data.Dataset):
    def __init__(self):
        self.x = T.ones(4, 2)
    def __getitem__(self, i):
        return self.x[i]{more}
loader = T.utils.data.DataLoader(Data(), batch_size=2, shuffle=True)
"""

LENGTH = ErrorRule(
    key="data_without_length",
    en=Words(
        "a data set without a length",
        "`{kind}` has no `__len__`, which a DataLoader asks for{where}.",
        "Write `{cure}` in it.",
    ),
    zh=Words(
        "数据集没有长度",
        "`{kind}` 没有 `__len__`，而 DataLoader 需要它{where}。",
        "请在其中写 `{cure}`。",
    ),
    message=r"has no len\(\)",
    find=find_length,
    broken=DATA.format(more=""),
    sound=DATA.format(more="\n    def __len__(self): return len(self.x)"),
)


def find_split(raised: Raised) -> Match | None:
    for call in raised.called("random_split"):
        if len(call.args) > 1 and isinstance(call.args[1], ast.List | ast.Tuple):
            data, lengths = raised.object(call.args[0]), call.args[1].elts
            text = ast.unparse(call.args[0])
            try:
                size = len(data)
            except TypeError:
                return None
            first = ", ".join(ast.unparse(each) for each in lengths[:-1])
            rest = " - ".join([f"len({text})", *(ast.unparse(each) for each in lengths[:-1])])
            parts = ast.parse(f"[{first}, {rest}]", mode="eval").body
            cure = ast.Call(call.func, [call.args[0], parts, *call.args[2:]], call.keywords)
            return Match({"t": text, "size": size, "cure": ast.unparse(cure)})
    return None


SPLIT = """
data = T.utils.data.TensorDataset(T.ones(10, 2))
train, test = T.utils.data.random_split(data, [6, {rest}])
"""

LENGTHS = ErrorRule(
    key="split_lengths",
    en=Words(
        "a split whose lengths do not add up",
        "`{t}` has {size} rows, and the lengths{where} have another sum.",
        "Let the last be the rest: `{cure}`.",
    ),
    zh=Words(
        "划分的长度之和不对",
        "`{t}` 有 {size} 行，而各长度{where}之和不同。",
        "请让最后一份取其余：`{cure}`。",
    ),
    message=r"Sum of input lengths does not equal the length of the input dataset",
    find=find_split,
    broken=SPLIT.format(rest=3),
    sound=SPLIT.format(rest=4),
    severity=1,
)


def find_too_long(raised: Raised) -> Match | None:
    """Find a `__getitem__` that reaches further than `__len__` says."""
    frame = raised.frames[-1][0] if raised.frames else None
    data = raised.scope.objects.get("self")
    if frame is None or frame.f_code.co_name != "__getitem__" or data is None:
        return None
    index = frame.f_code.co_varnames[1]
    returns = [s for s in lines_of(type(data), "__len__") if isinstance(s.tree, ast.Return)]
    nodes = (n for n in ast.walk(raised.tree or ast.Pass()) if isinstance(n, ast.Subscript))
    for node in nodes if returns else ():
        text, place = ast.unparse(node.value), node.slice
        cure = f"return len({text})"
        if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add):
            both = [ast.unparse(place.left), ast.unparse(place.right)]
            if index not in both:
                continue
            both.remove(index)
            cure = f"return len({text}) - {both[0]}"
        elif ast.unparse(place) != index:
            continue
        if cure != returns[-1].text:
            parts = {"kind": type(data).__name__, "t": ast.unparse(node)}
            return Match({**parts, "long": raised.context.line(returns[-1]), "cure": cure})
    return None


WINDOWS = """
class Windows(T.utils.data.Dataset):
    def __init__(self):
        self.x = T.arange(10)
    def __len__(self):
        return len(self.x){less}
    def __getitem__(self, i):
        return self.x[i], self.x[i + 3]
for x, y in T.utils.data.DataLoader(Windows(), batch_size=2):
    pass
"""

TOO_LONG = ErrorRule(
    key="data_too_long",
    en=Words(
        "a data set that says it has more samples",
        "`{t}`{where} ends before the number of samples that {long} of `{kind}` promises.",
        "Write `{cure}` there.",
    ),
    zh=Words(
        "数据集报的样本数太多",
        "`{t}`{where}到不了 `{kind}` 的{long}所报的样本数。",
        "请在那里写 `{cure}`。",
    ),
    message=r"is out of bounds for|list index out of range|index out of range",
    find=find_too_long,
    broken=WINDOWS.format(less=""),
    sound=WINDOWS.format(less=" - 3"),
    before=("index_outside",),
)


def find_keys(raised: Raised) -> Match | None:
    """Find `for x, y in loader` of samples that are dictionaries, which unpacks their names."""
    names = [n for n in ast.walk(raised.tree or ast.Pass()) if isinstance(n, ast.Name)]
    for node in names:
        value, made = raised.object(node), raised.maker_line(node.id)
        if made is None or not isinstance(value, str) or not isinstance(made.tree, ast.Assign):
            continue
        target, loader = made.tree.targets[0], made.tree.value
        loaders = [raised.object(n) for n in ast.walk(loader) if isinstance(n, ast.expr)]
        data = next((v.dataset for v in loaders if type(v).__name__ == "DataLoader"), None)
        if not isinstance(target, ast.Tuple) or data is None:
            continue
        if isinstance(target.elts[-1], ast.Tuple):
            target = target.elts[-1]
        keys = [raised.object(each) for each in target.elts]
        if not all(isinstance(each, str) for each in keys):
            continue
        left, right = ast.unparse(target).strip("()"), ", ".join(f"batch[{k!r}]" for k in keys)
        whole = made.text.replace(left, "batch").replace("(batch)", "batch")
        parts = {"t": node.id, "value": repr(value), "made": raised.context.line(made)}
        return Match({**parts, "loop": whole, "cure": f"{left} = {right}"})
    return None


NAMED = """
data = [{{"x": T.ones(2), "y": T.ones(1)}} for i in range(4)]
net = T.nn.Linear(2, 1)
loader = T.utils.data.DataLoader(data, batch_size=2)
for {batch} in loader:
    {unpack}
    out = net(x)
"""

KEYS = ErrorRule(
    key="names_of_a_batch",
    en=Words(
        "a dictionary, unpacked into its names",
        "`{t}`{where} is {value}, the name of a part: each batch is a dictionary, and {made} "
        "unpacks its names.",
        "Write `{loop}`, and in the loop `{cure}`.",
    ),
    zh=Words(
        "把字典拆成了名字",
        "`{t}`{where}是 {value}，即一部分的名字：每个批量是字典，而{made}拆出的是名字。",
        "请写 `{loop}`，并在循环里写 `{cure}`。",
    ),
    message=r"must be Tensor, not str|'str' object has no attribute|can't multiply sequence",
    find=find_keys,
    broken=NAMED.format(batch="x, y", unpack="pass"),
    sound=NAMED.format(batch="batch", unpack="x, y = batch['x'], batch['y']"),
    before=("name_misspelled",),
)


def find_none(raised: Raised) -> Match | None:
    """Find the line at which `__getitem__` ends without a sample, always or for some samples."""
    values = [*raised.context.variables.values()]
    if (found := rows_of(raised)) is not None:
        values.insert(0, found[2])
    values = [getattr(v, "dataset", v) for v in values]
    for kind in dict.fromkeys(v if isinstance(v, type) else type(v) for v in values):
        if is_library(kind) or not isinstance(vars(kind).get("__getitem__"), FunctionType):
            continue
        lines = lines_of(kind, "__getitem__")
        ends = [line for line in lines if returns_none(line.tree)]
        gives = len(ends) < sum(isinstance(each.tree, ast.Return) for each in lines)
        if not ends and lines and not isinstance(lines[-1].tree, ast.Return | ast.Raise):
            ends = lines[-1:]
        if not ends or (gives and all(each is not None for each in batch_of(raised))):
            continue
        parts = {"kind": kind.__name__, "at": raised.context.line(ends[0])}
        cure = raised.context.say("cure_without_none", **raised.parts)
        return Match(parts, rest=Finding("", [cure]) if gives else None)
    return None


def returns_none(tree: ast.stmt | None) -> bool:
    if not isinstance(tree, ast.Return):
        return False
    return tree.value is None or ast.unparse(tree.value) == "None"


def batch_of(raised: Raised) -> Sequence[Any]:
    """Return the samples that a DataLoader was to stack; none if they are out of reach."""
    trace = raised.error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_name in ("default_collate", "collate"):
            batch = variables_of(trace.tb_frame).get("batch")
            return batch if isinstance(batch, list | tuple) else ()
        trace = trace.tb_next
    return ()


SAMPLES = """
class Data(T.utils.data.Dataset):
    def __init__(self):
        self.x = T.ones(4, 2)
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        if i == {broken}:
            return None
        return self.x[i]
loader = T.utils.data.DataLoader(Data(), batch_size=2)
for x in loader:
    total = x.sum()
"""

NONE = ErrorRule(
    key="sample_of_none",
    en=Words(
        "a data set that gives None for some samples",
        "`{kind}.__getitem__` can end at {at} without a sample. It then gives None, which cannot "
        "be stacked into a batch.",
        "End it with a `return` of the sample.",
    ),
    zh=Words(
        "数据集的某些样本是 None",
        "`{kind}.__getitem__` 可能在 {at}结束而没有样本。这时它返回 None，而 None 不能堆叠成批量。",
        "请在结尾用 `return` 返回样本。",
    ),
    message=r"found <class 'NoneType'>|but got NoneType|'NoneType' has no len",
    find=find_none,
    broken=SAMPLES.format(broken=1),
    sound=SAMPLES.format(broken=9),
    severity=2,
)
