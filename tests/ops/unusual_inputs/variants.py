"""Unusual calls: all that differ in one argument from a call that both libraries accept.

The author of a mean does not think of an empty slice, so these calls are not written by hand. Every
argument is replaced in turn by each unusual value of its kind: a tensor by one without dimensions,
without elements, or of another type or size; a number by zero, minus one, or a huge one; a flag by
the other. Every optional argument is left out or given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.ops.refusals import Library
from tests.ops.unusual_inputs.rows import Row

New = Callable[[Library, Any], Any]
"""From the library and a right value to an unusual one."""

TYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64")

HUGE = 2**40

SHAPES: dict[str, New] = {
    "0-d": lambda T, x: x.reshape(-1)[:1].sum().to(x.dtype),
    "size 0": lambda T, x: T.zeros(0, dtype=x.dtype),
    "no rows": lambda T, x: x[:0],
    "one row": lambda T, x: x[:1],
    "one element": lambda T, x: x.reshape(-1)[:1].clone(),
    "a dimension less": lambda T, x: x[0].clone(),
    "a dimension more": lambda T, x: x[None].clone(),
    "longer": lambda T, x: T.cat([x, x[..., :1]], -1),
    "more rows": lambda T, x: T.cat([x, x[:1]], 0),
}
"""Of a tensor that has a dimension and elements."""

CONTENTS: dict[str, New] = {
    "expanded": lambda T, x: x[:1].expand(x.shape),
    "with gaps": lambda T, x: T.stack([x, x], -1)[..., 0],
    "in another order": lambda T, x: x.swapaxes(0, -1).clone().swapaxes(0, -1),
    "negative": lambda T, x: x.neg() if x.dtype != T.bool else x,
    "zeros": lambda T, x: T.zeros_like(x),
    "nan": lambda T, x: T.where(x == x.reshape(-1)[0], T.nan, x) if x.is_floating_point() else x,
    "inf": lambda T, x: T.where(x == x.reshape(-1)[0], T.inf, x) if x.is_floating_point() else x,
}

NO_TENSORS: dict[str, New] = {
    "None": lambda T, x: None,
    "2": lambda T, x: 2,
    "2.5": lambda T, x: 2.5,
    "True": lambda T, x: True,
    "a list": lambda T, x: [1.0, 2.0],
}

AS_TYPE: dict[str, New] = {
    name: lambda T, x, name=name: x.to(getattr(T, name))  # type: ignore[misc]
    for name in TYPES
}

INTEGERS: tuple[Any, ...] = (
    0, 1, -1, 2, -2, 3, -3, 7, HUGE, True, None, 1.5, (), (0,), (0, 1), (0, 0),
    (0, -2), (-1,), (5,), (True,),
)  # fmt: skip
FLOATS: tuple[Any, ...] = (
    0, 1, 2, -1, 0.0, 0.25, -0.5, 3.0, float("inf"), float("-inf"), float("nan"), True, None, HUGE,
    (0.5,),
)  # fmt: skip
FLAGS: tuple[Any, ...] = (True, False, None, 1, 0.0)
TEXTS: tuple[Any, ...] = ("none", "mean", "sum", "median", "", None, 0)
DIMS: tuple[Any, ...] = (0, 1, -1, -2, 2, -3, (), (0,), (0, 1), (0, 0), (0, -2), True, None, 1.0)


def one_of(*values: Any) -> dict[str, New]:
    return {repr(value): lambda T, x, value=value: value for value in values}


VECTORS: dict[str, New] = {
    "ones": lambda T, x: T.ones(3),
    "two ones": lambda T, x: T.ones(2),
    "float64": lambda T, x: T.ones(3, dtype=T.float64),
    "integers": lambda T, x: T.ones(3, dtype=T.int64),
    "0-d": lambda T, x: T.tensor(2.0),
    "2-d": lambda T, x: T.ones(1, 3),
}

BY_NAME: dict[str, dict[str, New]] = {
    **dict.fromkeys(("dim", "dims", "axis"), one_of(*DIMS)),
    "dtype": {
        name: lambda T, x, name=name: getattr(T, name)  # type: ignore[misc]
        for name in TYPES
    },
    **dict.fromkeys(
        ("min", "max", "eps", "rounding_mode", "value"), one_of(0, 0.5, "floor", "trunc", "a")
    ),
    **dict.fromkeys(("weight", "bias", "pos_weight", "running_mean", "running_var"), VECTORS),
    "attn_mask": VECTORS,
    **dict.fromkeys(("n", "stride", "storage_offset", "num_classes"), one_of(0, 1, -1, 2, 5, HUGE)),
    **dict.fromkeys(("size_average", "reduce"), one_of(True, False)),
    "memory_format": {"contiguous": lambda T, x: T.contiguous_format},
}
"""Values for arguments that are not given, by name, where the default says nothing."""

# Where a result goes, which device, which random bits: another question.
NOT_VARIED = {"out", "device", "layout", "pin_memory", "generator", "input", "self", "_stacklevel"}
NOT_VARIED |= {"num_workers", "worker_init_fn", "persistent_workers", "prefetch_factor", "timeout"}


def kinds(T: Library, value: Any, name: str) -> dict[str, New]:
    """The unusual values in place of `value`."""
    if isinstance(value, T.Tensor):
        shapes = {**SHAPES, **CONTENTS} if value.ndim and value.numel() else {}
        return {**shapes, **AS_TYPE, **NO_TENSORS}
    if name == "dtype" or isinstance(value, T.dtype):
        return BY_NAME["dtype"]
    if isinstance(value, bool):
        return one_of(*FLAGS)
    if isinstance(value, int):
        return one_of(*INTEGERS)
    if isinstance(value, float):
        return one_of(*FLOATS)
    if isinstance(value, str):
        return one_of(*TEXTS)
    if isinstance(value, (list, tuple)):
        return sequences(T, value)
    return BY_NAME.get(name, {}) if value is None else {}


def sequences(T: Library, value: Any) -> dict[str, New]:
    """A list of tensors, or of sizes: shorter, longer, unusual inside."""
    found: dict[str, New] = {
        "()": lambda T, x: (),
        "None": lambda T, x: None,
        "0": lambda T, x: 0,
        "-1": lambda T, x: -1,
        "one less": lambda T, x: x[:-1],
        "one twice": lambda T, x: [*x, x[0]] if len(x) else x,
        "the first twice": lambda T, x: [x[0], x[0], *x[2:]] if len(x) else x,
        "reversed": lambda T, x: list(reversed(x)),
    }
    for place, item in enumerate(value):
        for name, new in kinds(T, item, "").items():
            found[f"[{place}] {name}"] = lambda T, x, place=place, new=new: [  # type: ignore[misc]
                *x[:place], new(T, x[place]), *x[place + 1 :]
            ]  # fmt: skip
    return found


ENDS_PYTORCH = {
    "pdist": {"input: no rows", "all: no rows"},
    "functional.pdist": {"input: no rows", "all: no rows"},
    "functional.ctc_loss": {"targets: negative", "all: negative"},
    "nn.CTCLoss(0, 'sum').train()": {"targets: negative", "all: negative"},
    "nn.CTCLoss(0, 'sum').eval()": {"targets: negative", "all: negative"},
}
"""Calls whose backward pass may end PyTorch's process: it uses memory that is not its own."""


def left_out(row: Row, place: int, way: str) -> bool:
    """Whether to skip a call: no program makes it (`Tensor.exp(None)`), it has no one answer (one
    element of memory written to in three places), or it does not end."""
    if way == "expanded" and row.changes_its_tensor:
        return True
    if place == 0 and row.name.startswith("Tensor."):
        return way in NO_TENSORS
    return way.endswith(repr(HUGE)) and not row.huge


Changed = tuple[list[Any], dict[str, Any]]
Change = Callable[[Library, list[Any]], Changed]


def unusual_calls(T: Library, row: Row) -> dict[str, Change]:
    """The unusual calls by name, each from the right arguments, which are made anew for each."""
    parameters, right = row.parameters, list(row.arguments(T))
    given = parameters[: len(right)]
    names = [p.name for p in given] + [f"argument {n}" for n in range(len(given), len(right))]
    found: dict[str, Change] = {"as it is": lambda T, args: (args, {})}

    def put(place: int, new: New) -> Change:
        return lambda T, args: ([*args[:place], new(T, args[place]), *args[place + 1 :]], {})

    def everywhere(new: New) -> Change:
        def one(T: Library, value: Any) -> Any:
            if isinstance(value, list):
                return [new(T, item) if isinstance(item, T.Tensor) else item for item in value]
            return new(T, value) if isinstance(value, T.Tensor) and value.ndim else value

        def change(T: Library, args: list[Any]) -> Changed:
            return [one(T, argument) for argument in args], {}

        return change

    for place, (name, value) in enumerate(zip(names, right, strict=True)):
        for way, new in kinds(T, value, name).items():
            if not left_out(row, place, way):
                found[f"{name}: {way}"] = put(place, new)
    for way, new in {**SHAPES, **CONTENTS, **AS_TYPE}.items():
        if not left_out(row, 0, way):
            found[f"all: {way}"] = everywhere(new)
    few = {way: SHAPES[way] for way in ("0-d", "size 0", "a dimension less", "a dimension more")}
    whole = {
        "": lambda T, args: (args, {}),
        **{way: everywhere(new) for way, new in few.items()},
    }
    for count in range(1, len(right)):
        for way, change in whole.items():
            found[f"{count} given {way}"] = lambda T, args, count=count, change=change: change(
                T, args[:count]
            )
    for parameter in parameters:
        if parameter in given or parameter.name in NOT_VARIED:
            continue
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        replacements = BY_NAME.get(parameter.name) or kinds(T, default, parameter.name)
        for value, new in replacements.items():
            if left_out(row, -1, value):
                continue
            for way, change in whole.items():
                found[f"{parameter.name}={value} {way}"] = (
                    lambda T, args, new=new, change=change, key=parameter.name, default=default: (
                        change(T, args)[0],
                        {key: new(T, default)},
                    )
                )
    for way in ENDS_PYTORCH.get(row.name, ()):
        found.pop(way, None)
    return found


def with_grad(T: Library, value: Any, inplace: bool, leaves: list[Any]) -> Any:
    """The same arguments, of which those that can require grad. What a function overwrites cannot
    be a leaf and is made of one; `leaves` gets them all."""
    if isinstance(value, T.Tensor):
        if not value.is_floating_point():
            return value
        leaf = value.detach().requires_grad_()
        leaves.append(leaf)
        return leaf.clone() if inplace else leaf
    if isinstance(value, (list, tuple)):
        return type(value)(with_grad(T, item, inplace, leaves) for item in value)
    if isinstance(value, dict):
        return {key: with_grad(T, item, inplace, leaves) for key, item in value.items()}
    return value
