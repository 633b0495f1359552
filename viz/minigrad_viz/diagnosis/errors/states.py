"""A state_dict that does not fit the model: other names, other sizes, or something else."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from ..rules.rule import Match, Words
from .raised import Raised
from .rule import ErrorRule

MESSAGE = r"Error\(s\) in loading state_dict"


def loading(raised: Raised) -> tuple[str, str, Any] | None:
    """Return the texts of the model and of what it loads, and the latter's value."""
    for call in raised.called("load_state_dict"):
        if isinstance(call.func, ast.Attribute) and call.args:
            given = call.args[0]
            return ast.unparse(call.func.value), ast.unparse(given), raised.object(given)
    return None


def names_after(raised: Raised, heading: str) -> list[str]:
    found = raised.match(rf"{heading} key\(s\) in state_dict: (.*?)\. ")
    return re.findall(r'"(.*?)"', found[1]) if found else []


def find_prefix(raised: Raised) -> Match | None:
    """Find names that all have the same beginning more, or less, than those of the model."""
    found = loading(raised)
    missing, more = names_after(raised, "Missing"), names_after(raised, "Unexpected")
    if found is None or not missing or len(missing) != len(more):
        return None
    model, text, _ = found
    prefix = more[0].removesuffix(missing[0])
    if prefix.endswith(".") and [f"{prefix}{name}" for name in missing] == more:
        keys = f'{{k.removeprefix("{prefix}"): v for k, v in {text}.items()}}'
        return Match({"model": model, "t": text, "prefix": prefix, "cure": keys})
    prefix = missing[0].removesuffix(more[0])
    if prefix.endswith(".") and [f"{prefix}{name}" for name in more] == missing:
        keys = f'{{"{prefix}" + k: v for k, v in {text}.items()}}'
        return Match({"model": model, "t": text, "prefix": prefix, "cure": keys})
    return None


STATES = """
net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
state = {state}
net.load_state_dict(state)
"""

PREFIX = ErrorRule(
    key="state_prefix",
    en=Words(
        "a state_dict whose names have a prefix",
        "The names in `{t}` and those of `{model}` differ by the prefix `{prefix}`{where}, as "
        "after saving a wrapped model.",
        "Load `{cure}`.",
    ),
    zh=Words(
        "state_dict 的名字带有前缀",
        "`{t}` 中的名字与 `{model}` 的名字相差前缀 `{prefix}`{where}，例如保存的是包装过的模型。",
        "请加载 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_prefix,
    broken=STATES.format(state='{"module." + k: v for k, v in net.state_dict().items()}'),
    sound=STATES.format(state="net.state_dict()"),
    before=("state_names",),
    severity=1,
)


def find_checkpoint(raised: Raised) -> Match | None:
    """Find a dictionary that holds the state_dict under one of its names."""
    found = loading(raised)
    if found is None or not isinstance(found[2], Mapping):
        return None
    model, text, value = found
    missing = set(names_after(raised, "Missing"))
    for key, held in value.items():
        if isinstance(key, str) and isinstance(held, Mapping) and missing and missing <= set(held):
            return Match({"model": model, "t": text, "key": key, "cure": f'{text}["{key}"]'})
    return None


CHECKPOINT = ErrorRule(
    key="state_in_checkpoint",
    en=Words(
        "a checkpoint in place of a state_dict",
        "`{t}` is a checkpoint: it holds the state_dict of `{model}` under the name "
        "`{key}`{where}.",
        "Load `{cure}`.",
    ),
    zh=Words(
        "用了检查点而不是 state_dict",
        "`{t}` 是检查点：`{model}` 的 state_dict 存放在名字 `{key}` 下{where}。",
        "请加载 `{cure}`。",
    ),
    message=MESSAGE,
    find=find_checkpoint,
    broken=STATES.format(state='{"epoch": 3, "model": net.state_dict()}'),
    sound=STATES.format(state="net.state_dict()"),
    before=("state_names",),
    severity=1,
)


def find_sizes(raised: Raised) -> Match | None:
    found = loading(raised)
    sizes = re.findall(
        r"size mismatch for ([\w.]+): copying a param with shape torch\.Size\(\[(.*?)\]\) from "
        r"checkpoint, the shape in current model is torch\.Size\(\[(.*?)\]\)",
        raised.message,
    )
    if found is None or not sizes:
        return None
    model, text, _ = found
    name, saved, own = sizes[0]
    parts = {"model": model, "t": text, "name": name, "saved": f"({saved})", "own": f"({own})"}
    names = ", ".join(repr(each[0]) for each in sizes)
    cure = f"{model}.load_state_dict({{k: v for k, v in {text}.items() if k not in ({names},)}}, "
    return Match({**parts, "cure": f"{cure}strict=False)"})


SIZES = ErrorRule(
    key="state_sizes",
    en=Words(
        "a state_dict of a model of other sizes",
        "`{name}` has the shape {saved} in `{t}` and {own} in `{model}`{where}.",
        "Make the model with the saved sizes. If that layer is new on purpose, leave it out: "
        "`{cure}`.",
    ),
    zh=Words(
        "state_dict 来自大小不同的模型",
        "`{name}` 在 `{t}` 中的形状是 {saved}，在 `{model}` 中是 {own}{where}。",
        "请按保存时的大小建立模型。如果该层是有意更换的，请略去它：`{cure}`。",
    ),
    message=MESSAGE,
    find=find_sizes,
    broken="""
old, net = T.nn.Linear(4, 10), T.nn.Linear(4, 5)
state = old.state_dict()
net.load_state_dict(state)
""",
    sound="""
old, net = T.nn.Linear(4, 10), T.nn.Linear(4, 10)
state = old.state_dict()
net.load_state_dict(state)
""",
    severity=1,
)


def find_names(raised: Raised) -> Match | None:
    found = loading(raised)
    missing, more = names_after(raised, "Missing"), names_after(raised, "Unexpected")
    if found is None or not (missing or more):
        return None
    parts = {"model": found[0], "t": found[1]}
    parts["missing"] = ", ".join(f"`{name}`" for name in missing[:3]) or "-"
    return Match({**parts, "more": ", ".join(f"`{name}`" for name in more[:3]) or "-"})


NAMES = ErrorRule(
    key="state_names",
    en=Words(
        "a state_dict of another model",
        "`{t}` is of another model than `{model}`{where}. Names that only the model has: "
        "{missing}. Names that only the file has: {more}.",
        "Make the model as it was when it was saved, with the same attributes.",
    ),
    zh=Words(
        "state_dict 来自另一个模型",
        "`{t}` 不属于 `{model}` 这样的模型{where}。只有模型有的名字：{missing}。只有文件有的名字："
        "{more}。",
        "请按保存时的样子建立模型，属性名相同。",
    ),
    message=MESSAGE,
    find=find_names,
    broken=STATES.format(state='{"fc.weight": T.ones(1)}'),
    sound=STATES.format(state="net.state_dict()"),
    severity=1,
)


def find_path(raised: Raised) -> Match | None:
    found = loading(raised)
    kind = raised.match(r"got <class '(?:\w+\.)*(\w+)'>")
    if found is None or kind is None:
        return None
    model, text, _ = found
    what = {"str": load(raised, text), "method": f"{text}()"}.get(kind[1], f"{text}.state_dict()")
    parts = {"t": text, "kind": kind[1]}
    return Match({**parts, "cure": f"{model}.load_state_dict({what})"})


def load(raised: Raised, text: str) -> str:
    return f"{raised.parts['library']}.load({text})"


PATH = """
net = T.nn.Linear(2, 1)
net.load_state_dict({state})
"""

OF_PATH = ErrorRule(
    key="path_for_state",
    en=Words(
        "something else in place of a state_dict",
        "`{t}`{where} is of the class {kind}, and load_state_dict() takes a dictionary of weights.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "给的不是 state_dict",
        "`{t}`{where}的类是 {kind}，而 load_state_dict() 需要权重的字典。",
        "请写 `{cure}`。",
    ),
    message=r"Expected state_dict to be dict-like, got <class '",
    find=find_path,
    broken=PATH.format(state='"model.pt"'),
    sound="net = T.nn.Linear(2, 1)\nnet.load_state_dict(net.state_dict())",
    severity=1,
)
