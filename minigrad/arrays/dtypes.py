"""PyTorch's dtypes on top of NumPy's, and the rule for the dtype of a result.

NumPy and PyTorch have the same types, but mix them differently. NumPy turns int32 with float32 into
float64, PyTorch into float32. NumPy distinguishes two kinds of operands, PyTorch three.
`result_dtype` is PyTorch's rule for operands of different dtypes. dtypes print as `torch.float32`,
so that a program prints the same text when its import changes.

Names that would hide a builtin have an underscore here (`bool_`, `int_`, `float_`); the package
exports them as `bool`, `int` and `float`. Read next: tensors/tensor.py.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

Operand: TypeAlias = "np.ndarray[Any, Any] | np.generic | bool | int | float"
"""An array, a 0-d value, or a plain Python number: the operands that determine a result's dtype."""


class dtype:
    """One dtype. There are nine; compare them with `is` or `==`."""

    name: str
    numpy: np.dtype[Any]
    tensor_class: str
    abbr: str
    _c_name: str
    itemsize: int
    is_floating_point: bool
    is_signed: bool
    is_complex = False

    def __init__(self, *args: object) -> None:
        raise TypeError("cannot create 'torch.dtype' instances")

    def to_real(self) -> dtype:
        """Return the dtype itself: every dtype here is real."""
        return self

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle and copy return the single instance, so that `is` keeps working.
        return find_dtype, (self.name,)


def _make(name: str, tensor_class: str, abbr: str, c_name: str) -> dtype:
    made = object.__new__(dtype)
    made.name = name
    made.numpy = np.dtype(name)
    made.tensor_class = tensor_class
    made.abbr, made._c_name = abbr, c_name
    made.itemsize = made.numpy.itemsize
    made.is_floating_point = made.numpy.kind == "f"
    made.is_signed = made.numpy.kind in "fi"
    return made


float16 = half = _make("float16", "HalfTensor", "f16", "c10::Half")
float32 = float_ = _make("float32", "FloatTensor", "f32", "float")
float64 = double = _make("float64", "DoubleTensor", "f64", "double")
int8 = _make("int8", "CharTensor", "i8", "signed char")
uint8 = _make("uint8", "ByteTensor", "u8", "unsigned char")
int16 = short = _make("int16", "ShortTensor", "i16", "short int")
int32 = int_ = _make("int32", "IntTensor", "i32", "int")
int64 = long = _make("int64", "LongTensor", "i64", "long int")
bool_ = _make("bool", "BoolTensor", "b8", "bool")

from_numpy_dtype: Final[dict[np.dtype[Any], dtype]] = {
    d.numpy: d for d in (float16, float32, float64, int8, uint8, int16, int32, int64, bool_)
}
"""The dtype for each NumPy dtype that a tensor may have."""


def find_dtype(name: str) -> dtype:
    """Return the dtype of this name."""
    return from_numpy_dtype[np.dtype(name)]


_OF_PYTHON_TYPE: Final[dict[type, dtype]] = {bool: bool_, int: int64, float: float64}


def to_numpy_dtype(given: dtype | np.dtype[Any] | type) -> np.dtype[Any]:
    """Return the NumPy dtype for a user's `dtype=`; `int` and `float` mean 64 bits.

    Raises:
        TypeError: it is not a dtype, or one that a tensor cannot have (complex, strings).
    """
    if isinstance(given, dtype):
        return given.numpy
    if isinstance(given, np.dtype):
        return _known(given).numpy
    if isinstance(given, type) and given in _OF_PYTHON_TYPE:
        return _OF_PYTHON_TYPE[given].numpy
    raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(given).__name__}")


def dtype_of(array: np.ndarray[Any, Any] | np.generic) -> dtype:
    """Return the dtype of an array.

    Raises:
        TypeError: a tensor cannot have the array's dtype.
    """
    return _known(array.dtype)


def _known(given: np.dtype[Any]) -> dtype:
    if given in from_numpy_dtype:
        return from_numpy_dtype[given]
    known = ", ".join(d.name for d in from_numpy_dtype.values())
    wrong = f"can't convert np.ndarray of type numpy.{given.type.__name__}"
    raise TypeError(f"{wrong}. The only supported types are: {known}.")


def tensor_type_name(np_dtype: np.dtype[Any], device: str = "cpu") -> str:
    """Return PyTorch's old name of a dtype, for `Tensor.type()` and errors: `torch.FloatTensor`."""
    where = "cuda." if device.startswith("cuda") else ""
    return f"torch.{where}{from_numpy_dtype[np_dtype].tensor_class}"


# --- The default dtype

_default = float32


def get_default_dtype() -> dtype:
    """Return the dtype of tensors made from Python floats: float32, unless another was set."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Set the dtype of tensors made from Python floats, for the whole process, as in PyTorch.

    Raises:
        TypeError: `d` is not floating.
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = from_numpy_dtype[d.numpy]


# --- Promotion


def _promote(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """Return the smallest dtype that holds both; a float stays unchanged with an integer."""
    if (a.kind == "f") != (b.kind == "f"):
        return a if a.kind == "f" else b
    return np.promote_types(a, b)


_BOOL, _INT64 = bool_.numpy, int64.numpy

# The three kinds of operand, strongest first. A weaker one counts only if it has a higher category
# (bool < integer < float): `half_tensor * 2.5` stays float16, `int_tensor * 2.5` is float.
_ARRAY, _ZERO_D, _NUMBER = 0, 1, 2

_HAS_DTYPE = (np.ndarray, np.generic)


def _category(d: np.dtype[Any]) -> int:
    return 0 if d.kind == "b" else 2 if d.kind == "f" else 1


def result_dtype(*operands: Operand) -> np.dtype[Any]:
    """Return the dtype of an operation's result: arrays outrank 0-d values, these outrank numbers.

    Dtypes of one rank are promoted. A lower rank counts only if its category (bool < integer <
    float) is higher than the category of the ranks above.
    """
    if len(operands) == 2:
        # The most frequent call: two arrays (or two 0-d values) of one dtype.
        a, b = operands
        if isinstance(a, _HAS_DTYPE) and isinstance(b, _HAS_DTYPE) and a.dtype == b.dtype:
            return a.dtype
    ranks: list[np.dtype[Any] | None] = [None, None, None]
    for operand in operands:
        rank, d = _rank_and_type(operand)
        above = ranks[rank]
        ranks[rank] = d if above is None else _promote(above, d)
    result: np.dtype[Any] | None = None
    for d_or_none in reversed(ranks):
        result = _outrank(d_or_none, result)
    if result is None:
        raise ValueError("result_dtype() needs at least one operand")
    return result


def _rank_and_type(operand: Any) -> tuple[int, np.dtype[Any]]:
    # NumPy's scalars first: np.float64 is also a Python float.
    if isinstance(operand, _HAS_DTYPE) or hasattr(operand, "__cuda_array_interface__"):
        return (_ARRAY if operand.ndim else _ZERO_D), operand.dtype
    if isinstance(operand, bool):
        return _NUMBER, _BOOL
    if isinstance(operand, int):
        return _NUMBER, _INT64
    if isinstance(operand, float):
        return _NUMBER, _default.numpy
    raise TypeError(f"expected a tensor or a number, got {type(operand).__name__}")


def _outrank(strong: np.dtype[Any] | None, weak: np.dtype[Any] | None) -> np.dtype[Any] | None:
    if strong is None or weak is None:
        return weak if strong is None else strong
    return _promote(strong, weak) if _category(weak) > _category(strong) else strong


def promote_types(type1: Any, type2: Any) -> dtype:
    """Return the dtype of a result for two dimensioned tensors of these dtypes."""
    a, b = (t.numpy if isinstance(t, dtype) else to_numpy_dtype(t) for t in (type1, type2))
    return from_numpy_dtype[_promote(a, b)]


def can_cast(from_: Any, to: Any) -> bool:
    """Return whether an in-place operation may store dtype `from_` in a tensor of dtype `to`."""
    return _category(to_numpy_dtype(from_)) <= _category(to_numpy_dtype(to))


# --- Limits


class finfo:
    """Numerical limits of a floating dtype, by default of the default dtype."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type: Any = None) -> None:
        given = _default if type is None else _OF_PYTHON_TYPE.get(type, type)
        if not isinstance(given, dtype):
            kind = given.__class__.__name__
            raise TypeError(
                f"finfo(): argument 'type' (position 1) must be torch.dtype, not {kind}"
            )
        if not given.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type."
                " Use torch.iinfo to handle 'torch.finfo'"
            )
        info = np.finfo(given.numpy)
        self.bits = given.itemsize * 8
        self.dtype = given.name
        self.resolution = 10.0**-info.precision
        self.min, self.max, self.eps = map(float, (info.min, info.max, info.eps))
        self.smallest_normal = self.tiny = float(info.smallest_normal)

    def __repr__(self) -> str:
        shown = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        values = ", ".join(f"{name}={getattr(self, name):g}" for name in shown)
        return f"finfo({values}, dtype={self.dtype})"
