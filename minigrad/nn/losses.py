"""Losses as modules: see the functions in `functional`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..ops.neural.losses import reduction_of
from ..tensors.tensor import Tensor
from . import functional as F
from .module import Module
from .resizing import PairwiseDistance


class _Loss(Module):
    """The base of losses: how to reduce."""

    function: ClassVar[Callable[..., Tensor]]
    options: ClassVar[tuple[str, ...]] = ("reduction",)
    """The attributes that are the function's named arguments."""

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__()
        self.reduction = reduction_of(reduction, size_average, reduce)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return self.function(input, target, **{name: getattr(self, name) for name in self.options})


class WeightedLoss(_Loss):
    """A loss with a weight for each class or element, which is part of its state."""

    options: ClassVar[tuple[str, ...]] = ("reduction", "weight")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class L1Loss(_Loss):
    """The absolute difference."""

    function = staticmethod(F.l1_loss)


class MSELoss(_Loss):
    """The squared difference."""

    function = staticmethod(F.mse_loss)


class SmoothL1Loss(_Loss):
    """Quadratic near 0, linear beyond `beta`."""

    function = staticmethod(F.smooth_l1_loss)
    options = ("reduction", "beta")

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta


class HuberLoss(_Loss):
    """Quadratic near 0, linear beyond `delta`."""

    function = staticmethod(F.huber_loss)
    options = ("reduction", "delta")

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if not isinstance(delta, (int, float)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        self.delta = delta


class CosineEmbeddingLoss(_Loss):
    """1 - cosine of similar pairs, and what the cosine of others exceeds `margin`."""

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]
        return F.cosine_embedding_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class TripletMarginLoss(_Loss):
    """Distance to a positive row plus a margin, less the distance to a negative row; at least 0."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginLoss: expected margin to be greater than 0, got {margin} instead"
            )
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:  # type: ignore[override]
        names = ("margin", "p", "eps", "swap", "reduction")
        how: dict[str, Any] = {name: getattr(self, name) for name in names}
        return F.triplet_margin_loss(anchor, positive, negative, **how)


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with a distance of one's own."""

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        if margin <= 0:
            wanted = "expected margin to be greater than 0"
            raise ValueError(f"TripletMarginWithDistanceLoss: {wanted}, got {margin} instead")
        self.distance_function = distance_function or PairwiseDistance()
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:  # type: ignore[override]
        names = ("distance_function", "margin", "swap", "reduction")
        how: dict[str, Any] = {name: getattr(self, name) for name in names}
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, **how)


class MarginRankingLoss(_Loss):
    """max(0, margin - target (input1 - input2))."""

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]
        return F.margin_ranking_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class HingeEmbeddingLoss(_Loss):
    """A distance itself for targets of 1, and what it lacks to `margin` for those of -1."""

    function = staticmethod(F.hinge_embedding_loss)
    options = ("margin", "reduction")

    def __init__(
        self,
        margin: float = 1.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class PoissonNLLLoss(_Loss):
    """Minus the logarithm of the probability of counts, when a number of events is expected."""

    function = staticmethod(F.poisson_nll_loss)
    options = ("log_input", "full", "eps", "reduction")

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        return super().forward(log_input, target)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """The binary cross-entropy of each class, averaged over classes."""

    function = staticmethod(F.multilabel_soft_margin_loss)
    options = ("weight", "reduction")


class MultiMarginLoss(WeightedLoss):
    """How much wrong classes score above the right one less a margin."""

    function = staticmethod(F.multi_margin_loss)
    options = ("p", "margin", "weight", "reduction")

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            expected = "MultiMarginLoss: expected weight to be None or 1D tensor"
            raise ValueError(f"{expected}, got {weight.dim()}D instead")
        self.p, self.margin = p, margin


class MultiLabelMarginLoss(_Loss):
    """How much wrong classes score above each of several right ones less 1."""

    function = staticmethod(F.multilabel_margin_loss)


class SoftMarginLoss(_Loss):
    """ln(1 + exp(-target * input)), of targets 1 and -1."""

    function = staticmethod(F.soft_margin_loss)


class GaussianNLLLoss(_Loss):
    """The negative log-likelihood of targets in normal distributions."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(None, None, reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:  # type: ignore[override]
        how: dict[str, Any] = {name: getattr(self, name) for name in ("full", "eps", "reduction")}
        return F.gaussian_nll_loss(input, target, var, **how)


class CTCLoss(_Loss):
    """The loss of sequences of labels over all alignments with a sequence of scores.

    >>> import minigrad as mg
    >>> scores = mg.zeros(2, 1, 2).log_softmax(2)
    >>> mg.nn.CTCLoss()(scores, mg.tensor([[1]]), [2], [1])
    tensor(0.2877)
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(  # type: ignore[override]
        self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any
    ) -> Tensor:
        how: dict[str, Any] = {
            name: getattr(self, name) for name in ("blank", "reduction", "zero_infinity")
        }
        return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, **how)


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of an input that holds logarithms."""

    function = staticmethod(F.kl_div)
    options = ("reduction", "log_target")

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        log_target: bool = False,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target


class BCELoss(WeightedLoss):
    """Binary cross-entropy of probabilities."""

    function = staticmethod(F.binary_cross_entropy)


class BCEWithLogitsLoss(WeightedLoss):
    """Binary cross-entropy of sigmoid(input)."""

    function = staticmethod(F.binary_cross_entropy_with_logits)
    options = (*WeightedLoss.options, "pos_weight")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)


class NLLLoss(WeightedLoss):
    """The negative log-likelihood of the target classes."""

    function = staticmethod(F.nll_loss)
    options: ClassVar[tuple[str, ...]] = (*WeightedLoss.options, "ignore_index")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index


class CrossEntropyLoss(NLLLoss):
    """The loss of a classifier, from unnormalized scores."""

    function = staticmethod(F.cross_entropy)
    options = (*NLLLoss.options, "label_smoothing")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, ignore_index, reduce, reduction)
        self.label_smoothing = label_smoothing
