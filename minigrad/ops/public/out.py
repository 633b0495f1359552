"""Results written into a tensor that the caller gives: `torch.add(a, b, out=c)`.

No function has code for `out`. Its schema declares the argument, so a call with `out` fails in the
body, and functions.py passes the call on to this module. The result is computed without `out` and
then copied. A call without `out` pays nothing for this. A call with it saves no memory while it
runs, but gives PyTorch's result: the same tensor object, written in place, its version one higher.

The tables below list the dtypes of `out` that functions accept, and PyTorch's errors for the
others.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...arrays.devices import check_one_device, device_of
from ...arrays.devices import device as Device
from ...arrays.dtypes import can_cast, from_numpy_dtype, to_numpy_dtype
from ...arrays.memory_order import in_memory_order, memory_of, offset_of, steps_of
from ...arrays.messages import c_name, cannot_cast, is_tensor, type_word
from ...core.inplace import check_overlap, overwrite
from ...core.modes import modes, no_grad
from ...core.operation import Operation, zeros_for
from ...core.views import AsStridedBackward0, region, requires_grad
from .return_types import NamedResult, into_out

Names = frozenset[str]


class CopyBackwards(Operation):
    """Every element overwritten with one of `source`."""

    inputs = ("self", "source")
    rule = r"\bar a = 0, \qquad \bar b = g"

    def gradient(g: Any) -> Any:
        return lambda: zeros_for(g), g

    def name(self) -> str:
        return "torch::autograd::CopyBackwards"


def call_with_out(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call a public function with its result in `out`: a tensor, several, or None."""
    kwargs = {**kwargs}
    out = kwargs.pop("out")
    if out is None:
        return function(*args, **kwargs)
    name = function.__name__
    inputs = tuple(tensors_in((*args, *kwargs.values())))
    makes = name in MADE and not (name == "normal" and inputs)
    if not is_tensor(out) and not any("] out=None" in schema for schema in function.schemas):
        kind = type(out).__name__  # schemas of Python functions are not checked for this
        raise TypeError(f"{computed_by(name)}(): argument 'out' must be Tensor, not {kind}")
    outs = (out,) if is_tensor(out) else tuple(out)
    for each in outs:
        if name in RESIZED and requires_grad(each):
            raise RuntimeError("cannot resize variables that require grad")
        refuse_history(name, each)
        check_inputs(name, each, inputs)
    dtype = kwargs.get("dtype")
    leaf = makes and kwargs.pop("requires_grad", None)
    if makes:
        kwargs |= options_of(outs[0], dtype, kwargs.get("device"))
    elif dtype is None and name in TYPED_BY_OUT:
        kwargs["dtype"] = from_numpy_dtype[outs[0]._array.dtype]
    elif name == "nonzero" and kwargs.get("as_tuple"):
        raise RuntimeError("nonzero does not support the out kwarg when as_tuple is True")
    found = function(*args, **kwargs)
    results = found if isinstance(found, tuple) else (found,)
    if len(outs) != len(results):
        raise TypeError(f"expected tuple of {len(results)} elements but got {len(outs)}")
    for place, (each, result) in enumerate(zip(outs, results, strict=True)):
        refuse_history(name, result)
        field = "indices" if place else "values"
        check_type(name, result._array.dtype, each._array.dtype, dtype is not None, field)
    with no_grad():
        for each, result in zip(outs, results, strict=True):
            check_one_device([each._array, result._array])
            put(name, each, result, quiet=makes or name in QUIET)
    if makes and out.is_leaf:  # PyTorch treats it as a new tensor
        out.requires_grad_(bool(leaf))
    return into_out(found, outs) if isinstance(found, NamedResult) else out


def tensors_in(values: Sequence[Any]) -> Iterator[Any]:
    """Yield the tensors among arguments, and in the lists among them."""
    for value in values:
        yield from filter(is_tensor, value if isinstance(value, (tuple, list)) else (value,))


def options_of(out: Any, dtype: Any, device: Any) -> dict[str, Any]:
    """Return the dtype and device of `out`, in which a new tensor is made.

    Raises:
        RuntimeError: the call names others.
    """
    own, place = out._array.dtype, device_of(out._array)
    if dtype is not None and to_numpy_dtype(dtype) != own:
        asked = type_word(to_numpy_dtype(dtype))
        raise RuntimeError(
            f"dtype {asked} does not match dtype of out parameter ({type_word(own)})"
        )
    if device is not None and Device(device).type != place.type:
        raise RuntimeError(
            f"device type {Device(device).type} does not match device type of out parameter "
            f"({place.type})"
        )
    return {"dtype": from_numpy_dtype[own], "device": place}


# --- Checks


def refuse_history(name: str, tensor: Any) -> None:
    """Raise if an `out`, or a result, requires a gradient or has a tangent."""
    if modes.grad and requires_grad(tensor):
        raise RuntimeError(
            f"{computed_by(name)}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    if modes.level is not None and tensor._tangent is not None:
        raise NotImplementedError(
            f"Trying to use forward AD with {computed_by(name)}_out that does not support it "
            "because it is an out= function"
        )


def check_inputs(name: str, out: Any, inputs: tuple[Any, ...]) -> None:
    """Raise if `out` partly shares memory with an input.

    Where PyTorch reads elements after writing others, raise if they share any.
    """
    if name not in MAY_OVERLAP:
        check_overlap(out, inputs, repeats=True)
    if name in APART:
        check_overlap(out, inputs[APART[name] :], repeats=True, apart=True)


def check_type(
    name: str, wanted: np.dtype[Any], got: np.dtype[Any], asked: bool, field: str
) -> None:
    """Raise if the dtype of `out` does not fit the result.

    Args:
        asked: whether the call gave a dtype.
        field: the name of the result, if there are two.
    """
    if wanted == got or name in ANY_TYPE:
        return
    message = SAME_TYPE if asked else DTYPE_ERRORS.get(name)
    if message is not None:
        raise RuntimeError(
            message.format(
                name=name,
                field=field,
                wanted=type_word(wanted),
                got=type_word(got),
                c_wanted=c_name(wanted),
                c_got=c_name(got),
            )
        )
    if name in ("all", "any") and got != np.uint8:
        raise RuntimeError(f"{name} only supports bool tensor for result, got: {type_word(got)}")
    if not can_cast(from_numpy_dtype[wanted], from_numpy_dtype[got]):
        if name in JOINING:
            message = "torch.cat(): input types can't be cast to the desired output type"
            raise TypeError(f"{message} {type_word(got)}")
        if name == "logsumexp":
            message = "logsumexp(): Expected floating point type for result tensor, but got:"
            raise RuntimeError(f"{message} {type_word(got)}")
        if name in CHECKS_CAST:
            castable = f"Expected result to be safely castable from {type_word(wanted)} dtype"
            found = f"but got result with dtype {type_word(got)}"
            raise RuntimeError(f"{CHECKS_CAST[name]}: {castable}, {found}")
        raise cannot_cast(wanted, got)


# --- Writing


def put(name: str, out: Any, result: Any, quiet: bool) -> None:
    """Write `result` into `out`, which takes its shape."""
    values, shape = result._array, out._array.shape
    if name in ("arange", "linspace", "logspace", "range") and out._array.size == values.size:
        values = values.reshape(shape)
    if values.shape != shape:
        if out._array.size and (not quiet or name == "arange"):
            warn_of_size(name, shape, values)
        resize(out, values)
    elif name == "empty":
        return
    if name in DRAWN:
        values = in_memory_order(out.shared_array(), values.reshape)
    overwrite(CopyBackwards, out, (out, result), (), values)


def warn_of_size(name: str, shape: tuple[int, ...], values: Any) -> None:
    if name == "arange":
        message = (
            f"The number of elements in the out tensor of shape {list(shape)} is "
            f"{int(np.prod(shape))} which does not match the computed number of elements "
            f"{values.size}. Note that this may occur as a result of rounding error. The out "
            f"tensor will be resized to a tensor of shape ({values.size},)."
        )
    else:
        message = (
            "An output with one or more elements was resized since it had shape "
            f"{list(shape)}, which does not match the required output shape "
            f"{list(values.shape)}. This behavior is deprecated, and in a future PyTorch release "
            "outputs will not be resized unless they have zero elements. You can explicitly reuse "
            "an out tensor t by resizing it, inplace, to zero elements with t.resize_(0)."
        )
    # The caller's line: above it are the function, `handle_failure`, `call_with_out`, `put` and
    # this one.
    warnings.warn(message, stacklevel=6)


def resize(out: Any, values: Any) -> None:
    """Give `out` the shape of `values`, in the order of their memory.

    `out` keeps its memory if that is large enough. Otherwise it gets new memory, and its views keep
    the old. (PyTorch would move the views too.)
    """
    array, steps = out.shared_array(), steps_of(values)
    start = offset_of(array)
    extent = 1 + sum((n - 1) * step for n, step in zip(values.shape, steps, strict=True))
    if not values.size or start + extent > memory_of(array).size:
        out._array = np.empty_like(values, array.dtype)
        out._view, out._relaid = None, []
        return
    layout = (steps_of(array), start)
    there = (AsStridedBackward0.forward, (values.shape, steps, start, layout))
    back = (AsStridedBackward0.forward, (array.shape, *layout, (steps, start)))
    out._array = region(array, [there])
    if out._view is not None:
        out._view = out._view.reshaped(there, None)
    else:
        out._relaid = [*out._relaid, back]


# --- Differences between functions


def by_function(table: dict[str, str]) -> dict[str, str]:
    """Invert a table from error messages to names."""
    return {name: message for message, names in table.items() for name in names.split()}


SAME_TYPE = "Expected out tensor to have dtype {c_wanted}, but got {c_got} instead"

DTYPE_ERRORS = by_function(
    {
        SAME_TYPE: "addmm argmax argmin argsort avg_pool2d baddbmm bmm cross diag gather "
        "index_add index_copy inverse linalg_cholesky linalg_det linalg_eigh linalg_eigvalsh "
        "linalg_inv linalg_matmul linalg_qr linalg_solve linalg_svd linalg_svdvals "
        "linalg_vector_norm linear log_softmax matmul max median min mm nanmedian norm scatter "
        "scatter_add softmax sort topk tril triu isin linalg_cross msort take_along_dim "
        "aminmax index_reduce renorm scatter_reduce addmv matrix_power linalg_matrix_power slogdet "
        "linalg_slogdet",
        "expected scalar type '{wanted}' but got '{got}' for {field} output": "mode",
        "multi_dot(): expected out tensor to have dtype {c_wanted} but got {c_got}": (
            "linalg_multi_dot"
        ),
        "linalg.vecdot: Expected out of dtype{wanted} but found {got}": "linalg_vecdot",
        "the output given to float_power has dtype {got} but the operation's result requires dtype "
        "{wanted}": "float_power",
        "expected scalar_type {wanted} but found {got}": "cummax cummin logcumsumexp",
        "{name}(): self and out expected to have the same dtype, but got self.dtype = {wanted} and "
        "out.dtype = {got}": "take",
        "Found dtype {got} but expected {wanted}": "abs absolute bitwise_not ceil clamp clamp_max "
        "clamp_min clip fix floor frac gelu hardshrink neg negative round sign softplus "
        "softshrink special_round trunc",
        "Expected the dtype for input and out to match, but got {wanted} for input's dtype and "
        "{got} for out's dtype.": "amax amin",
        "Expected out type to be {wanted} but got {got}": "where",
        "{name}(): self and result must have the same scalar type": "index_select masked_select",
        "addmv input tensors must have the same dtype, but got {got}, {wanted}, and {wanted}": "mv",
        "expected scalar type {wanted} but found {got}": "log_sigmoid",
        "linalg.norm expected out tensor dtype {wanted} but got: {got}": "linalg_norm",
        "linalg.matrix_norm expected out tensor dtype {wanted} but got: {got}": (
            "linalg_matrix_norm"
        ),
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
        "{c_wanted} and hist {c_got}": "histc histogram",
        "result dtype {got} does not match input dtype {wanted}": "dot",
        "{name}: dtype of out: {got} should be same as input: {wanted}": "nan_to_num",
        "{name} expects {wanted} tensor out, got: {got}": "multinomial",
        "{name}: Expected out tensor to have scalar type {wanted} but got scalar type{got}": (
            "nonzero"
        ),
    }
)
"""Error message when `out` has another dtype than the result, for functions that accept no other.

The other functions accept each dtype to which the result can be cast.
"""

CHECKS_CAST = {
    "cholesky_solve": "cholesky_solve",
    "linalg_cond": "linalg.cond",
    "linalg_lstsq": "linalg.lstsq",
    "linalg_matrix_rank": "torch.linalg.matrix_rank",
    "linalg_pinv": "linalg.pinv",
}
"""Functions with their own error for an `out` that cannot hold the result; the name in that
error."""

MADE: Names = frozenset(
    "arange empty eye full linspace logspace normal ones rand randint randn randperm zeros".split()
)
"""Functions that make a new tensor, with the dtype and device of `out`."""

TYPED_BY_OUT: Names = frozenset({"sum", "prod", "cumsum", "cumprod"})
"""Functions that compute in the dtype of `out`, as in a given `dtype`."""

ANY_TYPE: Names = frozenset({"bernoulli"})
"""Functions that fill an `out` of any dtype."""

RESIZED: Names = frozenset({"empty", "randn"})
"""Functions that resize `out` with an error of their own if it requires grad."""

DRAWN: Names = frozenset({"rand", "randint", "randn"})
"""Functions that draw the elements of `out` in the order of their memory."""

MAY_OVERLAP: Names = frozenset(
    {
        *("baddbmm", "bmm", "linalg_matmul", "matmul", "mm", "log_sigmoid", "log_softmax"),
        *("softmax", "tril", "triu", "inverse", "linalg_cholesky", "linalg_inv", "linalg_solve"),
        *("linalg_svd", "linalg_pinv", "cholesky_solve"),
    }
)
"""Functions whose `out` may overlap inputs, as they read everything first.

(Some of PyTorch's overwrite elements that are still to be read.)
"""

JOINING: Names = frozenset(
    "cat column_stack concat concatenate dstack hstack row_stack stack vstack".split()
)
"""Functions that PyTorch computes by `cat`, or as `cat` does."""

QUIET: Names = frozenset({"bernoulli", "multinomial", "log_sigmoid"})
"""Functions that resize `out` without a warning."""

APART = {
    **dict.fromkeys((*JOINING, "gather", "index_select", "masked_select", "take_along_dim"), 0),
    **dict.fromkeys(("cross", "linalg_cross"), 0),
    **dict.fromkeys(("scatter", "scatter_add", "scatter_reduce"), 1),
    **dict.fromkeys(("index_add", "index_copy", "index_reduce"), 1),
}
"""Functions that read some elements after writing others; the number of inputs `out` may be."""

COMPUTED_BY = {
    "absolute": "abs",
    "clip": "clamp",
    "diff": "sub",
    "fix": "trunc",
    "inverse": "linalg_inv_ex",
    "linalg_cholesky": "linalg_cholesky_ex",
    "linalg_det": "_linalg_det",
    "linalg_eigh": "_linalg_eigh",
    "linalg_eigvalsh": "_linalg_eigh",
    "linalg_inv": "linalg_inv_ex",
    "linalg_matmul": "matmul",
    "linalg_solve": "_linalg_solve_ex",
    "linalg_svd": "_linalg_svd",
    "linalg_svdvals": "_linalg_svd",
    "log_sigmoid": "log_sigmoid_forward",
    "negative": "neg",
    "norm": "linalg_vector_norm",
    "square": "pow",
    "subtract": "sub",
    "special_expit": "sigmoid",
    "special_gammaln": "lgamma",
    "special_psi": "digamma",
    **{
        f"special_{name}": name
        for name in (
            *("digamma", "erf", "erfc", "erfinv", "exp2", "expm1", "log1p", "logit", "logsumexp"),
            *("polygamma", "round", "sinc", "xlogy"),
        )
    },
    "diag": "aten::diagonal_copy",
    **dict.fromkeys(JOINING - {"cat", "stack"}, "cat"),
    "cross": "linalg_cross",
    "msort": "sort",
    "take_along_dim": "gather",
    **dict.fromkeys(("divide", "true_divide", "normalize"), "div"),
    "special_gammainc": "igamma",
    "special_gammaincc": "igammac",
    **dict.fromkeys(("multiply", "outer", "ger", "kron"), "mul"),
    **dict.fromkeys(("matrix_power", "linalg_matrix_power"), "matmul"),
    "float_power": "pow",
    "slogdet": "linalg_slogdet",
    "linalg_multi_dot": "mm",
    "linalg_vecdot": "vdot",
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")},
    **{
        name: f"aten::{name}"
        for name in (
            *("eye", "full", "linspace", "logspace", "ones", "rand", "zeros"),
            *("floor_divide", "log_softmax", "softmax"),
        )
    },
}
"""Names of the functions in which PyTorch computes, where they differ."""


def computed_by(name: str) -> str:
    """Return the name in PyTorch's error for differentiating a function with `out`.

    >>> computed_by("hstack"), computed_by("add")
    ('cat', 'add')
    """
    return COMPUTED_BY.get(name, name)
