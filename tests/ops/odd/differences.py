"""Where minigrad does not do as PyTorch does with an odd input, and why.

A difference is known by the row, and by what both libraries say, as patterns. One that no longer
explains any call must go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """`reason`, the rows, and what both libraries say: regular expressions, searched for."""

    reason: str
    rows: str
    mine: str
    theirs: str
    ways: str = ""
    """In which way the call is odd."""

    def allows(self, name: str, way: str, mine: str) -> bool:
        """Whether it may explain this line, as far as ours can tell."""
        row = re.search(rf"^(?:{self.rows})$", name)
        return bool(row and re.search(self.ways, way) and re.search(self.mine, mine))

    def fits(self, name: str, way: str, mine: str, theirs: str) -> bool:
        return self.allows(name, way, mine) and bool(re.search(self.theirs, theirs))


ANY = ".*"
MODULE = r"nn\..*"
CONVOLUTION = r"(nn|functional)?\.?(Conv|conv)(_t|T)?.*"
LINALG = (
    r"(linalg|Tensor)?\.?(inverse|inv|solve|svd|svdvals|qr|eigh|eigvalsh|cholesky|det|"
    r"p?inv|pinverse|matrix_rank)"
)
PYTHONS = (
    "not supported between|object is not|has no len|operand|not subscriptable|has no attribute|"
    "positional argument|can only concatenate|cannot be interpreted|index out of range|"
    "not enough values|too many values|can't multiply|must be real number|not iterable"
)

DIFFERENCES = tuple(
    Difference(*each)
    for each in (
        (
            "an assertion that says how PyTorch is built inside",
            ANY,
            ANY,
            "INTERNAL ASSERT|setStorage|tensor does not have a device|bad_alloc|TensorAccessor|"
            "ArrayRef|Storage size calculation|integer multiplication overflow|std::",
        ),
        (
            "PyTorch's arguments end at 32 bits",
            ANY,
            ANY,
            "without overflow|stride_width: 0|_width: 0",
        ),
        (
            "Python's own words, where neither looks at the kind",
            ANY,
            "^Type|^Att|^Ind|^Val",
            f"^\\w+Error: .*({PYTHONS})",
        ),
        (
            "nothing to compute, so PyTorch's kernel does not refuse",
            ANY,
            "not implemented for '|cannot be cast",
            r"^\w+\[0|^bool\[\] = 1",
        ),
        (
            "PyTorch goes on to say what the cause may be",
            r"lr_scheduler\..*",
            "initial_lr",
            "initial_lr",
        ),
        (
            "PyTorch goes on to name an issue of its own",
            r"optim\..*",
            "duplicate parameters",
            "duplicate parameters",
        ),
        (
            "PyTorch goes on to name an attribute that minigrad has not",
            r"optim\..*|utils\..*",
            "grad_dtype",
            "grad_dtype",
        ),
        (
            "minigrad leaves it out, and says so",
            ANY,
            r"NotImplementedError: (minigrad has|.* leaves out)|must be one of \{'zeros'\}",
            ANY,
        ),
        (
            "options for GPUs and compilers are accepted and do nothing",
            r"optim\..*",
            ANY,
            "set_grad_enabled|capturable|used in an in-place|Boolean alpha",
        ),
        (
            "one kernel of oneDNN is many steps here",
            r"nn\.LSTM.*",
            "StackBackward0",
            "MkldnnRnnLayerBackward0",
        ),
        (
            "what LAPACK and MKL make of numbers that are not finite",
            LINALG,
            "nan|inf|_LinAlgError",
            r"nan|inf|_LinAlgError|^int64\[\] version 1 = 0",
        ),
        (
            "what PyTorch's fused kernels make of numbers that are not finite",
            r".*([cC]onv|cdist|[gG][eE][lL][uU]|var_mean|batch_norm|BatchNorm).*",
            "(nan|inf) at",
            "(nan|inf) at",
        ),
        (
            "the sign and the order are free where singular values are equal",
            r"linalg\.(svd|svdvals|eigh|qr)",
            "^linalg|^float",
            "^linalg|^float",
        ),
        (
            "nothing to map over, and the order in which PyTorch's vmap leaves memory",
            r"autograd\.(jacobian|hessian).*",
            "^float32|non-empty TensorList",
            r"strides|^float32\[0|index 0 is out of bounds",
            "vectorize",
        ),
        (
            "PyTorch counts a write of its own among the versions of what a function returns",
            r"functional\.max_pool1d",
            r"^float32\[2, \d\] =",
            r"^float32\[2, \d\] version 1 =",
        ),
        (
            "PyTorch leaves the bias of no features as its memory happens to be",
            r"nn\.LazyLinear.*",
            r"ViewBackward0 = 0\.0000",
            "ViewBackward0 = ",
            "size 0",
        ),
        (
            "PyTorch makes the weight of a lazy layer, of no channels, before it is called",
            r"nn\.Lazy.*",
            "uninitialized parameter",
            r"empty\(\)|negative dimension",
        ),
        (
            "PyTorch reads on behind the end of memory",
            r"rnn\.pack_padded_sequence",
            "Expected lengths of at most",
            "^PackedSequence",
        ),
        (
            "PyTorch goes on to list the overloads of a function that it calls",
            r"functional\.normalize",
            r"^TypeError: clamp_min\(\)",
            r"^TypeError: clamp_min\(\) received an invalid combination",
        ),
        (
            "PyTorch is built without CUDA, or there is no GPU",
            r"(cuda|accelerator)\..*",
            "Error",
            "Error",
        ),
        ("PyTorch takes the second argument for the third", "unique_consecutive", r"^\(", r"^\("),
        (
            "PyTorch sorts memory that all rows share",
            r"(Tensor\.)?(nan)?median",
            "median",
            "median",
            "expanded",
        ),
        (
            "PyTorch divides the gradient by the wrong number, or not",
            r"(Tensor\.)?(std|var|var_mean)",
            "Backward0",
            "Backward0",
            r"dim: \(\)|nan|inf",
        ),
        (
            "PyTorch fails in the backward pass, with words about its kernel",
            r"(Tensor\.)?addcdiv_?|functional\.adaptive_avg_pool2d|.*AdaptiveAvgPool2d.*",
            ANY,
            "can't be cast|non-zero size",
        ),
        (
            "PyTorch names the shape of the weight",
            r"(functional\.)?group_norm",
            "got bias of shape",
            "got bias of shape",
        ),
        (
            "PyTorch prints the tensor in place of its shape",
            "meshgrid",
            "Expected 0D or 1D",
            "Expected 0D or 1D",
        ),
        ("NaN has a sign there", r"(Tensor\.)?histc", "nan", "-nan"),
        (
            "PyTorch looks at the size before it looks at the kinds of what stands behind it",
            r"functional\.instance_norm",
            r"^TypeError: instance_norm\(\): argument",
            "^ValueError: Expected more than 1 spatial element",
        ),
        (
            "more than any memory holds, refused in other words",
            "(functional\\.)?conv2d|randperm",
            "calculation overflowed|is limited to",
            "no memory",
        ),
        (
            "PyTorch's words for a bool in a tuple of one, and for a weight of no elements",
            r"functional\.(avg_pool2d|binary_cross_entropy)",
            "element of type bool|Attempting to broadcast",
            "must be tuple of ints, not tuple|Attempting to broadcast",
        ),
        (
            "the method is written in Python there, and first asks whether there are sizes",
            r"Tensor\.unflatten",
            "must be tuple of ints",
            "sizes must be non-empty",
        ),
        (
            "where no parameter has a gradient there is nothing to clip",
            r"utils\.clip_grad_value_",
            r"^\(None",
            "Could this error message be improved",
        ),
        (
            "every optimizer refuses a rate that is no number, and True is a size of 1",
            r"optim\.SGD.*|nn\.RNN",
            "Invalid learning rate|^RNN",
            "nan at|must be tuple of ints",
        ),
        (
            "the order of two checks, or a kernel's name",
            r".*[cC]onv(_t|T)ranspose[12]d.*",
            "Error",
            "Error|^[a-z]",
        ),
    )
)
