"""The loss of margins of several classes, of which each may be right."""

from __future__ import annotations

from typing import Any

from ..pointwise.activations import logsigmoid
from ..public.functions import schema
from .losses import one_number, reduction_of


@schema(
    "def multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean")',
    place="nn.functional",
)
def multilabel_soft_margin_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute the binary cross-entropy of each class, averaged over classes, then reduce.

    >>> import minigrad as mg
    >>> scores, labels = mg.zeros(1, 2), mg.tensor([[1.0, 0.0]])
    >>> mg.nn.functional.multilabel_soft_margin_loss(scores, labels)
    tensor(0.6931)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    along = input.dim() - 1
    loss = loss.sum(along) / input.size(along)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    return one_number(loss, reduction)
