"""What to say when a name does not exist: the nearest one that does, or that PyTorch has it and we
do not."""

from __future__ import annotations

from collections.abc import Iterable

INSTEAD = {
    "index with [] instead": (
        "argwhere index_copy index_fill index_put masked_scatter put take take_along_dim unfold"
    ),
    "slice, flip or permute instead": (
        "dsplit fliplr flipud hsplit moveaxis movedim rot90 tensor_split vsplit"
    ),
    "use cat, stack, hstack or vstack": "column_stack dstack row_stack",
    "use expand": "broadcast_tensors",
    "use unsqueeze": "atleast_1d atleast_2d atleast_3d",
    "use matmul, outer or einsum": "addmv addr baddbmm ger inner tensordot vdot",
    "use mT": "H adjoint mH",
    "use clamp, maximum or minimum": (
        "Hardtanh ReLU6 clamp_max clamp_min fmax fmin hardtanh relu6"
    ),
    "write it with operators": (
        "addcdiv addcmul float_power fmod lerp positive rsub "
        "Softsign softsign Tanhshrink tanhshrink"
    ),
    "use the smooth L1 loss": "HuberLoss huber_loss",
    "use tensor, as_tensor or linspace": "asarray logspace scalar_tensor",
    "use uniform_, normal_ or randint": "cauchy_ exponential_ geometric_ log_normal_ random_",
    "a course can do without it": (
        "AvgPool1d Dropout1d Mish ModuleDict SELU Unflatten aminmax arctan2 "
        "atan2 avg_pool1d bitwise_left_shift bitwise_right_shift cummax cummin "
        "dropout1d erfc frac iinfo kthvalue logdet mish nan_to_num nanmean nansum "
        "selu sgn signbit slogdet softmin std_mean svd svdvals tril_indices triu_indices"
    ),
}
"""What to do without names that PyTorch has, separated by blanks."""

OUT_OF_SCOPE = {
    **{name: remedy for remedy, names in INSTEAD.items() for name in names.split()},
    "compile": "there is nothing to compile: minigrad runs eagerly",
    "jit": "minigrad runs eagerly and has no script compiler",
    "sparse": "minigrad's tensors are dense",
    "to_sparse": "minigrad's tensors are dense",
    "complex": "minigrad's tensors are real",
    "complex64": "minigrad's tensors are real",
    "complex128": "minigrad's tensors are real",
    "bfloat16": "NumPy has no such type",
    "Variable": "it is the old name of Tensor",
    "autocast": "minigrad computes in the types that it is given",
    "amp": "minigrad computes in the types that it is given",
    "fft": "the lessons need no Fourier transform",
    "forward_ad": "minigrad differentiates backwards only",
    "imag": "minigrad's tensors are real",
    "is_inference": "a tensor made in inference mode is an ordinary one without history",
    "mps": "its GPUs are those that CuPy knows",
    "multiprocessing": "see minigrad.distributed for data-parallel gradients",
    "profiler": "use minigrad.autograd.record, or Python's cProfile",
    "special": "what there is has the same name in minigrad itself",
    "vmap": "write the loop, or a batch dimension",
    "func": "use minigrad.autograd.functional",
    "distributed": "see minigrad.distributed for data-parallel gradients",
    "quantization": "minigrad does not quantize",
    "onnx": "minigrad exports nothing",
    "fx": "the graph is there already: follow grad_fn",
}
"""PyTorch names that minigrad leaves out on purpose, with the reason."""


def missing_attribute(owner: str, name: str, names: Iterable[str]) -> AttributeError:
    """The error for `owner.name`, which does not exist among `names`."""
    module = owner.startswith("module")
    start = (
        f"{owner} has no attribute {name!r}"
        if module
        else f"{owner!r} object has no attribute {name!r}"
    )
    reason = OUT_OF_SCOPE.get(name) or OUT_OF_SCOPE.get(name.removesuffix("_"))
    if reason:
        return AttributeError(f"{start}: PyTorch has it, minigrad leaves it out; {reason}.")
    import difflib  # here: it would take a fortieth of the time of `import minigrad`

    public = [n for n in names if not n.startswith("_")]
    near = difflib.get_close_matches(name, public, n=1, cutoff=0.75)
    return AttributeError(f"{start}. Did you mean: {near[0]!r}?" if near else start)
