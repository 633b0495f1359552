"""minigrad: automatic differentiation with PyTorch's names, in readable Python.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)

It has four storeys. Each imports those below it and none above:

    tensors/   Tensor as a user sees it: creation, printing, pickling
    ops/       the operations by family; ops/public/: public functions made from schemas
    core/      automatic differentiation
    arrays/    NumPy's and CuPy's arrays with PyTorch's dtypes and devices

The core, about 2,400 lines of code, can be read in an afternoon, in this order:

    core/node.py        the parts of a grad_fn: nodes, edges, version counters
    core/engine.py      the loop that walks the graph; core/hooks.py: hooks
    core/backward.py    backward() and grad(), which call it
    core/operation.py   built-in operations: forward, formula, and the node that is left behind;
                        core/saved.py: saved tensors; core/promotion.py: two operands
    core/inplace.py     in-place operations; core/views.py: how they change the graph
    core/function.py    operations that a user writes
    core/modes.py       no_grad and other modes; core/events.py: the events of the stepper

Then read ops/pointwise/elementwise.py. Above the storeys are PyTorch's namespaces: autograd, nn,
optim, linalg, ... This file is the index.
"""

import warnings as _warnings
from importlib import import_module as _import_module
from math import e, inf, nan, pi
from types import ModuleType as _ModuleType
from typing import TYPE_CHECKING as _TYPE_CHECKING

import numpy as _np
from numpy import newaxis

from . import __config__  # first: it decides whether the modules below are compiled ones

# Many names in a line, as in an index.
# fmt: off
# isort: off
from . import autograd, cuda, linalg, random
from .ops import aten as _aten  # the module `mg.ops.aten`
from .arrays.devices import device, get_default_device, set_default_device
from .arrays.draws import (
    Generator, default_generator, initial_seed, manual_seed, seed, set_rng_state,
)
from .arrays.bfloat16 import bfloat16
from .arrays.dtypes import (
    bool_ as bool, double, dtype, finfo, float16, float32, float64, half, int8, int16, int32,
    int64, long, set_default_dtype, short, uint8,
    float_ as float, int_ as int,
)
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled
from .autograd.grad_mode import (
    inference_mode, is_grad_enabled, is_inference_mode_enabled, set_grad_enabled,
)
from .autograd.mapping import vmap
from .core.modes import enable_grad, no_grad
from .arrays.layouts import layout, strided
from .arrays.memory_formats import (
    channels_last, channels_last_3d, contiguous_format, memory_format, preserve_format,
)
from .arrays.left_out import missing_from as _missing_from
from .arrays.places import set_places as _set_places
from .arrays.storages import (
    BoolStorage, ByteStorage, CharStorage, DoubleStorage, FloatStorage, HalfStorage, IntStorage,
    LongStorage, ShortStorage, TypedStorage, UntypedStorage,
)
from .tensors.limits import iinfo
from .tensors.old_types import (
    BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, HalfTensor, IntTensor,
    LongTensor, ShortTensor, set_default_tensor_type,
)
from .tensors.settings import is_tensor
from .tensors.tensor import Size, Tensor
# isort: on
# fmt: on

if _TYPE_CHECKING:  # imported on first use: see `_MODULES`
    from . import (
        _C,
        accelerator,
        amp,
        backends,
        cpu,
        distributions,
        func,
        mps,
        nn,
        optim,
        overrides,
        profiler,
        quasirandom,
        special,
        storage,
        utils,
    )
    from .amp import GradScaler, autocast
    from .tensors.autocasting import (
        clear_autocast_cache,
        is_autocast_cache_enabled,
        set_autocast_cache_enabled,
    )

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from .ops.indexing.arranging import (
    adjoint, atleast_1d, atleast_2d, atleast_3d, column_stack, dsplit, dstack, fliplr, flipud,
    hsplit, moveaxis, movedim, rot90, row_stack, take_along_dim, tensor_split, unsafe_split,
    unsafe_split_with_sizes, vsplit,
)
from .ops.indexing.blocks import block_diag
from .ops.indexing.differences import diff, gradient
from .ops.indexing.flat import put, take
from .ops.indexing.gathering import (
    gather, index_add, index_copy, index_fill, index_select, scatter, scatter_add,
)
from .ops.indexing.indexing import index_put, index_put_
from .ops.indexing.joining import (
    cartesian_prod, cat, chunk, combinations, concat, concatenate, flip, hstack, meshgrid,
    repeat_interleave, roll, split, split_with_sizes, stack, tile, tril, triu, unbind, unsafe_chunk,
    vstack,
)
from .ops.indexing.reducing import index_reduce, scatter_reduce
from .ops.linear_algebra.conditioning import pinverse
from .ops.linear_algebra.contractions import inner, kron, tensordot, vdot
from .ops.linear_algebra.determinants import logdet, slogdet
from .ops.linear_algebra.distances import cdist, dist, pdist
from .ops.linear_algebra.factorizations import cholesky, svd
from .ops.linear_algebra.linalg import cross, det, inverse
from .ops.linear_algebra.matrix import addmm, baddbmm, bmm, dot, matmul, mm, mv, outer
from .ops.linear_algebra.matrix_norms import norm
from .ops.linear_algebra.powers import chain_matmul, matrix_exp, matrix_power
from .ops.linear_algebra.triangular import cholesky_solve
from .ops.linear_algebra.updates import addmv, addmv_, addr, ger
from .ops.pointwise.activations import log_softmax, softmax
from .ops.pointwise.arithmetic import (
    add, div, divide, float_power, floor_divide, fmod, mul, multiply, neg, neg_, negative,
    negative_, positive, pow, reciprocal, reciprocal_, remainder, rsqrt, rsqrt_, square, square_,
    sub, subtract, true_divide,
)
from .ops.pointwise.blends import addcdiv, addcmul, lerp
from .ops.pointwise.comparison import (
    allclose, bitwise_and, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift,
    bitwise_xor, eq, equal, ge, greater, greater_equal, gt, isclose, isfinite, isinf, isnan, le,
    less, less_equal, logical_and, logical_not, logical_or, logical_xor, lt, ne, not_equal, signbit,
)
from .ops.pointwise.elementwise import (
    abs, abs_, absolute, ceil, ceil_, erf, erf_, erfinv, exp, exp2, exp2_, exp_, expm1, expm1_, fix,
    fix_, floor, floor_, frac, frac_, log, log10, log10_, log1p, log1p_, log2, log2_, log_,
    nan_to_num, nan_to_num_, relu, relu_, round, round_, sigmoid, sigmoid_, sign, sqrt, sqrt_,
    trunc, trunc_, where,
)
from .ops.pointwise.gamma import digamma, erfc, erfc_, igamma, igammac, lgamma, polygamma
from .ops.pointwise.logarithms import (
    logaddexp, logaddexp2, logit, logit_, sinc, sinc_, xlogy, xlogy_,
)
from .ops.pointwise.masking import argwhere, masked_fill, masked_scatter, masked_select, nonzero
from .ops.pointwise.real_numbers import (
    conj, imag, is_complex, is_conj, is_neg, is_signed, real, resolve_conj, resolve_neg,
)
from .ops.pointwise.trigonometry import (
    acos, acos_, acosh, acosh_, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, asin,
    asin_, asinh, asinh_, atan, atan2, atan_, atanh, atanh_, cos, cos_, cosh, cosh_, deg2rad,
    deg2rad_, rad2deg, rad2deg_, sin, sin_, sinh, sinh_, tan, tan_, tanh, tanh_,
)
from .ops.reductions.counting import bincount, isin, unique, unique_consecutive
from .ops.reductions.covariances import corrcoef, cov
from .ops.reductions.extremes import (
    amax, amin, aminmax, argmax, argmin, clamp, clamp_, clamp_max, clamp_max_, clamp_min,
    clamp_min_, clip, clip_, fmax, fmin, logsumexp, max, maximum, min, minimum,
)
from .ops.reductions.histograms import histc, histogram
from .ops.reductions.quantiles import nanquantile, quantile
from .ops.reductions.reductions import (
    all, any, count_nonzero, cumprod, cumsum, mean, nanmean, nansum, prod, std, std_mean, sum, var,
    var_mean,
)
from .ops.reductions.renorm import renorm
from .ops.reductions.running import cummax, cummin, logcumsumexp
from .ops.reductions.sorting import argsort, kthvalue, median, mode, msort, nanmedian, sort, topk
from .ops.shapes.copies import clone, result_type
from .ops.shapes.shapes import (
    as_strided, broadcast_tensors, broadcast_to, flatten, permute, ravel, reshape, squeeze,
    swapaxes, swapdims, t, transpose, unflatten, unsqueeze,
)
from .ops.shapes.slicing import diag, diag_embed, diagflat, diagonal, narrow, select, trace
from .serialization import load, save
from .tensors.buffers import (
    asarray, empty_permuted, empty_strided, from_file, frombuffer, scalar_tensor,
)
from .tensors.creation import (
    arange, as_tensor, empty, empty_like, eye, from_dlpack, from_numpy, full, full_like, linspace,
    ones, ones_like, rand, rand_like, randint, randint_like, randn, randn_like, randperm, tensor,
    zeros, zeros_like,
)
from .tensors.kernels import (
    are_deterministic_algorithms_enabled, get_deterministic_debug_mode,
    get_float32_matmul_precision, get_num_threads, is_deterministic_algorithms_warn_only_enabled,
    set_deterministic_debug_mode, set_float32_matmul_precision, set_num_threads,
    use_deterministic_algorithms,
)
from .tensors.printing import set_printoptions
from .tensors.random_fills import bernoulli, get_rng_state, multinomial, normal, poisson
from .tensors.sequences import logspace, range, vander
from .tensors.settings import (
    broadcast_shapes, can_cast, get_default_dtype, is_floating_point, is_inference, is_nonzero,
    is_same_size, numel, promote_types,
)
from .tensors.triangles import tril_indices, triu_indices
# isort: on

_LATER = {
    "ops.linear_algebra.bilinear": "bilinear",
    "ops.linear_algebra.einsum": "einsum",
    "ops.neural.averaging": "adaptive_avg_pool1d avg_pool1d",
    "ops.neural.convolution": "conv1d conv2d conv3d",
    "ops.neural.dropout": "dropout",
    "ops.neural.normalization": "batch_norm group_norm instance_norm layer_norm",
    "ops.neural.padding": "constant_pad_nd",
    "ops.neural.root_mean_square": "rms_norm",
    "ops.neural.shuffling": "channel_shuffle pixel_shuffle pixel_unshuffle",
    "ops.neural.similarity": "cosine_similarity pairwise_distance",
    "ops.neural.transposed_convolution": "conv_transpose1d conv_transpose2d conv_transpose3d",
    "ops.reductions.integrals": "cumulative_trapezoid trapezoid trapz",
    "ops.reductions.searching": "bucketize searchsorted",
    "tensors.autocasting": (
        "get_autocast_dtype is_autocast_enabled set_autocast_dtype set_autocast_enabled"
    ),
}
# fmt: on
# --- Written by hand again

__version__ = "0.1.0"


# 1/0 is inf and 0/0 is nan, without a warning, as in PyTorch. Only warnings from this package are
# suppressed.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")

# Without this a C library returns the memory that a training step frees to the system. The next
# step fetches it again page by page, which takes up to a third of its time (docs/performance.md).
# These 16 MB are never written, and so cost nothing.
_np.empty(2**24, _np.uint8)

_MODULES = (
    "accelerator",
    "amp",
    "backends",
    "cpu",
    "distributions",
    "func",
    "mps",
    "nn",
    "optim",
    "overrides",
    "profiler",
    "quasirandom",
    "special",
    "storage",
    "utils",
)
"""Modules imported on first use, as those of `_LATER` are: they would double the time of
`import minigrad`."""

_later = {name: module for module, names in _LATER.items() for name in names.split()}
_later |= {"GradScaler": "amp", "autocast": "amp"}
_later |= dict.fromkeys(
    ("clear_autocast_cache", "is_autocast_cache_enabled", "set_autocast_cache_enabled"),
    "tensors.autocasting",
)

_public = {name for name in globals() if name[0] != "_"}
_public -= {name for name in _public if isinstance(globals()[name], _ModuleType)}

# Type checkers read the list in __init__.pyi.
__all__ = sorted({*_public, *_MODULES, *_later, "autograd", "cuda", "linalg", "random"})

_missing = _missing_from(__name__)

_set_places(globals(), __all__)


def __getattr__(name: str) -> object:
    if name in _MODULES or name == "_C":
        return _import_module(f"{__name__}.{name}")
    module = _import_module(f"{__name__}.{_later.get(name) or _missing(name)}")
    found = globals()[name] = getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
