"""The negative log-likelihood: minus the target's score in each row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays.devices import ON_CPU, check_one_device
from ...arrays.messages import check_floating, check_same_type, type_word
from ...arrays.positions import watch
from ...core.modes import no_grad
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import ALWAYS, Operation, record, zeros_for
from ..pointwise.elementwise import log
from ..public.arguments import whole
from ..public.functions import schema
from ..reductions.reductions import any
from ..shapes.copies import clone
from ..shapes.shapes import view
from .losses import REDUCTIONS, check_constant, number_of, one_number, reduction_of


class NllLossBackward0(Operation):
    """-self[target] for each row of `self`, weighted by class.

    self: [C] or [N, C]; target: indices of classes, [] or [N]. `total_weight` is the sum of the
    weights, by which a mean is divided.
    """

    params = ("target", "weight", "reduction", "ignore_index", "total_weight")
    saves = {"self": ALWAYS, "target": ALWAYS, "weight": ALWAYS, "total_weight": ALWAYS}
    rule = r"\bar a_{i, t_i} = -\frac{g \cdot w_{t_i}}{\sum_j w_{t_j}}, \text{ elsewhere } 0"

    def forward(self: Any, *args: Any) -> Any:
        where, factors = at_classes(self, *args)
        return reduce_loss(counted(self[where], args[0], args[3]), factors, args[2], args[4])

    def gradient(g: Any, self: Any, target: Any, weight: Any, total: Any, *options: int) -> Any:
        op = NllLoss2DBackwardBackward0 if self.ndim == 4 else NllLossBackwardBackward0
        return op.on(g, self, target, weight, *options, total)


class NllLoss2DBackward0(NllLossBackward0):
    """`NllLossBackward0` for images of classes: self [N, C, H, W], target [N, H, W]."""


class NllLossBackwardBackward0(Operation):
    """The gradient of the negative log-likelihood: zero except at the targets."""

    inputs = ("grad_output", "self")
    params = ("target", "weight", "reduction", "ignore_index", "total_weight")
    saves = {"self": ALWAYS, "target": ALWAYS, "weight": ALWAYS, "total_weight": ALWAYS}
    rule = r"\bar g = -\frac{\sum_i w_{t_i} \, \bar{\bar a}_{i, t_i}}{\sum_i w_{t_i}}"

    def forward(grad_output: Any, self: Any, *args: Any) -> Any:
        where, values = at_targets(grad_output, self, *args)
        result = np.zeros_like(self)
        result[where] = values
        return result

    def gradient(g: Any, self: Any, target: Any, weight: Any, total: Any, *options: int) -> Any:
        op = NllLoss2DBackward0 if self.ndim == 4 else NllLossBackward0
        return op.on(g, target, weight, *options, total), lambda: zeros_for(g)


class NllLoss2DBackwardBackward0(NllLossBackwardBackward0):
    """The same for images of classes."""


def at_classes(
    self: Any, target: Any, weight: Any, reduction: int, ignored: int, total: Any
) -> tuple[Any, Any]:
    """Return the targets' positions in `self`, and the factor of each."""
    counts = target != ignored
    safe = np.where(counts, target, 0)
    if self.ndim == 1:
        where: Any = (safe,)
    elif self.ndim == 2:
        where = (np.arange(len(self), like=target), safe)
    else:
        n, _, h, w = self.shape
        rows, lines = np.arange(n, like=target), np.arange(h, like=target)
        where = (rows[:, None, None], safe, lines[:, None], np.arange(w, like=target))
    factors = counts.astype(self.dtype)
    return where, factors if weight is None else factors * weight[safe]


def counted(values: Any, target: Any, ignored: int) -> Any:
    """Return the values of the rows that count, 0 for the others: inf * 0 would be nan."""
    return np.where(target == ignored, 0, values)


def reduce_loss(values: Any, factors: Any, reduction: int, total: Any) -> Any:
    """Return the loss, given the targets' scores and factors."""
    loss = -(values * factors)
    if reduction == 0:
        return loss
    return loss.sum() / total if reduction == 1 else loss.sum()


def at_targets(grad_output: Any, self: Any, *args: Any) -> tuple[Any, Any]:
    """Return the targets' positions in `self`, and the gradient there."""
    target, _, reduction, ignored, total = args
    where, factors = at_classes(self, *args)
    values = -grad_output * factors
    if reduction == 1:
        values = values / total
    return where, counted(values, target, ignored)


# --- Public functions


@schema(
    "def nll_loss(Tensor input, Tensor target, Tensor? weight=None, bool? size_average=None, "
    'int ignore_index=-100, bool? reduce=None, str reduction="mean")',
    "nll_loss_nd(Tensor input, Tensor target, Tensor? weight, object reduction, int ignore_index)",
    place="nn.functional",
)
def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> TensorBase:
    """Compute the negative log-likelihood: minus the target's score in each row.

    Args:
        input: logarithms of probabilities, [C], [N, C] or [N, C, ...].
        target: indices of classes, of the same shape without C.
        weight: [C], a factor for each class; a mean is divided by the factors' sum.
        ignore_index: a target that does not count.

    >>> import minigrad as mg
    >>> mg.nn.functional.nll_loss(mg.tensor([[-1.0, -2.0], [-3.0, -4.0]]), mg.tensor([0, 1]))
    tensor(2.5000)
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    return nll(input, target, weight, number_of(reduction), whole(ignore_index))


def nll(input: Any, target: Any, weight: Any, reduction: int, ignored: int) -> TensorBase:
    """Compute `nll_loss` by the rank of its input."""
    shape, wanted = input._array.shape, target._array.shape
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) == 1 and len(wanted) > 0 and wanted[0] != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {wanted[0]}"
        )
    batch = wanted[0] if wanted else 0
    if len(shape) > 1 and shape[0] != batch:
        sizes = f"({shape[0]}) to match target batch_size ({batch})"
        raise ValueError(f"Expected input batch_size {sizes}.")
    if len(shape) > 1 and not wanted:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if len(shape) <= 2:
        if len(wanted) > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        return nll_of(NllLossBackward0, input, target, weight, reduction, ignored)
    if len(shape) == 4 and len(wanted) != 3:
        found = f"but got targets of dimension: {len(wanted)}"
        raise RuntimeError(f"only batches of spatial targets supported (3D tensors) {found}")
    if wanted != (shape[0], *shape[2:]):
        if len(shape) == 4:
            # PyTorch does not close the parenthesis
            sizes = f"(got input: {list(shape)} , target: {list(wanted)}"
            raise RuntimeError(f"size mismatch {sizes}")
        found = f"got {list(wanted)}"
        raise RuntimeError(f"Expected target size {[shape[0], *shape[2:]]}, {found}")
    if len(shape) == 4:
        return nll_of(NllLoss2DBackward0, input, target, weight, reduction, ignored)
    places = math.prod(shape[2:])
    picture = view(input.contiguous(), (shape[0], shape[1], 1, places))
    classes = view(target.contiguous(), (shape[0], 1, places))
    loss = nll_of(NllLoss2DBackward0, picture, classes, weight, reduction, ignored)
    return view(loss, wanted) if reduction == 0 else loss


def nll_of(
    op: type[NllLossBackward0], input: Any, target: Any, weight: Any, reduction: int, ignored: int
) -> TensorBase:
    """Apply the loss after all checks of values."""
    picture = op is NllLoss2DBackward0
    if weight is not None:
        check_constant(f"nll_loss{'2d' if picture else ''}_forward", "weight", weight)
    x, t = input._array, target._array
    check_classes(x, t, weight, ignored)
    if x.ndim == 1 and t.ndim == 1:
        t = t[0]
    try:
        where, factors = at_classes(x, t, unwrap(weight), reduction, ignored, None)
        total = x.dtype.type(0) if reduction == 0 else factors.sum().astype(x.dtype, copy=False)
        value = reduce_loss(counted(x[where], t, ignored), factors, reduction, total)
    except TypeError:
        check_one_device((x, t))
        raise
    return record(op, (input,), (target, weight, reduction, ignored, new_tensor(total)), value)


def check_class_weights(weight: Any, classes: int, prefix: str = "") -> None:
    """Raise unless there is one weight for each class."""
    if weight is not None and weight._array.shape != (classes,):
        wanted = f"weight tensor should be defined either for all {classes} classes or no classes"
        found = f"but got weight tensor of shape: {list(weight._array.shape)}"
        raise RuntimeError(f"{prefix}{wanted} {found}")


def check_classes(x: Any, t: Any, weight: Any, ignored: int) -> None:
    """Raise for targets that are not indices of the classes of `x`, and for wrong weights."""
    if t.dtype not in (np.int64, np.uint8):
        wrong = f"but got {type_word(t.dtype)}"
        raise RuntimeError(f"expected target dtype to be Long or Byte, {wrong}")
    classes = x.shape[0 if x.ndim == 1 else 1]
    if x.ndim == 4 and weight is not None and weight._array.shape != (classes,):
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    check_class_weights(weight, classes)
    check_floating(f"nll_loss{'2d_forward' if x.ndim == 4 else ''}_out_frame", x.dtype)
    if weight is not None:
        check_same_type(x, weight._array, "expected scalar type {} but found {}")
    if not isinstance(t, ON_CPU):
        return watch(t, classes, but=ignored)  # checked asynchronously, as in PyTorch
    outside = (t != ignored) & ((t < 0) | (t >= classes))
    if outside.any():
        raise IndexError(f"Target {t[outside].flat[0]} is out of bounds.")


@schema(
    "def gaussian_nll_loss(Tensor input, Tensor target, Scalar|Tensor var, bool full=False, "
    'float eps=1e-06, str reduction="mean")',
    "input.size()",
    place="nn.functional",
)
def gaussian_nll_loss(
    input: Any,
    target: Any,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Any:
    """Compute -ln of the density of `target` in a normal distribution, then reduce.

    Args:
        input: the means.
        var: the variances, at least `eps`; one number, or one for each row or element.
        full: whether ln(2 pi) / 2 is added.

    >>> import minigrad as mg
    >>> mg.nn.functional.gaussian_nll_loss(mg.zeros(2), mg.ones(2), mg.ones(2))
    tensor(0.5000)
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = new_tensor(np.full_like(input._array, var))
    elif bool(any(var < 0)):
        raise ValueError("var has negative entry/entries")
    var = fitting(var, input)
    if reduction not in REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    var = clone(var)
    with no_grad():
        var.clamp_(min=eps)
    loss: Any = 0.5 * (log(var) + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return one_number(loss, reduction)


def fitting(var: Any, input: Any) -> Any:
    """Return variances that broadcast to `input`.

    Raises:
        ValueError: there is neither one for each element nor one for each row.
    """
    given, wanted = var._array.shape, input._array.shape
    if given == wanted:
        return var
    if wanted[:-1] == given:
        return var.unsqueeze(-1)
    pairs = zip(wanted, given, strict=True) if len(given) == len(wanted) else ()
    if sum(own for size, own in pairs if size != own) == 1:
        return var
    raise ValueError("var is of incorrect size")
