"""Where minigrad does not do as PyTorch does with an unusual input, and why.

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
    """In which way the call is unusual."""

    def allows(self, name: str, way: str, mine: str) -> bool:
        """Return whether minigrad's line is one of this difference."""
        return self._names(name, way) and bool(re.search(self.mine, mine))

    def expects(self, name: str, way: str, theirs: str) -> bool:
        """Return whether PyTorch's line is one of this difference."""
        return self._names(name, way) and bool(re.search(self.theirs, theirs))

    def fits(self, name: str, way: str, mine: str, theirs: str) -> bool:
        """Return whether this difference explains both lines."""
        return self.allows(name, way, mine) and self.expects(name, way, theirs)

    @property
    def is_known_by_theirs(self) -> bool:
        """Whether PyTorch's line must be seen: the function or minigrad's line may be any."""
        return ANY in (self.rows, self.mine) and self.theirs != ANY

    def _names(self, name: str, way: str) -> bool:
        return bool(re.fullmatch(self.rows, name) and re.search(self.ways, way))


ANY = ".*"
TRANSPOSED = r"(functional\.)?conv_transpose[123]d|nn\.ConvTranspose[123]d.*"
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
            TRANSPOSED,
            "^no memory|Storage size calculation overflowed",
            r"greater than zero, but got \w+_height: \d,? \w+_width: 0",
            "1099511627776",
        ),
        (
            "PyTorch names the dilation, of one dimension as of two",
            TRANSPOSED,
            "^RuntimeError: dilation should be greater than zero$",
            "^RuntimeError: dilation should be greater than zero, but got dilation_height: ",
            "^dilation=",
        ),
        (
            "PyTorch fails to convert the range of a histogram before it looks at the type",
            r"(Tensor\.)?histc",
            "not implemented for 'Byte'",
            "without overflow",
            "uint8",
        ),
        (
            "Python's own words, where neither looks at the kind",
            ANY,
            "^Type|^Att|^Ind|^Val",
            f"^\\w+Error: .*({PYTHONS})",
        ),
        (
            "nothing to compute, so PyTorch's kernel does not refuse",
            r"(Tensor\.)?cum(prod|sum)|randn_like",
            "^NotImplementedError: .* not implemented for '",
            r"^\w+\[0|^bool\[\] = 1",
            "^dtype=",
        ),
        (
            "PyTorch sorts with a comparison that nan breaks; here nan counts as the greatest",
            r"(Tensor\.)?mode",
            "^mode",
            "^mode .* nan at",
            ": nan$",
        ),
        (
            "PyTorch returns pixels of no images, or their gradient, in the sizes of the input",
            r"(functional\.)?pixel_(un)?shuffle|nn\.Pixel(Uns|S)huffle.*",
            r"^\(?float32\[0, ",
            "returned an invalid gradient|by the square of upscale_factor",
            "no rows",
        ),
        (
            "PyTorch makes the grids of all images before it looks at the matrices",
            r"functional\.affine_grid",
            "^RuntimeError: Expected size for first two dimensions of batch2",
            "^no memory",
            "1099511627776",
        ),
        (
            "PyTorch adds up the products of a bilinear layer in another order than minigrad",
            r"(functional\.)?bilinear|nn\.Bilinear.*",
            "slope float32.* -?inf at",
            "slope float32.* nan at",
            ": inf$",
        ),
        (
            "PyTorch's gradient loses a part where a label is the blank itself",
            r"functional\.ctc_loss|nn\.CTCLoss.*",
            r"slope float32\[4, 1, 3\]",
            r"slope float32\[4, 1, 3\]",
            "zeros$|^blank=2",
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
            "^TypeError: set_grad_enabled|^AssertionError: If capturable|used in an in-place|"
            "^RuntimeError: Boolean alpha",
            "^(capturable|differentiable|weight_decay)=",
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
            "(nan|inf) at|^_LinAlgError",
            r"(nan|inf) at|^_LinAlgError|^int64\[\] version 1 = 0",
            ": (nan|inf)$",
        ),
        (
            "what PyTorch's fused kernels make of numbers that are not finite",
            r".*([cC]onv|cdist|(std|var)_mean|batch_norm|BatchNorm).*",
            "(nan|inf) at",
            "(nan|inf) at",
            ": (nan|inf|-0.5)$",
        ),
        (
            "PyTorch's huber_loss writes its result in the dtype of the input, and fails backwards",
            r"functional\.huber_loss|nn\.HuberLoss.*",
            "^float|HuberLossBackward0",
            "can't be cast to the desired output|Found dtype",
        ),
        (
            "PyTorch takes any of several equal elements",
            r"(Tensor\.)?kthvalue",
            r"^kthvalue \(",
            r"^kthvalue \(",
        ),
        (
            "gradients of gather are dense",
            r"(Tensor\.)?gather",
            "GatherBackward0",
            "Cannot access data pointer",
            "sparse_grad",
        ),
        (
            "PyTorch warns of deprecated storages once, and names their module",
            r"Tensor\.storage(_type)?",
            "Storage|^type",
            "Storage",
            "",
        ),
        (
            "the sign and the order are free where singular values are equal",
            r"linalg\.(svd|svdvals)|(Tensor\.)?svd",
            r"^(linalg_)?svd \(|^float32\[2\] = ",
            r"^(linalg_)?svd \(|^float32\[2\] = ",
            "longer|expanded",
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
            "a dimension less",
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
            "Cannot access accelerator device|Expected a cuda device, but got|No CUDA GPUs are|"
            "cpu, cuda device type at start of|Device string must not be|^TypeError: device",
            "Accelerator expected|_cuda_setDevice|not compiled with CUDA|device type at start of|"
            "Device string must not be empty|Expected a device with a specified index",
        ),
        (
            "PyTorch takes the second argument for the third",
            "unique_consecutive",
            r"^\(\w+\[.*, int64\[",
            r"^\(\w+\[.*, int64\[\d\] = ",
        ),
        (
            "PyTorch sorts memory that all rows share",
            r"(Tensor\.)?(nan)?median",
            r"^(nan)?median \(",
            r"^(nan)?median \(",
            "expanded",
        ),
        (
            "PyTorch divides the gradient by the wrong number, or not",
            r"(Tensor\.)?(std|var|var_mean|std_mean)",
            "(Std|Var|VarMean|StdMean)Backward0.*slope",
            "(Std|Var|VarMean|StdMean)Backward0.*slope",
            r"dim: \(\)",
        ),
        (
            "PyTorch fails in the backward pass, with words about its kernel",
            r"(Tensor\.)?(addcdiv_?|dist|cholesky)|functional\.adaptive_avg_pool2d",
            "(Addcdiv|AdaptiveAvgPool2D|Dist|Cholesky)Backward0",
            r"\|\| RuntimeError: (result type Float can't be cast|.*non-zero size|"
            "Expected a proper Tensor|tensor.mH is only|linalg.solve_triangular)",
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
        (
            "PyTorch looks at the size before it looks at the kinds of what stands behind it",
            r"functional\.instance_norm",
            r"^TypeError: instance_norm\(\): argument",
            "^ValueError: Expected more than 1 spatial element",
        ),
        (
            "more than any memory holds, refused in other words",
            "(functional\\.)?conv(_transpose1d|2d|3d)|randperm",
            "calculation overflowed|is limited to|^RuntimeError: output padding must be smaller",
            "^no memory",
        ),
        (
            "PyTorch's words for a bool in a tuple of one",
            rf"(functional\.)?avg_pool[123]d|{TRANSPOSED}",
            "found element of type bool at pos 0$",
            "must be tuple of ints, not tuple$",
            r"\(True,\)",
        ),
        (
            "PyTorch's words for a weight of no elements",
            r"functional\.binary_cross_entropy",
            "Attempting to broadcast",
            "Attempting to broadcast",
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
            "PyTorch asks for a kernel before it compares the types",
            TRANSPOSED,
            r"^RuntimeError: expected scalar type \w+ but found Float$",
            r'^NotImplementedError: "slow_conv_transpose2d_out_cpu" not implemented for',
            "(input|all): ",
        ),
        (
            "PyTorch's kernel compares the types in other words",
            TRANSPOSED,
            r"^RuntimeError: Input type \(FloatTensor\) and weight type \(",
            r"^RuntimeError: expected scalar type Float but found \w+$",
            "weight: ",
        ),
        (
            "PyTorch takes a bias of any type",
            TRANSPOSED,
            r"^RuntimeError: Input type \(FloatTensor\) and bias type \(",
            r"^float32\[1, 1, 5(, 5)?\] = .* ConvolutionBackward0 = ",
            "bias: ",
        ),
        (
            "PyTorch makes two dimensions of one before it compares sizes",
            TRANSPOSED,
            "^RuntimeError: Given transposed=1, weight of size",
            "^RuntimeError: Expected 4-dimensional input for 4-dimensional weight",
            "weight: a dimension more",
        ),
        (
            "PyTorch names the negative size of the result",
            TRANSPOSED,
            r"^RuntimeError: .*Output size is too small$",
            "^RuntimeError: Trying to create tensor with negative dimension",
            "^padding=1099511627776",
        ),
    )
)
