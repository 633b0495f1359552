"""Something else where a layer, a module, a number or an optimizer is needed."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ..objects import is_module
from ..reachable import is_optimizer
from ..rules.rule import Match, Words
from ..syntax import calls_in, last_name
from .raised import Raised, size_text
from .rule import ErrorRule

# --- nn.Sequential


def find_list(raised: Raised) -> Match | None:
    for call in raised.called("Sequential"):
        if len(call.args) == 1 and isinstance(raised.object(call.args[0]), list | tuple):
            text = ast.unparse(call.args[0])
            return Match({"t": text, "cure": f"{ast.unparse(call.func)}(*{text})"})
    return None


LIST = ErrorRule(
    key="sequential_of_list",
    chapter="15",
    en=Words(
        "a list handed to nn.Sequential",
        "`{t}`{where} is one list, and nn.Sequential takes the layers as arguments.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "把列表交给 nn.Sequential",
        "`{t}`{where}是一个列表，而 nn.Sequential 要求把各层作为参数。",
        "请写 `{cure}`。",
    ),
    message=r"is not a Module subclass",
    find=find_list,
    broken="layers = [T.nn.Linear(2, 4), T.nn.ReLU()]\nnet = T.nn.Sequential(layers)",
    sound="layers = [T.nn.Linear(2, 4), T.nn.ReLU()]\nnet = T.nn.Sequential(*layers)",
)

OF_FUNCTION = {"relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh", "softmax": "Softmax",
               "gelu": "GELU", "leaky_relu": "LeakyReLU", "elu": "ELU", "silu": "SiLU",
               "log_softmax": "LogSoftmax", "softplus": "Softplus",
               "flatten": "Flatten"}  # fmt: skip
"""The modules of functions."""


def find_function(raised: Raised) -> Match | None:
    """Find a function or a class among the layers: `F.relu`, `nn.ReLU`."""
    for call in raised.line_calls:
        for given in call.args:
            if not isinstance(given, ast.Attribute | ast.Name):
                continue
            value, text = raised.object(given), ast.unparse(given)
            name = text.rpartition(".")[2]
            if isinstance(value, type) and hasattr(value, "named_parameters"):
                return Match({"t": text, "cure": f"{text}()"})
            if name in OF_FUNCTION and callable(value) and not is_module(value):
                return Match({"t": text, "cure": f"{raised.nn}.{OF_FUNCTION[name]}()"})
    return class_in_list(raised)


def class_in_list(raised: Raised) -> Match | None:
    """Find the class among the layers that another line puts into a list: `layers += [nn.ReLU]`."""
    named = raised.match(r"(\w+) is not a Module subclass")
    for line in raised.context.program.statements if named is not None else ():
        called_there = {id(call.func) for call in calls_in(line.tree)}
        for node in ast.walk(line.tree or ast.Pass()):
            kind = raised.object(node) if isinstance(node, ast.Attribute | ast.Name) else None
            if isinstance(kind, type) and id(node) not in called_there:
                if kind.__name__ == named[1] and hasattr(kind, "named_parameters"):  # type: ignore[index]
                    text = ast.unparse(node)
                    return Match(
                        {"t": text, "where": raised.context.where(line), "cure": f"{text}()"}
                    )
    return None


FUNCTION = ErrorRule(
    key="function_for_layer",
    chapter="15",
    en=Words(
        "a function or a class among layers",
        "`{t}`{where} is no layer: a function or a class cannot be registered as one.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "各层之中有函数或类",
        "`{t}`{where}不是层：函数或类不能作为层注册。",
        "请写 `{cure}`。",
    ),
    message=r"is not a Module subclass",
    find=find_function,
    broken="net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.ReLU)",
    sound="net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.ReLU())",
)

# --- The input of a layer

NOT_TENSOR = r"must be Tensor, not (list|tuple|numpy\.ndarray|ndarray|NoneType|dict|float|int|str)"


def given_first(raised: Raised) -> tuple[str, Any, ast.Call] | None:
    """Return text and value of the first argument of the outermost module's call."""
    if not raised.calls or not raised.calls[0].args:
        return None
    value, module = raised.calls[0].args[0], raised.calls[0].module
    for frame_call in raised.line_calls:
        if raised.object(frame_call.func) is module and frame_call.args:
            return ast.unparse(frame_call.args[0]), value, frame_call
    return None


def find_batch(raised: Raised) -> Match | None:
    """Find a list of tensors: a batch of a DataLoader, as inputs and labels."""
    found = given_first(raised)
    if found is None or type(found[1]) not in (list, tuple) or not found[1]:
        return None
    text, value, call = found
    if not all(is_tensor(each) for each in value) or not text.isidentifier():
        return None
    made = raised.maker_line(text)
    loader = getattr(made.tree, "value", None) if made is not None else None
    if not isinstance(loader, ast.expr) or not draws_batches(raised, loader):
        return None
    parts = {"t": text, "layer": ast.unparse(call.func), "count": len(value)}
    names = ", ".join(["x", "y", "z", "w"][: len(value)]) if len(value) < 5 else "x, *rest"
    names = f"{names}," if len(value) == 1 else names
    return Match({**parts, "cure": f"{names} = {text}", "first": "x"})


def draws_batches(raised: Raised, tree: ast.expr) -> bool:
    """Return whether an expression has a DataLoader in it: `loader`, `enumerate(loader)`."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)]
    return any(type(raised.object(node)).__name__ == "DataLoader" for node in names)


LOADER = """
data = T.utils.data.TensorDataset(T.ones(4, 2), T.ones(4, 1))
loader = T.utils.data.DataLoader(data, batch_size=2)
net = T.nn.Linear(2, 1)
for batch in loader:
    {body}
"""

BATCH = ErrorRule(
    key="batch_not_unpacked",
    en=Words(
        "a batch that is not unpacked",
        "`{t}` is a list of {count} tensors, such as inputs and labels, and `{layer}`{where} takes "
        "one tensor.",
        "Unpack it first: `{cure}`, and give the model `{first}`.",
    ),
    zh=Words(
        "批量没有拆开",
        "`{t}` 是 {count} 个张量的列表，例如输入和标签，而 `{layer}`{where}只接受一个张量。",
        "请先拆开：`{cure}`，再把 `{first}` 交给模型。",
    ),
    message=NOT_TENSOR,
    find=find_batch,
    broken=LOADER.format(body="out = net(batch)"),
    sound=LOADER.format(body="x, y = batch\n    out = net(x)"),
    before=("list_for_tensor",),
)


def find_numbers(raised: Raised) -> Match | None:
    found = given_first(raised)
    if found is None:
        return None
    text, value, call = found
    parts = {"t": text, "layer": ast.unparse(call.func), "kind": type(value).__name__}
    library, made = raised.parts["library"], raised.context.program.assignment(text)
    if type(value).__module__.partition(".")[0] == "numpy":
        return Match({**parts, "cure": f"{library}.from_numpy({text}).float()"})
    if type(value) not in (list, tuple) or not value:
        return None
    if all(is_tensor(each) for each in value):
        first = made.tree if made is not None else None
        if not isinstance(getattr(first, "value", None), ast.List | ast.ListComp):
            return None
        if len({tuple(each.shape) for each in value}) != 1:
            return None
        return Match({**parts, "cure": f"{library}.stack({text})"})
    numbers = value
    while numbers and type(numbers[0]) in (list, tuple):
        numbers = numbers[0]
    if not all(type(each) in (int, float) for each in numbers):
        return None
    whole = all(type(each) is int for each in numbers)
    return Match({**parts, "cure": f"{library}.tensor({text}){'.float()' if whole else ''}"})


NUMBERS = """
layer = T.nn.Linear(2, 1)
x = [[1.0, 2.0], [3.0, 4.0]]
out = layer({x})
"""

LIST_INPUT = ErrorRule(
    key="list_for_tensor",
    en=Words(
        "a list or an array for a layer",
        "`{t}` has the type {kind}, and `{layer}`{where} takes a tensor.",
        "Give it `{cure}`.",
    ),
    zh=Words(
        "把列表或数组交给层",
        "`{t}` 的类型是 {kind}，而 `{layer}`{where}需要张量。",
        "请传入 `{cure}`。",
    ),
    message=NOT_TENSOR,
    find=find_numbers,
    broken=NUMBERS.format(x="x"),
    sound=NUMBERS.format(x="T.tensor(x)"),
)

# --- Schedules


def find_schedule(raised: Raised) -> Match | None:
    for call in raised.line_calls:
        value = raised.object(call.args[0]) if call.args else None
        if not is_module(value):
            continue
        name = next(
            (n for n, v in raised.context.variables.items() if is_optimizer(v) and n[0] != "_"), ""
        )
        if not name:
            return None
        given = ast.parse(ast.unparse(call), mode="eval").body
        assert isinstance(given, ast.Call)
        given.args[0] = ast.Name(name)
        return Match({"t": ast.unparse(call.args[0]), "cure": ast.unparse(given)})
    return None


SCHEDULE = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
sched = T.optim.lr_scheduler.StepLR({given}, step_size=2)
"""

SCHEDULES = ErrorRule(
    key="schedule_of_model",
    chapter="15",
    en=Words(
        "a schedule that was given the model",
        "`{t}`{where} is a model, and a schedule changes the rate of an optimizer.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "把模型交给了学习率调度器",
        "`{t}`{where}是模型，而调度器改变的是优化器的学习率。",
        "请写 `{cure}`。",
    ),
    message=r"is not an Optimizer",
    find=find_schedule,
    broken=SCHEDULE.format(given="net"),
    sound=SCHEDULE.format(given="opt"),
)


def find_metrics(raised: Raised) -> Match | None:
    found = raised.method("step")
    if found is None or type(found[2]).__name__ != "ReduceLROnPlateau":
        return None
    losses = [
        n
        for n, v in raised.context.variables.items()
        if "loss" in n and (is_tensor(v) or type(v) is float) and n[0] != "_"
    ]
    name = next((n for n in losses if "val" in n), losses[-1] if losses else "loss")
    return Match({"t": found[1], "cure": f"{found[1]}.step({name})"})


PLATEAU = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
sched = T.optim.lr_scheduler.ReduceLROnPlateau(opt)
loss = net(T.ones(1, 2)).mean()
loss.backward()
opt.step()
sched.step({given})
"""

METRICS = ErrorRule(
    key="plateau_without_loss",
    chapter="15",
    en=Words(
        "ReduceLROnPlateau without the loss",
        "`{t}` lowers the rate when a number no longer improves, and {line} does not give it that "
        "number.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "ReduceLROnPlateau 没有得到损失",
        "`{t}` 在某个数不再改善时降低学习率，而{line}没有把这个数给它。",
        "请写 `{cure}`。",
    ),
    message=r"step\(\) missing 1 required positional argument: 'metrics'",
    find=find_metrics,
    broken=PLATEAU.format(given=""),
    sound=PLATEAU.format(given="loss"),
    severity=2,
)

# --- One number


def find_item(raised: Raised) -> Match | None:
    """Find `.item()` or `float()` of a tensor with several elements."""
    found = raised.method("item")
    count = raised.match(r"Tensor with (\d+) elements|only one element tensors")
    if count is None:
        return None
    if found is not None and is_tensor(found[2]):
        text, value = found[1], found[2]
        if value.is_floating_point():
            return Match({"t": text, "shape": size_text(value), "cure": f"{text}.mean().item()"})
        return Match({"t": text, "shape": size_text(value), "cure": f"{text}.tolist()"})
    for call in raised.called("float", "int"):
        value = raised.object(call.args[0]) if call.args else None
        if is_tensor(value) and value.numel() != 1:
            text = ast.unparse(call.args[0])
            cure = f"{last_name(call)}({text}.mean())" if value.is_floating_point() else ""
            cure = cure or f"{text}.tolist()"
            return Match({"t": text, "shape": size_text(value), "cure": cure})
    return None


ITEM = """
x, y = T.ones(4, 1), T.zeros(4, 1)
loss = T.nn.MSELoss(reduction="{how}")(x, y)
number = loss.item()
"""

ITEMS = ErrorRule(
    key="item_of_many",
    en=Words(
        "one number of many elements",
        "`{t}`{where} has the shape {shape}, and only a tensor of one element is one number.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "从多个元素取一个数",
        "`{t}`{where}的形状是 {shape}，只有一个元素的张量才能变成一个数。",
        "请写 `{cure}`。",
    ),
    message=r"cannot be converted to Scalar|only one element tensors can be converted",
    find=find_item,
    broken=ITEM.format(how="none"),
    sound=ITEM.format(how="mean"),
    severity=1,
)


def find_condition(raised: Raised) -> Match | None:
    """Find an `if`, `while` or `assert` on a tensor with several elements."""
    tree = raised.tree
    test = getattr(tree, "test", None)
    if test is None:
        return None
    values = {ast.unparse(n): raised.object(n) for n in ast.walk(test) if isinstance(n, ast.Name)}
    many = [(n, v) for n, v in values.items() if is_tensor(v) and v.numel() > 1]
    if not many:
        return None
    text = ast.unparse(test)
    parts = {"t": many[0][0], "shape": size_text(many[0][1]), "test": text}
    return Match({**parts, "cure": f"({text}).all()", "other": f"({text}).any()"})


CONDITION = """
out = T.ones(4)
if {test}:
    print("yes")
"""

CONDITIONS = ErrorRule(
    key="condition_of_many",
    chapter="9",
    en=Words(
        "a condition on many elements",
        "`{t}` has the shape {shape}, so `{test}`{where} is a tensor of several truths, and not "
        "one.",
        "Write `{cure}` if all must hold, or `{other}` if one is enough.",
    ),
    zh=Words(
        "条件涉及多个元素",
        "`{t}` 的形状是 {shape}，所以 `{test}`{where}是多个真假值的张量，而不是一个。",
        "若要求全部成立，请写 `{cure}`；有一个成立即可时，请写 `{other}`。",
    ),
    message=r"Boolean value of Tensor with more than one value is ambiguous",
    find=find_condition,
    broken=CONDITION.format(test="out > 0"),
    sound=CONDITION.format(test="(out > 0).all()"),
)


def find_size_call(raised: Raised) -> Match | None:
    """Find `x.shape(0)` and `x.size[0]`."""
    for node in ast.walk(raised.tree or ast.Pass()):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "shape" and len(node.args) == 1:
                cure = f"{ast.unparse(node.func)}[{ast.unparse(node.args[0])}]"
                return Match({"t": ast.unparse(node), "cure": cure})
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            if node.value.attr == "size" and is_tensor(raised.object(node.value.value)):
                cure = f"{ast.unparse(node.value)}({ast.unparse(node.slice)})"
                return Match({"t": ast.unparse(node), "cure": cure})
    return None


SIZE_CALL = ErrorRule(
    key="size_or_shape",
    en=Words(
        "shape called, or size indexed",
        "`{t}`{where} mixes two forms: `.shape` is a tuple, and `.size()` a method.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "调用了 shape，或对 size 取下标",
        "`{t}`{where}混淆了两种写法：`.shape` 是元组，`.size()` 是方法。",
        "请写 `{cure}`。",
    ),
    message=r"Size' object is not callable|method' object is not subscriptable",
    find=find_size_call,
    broken="x = T.ones(3, 4)\nn = x.shape(0)",
    sound="x = T.ones(3, 4)\nn = x.shape[0]",
)


def find_device(raised: Raised) -> Match | None:
    library = raised.parts["library"]
    parts = {"cure": f'device = "cuda" if {library}.cuda.is_available() else "cpu"'}
    return Match(parts)


DEVICE = ErrorRule(
    key="no_cuda",
    en=Words(
        "a GPU that is not there",
        "{line} asks for a GPU, and this machine or installation has none that CUDA can use.",
        "Choose it by `{cure}`, and write `.to(device)` wherever the program moves something.",
    ),
    zh=Words(
        "这里没有 GPU",
        "{line}需要 GPU，而这台机器或安装没有 CUDA 能用的 GPU。",
        "请用 `{cure}` 选择，凡是要移动的地方都写 `.to(device)`。",
    ),
    message=r"not compiled with CUDA|No CUDA GPUs are available|Found no NVIDIA driver",
    find=find_device,
    broken="net = T.nn.Linear(2, 1)\nnet.to('cuda')",
    sound="net = T.nn.Linear(2, 1)\nnet.to('cpu')",
)


def find_device_name(raised: Raised) -> Match | None:
    """Find the name of a device in capitals, or of another library."""
    named = raised.match(r"device string: '?([\w:]+?)'?\.?$")
    nodes = [n for n in ast.walk(raised.tree or ast.Pass()) if isinstance(n, ast.Constant)]
    texts = [n.value for n in nodes if isinstance(n.value, str)]
    if named is None or named[1] not in texts:
        return None
    line, changed = raised.line.text, []
    for text in texts:
        name = text.lower().replace("gpu", "cuda").replace(":o", ":0")
        changed += [name] if name != text else []
        line = line.replace(repr(text), repr(name)).replace(f'"{text}"', f'"{name}"')
    return Match({"t": named[1], "cure": line}) if changed else None


DEVICE_NAME = ErrorRule(
    key="device_name",
    en=Words(
        "a device of another name",
        'There is no device of the name "{t}"{where}: they are written `cpu` and `cuda`.',
        "Write `{cure}`.",
    ),
    zh=Words(
        "设备名不对",
        "没有名为 “{t}” 的设备{where}：设备名写作 `cpu` 和 `cuda`。",
        "请写 `{cure}`。",
    ),
    message=r"device string: ",
    find=find_device_name,
    broken="device = T.device('CPU')\nx = T.ones(3).to(device)",
    sound="device = T.device('cpu')\nx = T.ones(3).to(device)",
)


def find_groups(raised: Raised) -> Match | None:
    """Find two groups of an optimizer that hold one parameter both."""
    for call in raised.line_calls:
        given = call.args[0] if call.args else None
        if not isinstance(given, ast.List):
            continue
        owners = []
        for each in ast.walk(given):
            if isinstance(each, ast.Call) and last_name(each) == "parameters":
                if isinstance(each.func, ast.Attribute):
                    owners.append((ast.unparse(each), raised.object(each.func.value)))
        modules = [(text, m) for text, m in owners if is_module(m)]
        for text, outer in modules:
            inside = {id(p) for p in outer.parameters()}
            for other, inner in modules:
                ids = {id(p) for p in inner.parameters()}
                if other != text and ids and ids < inside:
                    name = other.removesuffix(".parameters()")
                    cure = f"[p for p in {text} if all(p is not q for q in {other})]"
                    return Match({"outer": text, "inner": other, "cure": cure, "name": name})
    return None


GROUPS = """
net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
opt = T.optim.SGD([{{"params": {first}}}, {{"params": net[1].parameters(), "lr": 0.01}}], lr=0.1)
"""

TWICE = ErrorRule(
    key="parameters_in_two_groups",
    chapter="15",
    en=Words(
        "parameters in two groups",
        "`{outer}` has the parameters of `{inner}` in it, so they are in two groups{where}.",
        "Leave them out of the first: `{cure}`.",
    ),
    zh=Words(
        "参数在两个组里",
        "`{outer}` 包含了 `{inner}` 的参数，所以它们在两个组里{where}。",
        "请从第一组中去掉它们：`{cure}`。",
    ),
    message=r"some parameters appear in more than one parameter group",
    find=find_groups,
    broken=GROUPS.format(first="net.parameters()"),
    sound=GROUPS.format(first="net[0].parameters()"),
)


def find_step(raised: Raised) -> Match | None:
    """Find `opt.step(loss)`."""
    found = raised.method("step")
    if found is None or not is_optimizer(found[2]) or not found[0].args:
        return None
    if not is_tensor(raised.object(found[0].args[0])):
        return None
    given = ast.unparse(found[0].args[0])
    return Match({"t": given, "opt": found[1], "cure": f"{found[1]}.step()"})


STEP = """
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
loss = net(T.ones(1, 2)).mean()
loss.backward()
opt.step({given})
"""

STEPPED = ErrorRule(
    key="loss_for_closure",
    chapter="15",
    en=Words(
        "a loss handed to step()",
        "`{opt}.step({t})`{where} hands over a loss, and step() takes nothing, or a function that "
        "it calls.",
        "Write `{cure}`, after backward().",
    ),
    zh=Words(
        "把损失交给 step()",
        "`{opt}.step({t})`{where}传入了损失，而 step() 不需要参数，或接受它要调用的函数。",
        "请在 backward() 之后写 `{cure}`。",
    ),
    message=r"'(Tensor|Parameter)' object is not callable",
    find=find_step,
    broken=STEP.format(given="loss"),
    sound=STEP.format(given=""),
)


def find_numbered(raised: Raised) -> Match | None:
    """Find `for x, y in enumerate(loader)`, whose x is a number."""
    for call in raised.line_calls:
        given = call.args[0] if call.args else None
        if not isinstance(given, ast.Name) or not isinstance(raised.object(given), int):
            continue
        made = raised.maker_line(given.id)
        tree = made.tree if made is not None else None
        if made is None or not isinstance(tree, ast.Assign):
            continue
        loop, target = tree.value, tree.targets[0]
        if not isinstance(loop, ast.Call) or ast.unparse(loop.func) != "enumerate":
            continue
        if not isinstance(target, ast.Tuple) or target.elts[0] is not first_name(target, given.id):
            continue
        names = ", ".join(ast.unparse(each) for each in target.elts)
        parts = {"t": given.id, "made": raised.context.line(made)}
        return Match({**parts, "cure": f"for i, ({names}) in {ast.unparse(loop)}:"})
    return None


def first_name(target: ast.Tuple, name: str) -> ast.expr | None:
    """Return the first of several names that are assigned, if it is this one."""
    first = target.elts[0]
    return first if isinstance(first, ast.Name) and first.id == name else None


NUMBERED = """
data = T.utils.data.TensorDataset(T.ones(4, 2), T.ones(4, 1))
loader = T.utils.data.DataLoader(data, batch_size=2)
net = T.nn.Linear(2, 1)
for {names} in enumerate(loader):
    out = net(x)
"""

ENUMERATED = ErrorRule(
    key="number_of_enumerate",
    en=Words(
        "the number of enumerate() in place of data",
        "`{t}`{where} is a number: enumerate() gives the number of a batch and the batch, in "
        "{made}.",
        "Write `{cure}`",
    ),
    zh=Words(
        "用了 enumerate() 的编号而不是数据",
        "`{t}`{where}是编号：enumerate() 给出批量的编号和批量，在{made}。",
        "请写 `{cure}`",
    ),
    message=r"must be Tensor, not int",
    find=find_numbered,
    broken=NUMBERED.format(names="x, y"),
    sound=NUMBERED.format(names="i, (x, y)"),
    before=("other_argument",),
)
