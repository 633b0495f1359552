"""Initial values of parameters: PyTorch's schemes, with PyTorch's draws.

Sources: Glorot and Bengio 2010 (xavier), He et al. 2015 (kaiming).
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, cast

from ..arrays.left_out import missing_from
from ..core.modes import no_grad
from ..ops.linear_algebra.factorizations import qr as linalg_qr
from ..ops.pointwise.elementwise import where
from ..tensors.creation import empty, empty_like
from ..tensors.tensor import Tensor

GAINS: dict[str, float] = {
    **dict.fromkeys(("linear", "conv1d", "conv2d", "conv3d", "sigmoid"), 1),
    "tanh": 5.0 / 3,
    "relu": math.sqrt(2.0),
    "selu": 3.0 / 4,
}
FAN_IN, LEAKY = "fan_in", "leaky_relu"


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return the factor of weights with which a layer with this nonlinearity keeps the variance."""
    if nonlinearity == LEAKY:
        if param is not None and (isinstance(param, bool) or not isinstance(param, (int, float))):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


def _fans(tensor: Tensor) -> tuple[int, int]:
    """Return the number of inputs and outputs of a weight [out, in, ...]."""
    shape = tensor.shape
    if len(shape) < 2:
        rank = "tensor with fewer than 2 dimensions"
        raise ValueError(f"Fan in and fan out can not be computed for {rank}")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _fan(tensor: Tensor, mode: str) -> int:
    mode, modes = mode.lower(), ["fan_in", "fan_out"]
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _fans(tensor)[modes.index(mode)]


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with uniform draws from [a, b)."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal draws."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one number."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with 1."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with 0."""
    return constant_(tensor, 0.0)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with a random matrix [rows, columns] whose rows, or columns, are orthonormal."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    with no_grad():
        flat: Any = empty((rows, columns), dtype=tensor.dtype, device=tensor.device)
        flat.normal_(0, 1, generator=generator)
        q, r = linalg_qr(flat.t() if rows < columns else flat)
        q = q * r.diag().sign()  # so that all orthogonal matrices are equally likely
        tensor.view(rows, columns).copy_(q.t() if rows < columns else q)
        tensor.mul_(gain)
    return tensor


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with normal draws between `a` and `b`: others are drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=2,
        )
    inside = [(1.0 + math.erf((end - mean) / std / math.sqrt(2.0))) / 2.0 for end in (a, b)]
    with no_grad():
        if inside[1] - inside[0] > 0.3:
            low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
            found: Any = tensor.normal_(mean, std, generator=generator)
            while (outside := (found < low) | (found > high)).any():
                again = empty_like(found).normal_(mean, std, generator=generator)
                found = where(outside, again, found)
            return tensor if found is tensor else tensor.copy_(found)
        return reject(tensor, mean, std, a, b, generator)


def reject(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Fill by rejection: uniform draws are kept with the probability of their density."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    draws, accepts = cast(Any, empty_like(tensor)), cast(Any, empty_like(tensor))

    def refused() -> Any:
        density = draws.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return accepts.uniform_(generator=generator).log_() > density

    tensor.uniform_(a, b, generator=generator)
    draws.copy_(tensor)
    pending: Any = refused()
    found: Any = tensor
    while pending.any():
        draws.uniform_(a, b, generator=generator)
        found = where(pending, draws, found)
        pending = where(pending, refused(), pending)
    return tensor if found is tensor else tensor.copy_(found)


def eye_(tensor: Tensor) -> Tensor:
    """Fill with 1 on the diagonal of a matrix, 0 elsewhere."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_()
        tensor.diagonal().fill_(1)
    return tensor


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with uniform draws within gain * sqrt(6 / (fan_in + fan_out)) of 0."""
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(_fans(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal draws of standard deviation gain * sqrt(2 / (fan_in + fan_out))."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = FAN_IN,
    nonlinearity: str = LEAKY,
    generator: Any = None,
) -> Tensor:
    """Fill with uniform draws within gain * sqrt(3 / fan) of 0.

    `a` is the negative slope of a leaky_relu.
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = FAN_IN,
    nonlinearity: str = LEAKY,
    generator: Any = None,
) -> Tensor:
    """Fill with normal draws of standard deviation gain / sqrt(fan)."""
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0.0, std, generator)


def _kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float | None:
    """Return gain / sqrt(fan); None, with PyTorch's warning, for an empty tensor."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    fan = _fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
