"""Bad input: PyTorch's type of error and its key phrase, and nothing is modified by the call.

One line a mistake: what is called, and the phrase that both libraries must say. Arguments that a
call receives are compared afterwards with what they were before.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.arrays.left_out import OUT_OF_SCOPE, pytorch_names
from tests.arrays.pytorch_names import PLACES, at, public
from tests.parity import caught, same
from tests.record import answer

MISMATCH = "must match the size of tensor b"
PRODUCT = "mat1 and mat2 shapes cannot be multiplied"
RANGE = "out of range"
DIMENSION = "Dimension out of range"

Mistake = tuple[str, Callable[[Any, dict[str, Any]], Any], str]


def tensors(T: Any) -> dict[str, Any]:
    """Return the tensors with which the mistakes are made."""
    return {
        "v2": T.tensor([1.0, 2.0]),
        "v3": T.tensor([1.0, 2.0, 3.0]),
        "m": T.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        "d": T.tensor([1.0, 2.0, 3.0], dtype=T.float64),
        "md": T.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=T.float64),
        "i": T.arange(3),
        "b": T.tensor([True, False]),
        "s": T.tensor(2.0),
        "x": T.tensor([1.0, 2.0, 3.0], requires_grad=True),
        "empty": T.zeros(0),
    }


MISTAKES: list[Mistake] = [
    # Transposes
    ("mT of a vector", lambda T, t: t["v3"].mT, "tensor.mT is only supported on matrices"),
    (
        "values that do not fit come before a place out of range",
        lambda T, t: t["m"].__setitem__(T.tensor([0, 7]), t["v2"]),
        "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result",
    ),
    (
        "values of another type come after their shape",
        lambda T, t: t["m"].__setitem__(T.tensor([0, 1]), t["d"]),
        "dtypes match, got Float for the destination and Double for the source.",
    ),
    # Not an index
    ("a list of a dict as index", lambda T, t: t["m"][[{}]], "Could not infer dtype of dict"),
    ("a function deep in lists", lambda T, t: t["m"][[[print]]], "Could not infer dtype of"),
    ("a string deep in lists", lambda T, t: t["m"][[[["a"]]]], "new(): invalid data type 'str'"),
    ("bytes as index", lambda T, t: t["m"][b"a"], "new(): invalid data type 'bytes'"),
    ("a complex position", lambda T, t: t["m"][[1j]], "'complex' object cannot be interpreted"),
    ("positions of two lengths", lambda T, t: t["m"][[[[0, 1], [0]]]], "expected sequence of len"),
    ("a position of 70 bits", lambda T, t: t["m"][2**70], "Overflow when unpacking long long"),
    ("one of 70 bits in a list", lambda T, t: t["m"][[2**70]], "Overflow when unpacking"),
    ("an array of texts", lambda T, t: t["m"][np.array(["a"])], "can't convert np.ndarray of type"),
    (
        "a complex number is put nowhere",
        lambda T, t: t["m"].__setitem__(0, 1j),
        "value cannot be converted to type float without overflow",
    ),
    # Gathering
    (
        "index_select, two dimensions before a wrong type",
        lambda T, t: t["m"].index_select(0, t["m"]),
        "index_select(): Index is supposed to be a vector",
    ),
    (
        "scatter, a dimension out of range before a wrong type",
        lambda T, t: t["m"].scatter(5, t["m"], 1.0),
        DIMENSION,
    ),
    (
        "masked_fill, a shape before a wrong type",
        lambda T, t: t["v3"].masked_fill(t["v2"], 1.0),
        "The size of tensor a (2) must match the size of tensor b (3)",
    ),
    (
        "gather, dim is a bool",
        lambda T, t: t["m"].gather(True, T.tensor([[0]])),
        "argument 'dim' (position 1) must be int, not bool",
    ),
    (
        "gather, an index that is too wide",
        lambda T, t: t["m"].gather(1, T.zeros(3, 1).long()),
        "Size does not match at dimension 0 expected index [3, 1] to be no larger than self [2, 3]",
    ),
    (
        "scatter, src and value",
        lambda T, t: t["m"].scatter(1, T.tensor([[0]]), t["m"], value=1.0),
        "scatter() received an invalid combination of arguments - got (int, Tensor, Tensor, value=",
    ),
    (
        "scatter, a number called src",
        lambda T, t: t["m"].scatter(1, T.tensor([[0]]), src=1.0),
        "scatter() received an invalid combination of arguments - got (int, Tensor, src=float)",
    ),
    (
        "scatter, a number in a text",
        lambda T, t: t["md"].scatter(1, T.tensor([[0]]), "2"),
        "scatter() received an invalid combination of arguments - got (int, Tensor, str)",
    ),
    (
        "scatter, src with a dimension too few",
        lambda T, t: t["m"].scatter(1, T.tensor([[0]]), t["v3"]),
        DIMENSION,
    ),
    (
        "scatter_, an integer of 70 bits",
        lambda T, t: t["m"].scatter_(1, T.tensor([[0]]), 2**70),
        "int too big to convert",
    ),
    (
        "index_add, alpha is a list",
        lambda T, t: t["d"].index_add(0, t["i"], t["d"], alpha=[2.0]),
        "argument 'alpha' must be Number, not list",
    ),
    (
        "embedding, padding_idx is a float",
        lambda T, t: T.nn.functional.embedding(t["i"], t["md"], 1.5),
        "embedding(): argument 'padding_idx' (position 3) must be int, not float",
    ),
    (
        "embedding in a table without rows",
        lambda T, t: T.nn.functional.embedding(t["i"], T.ones(0, 2)),
        "index_select(): self indexing axis dim should be positive",
    ),
    (
        "masked_fill_, more than float16 holds",
        lambda T, t: T.ones(2, dtype=T.float16).masked_fill_(t["b"], -1e9),
        "value cannot be converted to type c10::Half without overflow",
    ),
    ("nonzero, as_tuple is a number", lambda T, t: T.nonzero(t["m"], as_tuple=1), "must be bool"),
    # Products of matrices
    (
        "mv of bools",
        lambda T, t: T.mv(t["m"] > 1, t["v3"] > 1),
        "\"addmv_impl_cpu\" not implemented for 'Bool'",
    ),
    (
        "mv of two types",
        lambda T, t: T.mv(t["m"], t["d"]),
        "addmv input tensors must have the same dtype, but got Double, Float, and Double",
    ),
    (
        "dot of two lengths",
        lambda T, t: t["v2"] @ t["v3"],
        "to have the same number of elements, but got 2 and 3 elements respectively",
    ),
    (
        "addmm, alpha is a list",
        lambda T, t: T.addmm(t["v2"], t["m"], t["m"].t(), alpha=[2.0]),
        "addmm() received an invalid combination of arguments - got (Tensor, Tensor, Tensor, alpha",
    ),
    ("mm, a third", lambda T, t: t["m"].mm(t["m"], t["m"]), "takes 1 positional argument but 2"),
    (
        "addmm, types before shapes",
        lambda T, t: T.addmm(t["i"], t["m"], t["m"]),
        "self and mat2 must have the same dtype, but got Long and Float",
    ),
    # Einstein's notation
    ("einsum without an equation", lambda T, t: T.einsum(t["m"]), "must specify the equation str"),
    ("einsum of no operand", lambda T, t: T.einsum("ij", []), "must specify the equation string"),
    ("einsum by a number", lambda T, t: T.einsum(1, t["m"]), "'equation' (position 1) must be str"),
    ("einsum, a digit", lambda T, t: T.einsum("i1", t["m"]), "subscripts must be in [a-zA-Z]"),
    ("einsum, one dot", lambda T, t: T.einsum("i.j", t["m"]), "that is not part of any ellipsis"),
    (
        "einsum, one dot of the output",
        lambda T, t: T.einsum("ij->i.", t["m"]),
        "found '.' for output that is not part of any ellipsis (...)",
    ),
    # Linear algebra
    ("inverse, another name", lambda T, t: T.inverse(A=t["m"]), "inverse() missing 1 required"),
    ("inv, another name", lambda T, t: T.linalg.inv(input=t["m"]), "linalg_inv() missing 1 requi"),
    (
        "det of float16",
        lambda T, t: T.det(T.ones(2, 2, dtype=T.float16)),
        "\"lu_cpu\" not implemented for 'Half'",
    ),
    (
        "solve for a number",
        lambda T, t: T.linalg.solve(T.eye(2), t["s"]),
        "linalg.solve: The input tensor B must have at least 2 dimensions.",
    ),
    (
        "solve, batches of two sizes",
        lambda T, t: T.linalg.solve(T.ones(4, 2, 2), T.ones(3, 2, 1)),
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0",
    ),
    (
        "solve, a singular one of a batch",
        lambda T, t: T.linalg.solve(T.stack([T.eye(2), T.zeros(2, 2)]), T.ones(2, 2, 1)),
        "linalg.solve: (Batch element 1): The solver failed because the input matrix is singular.",
    ),
    (
        "matrix_norm of one dimension",
        lambda T, t: T.linalg.matrix_norm(t["m"], 1, (0,)),
        "linalg.matrix_norm: dim must be a 2-tuple. Got 0",
    ),
    (
        "matrix_norm, dim of bools",
        lambda T, t: T.linalg.matrix_norm(t["m"], 1, (True, False)),
        "linalg_matrix_norm() received an invalid combination of arguments",
    ),
    (
        "matrix_norm in a narrower type",
        lambda T, t: T.linalg.matrix_norm(t["md"], dtype=T.float32),
        "the dtype of the input (Double) should be convertible without narrowing to the specified",
    ),
    (
        "matrix_norm by a complex number",
        lambda T, t: T.linalg.matrix_norm(t["m"], 1j),
        "Expected a non-complex scalar as the order of norm.",
    ),
    (
        "norm over three dimensions, without an order",
        lambda T, t: T.linalg.norm(T.ones(2, 2, 2), None, (0, 1, 2)),
        "linalg.norm: If dim is specified, it must be of length 1 or 2. Got [0, 1, 2]",
    ),
    (
        "norm over three dimensions",
        lambda T, t: T.linalg.norm(T.ones(2, 2, 2), 1, (0, 1, 2)),
        "linalg.norm: If dim is specified, it must be of length 1 or 2. Got [0, 1, 2]",
    ),
    (
        "norm by name of three dimensions",
        lambda T, t: T.linalg.norm(T.ones(2, 2, 2), "fro"),
        "the input must be 1D or 2D. Got 3D.",
    ),
    # Slices by index
    (
        "index_add, a number into a vector",
        lambda T, t: t["v3"].index_add(0, T.tensor([0]), t["s"]),
        "Got self.shape = [3] source.shape = []",
    ),
    (
        "index_add, a vector into a number",
        lambda T, t: t["s"].index_add(0, T.tensor([0]), T.ones(1)),
        "Got self.shape = [] source.shape = [1]",
    ),
    (
        "index_add, another rank",
        lambda T, t: T.ones(1).index_add_(0, T.tensor([0]), T.ones(1, 3)),
        "source tensor shape must match self tensor shape",
    ),
    (
        "index_add, too many indices",
        lambda T, t: t["s"].index_add(0, T.tensor([0, 0]), t["s"]),
        "Dimension specified as 0",
    ),
    (
        "index_add, too few",
        lambda T, t: t["v3"].index_add(0, T.tensor([0]), t["v2"]),
        "Number of indices (1) should be equal to source.size(dim): (2), for dim: 0",
    ),
    (
        "index_add, out of range",
        lambda T, t: t["m"].index_add(1, T.tensor([5]), T.ones(2, 1)),
        "index 5 is out of bounds for dimension 1 with size 3",
    ),
    (
        "index_add, out of range and scaled",
        lambda T, t: t["m"].index_add(1, T.tensor([5]), T.ones(2, 1), alpha=2),
        "index out of range in self",
    ),
    (
        "index_select, from nothing along the dimension",
        lambda T, t: T.zeros(0, 3).index_select(0, T.tensor([0])),
        "index_select(): self indexing axis dim should be positive",
    ),
    (
        "index_select, out of range of a tensor without elements",
        lambda T, t: T.zeros(3, 0).index_select(0, T.tensor([5])),
        "INDICES element is out of DATA bounds, id=5 axis_dim=3",
    ),
    (
        "index_add, floats as indices",
        lambda T, t: t["v3"].index_add(0, t["v2"], t["v2"]),
        "Expected dtype int32/int64 for index but got: Float",
    ),
    (
        "index_add, the dimension first",
        lambda T, t: t["v3"].index_add(7, t["v2"], t["v2"]),
        DIMENSION,
    ),
    (
        "index_add_ into a leaf, any shape",
        lambda T, t: t["x"].index_add_(0, T.tensor([0]), t["m"]),
        "a leaf Variable that requires grad",
    ),
    # Element types that an operation does not know
    ("trace of bools", lambda T, t: T.trace(T.eye(2).bool()), '"trace" not implemented'),
    (
        "avg_pool2d of small integers",
        lambda T, t: T.nn.functional.avg_pool2d(T.ones(1, 2, 2, dtype=T.int32), 2),
        "\"avg_pool2d\" not implemented for 'Int'",
    ),
    (
        "max_pool1d of integers",
        lambda T, t: T.nn.functional.max_pool1d(T.ones(1, 2, dtype=T.int64), 2),
        "\"max_pool1d_impl\" not implemented for 'Long'",
    ),
    (
        "adaptive_avg_pool2d of bools",
        lambda T, t: T.nn.functional.adaptive_avg_pool2d(T.ones(1, 4, 4).bool(), 2),
        "\"adaptive_avg_pool2d\" not implemented for 'Bool'",
    ),
    (
        "conv2d of bools",
        lambda T, t: T.nn.functional.conv2d(*[T.ones(1, 1, 2, 2).bool() for _ in range(2)]),
        "\"slow_conv2d_cpu\" not implemented for 'Bool'",
    ),
    (
        "binary_cross_entropy of integers",
        lambda T, t: T.nn.functional.binary_cross_entropy(T.ones(1).long(), T.ones(1).long()),
        "\"binary_cross_entropy\" not implemented for 'Long'",
    ),
    # Not a bool
    ("tensor", lambda T, t: T.tensor(1.0, requires_grad=1), "must be bool, not int"),
    ("zeros", lambda T, t: T.zeros(2, requires_grad="yes"), "must be bool, not str"),
    ("bernoulli of a number", lambda T, t: T.bernoulli(0.5), "must be Tensor, not float"),
    ("multinomial of a list", lambda T, t: T.multinomial([1.0], 1), "must be Tensor, not list"),
    ("text in a tensor", lambda T, t: "a" in t["v2"], "only supports Tensor or scalar, but you"),
    (
        "from_dlpack of what requires grad",
        lambda T, t: T.from_dlpack(t["x"]),
        "Can't export tensors that require gradient",
    ),
    ("tensor, None", lambda T, t: T.tensor(1.0, requires_grad=None), "must be bool, not NoneType"),
    ("ones", lambda T, t: T.ones(2, requires_grad=np.bool_(True)), "must be bool, not numpy.bool"),
    ("rand", lambda T, t: T.rand(2, requires_grad=1), "requires_grad"),
    ("full_like", lambda T, t: T.full_like(t["v2"], 1.0, requires_grad=0), "must be bool, not int"),
    ("new_zeros", lambda T, t: t["v2"].new_zeros(2, requires_grad=1), "must be bool, not int"),
    ("Parameter", lambda T, t: T.nn.Parameter(t["v2"], requires_grad=1), "must be bool, not int"),
    ("keepdim", lambda T, t: t["m"].sum(0, keepdim=1), "'keepdim' must be bool, not int"),
    ("two dims as two numbers", lambda T, t: t["m"].sum(0, 1), "must be bool, not int"),
    ("a dim and a number", lambda T, t: t["m"].max(0, 1), "must be bool, not int"),
    ("None and a number", lambda T, t: T.add(None, 1), "must be Tensor, not NoneType"),
    # Shapes of two operands
    ("add", lambda T, t: t["m"] + t["v2"], "The size of tensor a (3) " + MISMATCH + " (2)"),
    ("sub", lambda T, t: t["v2"] - t["v3"], "at non-singleton dimension 0"),
    ("mul", lambda T, t: t["v3"] * t["v2"], "The size of tensor a (3) " + MISMATCH + " (2)"),
    ("mul tracked", lambda T, t: t["x"] * t["v2"], MISMATCH),
    ("div", lambda T, t: t["v2"] / t["v3"], MISMATCH),
    ("pow", lambda T, t: t["v2"] ** t["v3"], MISMATCH),
    ("==", lambda T, t: t["v2"] == t["v3"], MISMATCH),
    ("<", lambda T, t: t["v2"] < t["v3"], MISMATCH),
    # Products
    ("mm", lambda T, t: T.mm(t["m"], t["m"]), PRODUCT + " (2x3 and 2x3)"),
    ("mm of a vector", lambda T, t: T.mm(t["v3"], t["m"]), "self must be a matrix"),
    ("mm by a vector", lambda T, t: T.mm(t["m"], t["v3"]), "mat2 must be a matrix"),
    (
        "mm of two types",
        lambda T, t: T.mm(t["m"], t["md"]),
        "expected m1 and m2 to have the same dtype, but got: float != double",
    ),
    ("mv", lambda T, t: T.mv(t["m"], t["v2"]), "size mismatch, got input (2), mat (2x3), vec (2)"),
    ("mv of a vector", lambda T, t: T.mv(t["v3"], t["v3"]), "vector + matrix @ vector expected"),
    ("dot", lambda T, t: T.dot(t["v2"], t["v3"]), "inconsistent tensor size, expected tensor [2]"),
    ("dot of a matrix", lambda T, t: T.dot(t["m"], t["v3"]), "1D tensors expected, but got 2D"),
    (
        "dot of two types",
        lambda T, t: T.dot(t["v3"], t["d"]),
        "dot : expected both vectors to have same dtype, but found Float and Double",
    ),
    ("@ matrix matrix", lambda T, t: t["m"] @ t["m"], PRODUCT + " (2x3 and 2x3)"),
    ("@ matrix vector", lambda T, t: t["m"] @ t["v2"], "size mismatch, got input (2), mat (2x3)"),
    ("@ vector matrix", lambda T, t: t["v3"] @ t["m"], PRODUCT + " (1x3 and 2x3)"),
    ("@ vector vector", lambda T, t: t["v2"] @ t["v3"], "inconsistent tensor size"),
    ("@ number", lambda T, t: t["s"] @ t["v3"], "both arguments to matmul need to be at least 1D"),
    ("@ list", lambda T, t: t["v3"] @ [1.0, 2.0, 3.0], "unsupported operand type(s) for @"),
    ("matmul by a number", lambda T, t: T.matmul(t["v3"], 2), "must be Tensor, not int"),
    # Things that are no tensors
    ("add text", lambda T, t: t["v3"] + "a", ""),
    ("add to text", lambda T, t: "a" + t["v3"], ""),
    ("add None", lambda T, t: t["v3"] + None, "unsupported operand type(s) for +"),
    ("add a list", lambda T, t: t["v3"] + [1, 2, 3], ""),
    ("torch.add None", lambda T, t: T.add(t["v3"], None), "NoneType"),
    ("torch.exp of a number", lambda T, t: T.exp(3.0), "must be Tensor, not float"),
    ("torch.exp of None", lambda T, t: T.exp(None), "must be Tensor, not NoneType"),
    ("torch.mm of a number", lambda T, t: T.mm(t["m"], 3), "must be Tensor, not int"),
    ("torch.sum of a number", lambda T, t: T.sum(3), "int"),
    ("< text", lambda T, t: t["v3"] < "a", "'<' not supported"),
    # Element types
    ("bool minus bool", lambda T, t: t["b"] - t["b"], "with two bool tensors is not supported"),
    ("minus bool", lambda T, t: -t["b"], "on a bool tensor is not supported"),
    ("mean of integers", lambda T, t: t["i"].mean(), "Input dtype must be either a floating point"),
    ("norm of integers", lambda T, t: t["i"].norm(), "floating point or complex"),
    (
        "vector_norm of integers, as float32",
        lambda T, t: T.linalg.vector_norm(t["i"], dtype=T.float32),
        "Got Long",
    ),
    (
        "vector_norm of a number",
        lambda T, t: T.linalg.vector_norm(2.0),
        "linalg_vector_norm(): argument 'input' (position 1) must be Tensor",
    ),
    ("vector_norm by text", lambda T, t: T.linalg.vector_norm(t["v2"], "a"), "must be Number"),
    ("int to a negative power", lambda T, t: t["i"] ** -1, "Integers to negative integer powers"),
    (
        "integers that require grad",
        lambda T, t: T.tensor([1, 2], requires_grad=True),
        "Only Tensors of floating point",
    ),
    (
        "ones of integers that require grad",
        lambda T, t: T.ones(2, dtype=T.int64, requires_grad=True),
        "Only Tensors of floating point",
    ),
    (
        "arange of integers that requires grad",
        lambda T, t: T.arange(3, requires_grad=True),
        "Only Tensors of floating point",
    ),
    (
        "requires_grad_ of integers",
        lambda T, t: t["i"].requires_grad_(),
        "only Tensors of floating point",
    ),
    (
        "requires_grad = True of integers",
        lambda T, t: setattr(t["i"], "requires_grad", True),
        "only Tensors of floating point",
    ),
    # Axes
    ("sum(1) of a vector", lambda T, t: t["v3"].sum(1), DIMENSION),
    ("sum(-2) of a vector", lambda T, t: t["v3"].sum(-2), "expected to be in range of [-1, 0]"),
    ("sum of one axis twice", lambda T, t: t["m"].sum((0, 0)), "appears multiple times"),
    ("mean(2)", lambda T, t: t["m"].mean(2), DIMENSION),
    ("sum by text", lambda T, t: t["v3"].sum("a"), ""),
    ("sum by a float", lambda T, t: t["v3"].sum(1.0), ""),
    ("unsqueeze(2)", lambda T, t: t["v3"].unsqueeze(2), "expected to be in range of [-2, 1]"),
    ("t of three axes", lambda T, t: t["m"].unsqueeze(0).t(), "expects a tensor with <= 2 dim"),
    # Shapes of one operand
    ("expand", lambda T, t: t["v3"].expand(2), "The expanded size of the tensor (2) must match"),
    ("expand, other axis", lambda T, t: t["v3"].expand(2, 4), "existing size (3)"),
    ("expand to fewer axes", lambda T, t: t["m"].expand(3), "must be greater or equal to"),
    (
        "expand by -1 in front",
        lambda T, t: t["v3"].expand(-1, 3),
        "leading, non-existing dimension",
    ),
    ("expand_as", lambda T, t: t["v3"].expand_as(T.ones(2, 4)), "The expanded size of the tensor"),
    ("view", lambda T, t: t["m"].view(4, 2), "shape '[4, 2]' is invalid for input of size 6"),
    ("view -1", lambda T, t: t["m"].view(4, -1), "shape '[4, -1]' is invalid for input of size 6"),
    ("view two -1", lambda T, t: t["m"].view(-1, -1), "only one dimension can be inferred"),
    ("view of a transpose", lambda T, t: t["m"].t().view(6), "view size is not compatible with"),
    ("reshape", lambda T, t: t["m"].reshape(4, 2), "shape '[4, 2]' is invalid for input of size 6"),
    # Indices
    ("x[3]", lambda T, t: t["v3"][3], "index 3 is out of bounds for dimension 0 with size 3"),
    ("x[-4]", lambda T, t: t["v3"][-4], "index -4 is out of bounds for dimension 0 with size 3"),
    ("x[0, 3]", lambda T, t: t["m"][0, 3], "index 3 is out of bounds for dimension 1 with size 3"),
    (
        "x[0, 0] of a vector",
        lambda T, t: t["v3"][0, 0],
        "too many indices for tensor of dimension 1",
    ),
    ("x[0] of a number", lambda T, t: t["s"][0], "invalid index of a 0-dim tensor"),
    ("x[1.0]", lambda T, t: t["v3"][1.0], "only integers, slices (`:`), ellipsis (`...`), None"),
    ("x['a']", lambda T, t: t["v3"]["a"], ""),
    ("x[numbers] out of range", lambda T, t: t["v3"][T.tensor([3])], "index 3 is out of bounds"),
    ("x[floats]", lambda T, t: t["v3"][T.tensor([1.0])], "tensors used as indices must be long"),
    (
        "x[short mask]",
        lambda T, t: t["v3"][t["b"]],
        "The shape of the mask [2] at index 0 does not",
    ),
    (
        "x[numbers, numbers] of different lengths",
        lambda T, t: t["m"][T.tensor([0, 1]), T.tensor([0, 1, 2])],
        "shape mismatch: indexing tensors could not be broadcast together",
    ),
    ("x[::-1]", lambda T, t: t["v3"][::-1], "step must be greater than zero"),
    ("x[::0]", lambda T, t: t["v3"][::0], "slice step cannot be zero"),
    ("x['a':]", lambda T, t: t["v3"]["a":], "slice indices must be integers or None"),  # type: ignore[misc]
    ("x[0:2] = three", lambda T, t: t["v3"].__setitem__(slice(0, 2), T.ones(3)), ""),
    ("x[5] = 1", lambda T, t: t["v3"].__setitem__(5, 1.0), "index 5 is out of bounds"),
    ("x[numbers] = three", lambda T, t: t["v3"].__setitem__(T.tensor([0, 1]), T.ones(3)), "shape"),
    ("x[0] = text", lambda T, t: t["v3"].__setitem__(0, "a"), "can't assign a str to a"),
    ("x[0] = None", lambda T, t: t["v3"].__setitem__(0, None), "can't assign a NoneType to a"),
    # Several values where one is wanted
    ("truth of several", lambda T, t: bool(t["v3"]), "with more than one value is ambiguous"),
    ("truth of none", lambda T, t: bool(t["empty"]), "with no values is ambiguous"),
    (
        "item of several",
        lambda T, t: t["v3"].item(),
        "with 3 elements cannot be converted to Scalar",
    ),
    ("float of several", lambda T, t: float(t["v3"]), "only one element tensors can be"),
    ("int of several", lambda T, t: int(t["v3"]), "only one element tensors can be"),
    ("len of a number", lambda T, t: len(t["s"]), "len() of a 0-d tensor"),
    ("iteration over a number", lambda T, t: list(t["s"]), "iteration over a 0-d tensor"),
    (
        "list index by a float",
        lambda T, t: [1, 2][t["s"]],
        "only integer tensors of a single element",
    ),
    # Making tensors
    ("ragged", lambda T, t: T.tensor([[1, 2], [3]]), "expected sequence of length 2 at dim 1"),
    ("text", lambda T, t: T.tensor("a"), "new(): invalid data type 'str'"),
    ("None", lambda T, t: T.tensor(None), "Could not infer dtype of NoneType"),
    ("a list of text", lambda T, t: T.tensor(["a"]), "'str'"),
    ("ones(-1)", lambda T, t: T.ones(-1), "negative dimension"),
    ("ones(2.5)", lambda T, t: T.ones(2.5), ""),
    ("zeros('a')", lambda T, t: T.zeros("a"), ""),
    ("dtype by name", lambda T, t: T.ones(2, dtype="float32"), "must be torch.dtype, not str"),
    ("arange step 0", lambda T, t: T.arange(0, 3, 0), "step must be nonzero"),
    ("arange wrong way", lambda T, t: T.arange(3, 0), "upper bound and lower bound inconsistent"),
    # Autograd
    (
        "backward of several",
        lambda T, t: (t["x"] * 2).backward(),
        "grad can be implicitly created only",
    ),
    (
        "backward without graph",
        lambda T, t: t["s"].backward(),
        "does not require grad and does not have",
    ),
    (
        "gradient of another shape",
        lambda T, t: (t["x"] * 2).backward(t["v2"]),
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a "
        "shape of torch.Size([3]).",
    ),
    ("gradient as a number", lambda T, t: (t["x"] * 2).backward(1.0), ""),
    (
        "gradient as a list",
        lambda T, t: (t["x"] * 2).backward([1.0, 1.0, 1.0]),
        "gradients can be either Tensors or None, but got float",
    ),
    (
        "inputs empty",
        lambda T, t: (t["x"] * 2).sum().backward(inputs=[]),
        "`inputs` argument to `backward()` cannot be empty.",
    ),
    (
        "both old and new name",
        lambda T, t: T.autograd.backward([t["x"] * 2], [t["v3"]], grad_variables=[t["v3"]]),
        "arguments both passed to `backward()`. Please only use `grad_tensors`.",
    ),
    ("backward of a number", lambda T, t: T.autograd.backward(3.0), ""),
    (
        "grad of what needs none",
        lambda T, t: T.autograd.grad((t["x"] * 2).sum(), [t["v3"]]),
        "One of the differentiated Tensors does not require grad",
    ),
    (
        "grad of several",
        lambda T, t: T.autograd.grad(t["x"] * 2, t["x"]),
        "grad can be implicitly created only for scalar outputs",
    ),
    (
        "grad with no inputs",
        lambda T, t: T.autograd.grad((t["x"] * 2).sum(), []),
        "`inputs` argument to `grad()` cannot be empty.",
    ),
    (
        "grad of an unused input",
        lambda T, t: T.autograd.grad((t["x"] * 2).sum(), [t["x"], T.ones(2, requires_grad=True)]),
        "The differentiated Tensor at index 1 appears to not have been used in the graph",
    ),
    (
        "materialize and not allow_unused",
        lambda T, t: T.autograd.grad(
            (t["x"] * 2).sum(), t["x"], materialize_grads=True, allow_unused=False
        ),
        "Expected allow_unused to be True or not passed when materialize_grads=True",
    ),
    (
        "retain_grad of a constant",
        lambda T, t: t["v3"].retain_grad(),
        "can't retain_grad on Tensor",
    ),
    (
        "hook on a constant",
        lambda T, t: t["v3"].register_hook(print),
        "cannot register a hook on a",
    ),
    (
        "hook that changes the shape",
        lambda T, t: (t["x"].register_hook(lambda g: T.ones(2)), (t["x"] * 2).sum().backward()),
        "has changed the size of value",
    ),
    (
        "hook that returns a number",
        lambda T, t: (t["x"].register_hook(lambda g: 1), (t["x"] * 2).sum().backward()),
        "",
    ),
    (
        "requires_grad of a result",
        lambda T, t: (t["x"] * 2).requires_grad_(False),
        "you can only change requires_grad flags of leaf variables",
    ),
    ("grad of another shape", lambda T, t: setattr(t["x"], "grad", t["v2"]), "size"),
    (
        "grad that is a number",
        lambda T, t: setattr(t["x"], "grad", 1.0),
        "assigned grad expected to be",
    ),
    (
        "requires_grad of a result set once more",
        lambda T, t: setattr(t["x"] * 2, "requires_grad", True),
        "you can only change requires_grad flags of leaf variables.",
    ),
    (
        "integers as the data of what requires grad",
        lambda T, t: setattr(t["x"], "data", t["i"]),
        "data set to a tensor that requires gradients must be floating point",
    ),
    ("data that is deleted", lambda T, t: delattr(t["x"], "data"), "Delete tensor instead"),
    ("data that is a number", lambda T, t: setattr(t["x"], "data", 1.0), ""),
    ("grad_fn is not settable", lambda T, t: setattr(t["x"], "grad_fn", None), "grad_fn"),
    ("is_leaf is not settable", lambda T, t: setattr(t["x"], "is_leaf", True), "is_leaf"),
    ("numpy of what requires grad", lambda T, t: t["x"].numpy(), "Use tensor.detach().numpy()"),
    # In place
    (
        "grows in place",
        lambda T, t: t["v3"].add_(T.ones(2, 3)),
        "doesn't match the broadcast shape",
    ),
    ("floats into integers", lambda T, t: t["i"].add_(1.5), "result type Float can't be cast to"),
    ("quotient into integers", lambda T, t: t["i"].div_(2), "result type Float can't be cast to"),
    ("number into bool", lambda T, t: t["b"].add_(1), "result type Long can't be cast to"),
    ("shapes in place", lambda T, t: t["v3"].mul_(t["v2"]), MISMATCH),
    ("leaf in place", lambda T, t: t["x"].add_(1), "a leaf Variable that requires grad"),
    (
        "part of a leaf in place",
        lambda T, t: t["x"].__setitem__(0, 1.0),
        "a view of a leaf Variable",
    ),
    # Losses
    (
        "bce shapes",
        lambda T, t: T.nn.functional.binary_cross_entropy_with_logits(t["v3"], t["v2"]),
        "Target size (torch.Size([2])) must be the same as input size (torch.Size([3]))",
    ),
    (
        "bce reduction",
        lambda T, t: T.nn.functional.binary_cross_entropy_with_logits(
            t["v3"], t["v3"], reduction="all"
        ),
        "all is not a valid value for reduction",
    ),
    (
        "a column of classes",
        lambda T, t: T.nn.functional.cross_entropy(T.zeros(5, 4), T.zeros(5, 1, dtype=T.int64)),
        "0D or 1D target tensor expected, multi-target not supported",
    ),
]


def unchanged(T: Any, given: dict[str, Any]) -> list[str]:
    """The names of those tensors that are no longer what they were."""
    before = tensors(T)
    changed = []
    for name, tensor in given.items():
        old = before[name]
        if (
            tensor.tolist() != old.tolist()
            or tensor.dtype != old.dtype
            or tensor._version != old._version
            or tensor.requires_grad != old.requires_grad
            or tensor.grad is not None
        ):
            changed.append(name)
    return changed


@pytest.mark.parametrize(
    ("mistake", "phrase"), [pytest.param(f, phrase, id=name) for name, f, phrase in MISTAKES]
)
def test_mistake(torch: Any, mistake: Callable[..., Any], phrase: str) -> None:
    def program(T: Any) -> Any:
        given = tensors(T)
        kind = caught(lambda: mistake(T, given), *([phrase] if phrase else []))
        return kind, unchanged(T, given)

    seen = same(torch, program)
    assert seen["returned"][1] == []


def test_a_message_is_never_empty() -> None:
    """Messages that are not compared are not empty either."""
    for name, mistake, _ in MISTAKES:
        with pytest.raises(Exception) as found:
            mistake(minigrad, tensors(minigrad))
        assert len(str(found.value)) > 8, name


@pytest.mark.parametrize(
    ("expression", "near"),
    [
        ("mg.ones(3).backwad()", "backward"),
        ("mg.ones(3).require_grad", "requires_grad"),
        ("mg.matmull", "matmul"),
        ("mg.nn.Linera", "Linear"),
        ("mg.nn.Linear(1, 1).wieght", "weight"),
    ],
)
def test_python_suggests_nearest_name(expression: str, near: str) -> None:
    """Only for uncaught errors, so that programs that probe for names are not slowed down."""
    program = f"import minigrad as mg\n{expression}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stderr.rstrip().endswith(f"Did you mean: '{near}'?")


def test_an_unknown_name_is_an_attribute_error() -> None:
    x = minigrad.ones(3)

    class Broken(minigrad.nn.Module):
        @property
        def size(self) -> int:
            return int(self.nothing_like_it)  # the error inside makes Python ask for `size` again

    with pytest.raises(AttributeError, match=r"'Broken' object has no attribute 'size'$"):
        _ = Broken().size
    assert not hasattr(x, "backwad")


@pytest.mark.parametrize("place", PLACES)
def test_pytorch_names_exist_or_are_listed(torch: Any, place: str) -> None:
    known = answer(torch, lambda T: public(place))
    assert known == sorted(pytorch_names()[place])
    minigrads: Any = at(place, "minigrad")
    ours = minigrad.ones(2, 2) if place == "torch.Tensor" else minigrads
    ours = minigrad.nn.Linear(1, 1) if place == "torch.nn.Module" else ours
    for name in known:
        if not hasattr(minigrads, name):
            with pytest.raises(AttributeError, match="PyTorch has it, minigrad leaves it out"):
                getattr(ours, name)


def test_missing_names_suggest_alternatives() -> None:
    left_out = {
        name for place, names in pytorch_names().items()
        for name in names if not hasattr(at(place, "minigrad"), name)
    }  # fmt: skip
    assert not OUT_OF_SCOPE.keys() - left_out
    with pytest.raises(AttributeError, match="leaves it out; write it with operators"):
        _ = minigrad.rsub


def test_inplace_error_names_the_node() -> None:
    """More than PyTorch: the node that needed the tensor."""
    x = minigrad.ones(3, requires_grad=True) * 1
    y = x * x
    x.add_(1)
    with pytest.raises(RuntimeError, match="MulBackward0"):
        y.sum().backward()
