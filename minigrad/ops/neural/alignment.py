"""CTC: the loss of a sequence of labels, over all alignments with a longer sequence of scores.

Between the labels, and at both ends, stands a blank. An alignment stays, moves on by one, or passes
a blank between different labels (Graves et al., 2006). `alpha` and `beta` are the logarithms of the
probabilities of all alignments that lead to a place, and from it.
"""

from __future__ import annotations

import itertools
from typing import Any, NoReturn

import numpy as np

from ...arrays.messages import not_implemented
from ...arrays.waiting import on_host
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, constant_like, record
from ..pointwise.elementwise import where
from ..public.dims import truth_value, whole_number
from ..public.functions import schema
from ..public.schema import Schema
from .losses import number_of, one_number

Lengths = tuple[int, ...]


class Labels:
    """The labels of a batch with blanks between them: `extended` [N, 2 S + 1]."""

    def __init__(self, targets: Any, lengths: Lengths, blank: int) -> None:
        count, most = len(lengths), max(lengths, default=0)
        self.extended = np.full((count, 2 * most + 1), blank)
        for row, (labels, length) in enumerate(zip(split(targets, lengths), lengths, strict=True)):
            self.extended[row, 1 : 2 * length : 2] = labels[:length]
        self.last = 2 * np.asarray(lengths, int)
        """The place of the last blank of each sequence."""
        self.passes = np.zeros_like(self.extended, bool)
        """Whether an alignment may come from two places before."""
        self.passes[:, 2:] = self.extended[:, 2:] != self.extended[:, :-2]
        self.exist = np.arange(2 * most + 1) <= self.last[:, None]


def split(targets: Any, lengths: Lengths) -> list[Any]:
    """Return the labels of each sequence, from rows or from one vector of all."""
    if targets.ndim == 2:
        return list(targets)
    ends = np.cumsum((0, *lengths))
    return [targets[start:end] for start, end in itertools.pairwise(ends)]


def moved(x: Any, count: int) -> Any:
    """Return columns moved to the right, after -inf."""
    result = np.full_like(x, -np.inf)
    result[:, count:] = x[:, : x.shape[1] - count]
    return result


def advance(x: Any, passes: Any) -> Any:
    """Return the sums of the alignments that stay, move on, or pass a blank."""
    found = np.logaddexp(x, moved(x, 1))
    return np.logaddexp(found, np.where(passes, moved(x, 2), -np.inf))


def scores(log_probs: Any, labels: Labels) -> Any:
    """Return the scores [T, N, S] of the labels."""
    return np.take_along_axis(log_probs, labels.extended[None], 2)


def forward_sums(log_probs: Any, labels: Labels) -> Any:
    """Return `alpha` [N, T, S]."""
    each = scores(log_probs, labels)
    alpha = np.full_like(each, -np.inf)
    for t in range(len(each)):
        if t:
            alpha[t] = advance(alpha[t - 1], labels.passes) + each[t]
        else:
            alpha[0, :, :2] = each[0, :, :2]
        alpha[t][~labels.exist] = -np.inf
    return np.ascontiguousarray(alpha.swapaxes(0, 1))


def backward_sums(log_probs: Any, labels: Labels, lengths: Lengths) -> Any:
    """Return `beta` [T, N, S], which ends where the scores of each sequence end."""
    each, rows = scores(log_probs, labels), np.arange(len(lengths))
    beta = np.full_like(each, -np.inf)
    passes = np.zeros_like(labels.passes)
    passes[:, 2:] = labels.passes[:, :1:-1]  # from the end, also two places on
    ends = np.asarray(lengths)
    for t in reversed(range(len(each))):
        if t + 1 < len(each):
            following = advance(beta[t + 1][:, ::-1], passes)[:, ::-1]
            beta[t] = following + each[t]
        done = rows[ends == t + 1]
        for place in (labels.last, labels.last - 1):
            some = done[place[done] >= 0]
            beta[t, some, place[some]] = each[t, some, place[some]]
        beta[t][~labels.exist] = -np.inf
    return beta


class CtcLossBackward0(Operation):
    """Minus the logarithm of the probability of each sequence; `result1` is `alpha`."""

    inputs = ("log_probs",)
    params = ("targets", "input_lengths", "target_lengths", "blank", "zero_infinity", "result1")
    results = ("result0",)
    saves = {"log_probs": ALWAYS, "targets": ALWAYS, "result0": ALWAYS, "result1": ALWAYS}
    rule = (
        r"\bar a_{tc} = g \left(e^{a_{tc}} - "
        r"\sum_{s: l_s = c} e^{\alpha_{ts} + \beta_{ts} + y - a_{tc}}\right)"
    )

    def forward(
        log_probs: Any,
        /,
        targets: Any,
        input_lengths: Lengths,
        target_lengths: Lengths,
        blank: int,
        zero_infinity: bool,
        result1: Any,
    ) -> Any:
        alpha, loss = on_host(result1), np.empty(len(input_lengths), log_probs.dtype)
        for row, (length, size) in enumerate(zip(input_lengths, target_lengths, strict=True)):
            if length:
                ends = alpha[row, length - 1, max(2 * size - 1, 0) : 2 * size + 1]
                loss[row] = -np.logaddexp.reduce(ends)
            else:
                loss[row] = np.inf if size else 0
        return constant_like(log_probs, loss)

    def backward(ctx, g: Any) -> Any:
        log_probs, targets, loss, alpha = ctx.saved
        return CtcLossBackwardBackward0.on(g, log_probs, targets, loss, alpha, *ctx.args[1:-1])


class CtcLossBackwardBackward0(Operation):
    """The gradient of the CTC loss of scores that are a log_softmax."""

    inputs = ("grad", "log_probs")
    params = (
        "_targets", "_loss", "_alpha", "_input_lengths", "_target_lengths", "_blank", "_zero",
    )  # fmt: skip

    def forward(grad: Any, log_probs: Any, targets: Any, loss: Any, alpha: Any, *how: Any) -> Any:
        lengths, target_lengths, blank, zero_infinity = how
        device = log_probs
        grad, log_probs, targets, loss, alpha = map(
            on_host, (grad, log_probs, targets, loss, alpha)
        )
        labels = Labels(targets, target_lengths, blank)
        both = alpha.swapaxes(0, 1) + backward_sums(log_probs, labels, lengths)
        total = np.full(log_probs.shape, -np.inf, log_probs.dtype)
        rows = np.arange(len(lengths))
        for place in range(both.shape[2]):
            where = labels.extended[:, place]
            total[:, rows, where] = np.logaddexp(total[:, rows, where], both[:, :, place])
        with np.errstate(invalid="ignore"):
            found = np.exp(log_probs) - np.exp(total + loss[None, :, None] - log_probs)
        counts = np.arange(len(log_probs))[:, None] < np.asarray(lengths)
        if zero_infinity:
            counts &= loss != np.inf
        found = np.where(counts[:, :, None], found * grad[None, :, None], 0)
        return constant_like(device, found.astype(log_probs.dtype))

    def backward(ctx, g: Any) -> NoReturn:
        raise RuntimeError("derivative for aten::_ctc_loss_backward is not implemented")


CALL = Schema(
    *(
        f"ctc_loss(Tensor log_probs, Tensor targets, {kind} input_lengths, {kind} target_lengths, "
        "int blank=0, int reduction=1, bool zero_infinity=False)"
        for kind in ("int[]", "Tensor")
    )
)
"""The call inside of `ctc_loss`, with lengths as numbers or in tensors."""


@schema(
    "def ctc_loss(Tensor log_probs, Tensor targets, object input_lengths, object target_lengths, "
    'int blank=0, str reduction="mean", bool zero_infinity=False)',
    place="nn.functional",
)
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """Compute the CTC loss of sequences of labels, given scores without known positions.

    Args:
        log_probs: logarithms of probabilities [T, N, C] or [T, C], from `log_softmax`.
        targets: labels [N, S], or those of all sequences in one vector.
        input_lengths, target_lengths: the lengths of each sequence, numbers or tensors.
        blank: the class that stands between labels.
        reduction: "mean" divides each loss by the length of its target first.
        zero_infinity: whether sequences that are too short for their labels count as 0.

    >>> import minigrad as mg
    >>> scores = mg.zeros(2, 1, 2).log_softmax(2)
    >>> mg.nn.functional.ctc_loss(scores, mg.tensor([[1]]), [2], [1])
    tensor(0.2877)
    """
    way = number_of(reduction)
    given = (log_probs, targets, input_lengths, target_lengths, blank, way, zero_infinity)
    if error := CALL.refusal(given, {}):
        raise error
    single = log_probs._array.ndim != 3
    lines: Any = log_probs.unsqueeze(1) if single else log_probs
    lengths = lengths_of("input_lengths", input_lengths)
    wanted = lengths_of("target_lengths", target_lengths)
    blank, zero = whole_number(blank), truth_value(zero_infinity)
    labels = on_host(targets._array)
    if single and labels.ndim == 2 and len(labels) != 1:
        labels = labels.reshape(-1)
    check_sizes(lines._array, labels, lengths, wanted, blank)
    alpha = forward_sums(on_host(lines._array), Labels(labels, wanted, blank))
    alpha = constant_like(lines._array, alpha)
    how = (lengths, wanted, blank, zero, alpha)
    value = CtcLossBackward0.forward(lines._array, labels, *how)
    how = (*how[:-1], new_tensor(alpha))
    loss: Any = record(CtcLossBackward0, (lines,), (targets, *how), value)
    if zero:
        choose: Any = where
        loss = choose(loss == np.inf, new_tensor(np.zeros_like(loss._array, shape=())), loss)
    if single:
        loss = loss.squeeze(0)
    if way == 1:
        sizes = np.maximum(np.asarray(wanted), 1).astype(log_probs._array.dtype)
        loss = loss / new_tensor(constant_like(lines._array, sizes))
    return one_number(loss, reduction)


def lengths_of(name: str, given: Any) -> Lengths:
    """Return lengths given as numbers or as a tensor."""
    if isinstance(given, TensorBase):
        if given._array.dtype.kind not in "iu":
            raise RuntimeError(f"{name} must be integral")
        return tuple(int(n) for n in given._array.reshape(-1))
    return tuple(whole_number(n) for n in given)


def check_sizes(scores: Any, labels: Any, lengths: Lengths, wanted: Lengths, blank: int) -> None:
    """Raise PyTorch's errors for sizes that do not fit."""
    checking = "(while checking arguments for ctc_loss_allocate_outputs)"
    if not scores.size:
        raise RuntimeError("log_probs tensor must not be empty")
    if scores.ndim != 3:
        wanted_rank = f"Expected 3-dimensional tensor, but got {scores.ndim}-dimensional tensor"
        raise RuntimeError(f"{wanted_rank} for argument #1 'log_probs' {checking}")
    longest, count, classes = scores.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, each in (("input_lengths", lengths), ("target_lengths", wanted)):
        if len(each) != count:
            raise RuntimeError(f"{name} must be of size batch_size")
        for n in each:
            if n < 0:
                found = f"but got value {n} {checking}"
                raise RuntimeError(f"Expected {name} to have value at least 0, {found}")
    about = f"for argument #2 'targets' {checking}"
    if labels.ndim not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {labels.ndim}-dimensional tensor {about}"
        )
    axis, size = (0, sum(wanted)) if labels.ndim == 1 else (1, max(wanted, default=0))
    if axis and len(labels) != count:
        wanted_size = f"Expected tensor to have size {count} at dimension 0"
        raise RuntimeError(f"{wanted_size}, but got size {len(labels)} {about}")
    if labels.shape[axis] != size if axis == 0 else labels.shape[1] < size:
        least = "" if axis == 0 else "at least "
        raise RuntimeError(
            f"Expected tensor to have size {least}{size} at dimension {axis}, but got size "
            f"{labels.shape[axis]} {about}"
        )
    for n in lengths:
        if n > longest:
            found = f"but got value {n} {checking}"
            raise RuntimeError(f"Expected input_lengths to have value at most {longest}, {found}")
    if scores.dtype not in (np.float32, np.float64):
        raise not_implemented("ctc_loss_cpu", scores.dtype)
