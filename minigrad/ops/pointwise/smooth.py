"""Smooth activations made of exponentials: mish, selu, celu, softsign and tanhshrink."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.float16 import widened
from ...core.node import TensorBase
from ...core.operation import Operation
from ..public.arguments import number
from ..public.functions import schema
from .activations import EluBackward0, EluBackward1, SoftplusBackward0, activate
from .elementwise import SigmoidBackward0, abs
from .trigonometry import TanhBackward0, tanh

SELU = (1.6732632423543772, 1.0507009873554805, 1.0)
"""alpha, scale and input scale of selu (Klambauer et al., 2017)."""


class MishBackward0(Operation):
    """Each element times the tanh of its softplus."""

    rule = r"\bar a = g \cdot (t + a \cdot \sigma(a) \cdot (1 - t^2)), \quad t = \tanh \ln(1 + e^a)"

    @widened
    def forward(self: Any) -> Any:
        return self * np.tanh(np.logaddexp(0, self))

    @widened
    def gradient(g: Any, self: Any) -> Any:
        inner = TanhBackward0.on(SoftplusBackward0.on(self, 1, 20))
        return g * (inner + self * SigmoidBackward0.on(self) * (1 - inner * inner))


class CeluBackward0(EluBackward0):
    """elu whose slope is continuous at 0."""


class CeluBackward1(EluBackward1):
    """celu in place: the slope is computed from the result."""


# --- Public functions


@schema("def mish(Tensor input, bool inplace=False)", "mish(Tensor input)", place="nn.functional")
def mish(input: Any, inplace: bool = False) -> TensorBase:
    """Multiply each element by the tanh of its softplus."""
    return activate(MishBackward0, "mish_cpu", inplace, input)


@schema("def selu(Tensor input, bool inplace=False)", "selu(Tensor input)", place="nn.functional")
def selu(input: Any, inplace: bool = False) -> TensorBase:
    """Compute elu with the constants that keep mean 0 and variance 1."""
    return activate(EluBackward0, "elu_cpu", inplace, input, *SELU)


@schema(
    "def celu(Tensor input, float alpha=1.0, bool inplace=False)",
    "celu(Tensor input, Scalar alpha)",
    place="nn.functional",
)
def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> TensorBase:
    """Replace each element below 0 by alpha * (exp(element / alpha) - 1)."""
    width = number(alpha)
    if width == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    op: type[Operation] = CeluBackward1 if inplace else CeluBackward0
    return activate(op, "elu_cpu", inplace, input, width, 1.0, 1.0 / width)


@schema("def softsign(Tensor input)", "input.abs()", place="nn.functional")
def softsign(input: Any) -> Any:
    """Divide each element by 1 plus its absolute value."""
    size: Any = abs(input)
    return input / (size + 1)


@schema("def tanhshrink(Tensor input)", "input.tanh()", place="nn.functional")
def tanhshrink(input: Any) -> Any:
    """Subtract its tanh from each element."""
    return input - tanh(input)
