"""minigrad: automatic differentiation as PyTorch does it, in Python that can be read.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)

The machinery can be read in an afternoon, in this order:

    graph.py          what a grad_fn is made of: nodes, edges, version counters
    engine.py         the one loop that walks the graph; hook_calls.py: whom it calls on the way
    differentiate.py  backward() and grad(), which call it
    operation.py      a built-in operation: forward, formula, and how it leaves a node behind
    ops/              the operations, one file a family; ops/arithmetic.py to begin with
    saving.py         what a node keeps for its formula
    inplace.py        writing to a tensor's memory; views.py: what that does to the graph
    function.py       operations that a user writes
    modes.py          no_grad and its like; recording.py: the events that the stepper shows
    tensor.py         Tensor itself: state and properties

The other files make it PyTorch's: types, devices, draws, printing, layers, optimizers.
"""

import warnings as _warnings

# Many names in a line, as in an index: one in each would take four hundred lines.
# fmt: off
# isort: off
from . import autograd, cuda, linalg, nn, optim, utils
from .creation import (
    arange, as_tensor, asarray, empty, empty_like, eye, from_dlpack, from_numpy, full, full_like,
    linspace, logspace, ones, ones_like, rand, rand_like, randint, randint_like, randn, randn_like,
    randperm, scalar_tensor, tensor, tril_indices, triu_indices, zeros, zeros_like,
)
from .devices import device, get_default_device, set_default_device
from .dtypes import (
    bool_ as bool, can_cast, double, dtype, finfo, float16, float32, float64, get_default_dtype,
    half, iinfo, int8, int16, int32, int64, long, promote_types, set_default_dtype, short, uint8,
    float_ as float, int_ as int,
)
from .modes import (
    enable_grad, inference_mode, is_anomaly_check_nan_enabled, is_anomaly_enabled,
    is_grad_enabled, is_inference_mode_enabled, no_grad, set_grad_enabled,
)
from .ops.activations import log_softmax, selu, softmax
from .ops.arithmetic import (
    add, addcdiv, addcmul, div, float_power, floor_divide, fmod, lerp, mul, neg, neg_, positive,
    pow, reciprocal, reciprocal_, remainder, rsub, square, sub, div as divide, div as true_divide,
    mul as multiply, neg as negative, neg_ as negative_, sub as subtract,
)
from .ops.comparison import (
    allclose, bitwise_and, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift,
    bitwise_xor, eq, equal, ge, gt, isclose, isfinite, isinf, isnan, le, logical_and, logical_not,
    logical_or, logical_xor, lt, ne, signbit, ge as greater_equal, gt as greater, le as less_equal,
    lt as less, ne as not_equal,
)
from .ops.convolution import conv1d, conv2d
from .ops.copying import clone
from .ops.drawing import bernoulli, multinomial, normal
from .ops.dropout import dropout
from .ops.einsum import einsum
from .ops.elementwise import (
    abs, abs_, ceil, ceil_, erf, erf_, erfc, erfc_, exp, exp2, exp2_, exp_, expm1, expm1_, floor,
    floor_, frac, frac_, log, log1p, log1p_, log2, log2_, log10, log10_, log_, nan_to_num, relu,
    relu_, round, round_, rsqrt, rsqrt_, sgn, sigmoid, sigmoid_, sign, sqrt, sqrt_, trunc, trunc_,
    where, abs as absolute, trunc as fix, trunc_ as fix_,
)
from .ops.extremes import (
    clamp, clamp_, clamp_max, clamp_min, fmax, fmin, maximum, minimum, clamp as clip,
    clamp_ as clip_,
)
from .ops.indexing import index_put
from .ops.joining import (
    cat, chunk, column_stack, dstack, flip, fliplr, flipud, hsplit, hstack, meshgrid,
    repeat_interleave, roll, rot90, split, split_with_sizes, stack, tensor_split, tile, tril, triu,
    unbind, vsplit, vstack,
)
from .ops.linalg import det, logdet, slogdet, inv as inverse
from .ops.masking import argwhere, masked_fill, masked_scatter, masked_select, nonzero
from .ops.matrix import (
    addmm, addmv, baddbmm, bmm, dot, inner, matmul, mm, mv, outer, tensordot, vdot, outer as ger,
)
from .ops.normalization import batch_norm, layer_norm
from .ops.parts import diag, diag_embed, diagonal, narrow, select, trace
from .ops.reductions import (
    all, amax, amin, any, count_nonzero, logsumexp, mean, nanmean, nansum, norm, prod, std,
    std_mean, sum, var, var_mean,
)
from .ops.scans import cumprod, cumsum
from .ops.scattering import (
    gather, index_add, index_copy, index_fill, index_select, put, scatter, scatter_add, take,
    take_along_dim,
)
from .ops.shapes import (
    adjoint, atleast_1d, atleast_2d, atleast_3d, broadcast_tensors, broadcast_to, flatten, movedim,
    permute, ravel, reshape, squeeze, t, transpose, unflatten, unsqueeze,
)
from .ops.sorting import (
    aminmax, argmax, argmin, argsort, cummax, cummin, kthvalue, max, median, min, nanmedian, sort,
    topk,
)
from .ops.strided import as_strided
from .ops.trigonometry import (
    acos, acos_, acosh, acosh_, asin, asin_, asinh, asinh_, atan, atan2, atan_, atanh, atanh_, cos,
    cos_, cosh, cosh_, sin, sin_, sinh, sinh_, tan, tan_, tanh, tanh_, acos as arccos,
    acosh as arccosh, asin as arcsin, asinh as arcsinh, atan as arctan, atan2 as arctan2,
    atanh as arctanh,
)
from .printing import set_printoptions
from .queries import get_rng_state, result_type
from .random import Generator, default_generator, initial_seed, manual_seed, seed, set_rng_state
from .serialization import load, save
from .suggestions import missing_attribute as _missing_attribute
from .tensor import Size, Tensor
# isort: on
# fmt: on

concat = concatenate = cat
swapaxes = swapdims = transpose
moveaxis = movedim
row_stack = vstack

# fmt: off
__all__ = [
    "Generator", "Size", "Tensor", "abs", "abs_", "absolute", "acos", "acos_", "acosh",
    "acosh_", "add", "addcdiv", "addcmul", "addmm", "addmv", "adjoint", "all", "allclose",
    "amax", "amin", "aminmax", "any", "arange", "arccos", "arccosh", "arcsin", "arcsinh",
    "arctan", "arctan2", "arctanh", "argmax", "argmin", "argsort", "argwhere", "as_strided",
    "as_tensor", "asarray", "asin", "asin_", "asinh", "asinh_", "atan", "atan2", "atan_",
    "atanh", "atanh_", "atleast_1d", "atleast_2d", "atleast_3d", "autograd", "baddbmm",
    "batch_norm", "bernoulli", "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "bmm", "bool", "broadcast_tensors", "broadcast_to",
    "can_cast", "cat", "ceil", "ceil_", "chunk", "clamp", "clamp_", "clamp_max", "clamp_min",
    "clip", "clip_", "clone", "column_stack", "concat", "concatenate", "conv1d", "conv2d",
    "cos", "cos_", "cosh", "cosh_", "count_nonzero", "cuda", "cummax", "cummin", "cumprod",
    "cumsum", "default_generator", "det", "device", "diag", "diag_embed", "diagonal", "div",
    "divide", "dot", "double", "dropout", "dstack", "dtype", "einsum", "empty", "empty_like",
    "enable_grad", "eq", "equal", "erf", "erf_", "erfc", "erfc_", "exp", "exp2", "exp2_",
    "exp_", "expm1", "expm1_", "eye", "finfo", "fix", "fix_", "flatten", "flip", "fliplr",
    "flipud", "float", "float16", "float32", "float64", "float_power", "floor", "floor_",
    "floor_divide", "fmax", "fmin", "fmod", "frac", "frac_", "from_dlpack", "from_numpy",
    "full", "full_like", "gather", "ge", "ger", "get_default_device", "get_default_dtype",
    "get_rng_state", "greater",
    "greater_equal", "gt", "half", "hsplit", "hstack", "iinfo", "index_add", "index_copy",
    "index_fill", "index_put", "index_select", "inference_mode", "initial_seed", "inner", "int",
    "int16", "int32", "int64", "int8", "inverse", "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled", "is_grad_enabled",
    "is_inference_mode_enabled", "isclose", "isfinite", "isinf", "isnan", "kthvalue",
    "layer_norm", "le", "lerp", "less", "less_equal", "linalg", "linspace", "load", "log",
    "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_", "log_softmax", "logdet",
    "logical_and", "logical_not", "logical_or", "logical_xor", "logspace", "logsumexp", "long",
    "lt", "manual_seed", "masked_fill", "masked_scatter", "masked_select", "matmul", "max",
    "maximum", "mean", "median", "meshgrid", "min", "minimum", "mm", "moveaxis", "movedim",
    "mul", "multinomial", "multiply", "mv", "nan_to_num", "nanmean", "nanmedian", "nansum",
    "narrow", "ne", "neg", "neg_", "negative", "negative_", "nn", "no_grad", "nonzero", "norm",
    "normal", "not_equal", "ones", "ones_like", "optim", "outer", "permute", "positive", "pow",
    "prod", "promote_types", "put", "rand", "rand_like", "randint", "randint_like", "randn",
    "randn_like", "random", "randperm", "ravel", "reciprocal", "reciprocal_", "relu", "relu_",
    "remainder", "repeat_interleave", "reshape", "result_type", "roll", "rot90", "round",
    "round_", "row_stack", "rsqrt", "rsqrt_", "rsub", "save", "scalar_tensor", "scatter",
    "scatter_add", "seed", "select", "selu", "set_default_device", "set_default_dtype",
    "set_grad_enabled",
    "set_printoptions", "set_rng_state", "sgn", "short", "sigmoid", "sigmoid_", "sign",
    "signbit", "sin", "sin_", "sinh", "sinh_", "slogdet", "softmax", "sort", "split",
    "split_with_sizes", "sqrt", "sqrt_", "square", "squeeze", "stack", "std", "std_mean", "sub",
    "subtract", "sum", "swapaxes", "swapdims", "t", "take", "take_along_dim", "tan", "tan_",
    "tanh", "tanh_", "tensor", "tensor_split", "tensordot", "tile", "topk", "trace", "transpose",
    "tril", "tril_indices", "triu", "triu_indices", "true_divide", "trunc", "trunc_", "uint8",
    "unbind", "unflatten", "unsqueeze", "utils", "var", "var_mean", "vdot", "vsplit", "vstack",
    "where", "zeros", "zeros_like",
]
# fmt: on

__version__ = "0.1.0"

# 1/0 is inf and 0/0 is nan, without a word, as in PyTorch. Only warnings that come from this
# package are silenced.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")


def __getattr__(name: str) -> object:
    raise _missing_attribute(f"module {__name__!r}", name, globals())
