"""Gradient checks: compare gradients with finite differences.

Change one element of an input by a small step, forwards and backwards: the change of the outputs is
a row of the Jacobian, found without any derivative. Send a 1 back from one element of an output:
the backward formulas return a column of it. `gradcheck` computes the whole matrix both ways and
compares. `gradgradcheck` does so for the gradient itself, which checks the second derivative. Both
need double precision, as the difference of two nearly equal numbers keeps only half of the digits.

Names, defaults and the messages' key phrases are those of PyTorch.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from ..arrays.dtypes import float64
from ..core.backward import grad
from ..core.modes import no_grad
from ..ops.indexing.joining import stack
from ..ops.pointwise.comparison import allclose
from ..random import default_generator
from ..tensors import creation
from ..tensors.tensor import Tensor
from . import batched
from .function import Function

Jacobian: TypeAlias = Tensor
"""Of one output by one input: a row for each element of the input, a column for each of the
output."""


class GradcheckError(RuntimeError):
    """A gradient differs from the finite differences."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Check the gradients of `func(*inputs)` against central differences.

    Args:
        func: takes the inputs, returns a tensor or several.
        inputs: those that require grad are checked; they should be float64. Their elements change
            during the check and are restored.
        eps: the step of the differences.
        atol, rtol: the bound of |analytical - numerical|: atol + rtol * |numerical|.
        raise_exception: raise GradcheckError; otherwise return False.
        nondet_tol: the allowed difference of two backward passes on the same input.
        check_undefined_grad: also check that a backward formula accepts missing gradients, and a
            forward one missing tangents.
        check_batched_grad: also compare the gradients of several seeds at once
            (`is_grads_batched`) with those one by one.
        check_batched_forward_grad: with `check_forward_ad`, also check that each of several
            tangents is what it is alone, and that none draws random numbers.
        check_forward_ad, check_backward_ad: which of the two modes is checked.
        check_grad_dtypes: no effect: a gradient has its input's dtype, or the pass fails.
        fast_mode: compare one number, the Jacobian between two random directions. It needs a single
            backward pass, and says less when it fails.
        masked: accepted as in PyTorch; it concerns sparse tensors.

    Returns:
        True; or False if the check failed and `raise_exception` is off.

    Raises:
        GradcheckError: the gradients differ.
        ValueError: no input requires grad.

    >>> import minigrad as mg
    >>> x = mg.tensor([0.5, 2.0], dtype=mg.float64, requires_grad=True)
    >>> mg.autograd.gradcheck(lambda x: (x * x).exp(), x)
    True
    """
    assert check_forward_ad or check_backward_ad, (
        "Expected at least one of check_forward_ad or check_backward_ad to be True"
    )
    assert check_forward_ad or not check_batched_forward_grad, (
        "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
    )
    check = Check(func, as_tuple(inputs), eps, atol, rtol)
    try:
        if not check.outputs:
            check.no_output_depends_on_the_inputs()
            return True
        if check_backward_ad:
            check.repeat(nondet_tol)
            check.compare_fast() if fast_mode else check.compare_all()
            if check_batched_grad:
                check.batched_gradients()
        if check_forward_ad:
            check.compare_tangents(fast_mode)
            if check_undefined_grad:
                check.undefined_tangents()
            if check_batched_forward_grad:
                check.batched_tangents()
        if not check_backward_ad:
            return True
        check.zero_gradients()
        if check_undefined_grad:
            check.undefined_gradients()
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Any] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check the gradients of `func`'s gradients, with respect to its inputs and to `grad_outputs`.

    Args:
        grad_outputs: the gradients from which the first backward pass starts; random by default.
        gen_non_contig_grad_outputs: make those random numbers with gaps in memory.
        check_fwd_over_rev, check_rev_over_rev: whether the gradient is differentiated forwards,
            backwards, or both.

    The other arguments, the result and the errors are those of `gradcheck`.
    """
    assert check_fwd_over_rev or check_rev_over_rev, (
        "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
    )
    assert check_rev_over_rev or not check_undefined_grad, (
        "Setting check_undefined_grad=True requires check_rev_over_rev to be True"
    )
    arguments = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*arguments))
        seeds = tuple(random_like(out, gen_non_contig_grad_outputs) for out in outputs)
    else:
        seeds = as_tuple(grad_outputs)

    def gradients(*args: Any) -> tuple[Tensor, ...]:
        given, start = args[: len(arguments)], args[len(arguments) :]
        sources = [a for a in given if isinstance(a, Tensor) and a.requires_grad]
        outputs = differentiable(func(*given))
        found = grad(outputs, sources, start, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        gradients,
        (*arguments, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


class Check:
    """The checks of one function at its inputs."""

    def __init__(
        self,
        func: Callable[..., Any],
        inputs: tuple[Any, ...],
        eps: float,
        atol: float,
        rtol: float,
    ) -> None:
        self.func, self.inputs = func, inputs
        self.eps, self.atol, self.rtol = eps, atol, rtol
        self.places = [
            place
            for place, x in enumerate(self.inputs)
            if isinstance(x, Tensor) and x.requires_grad
        ]
        if not self.places:
            raise ValueError(
                "gradcheck expects at least one input tensor to require gradient, but none of them "
                "have requires_grad=True."
            )
        self.sources: list[Tensor] = [self.inputs[place] for place in self.places]
        for place, source in zip(self.places, self.sources, strict=True):
            check_input(place, source)
        self.outputs = differentiable(self.func(*self.inputs))
        # The outputs to compare: the differentiable ones, or all floating ones if there are none.
        self.watched = differentiable if self.outputs else floating

    # --- Jacobians by differences and by backward passes

    def outputs_now(self) -> list[Tensor]:
        """Return the outputs for the current inputs, without history."""
        return [out.detach().clone() for out in self.watched(self.func(*self.inputs))]

    def moved(self, source: Tensor, step: Any) -> list[Tensor]:
        """Return how fast the outputs move when `source` moves along `step`."""
        memory = source.data
        original = memory.clone()
        try:
            memory.copy_(original + step * self.eps)
            ahead = self.outputs_now()
            memory.copy_(original - step * self.eps)
            behind = self.outputs_now()
        finally:
            memory.copy_(original)
        for after, before in zip(ahead, behind, strict=True):
            check_same_kind(before, after, step, self.eps)
        with no_grad():
            return [(a - b) / (2 * self.eps) for a, b in zip(ahead, behind, strict=True)]

    def numerical(self, source: Tensor) -> list[list[Tensor]]:
        """Return for each element of `source` how fast each output moves, as a flat tensor."""
        rows = []
        for step in units(source):
            rows.append([m.reshape(-1) for m in self.moved(source, step)])
        return rows

    def analytical(self, output: Tensor) -> list[Jacobian]:
        """Return the Jacobians of `output` with respect to each source, by backward passes."""
        found = [empty_jacobian(source, output) for source in self.sources]
        for column, index in enumerate(np.ndindex(*output.shape)):
            seed = output.new_zeros(output.shape)
            seed[index] = 1.0
            for jacobian, g in zip(found, self.gradients(output, seed), strict=True):
                if g is not None:
                    jacobian[:, column] = g.reshape(-1)
        return found

    def gradients(self, output: Tensor, seed: Tensor) -> tuple[Tensor | None, ...]:
        found: tuple[Tensor | None, ...]
        found = grad(output, self.sources, seed, retain_graph=True, allow_unused=True)
        return found

    def compare_all(self) -> None:
        """Compare the whole Jacobian of every output with respect to every input."""
        rows = [self.numerical(source) for source in self.sources]
        for number, output in enumerate(self.outputs):
            columns = self.analytical(output)
            pairs = zip(self.places, self.sources, rows, columns, strict=True)
            for place, source, moved, analytical in pairs:
                numerical = empty_jacobian(source, output)
                for row, values in enumerate(moved):
                    numerical[row] = values[number]
                if not self.close(analytical, numerical):
                    raise mismatch(number, place, numerical, analytical)

    def compare_fast(self) -> None:
        """Compare one number for each pair: the Jacobian between random directions at both ends."""
        directions = np.random.default_rng(0)
        for which, (place, source) in enumerate(zip(self.places, self.sources, strict=True)):
            step = random_direction(directions, source)
            moved = self.moved(source, step)
            for number, (output, m) in enumerate(zip(self.outputs, moved, strict=True)):
                seed = random_direction(directions, output)
                g = self.gradients(output, seed)[which]
                with no_grad():
                    numerical = (m * seed).sum()
                    analytical = (g * step).sum() if g is not None else numerical * 0
                if not self.close(analytical, numerical):
                    raise mismatch(number, place, numerical, analytical, fast=True)

    def close(self, analytical: Tensor, numerical: Tensor) -> bool:
        with no_grad():
            return cast(bool, allclose(analytical, numerical, self.rtol, self.atol))

    # --- Tangents

    def tangents(self, directions: dict[int, Tensor]) -> list[Tensor]:
        """Return the outputs' tangents in forward mode, for the inputs at these places."""
        from .forward_ad import dual_level, make_dual, unpack_dual  # few checks need forward mode

        with dual_level():
            moving = list(self.inputs)
            for place, direction in directions.items():
                moving[place] = make_dual(moving[place], direction)
            outputs = self.watched(self.func(*moving))
            found = [unpack_dual(out).tangent for out in outputs]
            return [
                out.new_zeros(out.shape) if t is None else t.detach()
                for out, t in zip(outputs, found, strict=True)
            ]

    def at_rest(self) -> dict[int, Tensor]:
        return {p: x.new_zeros(x.shape) for p, x in zip(self.places, self.sources, strict=True)}

    def compare_tangents(self, fast: bool) -> None:
        """Compare the Jacobians from tangents or, `fast`, products with random directions."""
        generator = np.random.default_rng(0)
        for place, source in zip(self.places, self.sources, strict=True):
            steps = [random_direction(generator, source)] if fast else units(source)
            moved = [self.moved(source, step) for step in steps]
            shown = [self.tangents({**self.at_rest(), place: step}) for step in steps]
            for number in range(len(self.outputs)):
                numerical = flat_rows([row[number] for row in moved])
                analytical = flat_rows([row[number] for row in shown])
                if numerical is None or analytical is None:
                    continue
                if not self.close(analytical, numerical):
                    raise mismatch(number, place, numerical, analytical, way=FORWARD)

    def undefined_tangents(self) -> None:
        """Check that an input without a tangent counts as one that does not move."""
        for place, source in zip(self.places, self.sources, strict=True):
            step = random_direction(np.random.default_rng(0), source)
            alone = self.tangents({place: step})
            if len(self.places) == 1:
                return  # no other input could lack a tangent
            pairs = zip(alone, self.tangents({**self.at_rest(), place: step}), strict=True)
            if not all(everywhere((a - b).abs() <= self.atol) for a, b in pairs):
                raise GradcheckError(
                    "Expected forward AD to treat an input without a tangent as one with a tangent "
                    "of zeros."
                )

    def batched_tangents(self) -> None:
        """Check that a tangent does not depend on the one before it, or on random numbers."""
        for place, source in zip(self.places, self.sources, strict=True):
            directions = np.random.default_rng(0)
            steps = [random_direction(directions, source) for _ in range(2)]
            state = default_generator.get_state()
            first, _, again = [
                self.tangents({**self.at_rest(), place: step}) for step in (*steps, steps[0])
            ]
            if not (default_generator.get_state() == state).all():
                raise GradcheckError(f"While computing batched gradients, got: {RANDOM_IN_VMAP}")
            if not all(self.close(a, b) for a, b in zip(first, again, strict=True)):
                raise GradcheckError(
                    "Tangents of a batch differ from those of its elements one by one."
                )

    # --- Further checks

    def no_output_depends_on_the_inputs(self) -> None:
        """Check that nothing moves if nothing has a gradient."""
        for source in self.sources:
            for row in self.numerical(source):
                if not all(everywhere(values == 0) for values in row):
                    raise GradcheckError("Numerical gradient for function expected to be zero")

    def repeat(self, tolerance: float) -> None:
        """Check that two runs of the same backward pass return the same numbers."""
        if not all(self.repeats(output, tolerance) for output in self.outputs):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and "
                "grad_output multiple times gives different values, although analytical "
                "gradient matches numerical gradient.The tolerance for nondeterminism was "
                f"{tolerance}."
            )

    def repeats(self, output: Tensor, tolerance: float) -> bool:
        pairs = zip(self.analytical(output), self.analytical(output), strict=True)
        return all(
            everywhere(((once - again).abs() > tolerance).logical_not()) for once, again in pairs
        )

    def batched_gradients(self) -> None:
        """Check that a batch of gradients gives what each of them gives alone."""
        directions = np.random.default_rng(0)
        for output in self.outputs:
            seeds = [random_direction(directions, output) for _ in range(2)]
            together = batched.grad(
                output, self.sources, stack(seeds), retain_graph=True, allow_unused=True,
                is_grads_batched=True,
            )  # fmt: skip
            alone = zip(*[self.gradients(output, seed) for seed in seeds], strict=True)
            for found, expected in zip(together, alone, strict=True):
                if found is not None and not self.close(found, stack(expected)):
                    raise GradcheckError(
                        "Gradients of a batch differ from those of its elements one by one."
                    )

    def zero_gradients(self) -> None:
        """Check that a zero gradient gives zero: a formula that ignores it would be right for 1."""
        for output in self.outputs:
            for g in self.gradients(output, output.new_zeros(output.shape)):
                if g is not None and not everywhere(g == 0):
                    raise GradcheckError("backward not multiplied by grad_output")

    def undefined_gradients(self) -> None:
        """Check that missing gradients of outputs are accepted: of all outputs, then one by one."""
        count = len(self.outputs)
        missing = [set(range(count))]
        if count > 1:
            missing += [{number} for number in range(count)]
        for left_out in missing:
            outputs = [
                NoGradient.apply(out) if number in left_out else out
                for number, out in enumerate(differentiable(self.func(*self.inputs)))
            ]
            seeds = [creation.zeros_like(out.detach()) for out in outputs]
            try:
                found = grad(outputs, self.sources, seeds, allow_unused=True)
            except RuntimeError as error:
                warn_of_undefined()
                wanted = "A formula that gets None for a gradient must treat it as zero."
                raise GradcheckError(
                    f"Expected backward function to handle undefined output grads. {wanted}"
                ) from error
            for g in found:
                if g is not None and not everywhere(g == 0):
                    warn_of_undefined()
                    raise GradcheckError(
                        "Expected all input grads to be undefined or zero when all output grads "
                        "are undefined or zero."
                    )


class NoGradient(Function):
    """The same values, without a gradient for their inputs."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> None:
        return None


def warn_of_undefined() -> None:
    """Warn that a check failed that can be turned off."""
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by "
        "default, but it may break existing callers of this function. If this is true for you, you "
        'can call this function with "check_undefined_grad=False" to disable the feature',
        stacklevel=4,
    )


def check_input(place: int, x: Tensor) -> None:
    """Warn of low precision; raise if one write would change several elements."""
    if x.dtype != float64:
        warnings.warn(
            f"Input #{place} requires gradient and is not a double precision floating point or "
            "complex. This check will likely fail if all the inputs are not of double precision "
            "floating point or complex. ",
            UserWarning,
            stacklevel=4,
        )
    if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape, strict=True)):
        raise RuntimeError(
            f"The {place}th input has a dimension with stride 0. gradcheck only supports inputs "
            "that are non-overlapping to be able to compute the numerical gradients correctly. "
            "You should call .contiguous on the input before passing it to gradcheck."
        )


def check_same_kind(before: Tensor, after: Tensor, step: Tensor, eps: float) -> None:
    """Raise if an output's shape or dtype depends on the values of the inputs."""
    moved = step.nonzero().tolist()
    place = f"on index {tuple(moved[0])} " if len(moved) == 1 else ""
    for what in ("shape", "dtype"):
        one, other = getattr(before, what), getattr(after, what)
        assert one == other, (
            f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
            f"{place}by {eps}, but got: {what}s {one} and {other}."
        )


def mismatch(
    output: int,
    place: int,
    numerical: Tensor,
    analytical: Tensor,
    fast: bool = False,
    way: str = "",
) -> GradcheckError:
    shown = (numerical.item(), analytical.item()) if fast else (numerical, analytical)
    text = (
        f"Jacobian {way}mismatch for output {output} with respect to input {place},\n"
        f"numerical:{shown[0]}\nanalytical:{shown[1]}\n"
    )
    if fast:
        text += "(Both between two random directions: fast_mode=False shows the whole matrices.)\n"
    return GradcheckError(text)


FORWARD = "computed with forward mode "

RANDOM_IN_VMAP = (
    "vmap: We do not yet support calling random operations inside of vmap. Please perform random "
    "operations outside of vmap as a workaround"
)


def units(source: Tensor) -> list[Tensor]:
    """Return for each element of `source` the direction in which it alone moves."""
    steps = [source.new_zeros(source.shape) for _ in range(math.prod(source.shape))]
    for step, index in zip(steps, np.ndindex(*source.shape), strict=True):
        step[index] = 1.0
    return steps


def flat_rows(rows: list[Tensor]) -> Tensor | None:
    """Return the tensors as the rows of a matrix; None if there are none."""
    if not rows:
        return None
    with no_grad():
        return cast(Tensor, stack([row.reshape(-1) for row in rows]))


def everywhere(condition: Tensor) -> bool:
    return all(condition.reshape(-1).tolist())


def as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def differentiable(result: Any) -> list[Tensor]:
    """Return the outputs from which a gradient can start."""
    return [out for out in as_tuple(result) if out.requires_grad]


def floating(result: Any) -> list[Tensor]:
    return [out for out in as_tuple(result) if out.is_floating_point()]


def empty_jacobian(source: Tensor, output: Tensor) -> Jacobian:
    shape = (math.prod(source.shape), math.prod(output.shape))
    return output.new_zeros(shape)


def random_like(output: Tensor, with_gaps: bool) -> Tensor:
    """Return random numbers to start a backward pass from."""
    values = cast(Tensor, creation.randn_like(output.detach()))
    if with_gaps and values.dim() > 0:
        spread = values.new_zeros((*values.shape, 2))
        spread[..., 0] = values
        values = spread[..., 0].detach()
    return values.requires_grad_()


def random_direction(generator: np.random.Generator, like: Tensor) -> Tensor:
    """Return a random vector of length 1, in the shape of `like`."""
    values = generator.normal(size=tuple(like.shape))
    length = float(np.linalg.norm(values)) or 1.0
    return like.new_tensor(values / length)


# --- Deprecated


def get_numerical_jacobian(
    fn: Callable[[tuple[Any, ...]], Any],
    inputs: Tensor | Sequence[Any],
    target: Tensor | Sequence[Tensor] | None = None,
    eps: float = 1e-3,
    grad_out: float = 1.0,
) -> list[Jacobian]:
    """Return the Jacobians of the first output with respect to `target`, by central differences.

    Deprecated in PyTorch. `fn` takes the inputs as one tuple; without `target`, all inputs that
    require grad are meant.
    """
    warn_of_private("get_numerical_jacobian", grad_out)
    check = Check(lambda *given: fn(given), as_tuple(inputs), eps, 0.0, 0.0)
    targets = check.sources if target is None else as_tuple(target)
    return [stack([row[0] for row in check.numerical(source)]) for source in targets]


def get_analytical_jacobian(
    inputs: Tensor | Sequence[Any], output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[tuple[Jacobian, ...], bool, bool, bool]:
    """Return the Jacobians of `output` with respect to the inputs, by backward passes.

    Deprecated in PyTorch. The other results say whether a second pass gave the same numbers, and
    whether gradients have the sizes and dtypes of the inputs, as they do here always.
    """
    warn_of_private("get_analytical_jacobian", grad_out)
    check = Check(lambda *_: output, as_tuple(inputs), 0.0, 0.0, 0.0)
    found = tuple(check.analytical(output))
    return found, check.repeats(output, nondet_tol), True, True


def warn_of_private(name: str, grad_out: float) -> None:
    """Warn of a deprecated function. Raise for a gradient that it no longer accepts."""
    warnings.warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. We are "
        "deprecating it and it will be removed in a future version of PyTorch. If you have a "
        "specific use for this or feature request for this to be a stable API, please file us an "
        "issue at https://github.com/pytorch/pytorch/issues/new",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(
            f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0."
        )
