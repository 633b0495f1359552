"""A recurrent layer: its tuple used as a tensor, and inputs or states of another size."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ...model.program_text import Program, Statement
from ...model.values import shape_of
from ..causes import Finding
from ..objects import function_called, is_module, layer_kind
from ..rules.rule import Match, Words
from .ahead import last_step
from .raised import Call, Raised, resized, size_text
from .rule import ErrorRule

LAYERS = ("LSTM", "GRU", "RNN", "LSTMCell", "MultiheadAttention")
"""Layers that return a tuple."""

TUPLE = (
    r"must be Tensor, not tuple|'tuple' object has no attribute|tuple indices must be integers|"
    r"can only concatenate tuple|unsupported operand type\(s\) for .*'tuple'"
)


def returns_tuple(module: Any) -> bool:
    return is_module(module) and layer_kind(module) in LAYERS


def second_of(raised: Raised, module: Any) -> str:
    attends = layer_kind(module) == "MultiheadAttention"
    return raised.context.say("its_weights" if attends else "its_state")


def find_stored(raised: Raised) -> Match | None:
    """Find a variable that holds the tuple: `out = self.lstm(x)`."""
    if raised.match("attribute 'backward'"):  # of several losses
        return None
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Name) or not isinstance(raised.object(node), tuple):
            continue
        made = raised.maker_line(node.id)
        value = getattr(made.tree, "value", None) if made is not None else None
        module = raised.object(value.func) if isinstance(value, ast.Call) else None
        targets = made.tree.targets if made and isinstance(made.tree, ast.Assign) else []
        if made is not None and targets and not isinstance(targets[0], ast.Name):
            if match := kept_pair(raised, made, targets[0], module, node.id):
                return match
            continue
        if made is not None and isinstance(value, ast.Call) and not returns_tuple(module):
            if names := names_returned(raised, value, len(raised.object(node))):
                names = [each if each != node.id else "_" for each in names]
                cure = f"{', '.join([node.id, *names[1:]])} = {ast.unparse(value)}"
                layer = f"`{ast.unparse(value.func)}`"
                parts = {"layer": layer, "second": f"`{', '.join(names[1:])}`", "then": ""}
                made_by = raised.context.line(made)
                return Match({**parts, "t": node.id, "made": made_by, "cure": cure})
        if made is not None and value is not None and returns_tuple(module):
            cure = f"{node.id}, _ = {ast.unparse(value)}"
            parts = {
                "layer": type(module).__name__,
                "second": second_of(raised, module),
                "cure": cure,
            }
            parts["then"] = last_step_there(raised, module, node)
            return Match({**parts, "t": node.id, "made": raised.context.line(made)})
    return None


def kept_pair(
    raised: Raised, made: Statement, target: ast.expr, module: Any, name: str
) -> Match | None:
    """Find `out, h = lstm(x, (h, c))`, which keeps the pair of states as one of them."""
    if layer_kind(module) != "LSTM" or not isinstance(target, ast.Tuple):
        return None
    call = made.tree.value if isinstance(made.tree, ast.Assign) else None
    pair = call.args[1] if isinstance(call, ast.Call) and len(call.args) > 1 else None
    if len(target.elts) != 2 or ast.unparse(target.elts[1]) != name or pair is None:
        return None
    if not isinstance(pair, ast.Tuple):
        return None
    cure = f"{ast.unparse(target.elts[0])}, {ast.unparse(pair)} = {ast.unparse(call or pair)}"
    parts = {"layer": "LSTM", "second": f"`{ast.unparse(pair)}`", "then": "", "t": name}
    return Match({**parts, "made": raised.context.line(made), "cure": cure})


def names_returned(raised: Raised, call: ast.Call, count: int) -> list[str]:
    """Return what a function of the reader names in its `return a, b`, or nothing."""
    function = function_called(call, raised.scope)
    for line in reversed(Program.of(function[0]).statements) if function is not None else ():
        value = line.tree.value if isinstance(line.tree, ast.Return) else None
        if isinstance(value, ast.Tuple) and len(value.elts) == count:
            return [each.id if isinstance(each, ast.Name) else "_" for each in value.elts]
    return []


def last_step_there(raised: Raised, module: Any, node: ast.Name) -> str:
    """Say that the returned line is to use the last step alone, if the target has no time."""
    call = getattr(raised.tree, "value", None)
    if not isinstance(raised.tree, ast.Return) or not isinstance(call, ast.Call):
        return ""
    step, target = last_step(raised, module, shape_of(raised.object(node)[0]))
    if not (step and target) or node not in call.args:
        return ""
    text = ast.unparse(ast.Return(call)).replace(f"({node.id}", f"({node.id}{step}")
    return raised.context.say("last_step_there", t=target, step=text)


def find_direct(raised: Raised) -> Match | None:
    for call in raised.line_calls:
        module = raised.object(call.func)
        if returns_tuple(module):
            parts = {"layer": type(module).__name__, "second": second_of(raised, module)}
            text = ast.unparse(call)
            given = raised.object(call.args[0]) if call.args else None
            step, target = last_step(raised, module, shape_of(given) if is_tensor(given) else ())
            if not target or not isinstance(raised.tree, ast.Return):
                return Match({**parts, "t": text, "cure": f"{text}[0]", "why": ""})
            why = raised.context.say("last_step", t=target) if step else ""
            return Match({**parts, "t": text, "cure": f"{text}[0]{step}", "why": why})
    return None


def find_in_sequence(raised: Raised) -> Match | None:
    """Find a recurrent layer in nn.Sequential before the layer that raised the error."""
    if len(raised.calls) < 2 or type(raised.calls[-2].module).__name__ != "Sequential":
        return None
    outer, inner = raised.calls[-2], raised.calls[-1]
    inside = list(outer.module.children())
    if not inner.args or not isinstance(inner.args[0], tuple) or inner.module not in inside:
        return None
    place = next(i for i, each in enumerate(inside) if each is inner.module)
    if place == 0 or not returns_tuple(inside[place - 1]):
        return None
    before = inside[place - 1]
    names = {"first": raised.path_of(before), "next": raised.path_of(inner.module)}
    kind = type(before).__name__
    step, target = last_step(raised, before, shape_of(inner.args[0][0]))
    cure, say = f"pair[0]{step if target else ''}", raised.context.say
    why = say("last_step", t=target) if target else say("or_last_step", step=f"pair[0]{step}")
    parts = {**names, "layer": kind, "second": second_of(raised, before), "cure": cure}
    return Match({**parts, "why": why if step else ""})


NET = """
class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = T.nn.LSTM(3, 4)
        self.fc = T.nn.Linear(4, 1)
    def forward(self, x):
        {body}
net = Net()
out = net(T.randn(5, 2, 3))
"""

STORED = ErrorRule(
    key="tuple_stored",
    en=Words(
        "several results in one variable",
        "`{t}` is a tuple: {layer} returns its output and {second} in {made}, and {line} needs the "
        "output alone.",
        "Write `{cure}`{then}.",
    ),
    zh=Words(
        "一个变量里存了多个结果",
        "`{t}` 是元组：{layer} 在{made}中返回输出和{second}，而{line}只需要输出。",
        "请写 `{cure}`{then}。",
    ),
    message=TUPLE,
    find=find_stored,
    broken=NET.format(body="out = self.lstm(x)\n        return self.fc(out)"),
    sound=NET.format(body="out, _ = self.lstm(x)\n        return self.fc(out)"),
    before=("two_results",),
)

DIRECT = ErrorRule(
    key="two_results",
    en=Words(
        "the tuple of a recurrent layer, used as a tensor",
        "`{t}`{where} is a tuple: {layer} returns its output and {second}. The next layer takes "
        "one tensor.",
        "Write `{cure}` there{why}.",
    ),
    zh=Words(
        "把循环层返回的元组当作张量",
        "`{t}`{where}是一个元组：{layer} 返回输出和{second}。下一层只接受一个张量。",
        "请在那里写 `{cure}`{why}。",
    ),
    message=TUPLE,
    find=find_direct,
    broken=NET.format(body="return self.fc(self.lstm(x))"),
    sound=NET.format(body="return self.fc(self.lstm(x)[0])"),
)

SEQUENTIAL = """
rnn, fc = T.nn.LSTM(3, 4), T.nn.Linear(4, 1)
net = T.nn.Sequential(rnn{more})
out = net(T.randn(5, 2, 3)){rest}
"""

IN_SEQUENCE = ErrorRule(
    key="tuple_in_sequence",
    en=Words(
        "a recurrent layer inside nn.Sequential",
        "`{first}` ({layer}) returns a tuple: its output and {second}. nn.Sequential hands the "
        "whole tuple to `{next}`, which takes one tensor{where}.",
        "Put a module between them whose forward is `def forward(self, pair): return {cure}`{why}.",
    ),
    zh=Words(
        "nn.Sequential 里有循环层",
        "`{first}` 是 {layer}，返回元组：输出和{second}。nn.Sequential 把整个元组交给只接受一个张量"
        "的 `{next}`{where}。",
        "请在两者之间放一个模块，其 forward 为 `def forward(self, pair): return {cure}`{why}。",
    ),
    message=TUPLE,
    find=find_in_sequence,
    broken=SEQUENTIAL.format(more=", fc", rest=""),
    sound=SEQUENTIAL.format(more="", rest="\nout = fc(out[0])"),
    before=("tuple_stored", "two_results"),
)


def find_unpacked(raised: Raised) -> Match | None:
    """Find `out, h, c = lstm(x)`, or `out, (h, c) = gru(x)`."""
    tree = raised.tree
    if not isinstance(tree, ast.Assign) or not isinstance(tree.value, ast.Call):
        return None
    module, target = raised.object(tree.value.func), tree.targets[0]
    kind = type(module).__name__
    if not returns_tuple(module) or not isinstance(target, ast.Tuple) or kind == "LSTMCell":
        return None
    names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
    state = "(h, c)" if kind == "LSTM" else "h"
    if kind == "LSTM" and len(names) == 3:
        state = f"({names[1]}, {names[2]})"
    elif kind != "LSTM" and len(names) > 1:
        state = names[1]
    holds = {"LSTM": "(h, c)", "MultiheadAttention": "weights"}.get(kind, "state")
    cure = f"{names[0] if names else 'out'}, {state} = {ast.unparse(tree.value)}"
    return Match({"layer": kind, "holds": holds, "cure": cure})


UNPACK = """
rnn = T.nn.LSTM(3, 4)
x = T.randn(5, 2, 3)
{left} = rnn(x)
"""

UNPACKED = ErrorRule(
    key="recurrent_unpacked",
    en=Words(
        "the results of a recurrent layer, unpacked in another way",
        "{layer} returns two things, its output and `{holds}`, and {line} unpacks something else.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "循环层的结果拆包方式不对",
        "{layer} 返回两项：输出和 `{holds}`，而{line}拆成了别的样子。",
        "请写 `{cure}`。",
    ),
    message=r"values to unpack",
    find=find_unpacked,
    broken=UNPACK.format(left="out, h, c"),
    sound=UNPACK.format(left="out, (h, c)"),
)


def recurrent(raised: Raised) -> Any:
    return raised.inner if raised.kind() in ("LSTM", "GRU", "RNN") else None


def find_features(raised: Raised) -> Match | None:
    call = recurrent(raised)
    if call is None or call.given is None:
        return None
    size = shape_of(call.given)[-1]
    parts = {"layer": raised.name_of(call.module), "takes": call.module.input_size, "size": size}
    parts |= resized(raised, call.module, "input_size", size)
    return Match({**parts, "shape": size_text(call.given)})


SIZES = """
rnn = T.nn.GRU({size}, 4)
out, h = rnn(T.randn(5, 2, 3))
"""

FEATURES = ErrorRule(
    key="recurrent_features",
    en=Words(
        "a recurrent layer for another number of features",
        "`{layer}` takes {takes} features at each time step, and its input of shape {shape} has "
        "{size}{where}.",
        "Make it `{cure}`{at}.",
    ),
    zh=Words(
        "循环层的特征数不对",
        "`{layer}` 每个时间步需要 {takes} 个特征，而它的输入形状是 {shape}，有 {size} 个{where}。",
        "请写 `{cure}`{at}。",
    ),
    message=r"input.size\(-1\) must be equal to input_size",
    find=find_features,
    broken=SIZES.format(size=2),
    sound=SIZES.format(size=3),
)


def find_state(raised: Raised) -> Match | None:
    call = recurrent(raised)
    sizes = raised.match(r"size \((.+?)\), got \[(.+?)\]")
    if call is None or sizes is None:
        return None
    order = "(layers, batch, hidden)"
    first = "batch" if call.module.batch_first else "time"
    parts = {"layer": raised.name_of(call.module), "wanted": f"({sizes[1]})", "order": order}
    parts["made"] = for_the_batch(raised, call, sizes[1], sizes[2])
    parts |= {"got": f"({sizes[2]})", "first": first, "shape": size_text(call.given)}
    return Match(parts, rest=last_batch(raised, sizes[1].split(", "), sizes[2].split(", ")))


def last_batch(raised: Raised, wanted: list[str], got: list[str]) -> Finding | None:
    """Return the cure for the last batch of a loader, which has fewer samples."""
    for name, loader in raised.context.variables.items():
        size = getattr(loader, "batch_size", None)
        if type(loader).__name__ != "DataLoader" or size is None or wanted[1:2] == got[1:2]:
            continue
        made = raised.maker_line(name)
        call = getattr(made.tree, "value", None) if made is not None else None
        rest = len(loader.dataset) % size
        if isinstance(call, ast.Call) and [str(rest), str(size)] == [wanted[1], got[1]]:
            words = [k for k in call.keywords if k.arg != "drop_last"]
            words.append(ast.keyword("drop_last", ast.Constant(True)))
            cure = ast.unparse(ast.Call(call.func, call.args, words))
            return Finding("", [raised.context.say("cure_drop_last", cure=cure)])
    return None


def for_the_batch(raised: Raised, call: Call, wanted: str, got: str) -> str:
    """Return the sizes of a state, with the batch read from the input if only that differs."""
    needed, given = wanted.split(", "), got.split(", ")
    name = raised.text_of(call.given)
    if name.isidentifier() and len(needed) == 3 and needed[::2] == given[::2]:
        needed[1] = f"{name}.size({0 if call.module.batch_first else 1})"
    return f"({', '.join(needed)})"


STATES = """
rnn = T.nn.GRU(3, 4, batch_first=True)
x = T.randn(5, 7, 3)
h = T.zeros({sizes})
out, h = rnn(x, h)
"""

STATE = ErrorRule(
    key="state_size",
    chapter="14",
    en=Words(
        "a state of another size",
        "`{layer}`{where} needs a state of the shape {wanted}, {order}, and gets {got}. Its input "
        "of shape {shape} has the {first} first.",
        "Make the state `{library}.zeros{made}`.",
    ),
    zh=Words(
        "状态的大小不对",
        "`{layer}`{where}需要形状为 {wanted} 的状态，即 {order}，却得到 {got}。它的输入形状是 "
        "{shape}，第一维是 {first}。",
        "请把状态写成 `{library}.zeros{made}`。",
    ),
    message=r"Expected hidden(\[0\])? size \(.+?\), got \[",
    find=find_state,
    broken=STATES.format(sizes="1, 7, 4"),
    sound=STATES.format(sizes="1, 5, 4"),
    severity=2,
)


def find_no_pair(raised: Raised) -> Match | None:
    call = next((c for c in raised.calls if layer_kind(c.module) in ("LSTM", "LSTMCell")), None)
    state = call.args[1] if call is not None and len(call.args) > 1 else None
    if call is None or state is None or not hasattr(state, "shape"):
        return None
    name = raised.text_of(state) or "h"
    return Match({"layer": raised.name_of(call.module), "t": name})


PAIRS = """
rnn = T.nn.LSTM(3, 4)
x = T.randn(5, 2, 3)
h = T.zeros(1, 2, 4)
out, state = rnn(x, {state})
"""

NO_PAIR = ErrorRule(
    key="no_cell_state",
    chapter="14",
    en=Words(
        "one state for an LSTM",
        "`{layer}`{where} is an LSTM, whose state is a pair (h, c), and it gets one tensor, `{t}`.",
        "Give it `({t}, {library}.zeros_like({t}))`.",
    ),
    zh=Words(
        "LSTM 只得到一个状态",
        "`{layer}`{where}是 LSTM，它的状态是一对 (h, c)，却只得到一个张量 `{t}`。",
        "请传入 `({t}, {library}.zeros_like({t}))`。",
    ),
    message=r"index 1 is out of bounds|hx should|too many values to unpack|not enough values|"
    r"Expected hidden\[0\] size|For batched 3-D",
    find=find_no_pair,
    broken=PAIRS.format(state="h"),
    sound=PAIRS.format(state="(h, T.zeros_like(h))"),
    before=("recurrent_unpacked", "state_size"),
)


def find_rank(raised: Raised) -> Match | None:
    """Find a state without the dimension of layers."""
    found = raised.match(r"hx should also be (\d)-D but got (\d)-D tensor")
    call = recurrent(raised)
    if call is not None and call.given is not None and (step := one_step(raised, call)):
        return step
    if found is None or call is None or int(found[1]) != int(found[2]) + 1 or len(call.args) < 2:
        return None
    state = call.args[1]
    name = raised.text_of(state) if hasattr(state, "shape") else ""
    if not name:
        return None
    return Match({"layer": raised.name_of(call.module), "t": name, "shape": size_text(state)})


def one_step(raised: Raised, call: Call) -> Match | None:
    """Find the inputs of one step, (batch, features), with the state of a batch."""
    state = next(filter(is_tensor, call.args[1:]), None)
    name = raised.text_of(call.given)
    if state is None or not name or call.given.dim() != 2 or state.dim() != 3:
        return None
    parts = {"layer": raised.name_of(call.module), "t": name, "shape": size_text(call.given)}
    sizes = f"{name}.size(0), 1" if call.module.batch_first else f"1, {name}.size(0)"
    say = raised.context.say("cure_one_step", t=name, cure=f"{name}.reshape({sizes}, -1)")
    return Match(parts, rest=Finding("", [say]))


RANK = """
rnn = T.nn.GRU(3, 4)
x, h = T.ones(5, 2, 3), T.zeros(2, 4)
out, h = rnn(x, h{layers})
"""

STATE_RANK = ErrorRule(
    key="state_without_layers",
    chapter="14",
    en=Words(
        "a state without layers, or an input without time",
        "`{t}` has the shape {shape}, and `{layer}`{where} takes a state (layers, batch, hidden) "
        "and an input of batch, time and features.",
        "Give it `{t}.unsqueeze(0)`.",
    ),
    zh=Words(
        "状态缺少层的一维，或输入缺少时间的一维",
        "`{t}` 的形状是 {shape}，而 `{layer}`{where}需要状态（层数、批量、隐藏大小），以及含批量、"
        "时间和特征的输入。",
        "请传入 `{t}.unsqueeze(0)`。",
    ),
    message=r"hx should also be",
    find=find_rank,
    broken=RANK.format(layers=""),
    sound=RANK.format(layers=".unsqueeze(0)"),
)


def find_largest(raised: Raised) -> Match | None:
    """Find the pair that max() along a dimension returns, used as a tensor."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Name):
            continue
        value = raised.object(node)
        if isinstance(value, tuple) and hasattr(value, "indices") and hasattr(value, "values"):
            made = raised.maker_line(node.id)
            call = getattr(made.tree, "value", None) if made is not None else None
            if made is None or not isinstance(call, ast.Call):
                continue
            method = ast.unparse(call.func).rpartition(".")[2]
            parts = {"t": node.id, "method": method, "made": raised.context.line(made)}
            return Match({**parts, "cure": f"{node.id} = {ast.unparse(call)}.indices"})
    return None


LARGEST = """
out, y = T.ones(4, 3), T.tensor([0, 1, 2, 0])
pred = T.max(out, 1){part}
correct = (pred == y).sum()
"""

MAXIMUM = ErrorRule(
    key="pair_of_max",
    en=Words(
        "the pair that max() returns",
        "`{t}` is a pair in {line}: {method}() along a dimension returns the values and their "
        "indices, in {made}.",
        "For the classes write `{cure}`.",
    ),
    zh=Words(
        "max() 返回的一对结果",
        "{line}中 `{t}` 是一对结果：沿某一维的 {method}() 返回值和索引，在{made}。",
        "要取类别，请写 `{cure}`。",
    ),
    message=r"object has no attribute|must be Tensor, not|unsupported operand type",
    find=find_largest,
    broken=LARGEST.format(part=""),
    sound=LARGEST.format(part=".indices"),
    before=("name_misspelled",),
)


PLAIN_LAYERS = ("Linear", "Conv1d", "Conv2d", "Embedding", "Bilinear", "LayerNorm")
"""Layers that return one tensor."""


def halves(raised: Raised, line: Any) -> Match | None:
    """Find `mu, logvar = self.enc(x)`, which unpacks the samples of a batch."""
    tree = raised.tree if line is None else line.tree
    if not isinstance(tree, ast.Assign) or not isinstance(tree.targets[0], ast.Tuple):
        return None
    call, names = tree.value, tree.targets[0].elts
    module = raised.object(call.func) if isinstance(call, ast.Call) else None
    last: Any = module
    while type(last).__name__ == "Sequential" and len(last):
        last = last[-1]
    if type(last).__name__ not in PLAIN_LAYERS or not isinstance(call, ast.Call):
        return None
    text = f"{', '.join(ast.unparse(n) for n in names)} = {ast.unparse(call)}"
    made = raised.context.line(line) if line is not None else raised.parts["line"]
    return Match(
        {"call": ast.unparse(call), "made": made, "cure": f"{text}.chunk({len(names)}, -1)"}
    )


def find_halves(raised: Raised) -> Match | None:
    if raised.match("values to unpack"):
        return halves(raised, None)
    given = raised.inner.given if raised.inner is not None else None
    if given is None or len(shape_of(given)) != 1:
        return None
    name = raised.text_of(given)
    return halves(raised, raised.maker_line(name)) if name.isidentifier() else None


HALVES = """
enc = T.nn.Linear(4, 6)
x = T.ones(5, 4)
mu, logvar = enc(x){halves}
"""

UNPACKED_TENSOR = ErrorRule(
    key="tensor_unpacked",
    en=Words(
        "a tensor unpacked along its batch",
        "`{call}` is one tensor, and {made} unpacks it along its first dimension, the samples.",
        "To cut its features, write `{cure}`.",
    ),
    zh=Words(
        "张量沿批量维被拆开",
        "`{call}` 是一个张量，而{made}沿第一维（样本）把它拆开。",
        "要切开特征，请写 `{cure}`。",
    ),
    message=r"values to unpack|shapes cannot be multiplied",
    find=find_halves,
    broken=HALVES.format(halves=""),
    sound=HALVES.format(halves=".chunk(2, -1)"),
    before=("features",),
)
