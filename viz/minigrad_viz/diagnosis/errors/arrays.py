"""NumPy's arrays and tensors, taken for each other."""

from __future__ import annotations

import ast
from typing import Any

from ...model.names import is_tensor
from ..causes import Finding
from ..rules.rule import Match, Words
from .containers import call_of, owners
from .raised import Raised
from .rule import ErrorRule


def is_array(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "dtype")


def find_method(raised: Raised) -> Match | None:
    """Find a method that the other kind has: `array.unsqueeze(0)`, `tensor.astype(...)`."""
    missing = raised.match(r"'(numpy\.ndarray|Tensor|Parameter)' object has no attribute '(\w+)'")
    for node, owner, value in owners(raised, missing[2] if missing is not None else ""):
        text, use, name = ast.unparse(owner), call_of(raised, node), node.attr  # type: ignore[attr-defined]
        module = raised.parts["library"]
        if is_array(value) and hasattr(type(raised.context.library().zeros(1)), name):
            other, kind = f"{module}.from_numpy({text})", "array"
        elif is_tensor(value) and name in OF_ARRAYS:
            other, kind = f"{text}.detach().numpy()", "tensor"
        else:
            continue
        return Match({"t": text, "kind": KINDS[kind], "use": use, "cure": other + use[len(text) :]})
    return None


OF_ARRAYS = ("astype", "tobytes", "fill", "searchsorted", "ptp")
KINDS = {"array": "numpy.ndarray", "tensor": "Tensor"}

METHOD = """
import numpy as np
x = np.ones((4, 3), dtype="float32")
y = {x}.unsqueeze(0)
"""

OTHER_METHOD = ErrorRule(
    key="method_of_the_other_library",
    chapter="12",
    en=Words(
        "a method of tensors on an array, or the reverse",
        "`{t}` is a {kind}, which does not have what `{use}`{where} asks for.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "对数组用张量的方法，或反过来",
        "`{t}` 是 {kind}，没有 `{use}`{where}所要的。",
        "请写 `{cure}`。",
    ),
    message=r"'(numpy\.ndarray|Tensor|Parameter)' object has no attribute",
    find=find_method,
    broken=METHOD.format(x="x"),
    sound=METHOD.format(x="T.from_numpy(x)"),
    before=("name_misspelled",),
)


def find_objects(raised: Raised) -> Match | None:
    for call in raised.line_calls:
        for given in call.args[:1]:
            value = raised.object(given)
            if is_array(value) and value.dtype.kind in "OUS":
                text, rest = ast.unparse(given), None
                rows = list(value) if value.dtype.kind == "O" and value.ndim == 1 else []
                if rows and all(isinstance(row, list | tuple) or is_array(row) for row in rows):
                    library = raised.parts["library"]
                    tensors = f"[{library}.tensor(row).float() for row in {text}]"
                    cure = f"{library}.nn.utils.rnn.pad_sequence({tensors}, batch_first=True)"
                    say = raised.context.say("cure_pad_rows", cure=cure)
                    rest = Finding("", [say])
                cure = f'{ast.unparse(call.func)}({text}.astype("float32"))'
                return Match({"t": text, "dtype": str(value.dtype), "cure": cure}, rest=rest)
    return None


OBJECTS = """
import numpy as np
rows = np.array([[1, 2.5], [3, 4.0]], dtype={dtype})
x = T.tensor(rows)
"""

OF_OBJECTS = ErrorRule(
    key="array_of_objects",
    en=Words(
        "an array of Python objects",
        "`{t}`{where} has the dtype {dtype}: its elements are Python objects, such as words or "
        "lists of unequal length.",
        "Keep the columns of numbers, and write `{cure}`.",
    ),
    zh=Words(
        "由 Python 对象组成的数组",
        "`{t}`{where}的 dtype 是 {dtype}：其中是 Python 对象，例如文字，或长短不一的列表。",
        "请只保留数字的列，并写 `{cure}`。",
    ),
    message=r"can't convert np\.ndarray of type numpy\.(object_|str_)",
    find=find_objects,
    broken=OBJECTS.format(dtype="object"),
    sound=OBJECTS.format(dtype='"float32"'),
)


def find_dtype(raised: Raised) -> Match | None:
    found = raised.match(r"Cannot interpret 'torch\.(\w+)' as a data type")
    for call in raised.line_calls:
        for given in [*call.args, *(word.value for word in call.keywords)]:
            if found is not None and isinstance(given, ast.Attribute) and given.attr == found[1]:
                text = ast.unparse(given)
                cure = ast.unparse(call).replace(text, f'"{found[1]}"')
                return Match({"t": text, "call": ast.unparse(call.func), "cure": cure})
    return None


DTYPE = """
import numpy as np
a = np.ones(3)
b = a.astype({dtype})
"""

OTHER_DTYPE = ErrorRule(
    key="dtype_of_the_other_library",
    en=Words(
        "a tensor's dtype for NumPy",
        "`{call}`{where} is of NumPy, which does not know `{t}`, a dtype of tensors.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "把张量的 dtype 交给 NumPy",
        "`{call}`{where}属于 NumPy，它不认识张量的 dtype `{t}`。",
        "请写 `{cure}`。",
    ),
    message=r"Cannot interpret 'torch\.\w+' as a data type",
    find=find_dtype,
    broken=DTYPE.format(dtype="T.float32"),
    sound=DTYPE.format(dtype='"float32"'),
)


def find_strides(raised: Raised) -> Match | None:
    for call in raised.line_calls:
        for given in call.args[:1]:
            if is_array(raised.object(given)):
                text = ast.unparse(given)
                return Match({"t": text, "cure": f"{ast.unparse(call.func)}({text}.copy())"})
    return None


REVERSED = """
import numpy as np
image = np.ones((4, 3), dtype="float32")[:, ::-1]
x = T.from_numpy(image{copy})
"""

NEGATIVE_STRIDES = ErrorRule(
    key="reversed_array",
    en=Words(
        "an array that is read backwards",
        "`{t}`{where} is a reversed view, as `[::-1]` or a flip gives, and a tensor cannot read "
        "memory backwards.",
        "Copy it first: `{cure}`.",
    ),
    zh=Words(
        "倒着读取的数组",
        "`{t}`{where}是倒序的视图（由 `[::-1]` 或翻转得到），张量不能倒着读取内存。",
        "请先复制：`{cure}`。",
    ),
    message=r"At least one stride in the given numpy array is negative|"
    r"given numpy array has negative strides",
    find=find_strides,
    broken=REVERSED.format(copy=""),
    sound=REVERSED.format(copy=".copy()"),
)


def find_step(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.Subscript) or not is_tensor(raised.object(node.value)):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        steps = [getattr(part, "step", None) for part in parts]
        for place, step in enumerate(steps):
            if isinstance(step, ast.UnaryOp):
                text = ast.unparse(node.value)
                use = ast.unparse(node)
                return Match({"t": text, "use": use, "cure": f"{text}.flip({place})"})
    return None


NEGATIVE_STEP = ErrorRule(
    key="negative_step",
    en=Words(
        "a slice with a negative step",
        "`{use}`{where} goes backwards, and a slice of a tensor only goes forwards.",
        "Write `{cure}`.",
    ),
    zh=Words(
        "步长为负的切片",
        "`{use}`{where}是倒着取的，而张量的切片只能向前。",
        "请写 `{cure}`。",
    ),
    message=r"step must be greater than zero",
    find=find_step,
    broken="x = T.ones(5)\ny = x[::-1]",
    sound="x = T.ones(5)\ny = x.flip(0)",
)


def find_product(raised: Raised) -> Match | None:
    for node in ast.walk(raised.tree or ast.Pass()):
        if not isinstance(node, ast.BinOp):
            continue
        left, right = raised.object(node.left), raised.object(node.right)
        for array, tensor, tree in ((left, right, node.left), (right, left, node.right)):
            if is_array(array) and is_tensor(tensor):
                text = ast.unparse(tree)
                dtype = str(tensor.dtype).rpartition(".")[2]
                module = raised.parts["library"]
                cure = f"{module}.from_numpy({text}).to({module}.{dtype})"
                return Match({"t": text, "cure": cure})
    return None


PRODUCT = """
import numpy as np
a, w = np.ones((2, 3)), T.ones(3, 2, requires_grad=True)
y = {a} @ w
"""

WITH_ARRAY = ErrorRule(
    key="array_with_tensor",
    chapter="12",
    en=Words(
        "an array in an operation with a tensor",
        "`{t}`{where} is an array of NumPy, and the other operand is a tensor.",
        "Write `{cure}` in its place.",
    ),
    zh=Words(
        "数组与张量一起运算",
        "`{t}`{where}是 NumPy 的数组，而另一个是张量。",
        "请写 `{cure}` 来代替它。",
    ),
    message=r"unsupported operand type\(s\) for .*'numpy\.ndarray'",
    find=find_product,
    broken=PRODUCT.format(a="a"),
    sound=PRODUCT.format(a="T.from_numpy(a).float()"),
)
