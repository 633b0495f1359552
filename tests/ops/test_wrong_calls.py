"""PyTorch's errors for ten wrong calls of every public function.

A learner's first mistakes are a list in place of a tensor, an unknown name, one argument too many.
The first line of the error is PyTorch's, which a search engine finds. The calls are generated from
the signatures. Each differs in one thing from a call that both libraries accept.

`python -m tests.ops.test_wrong_calls [function ...]` prints each disagreement, of all functions or
of the named ones (`flip`, `functional.relu`, `linalg.norm`, `Tensor.flip`).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import minigrad
from minigrad.arrays.left_out import pytorch_names
from tests.arrays.pytorch_names import at
from tests.ops.refusals import Answer, Library, Outcome, Summary, at_most, outcome
from tests.record import answer

# The measured shares; the aims are 0.85 with the same first line, 0 of everything else. These
# numbers may only come closer to the aims.
SAME_FIRST_LINE = {"functions": 0.99, "methods": 0.99}
OTHER_TYPE = {"functions": 0, "methods": 0}
ACCEPTED = {"functions": 0, "methods": 0}
INSIDE = {"functions": 0, "methods": 0}

PLACES = {
    "": "torch",
    "functional.": "torch.nn.functional",
    "linalg.": "torch.linalg",
    "special.": "torch.special",
}

# They read or change the library or a file, and have no tensor to be wrong about.
SETTINGS = {
    "from_file", "get_autocast_dtype", "is_autocast_enabled", "load", "manual_seed", "save",
    "set_autocast_cache_enabled", "set_autocast_dtype", "set_autocast_enabled",
    "set_default_device", "set_default_dtype",
    "set_default_tensor_type", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_num_threads", "set_printoptions", "set_rng_state", "use_deterministic_algorithms",
}  # fmt: skip

# Tensor.cuda asks for a GPU before it looks at its arguments, `frombuffer` for a dtype by name,
# `linalg.solve_triangular` for a named argument, `broadcast_shapes` for nothing, and `imag` always
# raises.
NOT_ALIKE = {
    "Tensor.cuda", "broadcast_shapes", "frombuffer", "imag", "linalg.solve_triangular", "vmap",
}  # fmt: skip

Arguments = Callable[[Library], tuple[Any, ...]]


def matrix(T: Library) -> Any:
    return T.tensor([[0.1, 0.5, 0.3], [0.4, 0.2, 0.6]])


def vector(T: Library) -> Any:
    return T.tensor([0.1, 0.5, 0.3])


def square(T: Library) -> Any:
    return T.tensor([[2.0, 1.0], [1.0, 3.0]])


def integers(T: Library) -> Any:
    return T.tensor([[0, 1, 0], [1, 0, 1]])


def labels(T: Library) -> Any:
    return T.tensor([0, 2])


def images(T: Library) -> Any:
    return T.ones(1, 2, 4, 4)


# A value for each name that a parameter has; where a function wants another one, it is below.
VALUES: dict[str, Callable[[Library], Any]] = {
    **dict.fromkeys(("input", "other", "target", "src", "condition"), matrix),
    **dict.fromkeys(("tensor1", "tensor2", "x1", "x2"), matrix),
    **dict.fromkeys(("self", "data", "data_or_size", "mean", "end"), matrix),
    "cls": lambda T: T.Tensor,
    **dict.fromkeys(("dim", "dim0", "axis0", "start_dim", "offset", "diagonal"), lambda T: 0),
    **dict.fromkeys(("dim1", "axis1", "end_dim", "k", "chunks", "n", "dims"), lambda T: 1),
    **dict.fromkeys(("rtol", "atol", "min", "p", "alpha", "beta", "exponent"), lambda T: 0.5),
    **dict.fromkeys(("max", "std", "eps", "fill_value", "value"), lambda T: 1.0),
    **dict.fromkeys(("keepdim", "descending", "unbiased", "training"), lambda T: False),
    **dict.fromkeys(("low", "start", "storage_offset"), lambda T: 0),
    **dict.fromkeys(("high", "steps", "length", "num_samples", "shifts"), lambda T: 1),
    **dict.fromkeys(("dtype", "memory_format"), lambda T: None),
    "A": square,
    "B": square,
    "tensors": lambda T: [matrix(T), matrix(T)],
    "mask": lambda T: matrix(T) > 0.25,
    "index": integers,
    "size": lambda T: (2, 3),
}

# Whole argument lists, where names do not say enough. The first is the tensor, for methods too, and
# those of `scatter` are also those of `scatter_`.
CALLS: dict[str, Arguments] = {
    "adjoint": lambda T: (matrix(T),),
    "cholesky": lambda T: (square(T), True),
    **dict.fromkeys(("atleast_1d", "atleast_2d", "atleast_3d"), lambda T: (vector(T), matrix(T))),
    **dict.fromkeys(
        ("celu", "celu_", "hardshrink", "softshrink", "elu_", "leaky_relu_"),
        lambda T: (matrix(T), 0.3),
    ),
    **dict.fromkeys(("hardsigmoid", "hardswish", "mish", "selu"), lambda T: (matrix(T), False)),
    **dict.fromkeys(("relu_", "selu_", "softsign", "tanhshrink"), lambda T: (matrix(T),)),
    "glu": lambda T: (T.ones(2, 4), 1),
    "hardtanh_": lambda T: (matrix(T), -1, 1),
    "logit": lambda T: (matrix(T), 0.1),
    "polygamma": lambda T: (1, matrix(T)),
    **dict.fromkeys(("Tensor.polygamma", "Tensor.polygamma_"), lambda T: (matrix(T), 1)),
    "prelu": lambda T: (matrix(T), T.ones(1)),
    "rrelu": lambda T: (matrix(T), 0.1, 0.2, False),
    **dict.fromkeys(("threshold", "threshold_"), lambda T: (matrix(T), 0.1, 2.0)),
    "cosine_embedding_loss": lambda T: (matrix(T), matrix(T).flip(0), T.tensor([1, -1])),
    "cosine_similarity": lambda T: (matrix(T), matrix(T).flip(0)),
    **dict.fromkeys(("pixel_shuffle", "channel_shuffle"), lambda T: (T.ones(1, 4, 2, 2), 2)),
    "pixel_unshuffle": lambda T: (T.ones(1, 1, 2, 4), 2),
    "affine_grid": lambda T: (T.ones(1, 2, 3), (1, 1, 2, 2), False),
    "bilinear": lambda T: (matrix(T), matrix(T), T.ones(2, 3, 3), T.ones(2)),
    "constant_pad_nd": lambda T: (matrix(T), (1, 1), 0.5),
    "ctc_loss": lambda T: (T.zeros(4, 1, 3).log_softmax(2), T.tensor([[1, 2]]), [4], [2]),
    "fold": lambda T: (T.ones(1, 4, 2), (2, 3), 2),
    "functional.unfold": lambda T: (images(T), 2),
    "gradient": lambda T: (matrix(T),),
    "embedding_bag": lambda T: (integers(T), T.ones(4, 2)),
    "gumbel_softmax": lambda T: (matrix(T), 0.5, False),
    "local_response_norm": lambda T: (images(T), 2, 0.5),
    "multi_margin_loss": lambda T: (matrix(T), T.tensor([0, 2])),
    "multilabel_margin_loss": lambda T: (matrix(T), T.tensor([[0, 2, -1], [1, -1, 0]])),
    "multilabel_soft_margin_loss": lambda T: (matrix(T), T.ones(2, 3), vector(T)),
    "poisson_nll_loss": lambda T: (matrix(T), matrix(T), True),
    "rms_norm": lambda T: (matrix(T), (3,), vector(T)),
    "histogram": lambda T: (matrix(T), 3),
    "poisson": lambda T: (matrix(T),),
    "renorm": lambda T: (matrix(T), 2, 0, 0.5),
    **dict.fromkeys(("tril_indices", "triu_indices"), lambda T: (2, 3, 1)),
    "gaussian_nll_loss": lambda T: (matrix(T), matrix(T).flip(0), T.ones(2, 3)),
    "grid_sample": lambda T: (images(T), T.zeros(1, 2, 2, 2), "bilinear", "zeros", False),
    "block_diag": lambda T: (vector(T), matrix(T)),
    **dict.fromkeys(("cholesky_solve", "Tensor.cholesky_solve"), lambda T: (square(T), square(T))),
    **dict.fromkeys(("cov", "corrcoef", "positive"), lambda T: (matrix(T),)),
    "hinge_embedding_loss": lambda T: (matrix(T), T.ones(2, 3)),
    "margin_ranking_loss": lambda T: (matrix(T), matrix(T).flip(0), T.ones(2, 3)),
    "pdist": lambda T: (matrix(T), 2.0),
    "soft_margin_loss": lambda T: (matrix(T), T.ones(2, 3)),
    "triplet_margin_with_distance_loss": lambda T: (
        matrix(T),
        matrix(T).flip(0),
        matrix(T).flip(1),
    ),
    "huber_loss": lambda T: (matrix(T), matrix(T).flip(0), "mean", 0.2),
    "interpolate": lambda T: (images(T), 3),
    "pairwise_distance": lambda T: (matrix(T), matrix(T).flip(0)),
    "triplet_margin_loss": lambda T: (matrix(T), matrix(T).flip(0), matrix(T).flip(1)),
    "column_stack": lambda T: ([vector(T), matrix(T).T],),
    "cross": lambda T: (T.ones(2, 3), T.ones(2, 3), 1),
    "dsplit": lambda T: (T.ones(2, 2, 4), 2),
    "hsplit": lambda T: (T.ones(2, 4), 2),
    "isin": lambda T: (matrix(T), vector(T)),
    "searchsorted": lambda T: (vector(T), vector(T)),
    "bucketize": lambda T: (matrix(T), vector(T)),
    "inner": lambda T: (matrix(T), vector(T)),
    "vdot": lambda T: (vector(T), vector(T)),
    "tensordot": lambda T: (matrix(T), matrix(T), 2),
    "quantile": lambda T: (matrix(T), 0.5, 1, True),
    "nanquantile": lambda T: (matrix(T), 0.5, 1, True),
    "trapezoid": lambda T: (matrix(T),),
    "trapz": lambda T: (matrix(T),),
    "cumulative_trapezoid": lambda T: (matrix(T),),
    "kthvalue": lambda T: (matrix(T), 2, 1, False),
    "logspace": lambda T: (0.0, 1.0, 3, 2.0),
    "moveaxis": lambda T: (T.ones(2, 3, 4), 0, 2),
    "movedim": lambda T: (T.ones(2, 3, 4), (0, 1), (2, 0)),
    "range": lambda T: (0.0, 6.0, 2.0),
    "rot90": lambda T: (matrix(T), 1, (0, 1)),
    "std_mean": lambda T: (matrix(T), 0, True),
    "take_along_dim": lambda T: (matrix(T), integers(T), 0),
    "Tensor.svd": lambda T: (square(T), True, True),
    "svd": lambda T: (square(T), False),
    "linalg.cholesky": lambda T: (square(T),),
    "linalg.cross": lambda T: (T.ones(2, 3), T.ones(2, 3)),
    "linalg.svd": lambda T: (square(T), False),
    "tensor_split": lambda T: (matrix(T), (1, 2), 1),
    "unfold": lambda T: (matrix(T), 1, 2, 1),
    "unsafe_split": lambda T: (matrix(T), 1, 0),
    "unsafe_split_with_sizes": lambda T: (matrix(T), [1, 1], 0),
    "vsplit": lambda T: (matrix(T), [1]),
    "adaptive_avg_pool2d": lambda T: (images(T), 2),
    **dict.fromkeys(("adaptive_avg_pool1d", "adaptive_max_pool1d"), lambda T: (T.ones(1, 2, 4), 2)),
    "adaptive_max_pool2d": lambda T: (images(T), 2, False),
    **dict.fromkeys(
        ("adaptive_avg_pool3d", "adaptive_max_pool3d"), lambda T: (T.ones(1, 2, 4, 4, 4), 2)
    ),
    "avg_pool1d": lambda T: (T.ones(1, 2, 4), 2, 2),
    **dict.fromkeys(("avg_pool3d", "max_pool3d"), lambda T: (T.ones(1, 2, 4, 4, 4), 2, 2)),
    "max_unpool1d": lambda T: (T.ones(1, 2, 3), T.tensor([[[1, 2, 5], [0, 3, 4]]]), 2),
    "max_unpool2d": lambda T: (T.ones(1, 1, 3), T.tensor([[[1, 2, 5]]]), (2, 2)),
    "max_unpool3d": lambda T: (T.ones(1, 1, 1, 3), T.tensor([[[[1, 2, 5]]]]), 2),
    "conv3d": lambda T: (T.ones(1, 2, 3, 3, 3), T.ones(1, 2, 2, 2, 2), T.ones(1)),
    "conv_transpose3d": lambda T: (T.ones(1, 2, 3, 3, 3), T.ones(2, 1, 2, 2, 2), T.ones(1)),
    **dict.fromkeys(("addmv", "Tensor.addmv"), lambda T: (vector(T), T.ones(3, 2), T.ones(2))),
    "addmv_": lambda T: (vector(T)[:2], square(T), vector(T)[:2]),
    "addr": lambda T: (square(T), vector(T)[:2], vector(T)[:2]),
    "addr_": lambda T: (square(T), vector(T)[:2], vector(T)[:2]),
    "ger": lambda T: (vector(T), vector(T)),
    "chain_matmul": lambda T: (square(T), square(T)),
    "float_power": lambda T: (matrix(T), 2.0),
    "float_power_": lambda T: (matrix(T).double(), 2.0),
    "kron": lambda T: (matrix(T), vector(T)),
    **dict.fromkeys(("slogdet", "logdet", "matrix_exp"), lambda T: (square(T),)),
    **dict.fromkeys(("linalg.slogdet", "linalg.matrix_exp"), lambda T: (square(T),)),
    **dict.fromkeys(("matrix_power", "linalg.matrix_power"), lambda T: (square(T), 2)),
    "multi_dot": lambda T: ([square(T), square(T)],),
    "linalg.vander": lambda T: (vector(T),),
    "vecdot": lambda T: (vector(T), vector(T)),
    "linalg.diagonal": lambda T: (matrix(T),),
    "lstsq": lambda T: (square(T), matrix(T)),
    "addmm": lambda T: (square(T), square(T), square(T)),
    "arange": lambda T: (0, 6, 2),
    "as_tensor": lambda T: (matrix(T),),
    "as_strided": lambda T: (matrix(T), (2, 2), (1, 2)),
    "asarray": lambda T: ([1.0, 2.0],),
    "empty_permuted": lambda T: ((2, 3), (1, 0)),
    "dim_order": lambda T: (matrix(T),),
    "empty_strided": lambda T: ((2, 3), (3, 1)),
    "new_empty_strided": lambda T: (matrix(T), (2, 3), (3, 1)),
    "random_": lambda T: (matrix(T), 2, 5),
    "exponential_": lambda T: (matrix(T), 2.0),
    "cauchy_": lambda T: (matrix(T), 0.0, 2.0),
    "geometric_": lambda T: (matrix(T), 0.5),
    "log_normal_": lambda T: (matrix(T), 0.0, 2.0),
    "apply_": lambda T: (matrix(T), abs),
    "map_": lambda T: (matrix(T), matrix(T), max),
    "map2_": lambda T: (matrix(T), matrix(T), matrix(T), max),
    "vander": lambda T: (vector(T), 2, True),
    "resize_as_": lambda T: (matrix(T), vector(T)),
    "scalar_tensor": lambda T: (2.0,),
    "set_": lambda T: (matrix(T), matrix(T)),
    "is_set_to": lambda T: (matrix(T), matrix(T)),
    "backward": lambda T: (T.ones(2, requires_grad=True).sum(),),
    "avg_pool2d": lambda T: (images(T), 2, 2),
    "baddbmm": lambda T: (T.ones(2), T.ones(2, 2, 2), T.ones(2, 2, 2)),
    "batch_norm": lambda T: (matrix(T), *[vector(T)] * 4, False, 0.1, 1e-5, False),
    "bitwise_and": lambda T: (integers(T), integers(T)),
    "bincount": lambda T: (labels(T), vector(T)[:2], 4),
    "bitwise_left_shift": lambda T: (integers(T), integers(T)),
    "bitwise_right_shift": lambda T: (integers(T), integers(T)),
    "bitwise_not": lambda T: (integers(T),),
    "bitwise_or": lambda T: (integers(T), integers(T)),
    "bitwise_xor": lambda T: (integers(T), integers(T)),
    "broadcast_tensors": lambda T: (matrix(T), vector(T)),
    "bmm": lambda T: (T.ones(2, 2, 2), T.ones(2, 2, 2)),
    "can_cast": lambda T: (T.float32, T.float64),
    "cartesian_prod": lambda T: (vector(T), vector(T)),
    "eigh": lambda T: (square(T), "L"),
    "eigvalsh": lambda T: (square(T), "L"),
    "qr": lambda T: (square(T), "r"),
    "svdvals": lambda T: (square(T),),
    "combinations": lambda T: (vector(T), 2, True),
    "contiguous": lambda T: (matrix(T),),
    "cond": lambda T: (square(T), 1),
    "conv1d": lambda T: (T.ones(1, 2, 4), T.ones(1, 2, 2), T.ones(1)),
    "conv2d": lambda T: (images(T), T.ones(1, 2, 2, 2), T.ones(1)),
    "conv_transpose1d": lambda T: (T.ones(1, 2, 4), T.ones(2, 1, 2), T.ones(1)),
    "conv_transpose2d": lambda T: (images(T), T.ones(2, 1, 2, 2), T.ones(1)),
    "cross_entropy": lambda T: (matrix(T), labels(T), vector(T)),
    "det": lambda T: (square(T),),
    "diagonal": lambda T: (matrix(T), 0, 0),
    "dot": lambda T: (vector(T), vector(T)),
    "dropout": lambda T: (matrix(T), 0.5, False),
    "dropout2d": lambda T: (images(T), 0.5, False),
    "einsum": lambda T: ("ij,ij->i", matrix(T), matrix(T)),
    "elu": lambda T: (matrix(T), 0.5, False),
    "embedding": lambda T: (labels(T), T.ones(4, 2)),
    "empty": lambda T: (2, 3),
    "expand": lambda T: (matrix(T), 2, 3),
    "eye": lambda T: (2, 3),
    "flip": lambda T: (matrix(T), (0, 1)),
    "from_dlpack": lambda T: (matrix(T),),
    "from_numpy": lambda T: (matrix(T).numpy(),),
    "full": lambda T: ((2, 3), 1.0),
    "functional.batch_norm": lambda T: (matrix(T), vector(T), vector(T)),
    "functional.group_norm": lambda T: (T.ones(1, 3, 2), 1, vector(T), vector(T), 0.1),
    "functional.instance_norm": lambda T: (T.ones(1, 3, 2), vector(T), vector(T)),
    "functional.dropout": lambda T: (matrix(T), 0.5, False),
    "group_norm": lambda T: (T.ones(1, 3, 2), 1, vector(T)),
    "hardtanh": lambda T: (matrix(T), -0.5, 0.5, False),
    "scaled_dot_product_attention": lambda T: (*[square(T)] * 3, square(T), 0.5, False),
    "histc": lambda T: (matrix(T), 3, 0.0),
    "index_add": lambda T: (matrix(T), 0, labels(T) // 2, matrix(T)),
    "index_copy": lambda T: (matrix(T), 0, labels(T) // 2, matrix(T)),
    "index_reduce": lambda T: (matrix(T), 0, labels(T) // 2, matrix(T), "prod"),
    "put": lambda T: (matrix(T), labels(T), T.ones(2)),
    "scatter_reduce": lambda T: (matrix(T), 0, integers(T), matrix(T), "sum"),
    "take": lambda T: (matrix(T), labels(T)),
    "index_fill": lambda T: (matrix(T), 0, labels(T) // 2, 1.0),
    "index_put": lambda T: (matrix(T), (labels(T) // 2,), matrix(T), True),
    "index_select": lambda T: (matrix(T), 1, labels(T)),
    "instance_norm": lambda T: (T.ones(1, 3, 2), *[vector(T)] * 4, True, 0.1, 1e-5, False),
    "inverse": lambda T: (square(T),),
    "is_contiguous": lambda T: (matrix(T),),
    "is_tensor": lambda T: (matrix(T),),
    "is_nonzero": lambda T: (T.tensor(1.0),),
    "item": lambda T: (T.tensor(1.0),),
    "layer_norm": lambda T: (matrix(T), (3,), vector(T)),
    "leaky_relu": lambda T: (matrix(T), 0.5, False),
    "lerp": lambda T: (matrix(T), matrix(T), 0.5),
    "linear": lambda T: (matrix(T), matrix(T), T.ones(2)),
    "linspace": lambda T: (0.0, 1.0, 3),
    "logical_and": lambda T: (matrix(T), matrix(T)),
    "logical_not": lambda T: (matrix(T),),
    "logical_or": lambda T: (matrix(T), matrix(T)),
    "logical_xor": lambda T: (matrix(T), matrix(T)),
    "masked_scatter": lambda T: (matrix(T), matrix(T) > 0.25, matrix(T)),
    "matmul": lambda T: (square(T), square(T)),
    "matrix_norm": lambda T: (matrix(T), "fro", (0, 1)),
    "max_pool1d": lambda T: (T.ones(1, 2, 4), 2, 2),
    "max_pool2d": lambda T: (images(T), 2, 2),
    "matrix_rank": lambda T: (square(T), 0.5),
    "multi_head_attention_forward": lambda T: (
        *([T.ones(3, 2, 4)] * 3 + [4, 2, T.ones(12, 4)]),
        *([None] * 3 + [False, 0.0, T.eye(4), None]),
    ),
    "nan_to_num": lambda T: (matrix(T), 0.5, 0.5, 0.5),
    "pinv": lambda T: (square(T), 0.5),
    "pinverse": lambda T: (square(T), 0.5),
    "meshgrid": lambda T: (vector(T), vector(T)),
    "mm": lambda T: (square(T), square(T)),
    "mv": lambda T: (matrix(T), vector(T)),
    "new_full": lambda T: (matrix(T), (2, 3), 1.0),
    "new_ones": lambda T: (matrix(T), 2, 3),
    "new_tensor": lambda T: (matrix(T), [1.0]),
    "new_zeros": lambda T: (matrix(T), 2, 3),
    "nll_loss": lambda T: (matrix(T), labels(T), vector(T)),
    "norm": lambda T: (matrix(T), 2, 0),
    "normal": lambda T: (matrix(T), matrix(T)),
    "normal_": lambda T: (matrix(T), 0.0, 1.0),
    "normalize": lambda T: (matrix(T), 2.0, 0),
    "one_hot": lambda T: (labels(T), 3),
    "ones": lambda T: (2, 3),
    "outer": lambda T: (vector(T), vector(T)),
    "pad": lambda T: (matrix(T), (1, 1), "constant"),
    "permute": lambda T: (matrix(T), (1, 0)),
    "promote_types": lambda T: (T.float32, T.float64),
    "rand": lambda T: (2, 3),
    "randint": lambda T: (0, 3, (2,)),
    "randn": lambda T: (2, 3),
    "randperm": lambda T: (3,),
    "repeat": lambda T: (matrix(T), 1, 2),
    "repeat_interleave": lambda T: (matrix(T), 2, 0),
    "reshape": lambda T: (matrix(T), (3, 2)),
    "result_type": lambda T: (matrix(T), matrix(T)),
    "register_hook": lambda T: (T.ones(2, requires_grad=True), print),
    "register_post_accumulate_grad_hook": lambda T: (T.ones(2, requires_grad=True), print),
    "retain_grad": lambda T: (T.ones(2, requires_grad=True),),
    "scatter": lambda T: (matrix(T), 0, integers(T), matrix(T)),
    "scatter_add": lambda T: (matrix(T), 0, integers(T), matrix(T)),
    "select": lambda T: (matrix(T), 0, 1),
    "softmax": lambda T: (matrix(T), 0),
    "softmin": lambda T: (matrix(T), 0),
    "softplus": lambda T: (matrix(T), 1, 20),
    "split": lambda T: (matrix(T), 1, 0),
    "split_with_sizes": lambda T: (matrix(T), [1, 1], 0),
    "Tensor.where": lambda T: (matrix(T), matrix(T) > 0.25, matrix(T)),
    "tile": lambda T: (matrix(T), (1, 2)),
    "to": lambda T: (matrix(T), T.float64),
    "unique": lambda T: (matrix(T), True, False),
    "unique_consecutive": lambda T: (matrix(T), True, False),
    "unflatten": lambda T: (matrix(T), 1, (3, 1)),
    "uniform_": lambda T: (matrix(T), 0.0, 1.0),
    "vector_norm": lambda T: (matrix(T), 2, 0),
    "view": lambda T: (matrix(T), 3, 2),
    "where": lambda T: (matrix(T) > 0.25, matrix(T), matrix(T)),
    "zeros": lambda T: (2, 3),
}


def functions() -> dict[str, tuple[str, Any]]:
    """Our public functions that PyTorch has too, by name: where it is, and ours. What takes nothing
    cannot be called in these ways."""
    found = {}
    known = pytorch_names()
    for prefix, place in PLACES.items():
        ours = at(place, "minigrad")
        for name in getattr(ours, "__all__", None) or dir(ours):
            mine = getattr(ours, name)
            if name.startswith("_") or not inspect.isroutine(mine):
                continue
            aside = name in SETTINGS or prefix + name in NOT_ALIKE
            if not aside and name in known[place] and inspect.signature(mine).parameters:
                found[prefix + name] = place, mine
    return found


def methods() -> dict[str, tuple[str, Any]]:
    """The methods of a tensor that PyTorch's has too."""
    known = pytorch_names()["torch.Tensor"]
    return {
        f"Tensor.{name}": ("torch.Tensor", mine)
        for name, mine in inspect.getmembers(minigrad.Tensor, callable)
        if name in known and f"Tensor.{name}" not in NOT_ALIKE
    }


GROUPS = {"functions": functions, "methods": methods}


def good(name: str, function: Any) -> Arguments:
    """Arguments that both libraries accept: those that `function` needs, and up to three."""
    bare = name.rpartition(".")[2]
    for key in (name, bare, bare.rstrip("_")):
        if key in CALLS:
            return CALLS[key]
    chosen = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            break
        optional = parameter.default is not parameter.empty
        if optional and (len(chosen) == 3 or parameter.name not in VALUES):
            break
        chosen.append(VALUES[parameter.name])
    return lambda T: tuple(value(T) for value in chosen)


Call = tuple[tuple[Any, ...], dict[str, Any]]


def wrong(args: tuple[Any, ...], first: int) -> dict[str, Call]:
    """The wrong calls by name ("nothing" in both its senses: None, and no argument at all).

    `first`: 0 if the tensor is an argument, 1 for a method, whose own tensor stays as it
    is. A function of one argument is given a second one as well: it is then one argument too many,
    and of a wrong kind.
    """
    calls: dict[str, Call] = {}
    if first == 0:
        calls["a list for the tensor"] = ([1.0], *args[1:]), {}
        calls["a string for the tensor"] = ("a", *args[1:]), {}
        calls["None for the tensor"] = (None, *args[1:]), {}
    calls["nothing"] = args[:first], {}
    two = args if len(args) > 1 else (*args, args[0])
    for kind, value in (("string", "a"), ("float", 2.5), ("dict", {})):
        calls[f"a {kind} as second"] = (args[0], value, *args[2:]), {}
    calls["a string as third"] = (*two[:2], "a", *args[3:]), {}
    calls["an unknown keyword"] = args, {"nosuch": 1}
    calls["an unknown keyword for the last"] = args[: max(len(args) - 1, first)], {"nosuch": 1}
    calls["too many"] = (*args, *[1] * 8), {}
    return calls


def shown(name: str, call: Call) -> str:
    """The call as one would write it, with an `x` for each tensor."""
    args, named = call
    written = [repr(a) if not hasattr(a, "requires_grad") else "x" for a in args]
    if name.startswith("Tensor."):
        name = f"x{name.removeprefix('Tensor')}"
        del written[0]
    return f"{name}({', '.join([*written, *(f'{key}={value}' for key, value in named.items())])})"


def said(T: Library, name: str, place: str, arguments: Arguments) -> list[Outcome]:
    """Return a library's answers to the wrong calls of one function."""
    function = getattr(at(place, T.__name__), name.rpartition(".")[2])
    first = int(name.startswith("Tensor."))
    found = []
    for way in wrong(arguments(T), first):
        args, named = wrong(arguments(T), first)[way]  # the call before may have changed them
        found.append(outcome(lambda args=args, named=named: function(*args, **named)))
    return found


def all_said(T: Library, names: Iterable[str]) -> list[list[Outcome]]:
    """Return a library's answers to the wrong calls of all functions and methods."""
    known = {**functions(), **methods()}
    return [said(T, name, known[name][0], good(name, known[name][1])) for name in names]


def summary(torch: Any, *names: str) -> Summary:
    """The answers of the functions and methods `names`, of all of them if there are none."""
    known = {**functions(), **methods()}
    names = names or tuple(known)
    answers = []
    both = zip(names, all_said(minigrad, names), answer(torch, all_said, names), strict=True)
    for name, mine, theirs in both:
        calls = wrong(good(name, known[name][1])(minigrad), int(name.startswith("Tensor.")))
        for (way, call), a, b in zip(calls.items(), mine, theirs, strict=True):
            answers.append(Answer(name, f"{shown(name, call)}, {way}", a, b))
    return Summary(tuple(answers))


def refused(T: Library, group: str) -> list[str]:
    """The right calls that a library refuses nevertheless."""
    found = []
    for name, (place, mine) in GROUPS[group]().items():
        function = getattr(at(place, T.__name__), name.rpartition(".")[2])
        args = good(name, mine)(T)
        end = outcome(lambda function=function, args=args: function(*args))
        if end.type:
            found.append(f"{name}: {end}")
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_the_right_calls_are_right(torch: Any, group: str) -> None:
    """A wrong call differs from one of these in one thing; otherwise it would prove nothing."""
    assert refused(minigrad, group) == answer(torch, refused, group) == []


@pytest.mark.parametrize("group", GROUPS)
def test_wrong_calls_raise_same_errors(torch: Any, group: str) -> None:
    """No other type, nothing accepted, and nothing of the inside: no private name, and no sentence
    that is NumPy's."""
    found = summary(torch, *GROUPS[group]())
    at_most(found, "other type", OTHER_TYPE[group])
    at_most(found, "accepted", ACCEPTED[group])
    assert found.same_line >= SAME_FIRST_LINE[group], found.worst(found.having("other words"))
    assert len(found.inside) <= INSIDE[group], found.worst(found.inside)


if __name__ == "__main__":
    import torch

    summary(torch, *sys.argv[1:]).print()
