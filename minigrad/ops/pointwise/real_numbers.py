"""Functions of complex numbers, for tensors that are all real: most return the tensor itself."""

from __future__ import annotations

from typing import Any, NoReturn

from ...core.node import TensorBase
from ...core.views import apply_view
from ..public.functions import Public, schema
from ..shapes.shapes import TransposeBackward0


def itself(name: str, text: str) -> Public:
    """Make the function `name`, which returns its argument."""

    def function(input: Any) -> TensorBase:
        if not isinstance(input, TensorBase):
            raise TypeError
        return input

    function.__doc__ = text
    return schema(f"{name}(Tensor input)")(function)


conj = itself("conj", "Return the complex conjugate: of real numbers, the tensor itself.")
real = itself("real", "Return the real part: of real numbers, the tensor itself.")
resolve_conj = itself("resolve_conj", "Return the tensor: no conjugation is pending.")
resolve_neg = itself("resolve_neg", "Return the tensor: no negation is pending.")


@schema("imag(Tensor input)")
def imag(input: Any) -> NoReturn:
    """Raise a RuntimeError: real numbers have no imaginary part."""
    if not isinstance(input, TensorBase):
        raise TypeError
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


def never(name: str, text: str) -> Public:
    """Make the function `name`, which returns False for every tensor."""

    def function(input: Any) -> bool:
        if not isinstance(input, TensorBase):
            raise TypeError
        return False

    function.__doc__ = text
    return schema(f"{name}(Tensor input)")(function)


is_complex = never("is_complex", "Return whether the elements are complex: never.")
is_conj = never("is_conj", "Return whether a conjugation is pending: never.")
is_neg = never("is_neg", "Return whether a negation is pending: never.")


@schema("is_signed(Tensor input)")
def is_signed(input: Any) -> bool:
    """Return whether the dtype has negative numbers."""
    return bool(input._array.dtype.kind in "fi")


class RealMethods(TensorBase):
    """The methods of this file."""

    conj = conj.method
    resolve_conj, resolve_neg = resolve_conj.method, resolve_neg.method
    is_complex, is_conj, is_neg = is_complex.method, is_conj.method, is_neg.method
    is_signed = is_signed.method

    @property
    def real(self: Any) -> TensorBase:
        """The real part: the tensor itself."""
        return self  # type: ignore[no-any-return]

    @property
    def imag(self: Any) -> NoReturn:
        """Raise a RuntimeError: real numbers have no imaginary part."""
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")

    @property
    def H(self: Any) -> TensorBase:
        """The matrix with its dimensions exchanged (and conjugated, if it were complex)."""
        rank = self._array.ndim
        if rank not in (0, 2):
            hint = "For batches of matrices, consider using tensor.mH" if rank > 2 else ""
            only = "tensor.H is only supported on matrices (2-D tensors)."
            raise RuntimeError(f"{only} Got {rank}-D tensor. {hint}".rstrip())
        return apply_view(TransposeBackward0, self, 0, 1) if rank else self

    @property
    def mH(self: Any) -> TensorBase:
        """The matrices with their dimensions exchanged (and conjugated, if they were complex)."""
        rank = self._array.ndim
        if rank == 1:
            only = "tensor.mH is only supported on matrices or batches of matrices."
            raise RuntimeError(f"{only} Got {rank}-D tensor.")
        return apply_view(TransposeBackward0, self, -2, -1) if rank else self
