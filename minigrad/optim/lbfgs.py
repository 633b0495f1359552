"""L-BFGS: steps along a direction that the last changes of the gradient determine.

The inverse of the second derivative is never stored: it is applied by two passes over the history
(Nocedal and Wright, Numerical Optimization, algorithm 7.4). The line search finds a step that
fulfills the strong Wolfe conditions (algorithms 3.5 and 3.6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..core.modes import enable_grad, no_grad
from ..ops.indexing.joining import cat
from ..tensors.tensor import Tensor
from .optimizer import Optimizer, call_hooks

ENOUGH, CURVED = 1e-4, 0.9
"""The constants of the Wolfe conditions: decrease of the loss, and flattening of its slope."""

SEARCHES = 25
"""The largest number of points that one line search tries."""


class Point(NamedTuple):
    """A step along a line: its length, the loss there, its gradient, and the slope."""

    t: float
    loss: float
    grad: Any
    slope: Any


def cubic_minimum(a: Point, b: Point, bounds: Any = None) -> Any:
    """Return the minimum of the cubic through two points with their slopes, within bounds."""
    low, high = bounds or (min(a.t, b.t), max(a.t, b.t))
    bend = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = bend**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    root = square**0.5
    if a.t <= b.t:
        found = b.t - (b.t - a.t) * ((b.slope + root - bend) / (b.slope - a.slope + 2 * root))
    else:
        found = a.t - (a.t - b.t) * ((a.slope + root - bend) / (a.slope - b.slope + 2 * root))
    return min(max(found, low), high)


class LineSearch:
    """A search for a step from `start` that fulfills the strong Wolfe conditions.

    `at(t)` returns loss and flat gradient after a step of length t along `direction`.
    """

    def __init__(
        self, at: Callable[[Any], tuple[float, Any]], direction: Any, start: Point, least: float
    ) -> None:
        self.at, self.direction, self.start = at, direction, start
        self.smallest = least
        self.calls = 0

    def try_step(self, t: float) -> Point:
        loss, grad = self.at(t)
        self.calls += 1
        return Point(t, loss, grad, grad.dot(self.direction))

    def rises(self, point: Point) -> bool:
        """Return whether the loss has not decreased enough."""
        return bool(point.loss > self.start.loss + ENOUGH * point.t * self.start.slope)

    def is_flat(self, point: Point) -> bool:
        return bool(abs(point.slope) <= -CURVED * self.start.slope)

    def run(self, t: float) -> Point:
        bracket, done = self.bracket(t)
        return self.narrow(bracket) if not done else bracket[0]

    def bracket(self, t: float) -> tuple[list[Point], bool]:
        """Lengthen the step until two points enclose a good one; or return a good one alone."""
        before, point = self.start, self.try_step(t)
        for number in range(SEARCHES):
            if self.rises(point) or (number > 1 and point.loss >= before.loss):
                return [before, point], False
            if self.is_flat(point):
                return [point], True
            if point.slope >= 0:
                return [before, point], False
            bounds = (point.t + 0.01 * (point.t - before.t), point.t * 10)
            following = cubic_minimum(before, point, bounds)
            before, point = point, self.try_step(following)
        return [self.start, point], False

    def narrow(self, bracket: list[Point]) -> Point:
        """Move the ends of the bracket together until one fulfills the conditions."""
        width = self.direction.abs().max()
        slow = False
        low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
        while self.calls <= SEARCHES:
            if abs(bracket[1].t - bracket[0].t) * width < self.smallest:
                break
            t, slow = self.inside(bracket, slow)
            point = self.try_step(t)
            if self.rises(point) or point.loss >= bracket[low].loss:
                bracket[high] = point
                low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
                continue
            done = self.is_flat(point)
            if not done and point.slope * (bracket[high].t - bracket[low].t) >= 0:
                bracket[high] = bracket[low]
            bracket[low] = point
            if done:
                break
        return bracket[low]

    @staticmethod
    def inside(bracket: list[Point], slow: bool) -> tuple[float, bool]:
        """Return the next step, not too near to an end twice, and whether it was near to one."""
        t = cubic_minimum(bracket[0], bracket[1])
        least, most = min(p.t for p in bracket), max(p.t for p in bracket)
        margin = 0.1 * (most - least)
        if min(most - t, t - least) >= margin:
            return t, False
        if slow or t >= most or t <= least:
            return (most - margin if abs(t - most) < abs(t - least) else least + margin), False
        return t, True


class LBFGS(Optimizer):
    """Steps by an estimate of the second derivative (Liu and Nocedal 1989).

    `step` needs a closure, which it calls several times.

    >>> import minigrad as mg
    >>> x = mg.tensor([3.0], requires_grad=True)
    >>> optimizer = mg.optim.LBFGS([x], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (x * x).sum()
    ...     loss.backward()
    ...     return loss
    >>> float(optimizer.step(closure)), abs(x.item()) < 1e-3
    (9.0, True)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        """Make the optimizer.

        Args:
            max_iter: the largest number of iterations in a step.
            max_eval: the largest number of calls of the closure; by default 5/4 of `max_iter`.
            tolerance_grad: a gradient with no larger element ends the step.
            tolerance_change: no larger change of the parameters or of the loss ends the step.
            history_size: the number of changes that are kept.
            line_search_fn: None or "strong_wolfe".
        """
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_params": self._params}

    # --- Parameters as one vector

    def _flat_grad(self) -> Any:
        grads = [p.new_zeros(p.numel()) if p.grad is None else p.grad for p in self._params]
        return cat([grad.reshape(-1) for grad in grads], 0)

    def _add(self, t: Any, direction: Any) -> None:
        """Move all parameters by `t` along the direction."""
        start = 0
        for parameter in self._params:
            end = start + parameter.numel()
            parameter.add_(direction[start:end].view_as(parameter), alpha=float(t))
            start = end

    # --- A step

    @call_hooks
    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Iterate until a tolerance or a limit is reached; return the loss before the step.

        Args:
            closure: clears the gradients, computes the loss and its gradients, and returns it.
        """
        with no_grad():
            return self._iterate(closure)

    def _iterate(self, closure: Callable[[], Any]) -> Any:
        def evaluate() -> tuple[Any, Any]:
            with enable_grad():
                loss = closure()
            return loss, self._flat_grad()

        group, state = self.param_groups[0], self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first, grad = evaluate()
        loss, calls = float(first), 1
        state["func_evals"] += 1
        if grad.abs().max() <= group["tolerance_grad"]:
            return first
        memory: dict[str, Any] = {name: state.get(name) for name in KEPT}
        for number in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            fresh = state["n_iter"] == 1
            self._turn(memory, grad, fresh)
            memory["prev_flat_grad"], memory["prev_loss"] = grad.clone(), loss
            lr = group["lr"]
            memory["t"] = min(1.0, 1.0 / grad.abs().sum()) * lr if fresh else lr
            slope = grad.dot(memory["d"])
            if slope > -group["tolerance_change"]:
                break
            start = Point(0, loss, grad, slope)
            loss, grad, more = self._advance(evaluate, memory, start, number)
            calls += more
            state["func_evals"] += more
            still = memory["d"].mul(memory["t"]).abs().max() <= group["tolerance_change"]
            if number == group["max_iter"] or calls >= group["max_eval"]:
                break
            if grad.abs().max() <= group["tolerance_grad"] or still:
                break
            if abs(loss - memory["prev_loss"]) < group["tolerance_change"]:
                break
        state.update(memory)
        return first

    def _turn(self, memory: dict[str, Any], grad: Any, fresh: bool) -> None:
        """Set the direction, from the gradient and the history."""
        if fresh:
            memory.update(d=grad.neg(), old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return
        changes, moves, ro = memory["old_dirs"], memory["old_stps"], memory["ro"]
        change, move = grad.sub(memory["prev_flat_grad"]), memory["d"].mul(memory["t"])
        product = change.dot(move)
        if product > 1e-10:
            for kept, new in ((changes, change), (moves, move), (ro, 1.0 / product)):
                if len(kept) == self.param_groups[0]["history_size"]:
                    kept.pop(0)
                kept.append(new)
            memory["H_diag"] = product / change.dot(change)
        direction, shares = grad.neg(), []
        for old, moved, factor in zip(changes[::-1], moves[::-1], ro[::-1], strict=True):
            shares.append(moved.dot(direction) * factor)
            direction.add_(old, alpha=-shares[-1].item())
        direction = direction.mul(memory["H_diag"])
        for old, moved, factor, share in zip(changes, moves, ro, shares[::-1], strict=True):
            direction.add_(moved, alpha=(share - old.dot(direction) * factor).item())
        memory["d"], memory["al"] = direction, shares[::-1]

    def _advance(
        self, evaluate: Callable[[], Any], memory: dict[str, Any], start: Point, number: int
    ) -> tuple[float, Any, int]:
        """Move along the direction; return loss, gradient and the number of calls."""
        group, direction = self.param_groups[0], memory["d"]
        if group["line_search_fn"] is None:
            self._add(memory["t"], direction)
            if number == group["max_iter"]:
                return start.loss, start.grad, 0
            loss, grad = evaluate()
            return float(loss), grad, 1
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        before = [parameter.clone() for parameter in self._params]

        def at(t: Any) -> tuple[float, Any]:
            self._add(t, direction)
            loss, grad = evaluate()
            for parameter, value in zip(self._params, before, strict=True):
                parameter.copy_(value)
            return float(loss), grad

        search = LineSearch(at, direction, start, 1e-9)
        found = search.run(memory["t"])
        memory["t"] = found.t
        self._add(found.t, direction)
        return found.loss, found.grad, search.calls


KEPT = ("d", "t", "old_dirs", "old_stps", "ro", "H_diag", "prev_flat_grad", "prev_loss")
"""Values that the next step needs, by PyTorch's names in the state."""
