"""Tensor: an array that knows how it came about.

State and properties only. What a tensor can compute is in ops/, one file a family, each with the
methods that belong to it; how gradients get into `.grad` is in core/engine.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, cast, overload

import numpy as np

from ..arrays.devices import ON_CPU, address, device, device_of
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import dtype_of, get_default_dtype, tensor_type_name
from ..arrays.left_out import missing_attribute
from ..arrays.memory_order import offset_of, steps_of
from ..arrays.waiting import tell
from ..arrays.words import LOSES_GRADIENT, c_name, type_name, type_word
from ..core.backward import backward
from ..core.hooks import Hooks, RemovableHandle
from ..core.modes import modes
from ..core.node import UNCOUNTED, Node, TensorBase, gradient_edge, new_tensor
from ..core.views import requires_grad
from ..ops.activations import ActivationMethods
from ..ops.arithmetic import ArithmeticMethods
from ..ops.blends import BlendMethods
from ..ops.comparison import ComparisonMethods
from ..ops.conditioning import ConditioningMethods
from ..ops.copies import CopyingMethods, converted, named_type
from ..ops.counting import CountingMethods
from ..ops.dims import whole_number, wrap_dim
from ..ops.elementwise import ElementwiseMethods
from ..ops.extremes import ExtremesMethods
from ..ops.fronts import asked
from ..ops.gathering import ScatteringMethods
from ..ops.indexing import IndexingMethods
from ..ops.joining import JoiningMethods
from ..ops.linalg import LinalgMethods
from ..ops.masking import MaskingMethods
from ..ops.matrix import MatrixMethods
from ..ops.matrix_norms import NormMethods
from ..ops.public import signed_method
from ..ops.reductions import ReductionMethods
from ..ops.shapes import ShapeMethods
from ..ops.slicing import PartMethods
from ..ops.sorting import SortingMethods
from ..ops.trigonometry import TrigonometricMethods
from .creation import CreationMethods, legacy
from .pickling import ExchangeMethods
from .printing import tensor_format, tensor_repr
from .random_fills import DrawingMethods

NOT_A_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)


class Size(tuple[int, ...]):
    """A shape. A tuple that prints as PyTorch's, and so do its parts and sums.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).shape[1:] + (5,)
    torch.Size([3, 4, 5])
    """

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        listed = list(sizes)
        for place, size in enumerate(listed):
            if not hasattr(size, "__index__"):
                wrong = f"item {place} is '{type_name(size)}'"
                raise TypeError(f"torch.Size() takes an iterable of 'int' ({wrong})")
        return tuple.__new__(cls, map(int, listed))

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        found: Any = tuple.__getitem__(self, key)
        return tuple.__new__(Size, found) if type(key) is slice else found

    def __add__(self, other: Any) -> Size:
        return tuple.__new__(Size, tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        return tuple.__new__(Size, other + tuple(self))

    def __mul__(self, times: Any) -> Size:
        return tuple.__new__(Size, tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return int(np.prod(self, dtype=np.int64))


def only_element(array: Any) -> Any:
    """The one element as a Python number, after what has gone wrong on a GPU before."""
    tell()
    return array.item()


def no_scalar(array: Any) -> RuntimeError:
    """The error for several elements, or none, that are to be one number."""
    return RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")


def place_in(numbers: Sequence[int], dim: Any) -> int:
    """`dim` counted from the front, where there is a number for each dimension.

    Raises:
        TypeError: it is no integer.
        IndexError: there is no such dimension.
    """
    dim = whole_number(dim)
    if not numbers:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, len(numbers))


# fmt: off
class Tensor(
    ActivationMethods, ArithmeticMethods, BlendMethods, ComparisonMethods,
    ConditioningMethods, CopyingMethods, CountingMethods, CreationMethods,
    DrawingMethods, ElementwiseMethods, ExchangeMethods, ExtremesMethods, IndexingMethods,
    JoiningMethods, LinalgMethods, MaskingMethods, MatrixMethods, NormMethods, ReductionMethods,
    PartMethods, ScatteringMethods, ShapeMethods, SortingMethods,
    TrigonometricMethods, TensorBase, result=True,
):
    # fmt: on
    """A multi-dimensional array that remembers the operations it came from, if a gradient may be
    wanted.

    Make one with `minigrad.tensor`, or as the result of an operation.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __new__(cls, *data: Any) -> Tensor:
        """PyTorch's old way to make one: floats, of values or of so many places. Prefer
        `minigrad.tensor` and `minigrad.empty`."""
        if len(data) == 1 and isinstance(data[0], Tensor):
            return cast(Tensor, data[0][...])
        out = object.__new__(cls)
        out._array = legacy(get_default_dtype(), *data)
        return out

    # NumPy asks the left operand first; this makes `array * tensor` ask the tensor.
    __array_priority__ = 1000

    # --- Shape, type, place

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return tuple.__new__(Size, self._array.shape)

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    @signed_method("size(int? dim=None)")
    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of dimension `dim`."""
        shape = self._array.shape
        if dim is None:
            return tuple.__new__(Size, shape)
        return shape[dim if type(dim) is int and 0 <= dim < len(shape) else place_in(shape, dim)]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self._array.ndim)

    dim = asked("dim()", attrgetter("ndim"), "The number of dimensions.")

    numel = asked("numel()", attrgetter("size"), "The number of elements.")

    nelement = asked("nelement()", attrgetter("size"), "`numel`, as PyTorch used to call it.")


    element_size = asked(
        "element_size()", attrgetter("itemsize"), "How many bytes one element takes."
    )

    @property
    def nbytes(self) -> int:
        """How many bytes the elements take."""
        return int(self._array.nbytes)

    def __sizeof__(self) -> int:
        # With the elements, as NumPy counts. Dask goes by this when it decides what to move where.
        return object.__sizeof__(self) + self.nbytes

    ndimension = asked("ndimension()", attrgetter("ndim"), "`dim`, as PyTorch used to call it.")

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return int(self._array.shape[0])

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    @signed_method("stride(int? dim=None)")
    def stride(self, dim: int | None = None) -> Any:
        """How many elements apart neighbours are in memory, by dimension."""
        strides = steps_of(self._array)
        return strides if dim is None else strides[place_in(strides, dim)]

    @signed_method("storage_offset()")
    def storage_offset(self) -> int:
        """How many elements into its memory the tensor begins."""
        return offset_of(self.shared_array())

    @signed_method("data_ptr()")
    def data_ptr(self) -> int:
        """The address of the first element: equal for tensors that share memory."""
        return address(self.shared_array())

    @property
    def dtype(self) -> Dtype:
        """The element type."""
        return dtype_of(self._array)

    @property
    def device(self) -> device:
        """Where the memory is."""
        return device_of(self._array)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self.device.type == "cuda"

    @signed_method("is_floating_point()")
    def is_floating_point(self) -> bool:
        """Whether the elements are floating-point numbers, and so may have gradients."""
        return bool(self._array.dtype.kind == "f")

    @signed_method(
        "type(object dtype=None, bool! non_blocking=False, *, memory_format?! memory_format=None)",
        "deprecated type(object dtype=None, bool! async=False, *, "
        "memory_format?! memory_format=None)",
    )
    def type(self, dtype: Any = None) -> Any:
        """PyTorch's old name of the element type, such as torch.FloatTensor; or a conversion."""
        if dtype is None:
            return tensor_type_name(self._array.dtype, self.device.type)
        place = self.device if isinstance(dtype, (Dtype, np.dtype)) else device("cpu")
        if isinstance(dtype, str):
            if dtype.startswith("torch.cuda."):
                place, dtype = device("cuda"), dtype.replace("cuda.", "", 1)
            dtype = get_default_dtype() if dtype == "torch.Tensor" else named_type(dtype)
        elif dtype is Tensor:
            dtype = get_default_dtype()
        elif isinstance(dtype, type):
            raise ValueError(f"invalid type: '{dtype.__name__}'")
        elif isinstance(getattr(dtype, "dtype", None), Dtype):  # such as FloatTensor
            dtype, place = dtype.dtype, device(dtype.device)
        elif not isinstance(dtype, (Dtype, np.dtype)):
            raise TypeError("dtype must be a type, str, or dtype object")
        return converted(self, dtype, place)

    # --- What autograd knows

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor; None for a leaf."""
        if self._edge is not None:
            return self._edge[0]
        if self._view is not None:
            edge: tuple[Node | None, int] | None = self._view.edge()
            if edge is not None:
                return edge[0]
        return None

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor was made by the user and not by a recorded operation."""
        return self.grad_fn is None

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        return self._requires_grad or requires_grad(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if value and self._array.dtype.kind != "f":
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients"
            )
        if value and self.grad_fn is not None:
            raise RuntimeError("you can only change requires_grad flags of leaf variables.")
        self.requires_grad_(value)

    @signed_method("requires_grad_(bool requires_grad=True)")
    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for gradients of this leaf, or no longer; returns the tensor itself."""
        if not isinstance(requires_grad, bool):
            raise TypeError
        if not (self._edge is self._view is None) and self.grad_fn is not None:
            if not requires_grad:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use "
                    "a computed variable in a subgraph that doesn't require differentiation use "
                    "var_no_grad = var.detach()."
                )
            return self
        if requires_grad and self._array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if requires_grad and self.is_inference() and not modes.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed."
            )
        self._requires_grad = bool(requires_grad)
        return self

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have added up so far; None before the first.

        Warns for the result of an operation, whose gradient is not kept unless `retain_grad` was
        called.
        """
        edge = (self._view or self)._edge
        result = edge is not None and edge[0] is not None
        if self._grad is None and result and not self.retains_grad:
            warnings.warn(NOT_A_LEAF, stacklevel=2)
        grad: Tensor | None = self._grad
        return grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            self._check_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _check_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type "
                f"{type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value._array.dtype != self._array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{c_name(value._array.dtype)}' to a "
                f"tensor with grad_dtype '{type_word(self._array.dtype)}'. The gradient must match "
                "the tensor's dtype"
            )
        here, there = self.device, value.device
        if here is not there and here != there:
            own: object
            others: object
            lies, own, others = "with device type", here.type, there.type
            if own == others:
                lies, own, others = "located on device with index", here.index, there.index
            raise RuntimeError(
                f"attempting to assign a gradient {lies} '{others}' to a tensor {lies} '{own}'. "
                "Please ensure that the gradient and the tensor are on the same device"
            )
        if value._array.shape != self._array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor "
                f"of size '{list(self._array.shape)}'. Please ensure that the gradient and the "
                "tensor are the same size"
            )

    @property
    def _version(self) -> int:
        """How often the memory has been written in place."""
        if self.is_inference():
            raise RuntimeError("Inference tensors do not track version counter.")
        return self.version()

    @signed_method("is_inference()")
    def is_inference(self) -> bool:
        """Whether the memory is that of a tensor made in `inference_mode`: autograd takes no note
        of it, so it may neither be saved for a backward pass nor be written outside of the mode.

        >>> import minigrad as mg
        >>> with mg.inference_mode():
        ...     x = mg.ones(2)
        >>> x.is_inference(), x.clone().is_inference()
        (True, False)
        """
        return self._counter is UNCOUNTED

    @property
    def output_nr(self) -> int:
        """Which of its node's outputs this tensor is."""
        return gradient_edge(self)[1]

    @property
    def _base(self) -> Any:
        """The tensor whose memory this one is a view of; None if it is no view, or a view of an
        inference tensor, which nobody counts."""
        return None if self._view is None or self.is_inference() else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None and not self.is_inference()

    @property
    def retains_grad(self) -> bool:
        """Whether this is an intermediate result whose gradient will be kept."""
        edge = self._edge if self._view is None else self._view._edge
        if edge is None or edge[0] is None:
            return False
        kept = edge[0]._hooks.retained.get(edge[1])
        return kept is not None and kept() is self

    @signed_method("retain_grad()")
    def retain_grad(self) -> None:
        """Keep the gradient of this intermediate result in `.grad`, as a leaf does."""
        if not (self._requires_grad or requires_grad(self)):
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node, index = gradient_edge(self)
        if self.grad_fn is not None and node is not None:
            node._retain(index, self)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call `hook(gradient)` whenever the gradient of this tensor is complete; what it returns
        replaces it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node, index = gradient_edge(self)
        if node is not None and self.grad_fn is not None:
            return node._hook_output(index, hook)
        # A leaf's AccumulateGrad may go away and come again, so the tensor keeps the hooks.
        if self._hooks is None:
            self._hooks = Hooks()
            if node is not None:  # as there is for every leaf, but for a view made under no_grad
                node._hooked().tensor[0] = self._hooks
        return self._hooks.add(hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call `hook(self)` after a gradient has been added to this leaf's `.grad`."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_hooks is None:
            self._post_hooks = Hooks()
        return self._post_hooks.add(hook)

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Compute the gradient of this tensor and add it to the `.grad` of every leaf that it came
        from.

        Args:
            gradient: what to start from, of this tensor's shape; may be left out for a single
                element, and then is 1.
            retain_graph: keep what the operations saved, so that backward can be called again.
            create_graph: record the backward pass itself, so that it can be differentiated.
            inputs: add only to these tensors' `.grad`.

        Raises:
            RuntimeError: this is no single element and `gradient` is missing, nothing requires
                grad, or the graph has been freed or changed.
        """
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    @signed_method("detach()")
    def detach(self) -> Tensor:
        """The same memory, cut off from the graph."""
        array = self._array  # shared_array() without the call, where it would find nothing to do
        out: Any = new_tensor(array if type(array) is np.ndarray else self.shared_array())
        out._counter = self.version_counter()
        return cast(Tensor, out)

    @signed_method("detach_()")
    def detach_(self) -> Tensor:
        """Cut this tensor itself off from the graph: it becomes a leaf."""
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using "
                "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
                "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
                "these gradients. To fix this error, please refer to the Optimizer.zero_grad() "
                "function in torch/optim/optimizer.py as the solution."
            )
        if self._edge is not None:
            self.version_counter().detached = True
        self._edge = self._tangent = None
        self._requires_grad = False
        return self

    @property
    def data(self) -> Tensor:
        """The same memory with a version counter of its own: changes through it go unnoticed.
        Prefer `detach`."""
        out: Any = new_tensor(self.shared_array())
        out._counter = UNCOUNTED if self.is_inference() else None
        return cast(Tensor, out)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self.requires_grad and value._array.dtype.kind != "f":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        if value.dtype is not self.dtype or value.device != self.device:
            self._accumulator = None  # the next AccumulateGrad expects gradients of this kind
        self._array = value.shared_array()
        if UNCOUNTED in (self._counter, value._counter):
            self._counter = UNCOUNTED if value.is_inference() else None

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    # --- Out of the tensor world

    item = asked(
        "item()", only_element, "The only element, as a Python number.", "float", no_scalar
    )

    @signed_method("tolist()")
    def tolist(self) -> Any:
        """The elements as nested lists; of a 0-d tensor, the element."""
        tell()
        return self._array.tolist()

    @signed_method("numpy(*, bool force=False)")
    def numpy(self, *, force: bool = False) -> Any:
        """The NumPy array, sharing its memory."""
        if not isinstance(force, bool):
            raise TypeError
        if force:
            return cast(Tensor, self.detach().cpu()).numpy()
        if modes.grad and (self._requires_grad or requires_grad(self)):
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead."
            )
        if not isinstance(self._array, ON_CPU):
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to "
                "copy the tensor to host memory first."
            )
        return self.shared_array()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def _number(self) -> Any:
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return only_element(self._array)

    def __float__(self) -> float:
        if modes.grad and self.requires_grad:
            warnings.warn(LOSES_GRADIENT, stacklevel=1)  # from one place: shown once
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(float(self))

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(only_element(self._array))

    def __bool__(self) -> bool:
        if self._array.size != 1:
            if self._array.size == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(only_element(self._array))

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self) -> Tensor:
        """The elements along the first dimension in reverse order, as a tensor."""
        return cast(Tensor, self.flip(0)) if self._array.ndim else self

    @signed_method("is_nonzero()")
    def is_nonzero(self) -> bool:
        """Whether the only element is not zero."""
        return bool(self)

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (TensorBase, bool, int, float)):
            only = "only supports Tensor or scalar, but you passed in a"
            raise RuntimeError(f"Tensor.__contains__ {only} {type(element)}.")
        return bool((self == element)._array.any())

    # --- Text

    def __repr__(self) -> str:
        try:
            node = self.grad_fn
        except RuntimeError:  # a view that lost its history can be looked at all the same
            name: str | None = "Invalid"
        else:
            name = None if node is None else node.name().rpartition("::")[2]
        return tensor_repr(
            self._array,
            grad_fn_name=name,
            requires_grad=name is None and self.requires_grad,
            device=str(self.device),
            tangent=None if modes.level is None else modes.level.text_of(self),
        )

    def __format__(self, spec: str) -> str:
        return tensor_format(self._array, spec, lambda: repr(self), type(self).__name__)

    if not TYPE_CHECKING:  # a checker that saw it would take every name for an attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_attribute(type(self).__name__, "torch.Tensor", name)
