"""Tensor: an array that knows its history.

State and properties only. Computations are in ops/, one file for each family with its methods.
core/engine.py adds gradients to `.grad`.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex, cast, overload

import numpy as np

from ..arrays.devices import ON_CPU, address, device, device_of
from ..arrays.devices import device as Device
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import dtype_of, get_default_dtype, tensor_type_name
from ..arrays.layouts import layout, strided
from ..arrays.left_out import missing_attribute
from ..arrays.memory_order import offset_of, steps_of
from ..arrays.messages import c_name, type_name, type_word
from ..arrays.waiting import tell
from ..core.backward import backward
from ..core.edges import place_of
from ..core.hooks import Hooks, RemovableHandle
from ..core.modes import modes
from ..core.node import UNCOUNTED, Node, TensorBase, gradient_edge, new_tensor
from ..core.views import apply_view, requires_grad
from ..ops.indexing.arranging import ArrangingMethods
from ..ops.indexing.differences import DifferenceMethods
from ..ops.indexing.flat import FlatMethods
from ..ops.indexing.gathering import ScatteringMethods
from ..ops.indexing.indexing import IndexingMethods
from ..ops.indexing.joining import JoiningMethods
from ..ops.indexing.reducing import ReducingMethods
from ..ops.linear_algebra.conditioning import ConditioningMethods
from ..ops.linear_algebra.contractions import ContractionMethods
from ..ops.linear_algebra.determinants import DeterminantMethods
from ..ops.linear_algebra.distances import DistanceMethods
from ..ops.linear_algebra.factorizations import FactorizationMethods
from ..ops.linear_algebra.linalg import LinalgMethods
from ..ops.linear_algebra.matrix import MatrixMethods
from ..ops.linear_algebra.matrix_norms import NormMethods
from ..ops.linear_algebra.powers import PowerMethods
from ..ops.linear_algebra.triangular import TriangularMethods
from ..ops.linear_algebra.updates import UpdateMethods
from ..ops.pointwise.activations import ActivationMethods
from ..ops.pointwise.arithmetic import ArithmeticMethods
from ..ops.pointwise.blends import BlendMethods
from ..ops.pointwise.comparison import ComparisonMethods
from ..ops.pointwise.elementwise import ElementwiseMethods
from ..ops.pointwise.gamma import GammaMethods
from ..ops.pointwise.logarithms import LogarithmMethods
from ..ops.pointwise.masking import MaskingMethods
from ..ops.pointwise.real_numbers import RealMethods
from ..ops.pointwise.trigonometry import TrigonometricMethods
from ..ops.public.dims import whole_number, wrap_dim
from ..ops.public.factories import reader
from ..ops.public.functions import method_schema
from ..ops.public.overriding import (
    OfClass,
    WithoutClasses,
    answer,
    asking,
    assign,
    converted,
    plain_results,
    read,
    watchers,
)
from ..ops.reductions.counting import CountingMethods
from ..ops.reductions.covariances import CovarianceMethods
from ..ops.reductions.extremes import ExtremesMethods
from ..ops.reductions.histograms import HistogramMethods
from ..ops.reductions.quantiles import QuantileMethods
from ..ops.reductions.reductions import ReductionMethods
from ..ops.reductions.renorm import RenormMethods
from ..ops.reductions.running import RunningMethods
from ..ops.reductions.sorting import SortingMethods
from ..ops.shapes.copies import CopyingMethods, convert_to, named_type
from ..ops.shapes.shapes import AliasBackward0, ShapeMethods
from ..ops.shapes.slicing import PartMethods
from .buffers import BufferMethods
from .creation import LOSES_GRADIENT, CreationMethods, check_legacy_device, legacy
from .pickling import ExchangeMethods
from .printing import tensor_format, tensor_repr
from .python_loops import LoopMethods
from .random_fills import DrawingMethods
from .storage import StorageMethods

NOT_A_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)


OF_A_VIEW = ("_array", "_edge", "_requires_grad", "_counter", "_view", "_tangent", "_relaid")
"""Attributes that a new view may have."""


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as PyTorch's, as do its slices and sums.

    >>> import minigrad as mg
    >>> mg.ones(2, 3, 4).shape[1:] + (5,)
    torch.Size([3, 4, 5])
    """

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        listed = list(sizes)
        for place, size in enumerate(listed):
            try:
                listed[place] = operator.index(size)
            except TypeError:
                wrong = f"item {place} is '{type_name(size)}'"
                raise TypeError(f"torch.Size() takes an iterable of 'int' ({wrong})") from None
        return tuple.__new__(cls, listed)

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
        """Return the number of elements of a tensor of this shape."""
        return int(np.prod(self, dtype=np.int64))


def only_element(array: Any) -> Any:
    """Return the only element as a Python number; first raise earlier errors of a GPU."""
    tell()
    return array.item()


def no_scalar(array: Any) -> RuntimeError:
    """Return the error for a tensor of several elements, or none, used as one number."""
    return RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")


def wrap_index(numbers: Sequence[int], dim: Any) -> int:
    """Return `dim` counted from the front, where there is a number for each dimension.

    Raises:
        TypeError: it is not an integer.
        IndexError: there is no such dimension.
    """
    dim = whole_number(dim)
    if not numbers:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, len(numbers))


# fmt: off
class Tensor(
    ActivationMethods, ArithmeticMethods, BlendMethods, BufferMethods, ComparisonMethods,
    ConditioningMethods, ContractionMethods, CopyingMethods, CountingMethods, CovarianceMethods,
    CreationMethods,
    DrawingMethods, ElementwiseMethods, ExchangeMethods, ExtremesMethods, IndexingMethods,
    ArrangingMethods, DifferenceMethods, DistanceMethods, FactorizationMethods, FlatMethods,
    GammaMethods, HistogramMethods, JoiningMethods, LinalgMethods, LogarithmMethods, LoopMethods,
    MaskingMethods, MatrixMethods, NormMethods,
    QuantileMethods, ReductionMethods, PartMethods, RealMethods, ReducingMethods, RenormMethods,
    RunningMethods,
    ScatteringMethods, ShapeMethods, SortingMethods, StorageMethods,
    TriangularMethods, TrigonometricMethods, UpdateMethods, DeterminantMethods, PowerMethods,
    TensorBase,
):
    # fmt: on
    """A multi-dimensional array that remembers the operations that made it, for gradients.

    Make one with `minigrad.tensor`, or as the result of an operation.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def __new__(cls, *data: Any, device: Any = None) -> Tensor:
        """Make a float tensor in PyTorch's old way, from values or from sizes.

        Prefer `minigrad.tensor` and `minigrad.empty`.
        """
        check_legacy_device(device, "cpu", data)
        if len(data) == 1 and isinstance(data[0], Tensor):
            same: Tensor = data[0].as_subclass(cls)
            return same
        out = TensorBase.__new__(cls)
        out._array = legacy(get_default_dtype(), *data)
        return out

    # NumPy calls the left operand first; this makes `array * tensor` call the tensor.
    __array_priority__ = 1000

    # --- Shape, dtype, device

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return tuple.__new__(Size, self._array.shape)

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    @method_schema("size(int? dim=None)")
    def size(self, dim: int | None = None) -> Any:
        """Return the shape, or the size of dimension `dim`."""
        shape = self._array.shape
        if dim is None:
            return tuple.__new__(Size, shape)
        return shape[dim if type(dim) is int and 0 <= dim < len(shape) else wrap_index(shape, dim)]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self._array.ndim)

    dim = reader("dim()", attrgetter("ndim"), "Return the number of dimensions.")

    numel = reader("numel()", attrgetter("size"), "Return the number of elements.")

    nelement = reader("nelement()", attrgetter("size"), "Return `numel()`, under its old name.")


    element_size = reader(
        "element_size()", attrgetter("itemsize"), "Return the number of bytes of one element."
    )

    @property
    def nbytes(self) -> int:
        """The number of bytes of the elements."""
        return int(self._array.nbytes)

    def __sizeof__(self) -> int:
        # With the elements, as NumPy counts. Dask uses this to decide what to move where.
        return object.__sizeof__(self) + self.nbytes

    ndimension = reader("ndimension()", attrgetter("ndim"), "Return `dim()`, under its old name.")

    def __len__(self) -> int:
        if watchers and (found := answer(Tensor.__len__, (self,))):
            return int(found[0])
        if not self._array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return int(self._array.shape[0])

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    @method_schema("stride(int? dim=None)")
    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements, or the stride of dimension `dim`."""
        strides = steps_of(self._array)
        return strides if dim is None else strides[wrap_index(strides, dim)]

    @method_schema("storage_offset()")
    def storage_offset(self) -> int:
        """Return the offset of the tensor in its memory, in elements."""
        return offset_of(self.shared_array())

    @method_schema("data_ptr()")
    def data_ptr(self) -> int:
        """Return the address of the first element, 0 where there is none.

        It is equal for tensors that share memory.
        """
        array = self.shared_array()
        return address(array) if array.size else 0

    @property
    def dtype(self) -> Dtype:
        """The dtype of the elements."""
        return dtype_of(self._array)

    @property
    def device(self) -> device:
        """The device that holds the memory."""
        return device_of(self._array)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self.device.type == "cuda"

    is_cpu = property(
        lambda self: self.device.type == "cpu", None, None, "Whether the memory is the host's."
    )

    @property
    def itemsize(self) -> int:
        """The number of bytes of one element."""
        return int(self._array.itemsize)

    @property
    def layout(self) -> layout:
        """How the elements are stored: always strided."""
        return strided

    is_sparse = is_sparse_csr = property(lambda self: False, None, None, "Whether sparse: never.")
    is_quantized = property(lambda self: False, None, None, "Whether quantized: never.")
    is_mkldnn = is_meta = property(lambda self: False, None, None, "Whether elsewhere: never.")

    @method_schema("to_dense(dtype?! dtype=None, *, bool?! masked_grad=None)")
    def to_dense(self) -> Tensor:
        """Return the tensor itself: all tensors are dense."""
        return self

    @method_schema("def is_shared()")
    def is_shared(self) -> bool:
        """Return whether another process can use the memory: never here."""
        return False

    @method_schema("is_pinned(device? device=None)")
    def is_pinned(self, device: Any = None) -> bool:
        """Return whether the memory is pinned: never here."""
        if device is not None:
            Device(device)  # raises for a device that does not exist
        return False

    @method_schema("is_same_size(Tensor other)")
    def is_same_size(self, other: Any) -> bool:
        """Return whether two tensors have the same shape."""
        return bool(self._array.shape == other._array.shape)

    @method_schema("is_set_to(Tensor tensor)")
    def is_set_to(self, tensor: Any) -> bool:
        """Return whether both tensors are the same elements of the same memory."""
        one, other = self.shared_array(), tensor.shared_array()
        return bool(
            one.shape == other.shape and one.strides == other.strides
            and one.dtype == other.dtype and address(one) == address(other)
        )

    @method_schema("is_floating_point()")
    def is_floating_point(self) -> bool:
        """Return whether the elements are floating-point numbers, and so may have gradients."""
        return bool(self._array.dtype.kind == "f")

    @method_schema(
        "type(object dtype=None, bool! non_blocking=False, *, memory_format? memory_format=None)",
        "deprecated type(object dtype=None, bool! async=False, *, "
        "memory_format? memory_format=None)",
    )
    def type(self, dtype: Any = None, *, memory_format: Any = None) -> Any:
        """Return PyTorch's old name of the dtype (torch.FloatTensor), or convert to `dtype`."""
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
        moved: Any = convert_to(self, dtype, place)
        return moved if memory_format is None else moved.to(memory_format=memory_format)

    # --- Autograd

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor; None for a leaf."""
        edge = self._edge
        if edge is None and self._view is not None and not self.is_inference():
            edge = self._view.edge()
        return place_of(edge)[0]

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

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise RuntimeError("requires_grad cannot be deleted: set it to False instead")

    @method_schema("requires_grad_(bool requires_grad=True)")
    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Turn gradients of this leaf on or off, and return the tensor itself."""
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

        Warns for the result of an operation, whose gradient is stored only after `retain_grad`.
        """
        if self._grad is None and (self._view or self)._edge and not self.retains_grad:
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
        """The number of in-place writes to the memory."""
        if self.is_inference():
            raise RuntimeError("Inference tensors do not track version counter.")
        return self.version()

    @method_schema("is_inference()")
    def is_inference(self) -> bool:
        """Return whether the tensor was made in `inference_mode`.

        Autograd does not track its memory. It cannot be saved for a backward pass, nor be written
        outside of the mode.

        >>> import minigrad as mg
        >>> with mg.inference_mode():
        ...     x = mg.ones(2)
        >>> x.is_inference(), x.clone().is_inference()
        (True, False)
        """
        return self._counter is UNCOUNTED

    @property
    def output_nr(self) -> int:
        """The index of this tensor among its node's outputs."""
        return place_of(gradient_edge(self))[1]

    @property
    def _base(self) -> Any:
        """The tensor of which this one is a view; None for others, and for inference views."""
        return None if self._view is None or self.is_inference() else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None and not self.is_inference()

    @property
    def _grad_fn(self) -> Node | None:
        return self.grad_fn

    @_grad_fn.deleter
    def _grad_fn(self) -> None:
        raise RuntimeError("Deletion of _grad_fn not allowed. Detach tensor instead!")

    @property
    def _backward_hooks(self) -> Hooks | None:
        return self._hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: Any) -> None:
        self._hooks = hooks

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def retains_grad(self) -> bool:
        """Whether this is an intermediate result whose gradient will be stored."""
        node, index = place_of(self._edge if self._view is None else self._view._edge)
        if node is None:
            return False
        kept = node._hooks.retained.get(index)
        return kept is not None and kept() is self

    @method_schema("retain_grad()")
    def retain_grad(self) -> None:
        """Store the gradient of this intermediate result in `.grad`, as for a leaf."""
        if not (self._requires_grad or requires_grad(self)):
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node, index = place_of(gradient_edge(self))
        if self.grad_fn is not None and node is not None:
            node._retain(index, self)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call `hook(gradient)` when this tensor's gradient is complete; a result replaces it."""
        if watchers and (found := answer(Tensor.register_hook, (self, hook))):
            return cast(RemovableHandle, found[0])
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node, index = place_of(gradient_edge(self))
        if node is not None and self.grad_fn is not None:
            handle: RemovableHandle = node._hook_output(index, hook)
            return handle
        # A leaf's AccumulateGrad may be freed and made again, so the tensor keeps the hooks.
        if self._hooks is None:
            self._hooks = Hooks()
            if node is not None:  # every leaf has one, except a view made under no_grad
                node._own_hooks().tensor[0] = self._hooks
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
        """Compute the gradient of this tensor and add it to the `.grad` of the leaves it came from.

        Args:
            gradient: the gradient to start from, of this tensor's shape; by default 1 for a single
                element.
            retain_graph: keep the saved tensors, so that backward can be called again.
            create_graph: record the backward pass itself, so that it can be differentiated.
            inputs: add only to these tensors' `.grad`.

        Raises:
            RuntimeError: `gradient` is missing for several elements, nothing requires grad, or the
                graph has been freed or changed.
        """
        if watchers:
            named = {"gradient": gradient, "retain_graph": retain_graph}
            named |= {"create_graph": create_graph, "inputs": inputs}
            if answer(Tensor.backward, (self,), named):
                return
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__torch_function__ is not plain_results:
            watchers.append(cls)
            for name, way in (("__getattribute__", read), ("__setattr__", assign)):
                if getattr(cls, name) is getattr(Tensor, name):
                    setattr(cls, name, way)

    @OfClass
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call `func`, and return its tensors as tensors of this class."""
        if not all(issubclass(cls, each) for each in types):
            return NotImplemented
        found = plain_results(func, types, args, kwargs)
        kept = func in (Tensor.grad.__get__, Tensor._base.__get__)
        return found if kept else converted(found, cls)

    @method_schema("as_subclass(object cls)")
    def as_subclass(self, cls: Any) -> Any:
        """Return the same memory and history as a tensor of the class `cls`.

        >>> import minigrad as mg
        >>> class Named(mg.Tensor):
        ...     name = "input"
        >>> mg.ones(2).as_subclass(Named).name
        'input'
        """
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {type(cls).__name__})")
        if not issubclass(cls, Tensor):
            raise TypeError(
                "Creating a Tensor subclass from a class that does not inherit from Tensor is not "
                "possible. Make sure your class inherits from Tensor."
            )
        out: Any = apply_view(AliasBackward0, self)
        if cls is Tensor:
            return out
        # (A class with slots has another layout, so `__class__` may not be assigned.)
        made = TensorBase.__new__(cls)
        vars(made).update(vars(out))
        for name in OF_A_VIEW:  # a compiled tensor has them in a C struct
            if name not in vars(out):
                TensorBase.__setattr__(made, name, getattr(out, name))
        return made

    @staticmethod
    def _make_subclass(cls: Any, data: Tensor, require_grad: bool = False) -> Any:
        """Return the memory of `data` as a leaf of the class `cls`."""
        with WithoutClasses():
            return data.detach().as_subclass(cls).requires_grad_(require_grad)

    @method_schema("detach()")
    def detach(self) -> Tensor:
        """Return the same memory, cut off from the graph."""
        array = self._array  # shared_array() inlined, where it would find nothing to do
        out: Any = new_tensor(array if type(array) is np.ndarray else self.shared_array())
        out._counter = self.version_counter()
        return cast(Tensor, out)

    @method_schema("detach_()")
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
        """The same memory with a version counter of its own: changes through it are not tracked.

        Prefer `detach`.
        """
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
            self._accumulator = None  # the next AccumulateGrad expects gradients of this dtype
        self._array = value.shared_array()
        if UNCOUNTED in (self._counter, value._counter):
            self._counter = UNCOUNTED if value.is_inference() else None

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    # --- Conversion to Python and NumPy

    item = reader(
        "item()", only_element, "Return the only element as a Python number.", "float", no_scalar
    )

    @method_schema("tolist()")
    def tolist(self) -> Any:
        """Return the elements as nested lists; for a 0-d tensor, the element."""
        tell()
        return self._array.tolist()

    @method_schema("numpy(*, bool force=False)")
    def numpy(self, *, force: bool = False) -> Any:
        """Return the NumPy array, sharing its memory."""
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

    @asking
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def _number(self) -> Any:
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return only_element(self._array)

    def __float__(self) -> float:
        if watchers and (found := answer(Tensor.__float__, (self,))):
            return float(found[0])
        if modes.grad and self.requires_grad:
            # at one place, so that Python shows it once
            warnings.warn(LOSES_GRADIENT, stacklevel=1)
        return float(self._number())

    def __int__(self) -> int:
        if watchers and (found := answer(Tensor.__int__, (self,))):
            return int(found[0])
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(float(self))

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(only_element(self._array))

    def __bool__(self) -> bool:
        if watchers and (found := answer(Tensor.__bool__, (self,))):
            return bool(found[0])
        if self._array.size != 1:
            if self._array.size == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(only_element(self._array))

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    @asking
    def __reversed__(self) -> Tensor:
        """Return the elements in reverse order along the first dimension, as a tensor."""
        return cast(Tensor, self.flip(0)) if self._array.ndim else self

    @method_schema("is_nonzero()")
    def is_nonzero(self) -> bool:
        """Return whether the only element is not zero."""
        return bool(self)

    @asking
    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (TensorBase, bool, int, float)):
            only = "only supports Tensor or scalar, but you passed in a"
            raise RuntimeError(f"Tensor.__contains__ {only} {type(element)}.")
        return bool((self == element)._array.any())

    # --- Text

    def __repr__(self) -> str:
        if watchers and (found := answer(Tensor.__repr__, (self,))):
            return str(found[0])
        try:
            node = self.grad_fn
        except RuntimeError:  # a view that lost its history can still be printed
            name: str | None = "Invalid"
        else:
            name = None if node is None else node.name().rpartition("::")[2]
        return tensor_repr(
            self._array,
            grad_fn_name=name,
            requires_grad=name is None and self.requires_grad,
            device=str(self.device),
            tangent=None if modes.level is None else modes.level.text_of(self),
            word="tensor" if type(self) is Tensor else type(self).__name__,
        )

    @asking
    def __format__(self, spec: str) -> str:
        return tensor_format(self._array, spec, lambda: repr(self), type(self).__name__)

    if not TYPE_CHECKING:  # with it, checkers would accept every name as an attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_attribute(type(self).__name__, "torch.Tensor", name)


TensorBase.result_type = Tensor
