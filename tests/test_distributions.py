"""Distributions: PyTorch's draws, logarithms of probabilities, graphs and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same

NAN, INF = float("nan"), float("inf")

MADE: dict[str, Callable[[Any], Any]] = {
    "Normal": lambda T: T.distributions.Normal(
        T.tensor([[0.0], [1.0]], requires_grad=True), T.tensor([0.5, 2.0], requires_grad=True)
    ),
    "Normal of numbers": lambda T: T.distributions.Normal(0, 2),
    "Normal in float64": lambda T: T.distributions.Normal(T.zeros(2, dtype=T.float64), 1.5),
    "Bernoulli": lambda T: T.distributions.Bernoulli(T.tensor([0.2, 0.5, 1.0], requires_grad=True)),
    "Bernoulli of logits": lambda T: T.distributions.Bernoulli(
        logits=T.tensor([0.3, -2.0], requires_grad=True)
    ),
    "Bernoulli of a number": lambda T: T.distributions.Bernoulli(0.25),
    "Categorical": lambda T: T.distributions.Categorical(
        T.tensor([[1.0, 2.0, 1.0], [0.0, 1.0, 1.0]], requires_grad=True)
    ),
    "Categorical of logits": lambda T: T.distributions.Categorical(
        logits=T.tensor([0.3, -2.0, 0.1], requires_grad=True)
    ),
    "Uniform": lambda T: T.distributions.Uniform(
        T.tensor([0.0, -1.0], requires_grad=True), T.tensor([1.0, 2.0], requires_grad=True)
    ),
    "Uniform of numbers": lambda T: T.distributions.Uniform(0.0, 2.0),
    "LogNormal": lambda T: T.distributions.LogNormal(
        T.tensor([0.0, -1.0], requires_grad=True), T.tensor([0.5, 2.0], requires_grad=True)
    ),
    "HalfNormal": lambda T: T.distributions.HalfNormal(T.tensor([0.5, 2.0], requires_grad=True)),
    "Exponential": lambda T: T.distributions.Exponential(T.tensor([0.5, 2.0], requires_grad=True)),
    "Laplace": lambda T: T.distributions.Laplace(
        T.tensor([0.0, -1.0], requires_grad=True), T.tensor([0.5, 2.0], requires_grad=True)
    ),
}


def gradient(T: Any, result: Any, made: Any) -> Any:
    """The gradients of a sum by the parameters, which may be there under other names."""
    if not result.requires_grad:
        return None
    leaves: list[Any] = []
    stack = [result.grad_fn]
    while stack:
        node = stack.pop()
        if hasattr(node, "variable") and not any(node.variable is leaf for leaf in leaves):
            leaves.append(node.variable)
        stack += [target for target, _ in reversed(node.next_functions) if target is not None]
    return T.autograd.grad(result.sum(), leaves, retain_graph=True)


@pytest.mark.parametrize("name", MADE)
def test_a_distribution(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        made = MADE[name](T)
        print(made)
        draws = [made.sample(), made.sample((3,)), made.sample(T.Size([2, 2]))]
        seen: list[Any] = [*draws, made.batch_shape, made.event_shape, made.has_rsample]
        seen += [made.mean, made.mode, made.variance, made.stddev]
        for result in (made.log_prob(draws[1]), made.log_prob(draws[0]), made.entropy()):
            seen += [result, gradient(T, result, made)]
        if made.has_rsample:
            drawn = made.rsample((20,))
            seen += [drawn, gradient(T, drawn, made), made.cdf(draws[0])]
            quantile = made.icdf(made.cdf(draws[0].detach()))
            seen += [quantile, gradient(T, quantile, made), made.icdf(T.tensor([0.5, 1.0])[:1])]
        if made.has_enumerate_support:
            seen += [made.enumerate_support(), made.enumerate_support(expand=False)]
            seen += [made.probs, made.logits, made.param_shape]
        larger = made.expand((2, *made.batch_shape))
        print(made, larger, made.support, made.arg_constraints)
        return [*seen, larger.sample((2,)), larger.log_prob(draws[0]), made.perplexity()]

    same(torch, program)


MORE: dict[str, Callable[[Any, Any], Any]] = {
    "Gamma": lambda D, x: D.Gamma(x, x * 2),
    "Gamma of numbers": lambda D, x: D.Gamma(1.5, 2),
    "Chi2": lambda D, x: D.Chi2(x),
    "StudentT": lambda D, x: D.StudentT(x + 0.25, x, 1.0),
    "Beta": lambda D, x: D.Beta(x, 2.0),
    "Dirichlet": lambda D, x: D.Dirichlet(x.expand(2, 2)),
    "Dirichlet in a corner": lambda D, x: D.Dirichlet(x / 4),
    "Geometric": lambda D, x: D.Geometric(x / 4),
    "Geometric of logits": lambda D, x: D.Geometric(logits=x),
    "Gumbel": lambda D, x: D.Gumbel(x, 0.5),
    "Gumbel of numbers": lambda D, x: D.Gumbel(0.0, 2.0),
    "Weibull": lambda D, x: D.Weibull(x, x + 1),
    "Cauchy": lambda D, x: D.Cauchy(x, x),
    "Multinomial": lambda D, x: D.Multinomial(7, x.expand(3, 2)),
    "Multinomial of logits": lambda D, x: D.Multinomial(2, logits=x),
}


@pytest.mark.parametrize("name", MORE)
def test_draws_of_further_families(torch: Any, name: str) -> None:
    """PyTorch's slopes of draws from the gamma and beta family are right to three digits."""

    def program(T: Any) -> Any:
        x = T.tensor([0.5, 2.5], requires_grad=True)
        made = MORE[name](T.distributions, x)
        larger = made.expand((2, *made.batch_shape))
        print(made, made.support, made.arg_constraints, larger)
        drawn = made.sample((3,))
        seen: list[Any] = [drawn, made.mean, made.variance, made.stddev, larger.sample()]
        seen += [made.batch_shape, made.event_shape, made.has_rsample, larger.batch_shape]
        if "Multinomial" not in name:
            seen.append(made.mode)
        if name in ("Gamma", "Gamma of numbers", "Chi2", "Gumbel", "Weibull", "Cauchy"):
            seen.append(made.cdf(drawn))
        for result in (made.log_prob(drawn), made.entropy(), larger.log_prob(drawn[0])):
            how = {"retain_graph": True, "allow_unused": True}
            seen.append(result)
            if result.requires_grad:
                seen += T.autograd.grad(result.sum(), x, **how)
        if made.has_rsample and "numbers" not in name:
            draws = made.rsample((4,))
            (slope,) = T.autograd.grad(draws.square().sum(), x)
            seen += [draws, [f"{value:.3g}" for value in slope.tolist()], draws.grad_fn.name()]
        return [each.detach() if isinstance(each, T.Tensor) else each for each in seen]

    same(torch, program)


def test_slopes_of_gamma_draws() -> None:
    """The mean of draws is the parameter, so that the mean of their slopes is 1."""
    mg = minigrad
    for shape in (0.3, 1.0, 4.0, 60.0):
        a = mg.tensor(shape, dtype=mg.float64, requires_grad=True)
        draws = mg.distributions.Gamma(a, 1.0).rsample((4000,))
        (slope,) = mg.autograd.grad(draws.mean(), a)
        assert abs(slope.item() - 1) < 0.05


def test_second_slope_of_draws_is_missing(torch: Any) -> None:
    def program(T: Any) -> Any:
        a, found = T.tensor([2.0, 3.0], requires_grad=True), []
        for kind in (T.distributions.Gamma, T.distributions.Beta):
            drawn = kind(a, 1.0).rsample()
            (slope,) = T.autograd.grad(drawn.sum(), a, create_graph=True)
            found.append(caught(lambda slope=slope: slope.sum().backward()))
        return found

    same(torch, program)


RELAXED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "one number": lambda D, t, x: D.RelaxedBernoulli(t, x / 4),
    "one number by its logit": lambda D, t, x: D.RelaxedBernoulli(t, logits=x),
    "one number alone": lambda D, t, x: D.RelaxedBernoulli(t, 0.25),
    "a logit": lambda D, t, x: D.relaxed_bernoulli.LogitRelaxedBernoulli(t, x / 4),
    "a row": lambda D, t, x: D.RelaxedOneHotCategorical(t, x),
    "a row by its logits": lambda D, t, x: D.RelaxedOneHotCategorical(t, logits=x.expand(2, 2)),
    "logarithms of a row": lambda D, t, x: D.relaxed_categorical.ExpRelaxedCategorical(t, x),
}


@pytest.mark.parametrize("name", RELAXED)
def test_relaxed_draws(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        T.distributions.Distribution.set_default_validate_args(True)  # torch.compile ends it
        x = T.tensor([0.5, 2.5], requires_grad=True)
        t = T.tensor(0.75, requires_grad=True)
        made = RELAXED[name](T.distributions, t, x)
        larger = made.expand((3, *made.batch_shape))
        print(made, larger, made.support, made.arg_constraints)
        seen: list[Any] = [made.batch_shape, made.event_shape, made.has_rsample, made.probs]
        seen += [made.logits, made.temperature, larger.sample((2,))]
        drawn = made.rsample((4,))
        for result in (drawn, made.log_prob(drawn.detach()), larger.log_prob(drawn[0].detach())):
            seen += [result, gradient(T, result, made)]
        return seen

    same(torch, program)


def test_relaxed_draws_refuse_bad_parameters(torch: Any) -> None:
    def program(T: Any) -> Any:
        D, t = T.distributions, T.tensor(1.0)
        D.Distribution.set_default_validate_args(True)
        row = D.RelaxedOneHotCategorical(t, T.ones(2))
        return [
            caught(lambda: D.RelaxedBernoulli(t)),
            caught(lambda: D.RelaxedBernoulli(t, T.tensor(2.0))),
            caught(lambda: D.RelaxedOneHotCategorical(t)),
            caught(lambda: D.RelaxedOneHotCategorical(t, T.tensor(-1.0))),
            caught(lambda: row.log_prob(T.ones(2))),
        ]

    same(torch, program)


TRANSFORMS = """
real positive nonnegative unit_interval interval(-1,2) half_open_interval(0,1) greater_than(2)
greater_than_eq(2.0) less_than(3) simplex lower_cholesky positive_definite real_vector boolean
independent(C.positive,1) interval(T.zeros(2),1.0)
""".split()


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms_to_constraints(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        D, found = T.distributions, []
        C, x = D.constraints, T.tensor([[0.5, 0.25], [1.0, 2.0]])
        constraint = eval(f"C.{name}", {"C": C, "T": T})
        for registry in (D.biject_to, D.transform_to):
            try:
                made = registry(constraint)
            except NotImplementedError as error:
                found.append(str(error))
            else:
                print(made)
                found.append(made(x))
        return found

    same(torch, program)


def test_constraints_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        D = T.distributions

        class Even(D.constraints.Constraint):  # type: ignore[misc,name-defined]
            pass

        @D.transform_to.register(Even)
        def to_even(constraint: Any) -> Any:
            return D.AffineTransform(0.0, 2.0)

        found = caught(lambda: D.transform_to.register(3, to_even))
        return D.transform_to(Even())(T.tensor(1.5)), found, caught(lambda: D.biject_to(Even()))

    same(torch, program)


def transformed(T: Any, *transforms: Any, base: Any = None) -> Any:
    D = T.distributions
    normal = D.Normal(T.zeros(3, 2), 1.0) if base is None else base
    return D.TransformedDistribution(normal, [*transforms])


TRANSFORMED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "affine, tanh": lambda T, D, x: transformed(T, D.AffineTransform(1.0, x), D.TanhTransform()),
    "of vectors": lambda T, D, x: transformed(T, D.AffineTransform(x, x, event_dim=1)),
    "logits": lambda T, D, x: transformed(
        T, D.SigmoidTransform().inv, D.AffineTransform(x, 2.0), base=D.Uniform(0.0, 1.0)
    ),
    "softplus, power": lambda T, D, x: transformed(T, D.SoftplusTransform(), D.PowerTransform(x)),
    "in another order": lambda T, D, x: transformed(
        T, D.AffineTransform(x, 1.0), D.ReshapeTransform((3, 2), (6,))
    ),
    "broken sticks": lambda T, D, x: transformed(
        T, D.AffineTransform(0.0, x), D.StickBreakingTransform()
    ),
    "together": lambda T, D, x: transformed(
        T,
        D.IndependentTransform(
            D.ComposeTransform([D.ExpTransform(), D.AffineTransform(x, 1.0)]), 1
        ),
    ),
    "of a larger batch": lambda T, D, x: transformed(
        T, D.AffineTransform(x.expand(3, 2), 1.0), base=D.Normal(0.0, 1.0)
    ),
    "by a distribution": lambda T, D, x: transformed(
        T, D.CumulativeDistributionTransform(D.Normal(x, 2.0))
    ),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformed_distributions(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([1.0, 2.0], requires_grad=True)
        made = TRANSFORMED[name](T, T.distributions, x)
        print(made, made.support, made.transforms)
        drawn = made.rsample((2,))
        seen = [drawn, made.sample(), made.batch_shape, made.event_shape, made.has_rsample]
        seen += [made.expand((4, *made.batch_shape)).sample().shape]
        if name in ("affine, tanh", "logits", "softplus, power"):
            seen += [made.cdf(drawn), made.icdf(T.tensor(0.3))]
        for result in (drawn, made.log_prob(drawn.detach())):
            seen += [result, gradient(T, result, made)]
        return seen

    same(torch, program)


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda T, D: D.ExpTransform(),
    "the inverse of exp": lambda T, D: D.ExpTransform().inv,
    "abs": lambda T, D: D.AbsTransform(),
    "tanh, kept": lambda T, D: D.TanhTransform(cache_size=1),
    "softmax": lambda T, D: D.SoftmaxTransform(),
    "triangle": lambda T, D: D.LowerCholeskyTransform(),
    "product of triangles": lambda T, D: D.PositiveDefiniteTransform(),
    "power": lambda T, D: D.PowerTransform(2),
    "falling": lambda T, D: D.AffineTransform(0.5, -2.0),
    "several": lambda T, D: D.ComposeTransform([D.AffineTransform(1, 3), D.SigmoidTransform()]),
    "several of vectors": lambda T, D: D.ComposeTransform(
        [D.ExpTransform(), D.SoftmaxTransform(), D.IndependentTransform(D.TanhTransform(), 2)]
    ),
    "nothing": lambda T, D: D.identity_transform,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_transforms(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        D = T.distributions
        one, x = FUNCTIONS[name](T, D), T.tensor([[0.5, 0.25], [1.5, 0.1]])
        y = one(x)
        seen: list[Any] = [y, one.inv(y), one.domain.event_dim, one.codomain.event_dim]
        print(one, one.inv, one.domain, one.codomain, one.bijective, one.inv.bijective)
        for value in ("event_dim", "sign"):
            try:
                seen.append(getattr(one, value))
            except (ValueError, NotImplementedError) as error:
                seen.append(type(error).__name__)
        if one.bijective:
            seen += [one.log_abs_det_jacobian(x, y), one.inv.log_abs_det_jacobian(y, x)]
        seen += [
            one == FUNCTIONS[name](T, D),
            one.inv == one,
            one.with_cache().with_cache(1) == one,
        ]
        return [*seen, one.forward_shape(T.Size([3, 2])), one.inv.inverse_shape(T.Size([3, 2]))]

    same(torch, program)


def test_a_transform_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        D = T.distributions

        class Shifted(D.Transform):  # type: ignore[misc,name-defined]
            domain = codomain = D.constraints.real
            bijective = True
            calls = 0

            def _call(self, x: Any) -> Any:
                self.calls += 1
                return x + 1

            def _inverse(self, y: Any) -> Any:
                return y - 1

            def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
                return T.zeros_like(x)

        kept = Shifted(cache_size=1)
        x = T.tensor([1.0])
        same_object = kept.inv(kept(x)) is x, kept(x) is kept(x), kept.calls
        density = D.TransformedDistribution(D.Normal(0.0, 1.0), kept).log_prob(x)
        return same_object, density, kept.with_cache(0)._cache_size, repr(kept)

    same(torch, program)


def test_counts_and_rows(torch: Any) -> None:
    def program(T: Any) -> Any:
        D = T.distributions
        counts = D.Poisson(T.tensor([0.5, 11.0], requires_grad=True))
        seen: list[Any] = [counts.sample((3,)), counts.mean, counts.mode, counts.variance]
        density = counts.log_prob(T.tensor([2.0, 9.0]))
        seen += [density, gradient(T, density, counts), counts.expand((2, 2)).sample()]
        for kind in (D.OneHotCategorical, D.OneHotCategoricalStraightThrough):
            rows = kind(T.tensor([[0.5, 1.5], [2.0, 1.0]], requires_grad=True))
            print(counts, rows, rows.support, rows.expand((3, 2)).sample().shape)
            seen += [rows.sample((2,)), rows.mean, rows.mode, rows.variance, rows.entropy()]
            seen += [rows.enumerate_support(), rows.enumerate_support(False), rows.param_shape]
            seen += [rows.log_prob(T.tensor([0.0, 1.0])), rows.logits, rows.event_shape]
        drawn = rows.rsample((3,))
        return [*seen, drawn, gradient(T, drawn * T.tensor([1.0, 2.0]), rows)]

    same(torch, program)


MIXED: dict[str, Callable[[Any, Any], Any]] = {
    "numbers": lambda D, x: D.Normal(x, 0.5),
    "vectors": lambda D, x: D.Independent(D.Normal(x.outer(x), 0.5), 1),
    "a batch": lambda D, x: D.Independent(D.Normal(x.outer(x).expand(4, 3, 3), 0.5), 1),
}


@pytest.mark.parametrize("name", MIXED)
def test_mixtures(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        D = T.distributions
        x, weights = (T.tensor([1.0, 2.0, 4.0], requires_grad=True) for _ in range(2))
        chances = weights.expand(4, 3) if name == "a batch" else weights
        mixed = D.MixtureSameFamily(D.Categorical(chances), MIXED[name](D, x))
        print(mixed, mixed.support)
        drawn = mixed.sample((2,))
        density = mixed.log_prob(drawn)
        seen = [drawn, mixed.mean, mixed.variance, density, mixed.batch_shape, mixed.event_shape]
        if name == "numbers":
            seen += [mixed.cdf(drawn), mixed.expand((2,)).sample()]
        return [*seen, T.autograd.grad(density.sum(), [weights, x])]

    same(torch, program)


def test_constraints_have_pytorch_names(torch: Any) -> None:
    def program(T: Any) -> Any:
        C, x = T.distributions.constraints, T.tensor([[-1.0, 0.0], [0.0, 1.0]])
        named = [
            C.real, C.positive, C.nonnegative, C.unit_interval, C.simplex, C.boolean, C.one_hot,
            C.real_vector, C.nonnegative_integer, C.positive_integer, C.lower_cholesky,
            C.positive_definite, C.interval(-1, 0), C.half_open_interval(-1, 0), C.less_than(1),
            C.greater_than(0), C.greater_than_eq(0), C.integer_interval(0, 1),
            C.independent(C.positive, 1), C.MixtureSameFamilyConstraint(C.boolean),
        ]  # fmt: skip
        return [(repr(c), c.event_dim, c.is_discrete, c.check(x)) for c in named]

    same(torch, program)


VECTORS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "covariance": lambda D, x, m: D.MultivariateNormal(x, m),
    "precision": lambda D, x, m: D.MultivariateNormal(x.expand(3, 2), precision_matrix=m),
    "root": lambda D, x, m: D.MultivariateNormal(x, scale_tril=m.tril()),
    "Independent": lambda D, x, m: D.Independent(D.Normal(x.expand(3, 2), m[0]), 1),
    "Independent of nothing": lambda D, x, m: D.Independent(D.Normal(x, m[0]), 0),
    "Independent of both": lambda D, x, m: D.Independent(D.Uniform(x - m, x + m), 2),
}


@pytest.mark.parametrize("name", VECTORS)
def test_distributions_of_vectors(torch: Any, name: str) -> None:
    """Values and gradients; the graphs of the divergences and densities are others."""

    def program(T: Any) -> Any:
        x = T.tensor([1.0, -1.0], requires_grad=True)
        m = T.tensor([[2.0, 0.5], [0.5, 1.0]], requires_grad=True)
        made = VECTORS[name](T.distributions, x, m)
        print(made, made.support)
        drawn = made.rsample((2,))
        results = [drawn, made.log_prob(drawn.detach()), made.entropy(), made.variance]
        seen: list[Any] = [made.sample(), made.batch_shape, made.event_shape, made.stddev]
        seen += [made.mean]
        if name != "Independent of both":
            larger = made.expand((4, *made.batch_shape))
            seen += [made.mode, larger.sample(), larger.log_prob(drawn[0].detach())]
        if name in ("covariance", "precision", "root"):
            seen += [made.covariance_matrix, made.precision_matrix, made.scale_tril]
        for result in results:
            how = {"allow_unused": True, "retain_graph": True}
            seen += [result, T.autograd.grad(result.sum(), [x, m], **how)]
        return [each.detach() if isinstance(each, T.Tensor) else each for each in seen]

    same(torch, program)


KL: dict[str, Callable[[Any], Any]] = {
    "Normal": lambda D, x: (D.Normal(x, 1.0), D.Normal(0.5, x)),
    "Bernoulli": lambda D, x: (D.Bernoulli(x / 3), D.Bernoulli(x / 4)),
    "Bernoulli at its ends": lambda D, x: (D.Bernoulli((x > 1.5) * x / 2), D.Bernoulli(x / 2)),
    "Categorical": lambda D, x: (D.Categorical(x), D.Categorical(logits=x)),
    "Categorical at its ends": lambda D, x: (D.Categorical(x), D.Categorical(x - 1)),
    "Uniform": lambda D, x: (D.Uniform(-x, x), D.Uniform(-2 * x, 3.0)),
    "Independent": lambda D, x: (
        D.Independent(D.Normal(x.repeat(3, 1), 1.0), 1),
        D.Independent(D.Normal(0.5, x.repeat(3, 1)), 1),
    ),
    "MultivariateNormal": lambda D, x: (
        D.MultivariateNormal(x.repeat(3, 1), x.diag() + 0.1),
        D.MultivariateNormal(x * 0, x.diag() * 2 + 0.5),
    ),
    "Gamma": lambda D, x: (D.Gamma(x, x * 2), D.Gamma(2.0, x)),
    "Beta": lambda D, x: (D.Beta(x, 2.0), D.Beta(1.0, x)),
    "Dirichlet": lambda D, x: (D.Dirichlet(x), D.Dirichlet(x * x)),
    "Chi2": lambda D, x: (D.Chi2(x), D.Chi2(2.0)),
    "Geometric": lambda D, x: (D.Geometric(x / 4), D.Geometric(x / 3)),
    "Exponential": lambda D, x: (D.Exponential(x), D.Exponential(x * x)),
    "HalfNormal": lambda D, x: (D.HalfNormal(x), D.HalfNormal(2.0)),
    "Laplace": lambda D, x: (D.Laplace(x, 1.0), D.Laplace(0.5, x)),
    "Poisson": lambda D, x: (D.Poisson(x), D.Poisson(2.0)),
    "LogNormal": lambda D, x: (D.LogNormal(x, 1.0), D.LogNormal(0.5, x)),
    "OneHotCategorical": lambda D, x: (D.OneHotCategorical(x), D.OneHotCategorical(logits=x)),
    "Uniform beyond": lambda D, x: (D.Uniform(-x, x), D.Uniform(-1.5, 1.5)),
}


@pytest.mark.parametrize("name", KL)
def test_divergence(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([1.0, 2.0], requires_grad=True)
        p, q = KL[name](T.distributions, x)
        divergence = T.distributions.kl_divergence(p, q)
        divergence[divergence < INF].sum().backward()
        return divergence.detach(), x.grad

    same(torch, program)


def test_a_divergence_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        D = T.distributions

        class Mine(D.Normal):  # type: ignore[misc,name-defined]
            pass

        @D.register_kl(Mine, D.Uniform)  # type: ignore[untyped-decorator]
        def divergence(p: Any, q: Any) -> Any:
            return p.loc + q.high

        found = D.kl_divergence(Mine(1.0, 2.0), D.Uniform(0.0, 1.0))
        return found, D.kl_divergence(Mine(1.0, 2.0), D.Normal(0.0, 1.0))

    same(torch, program)


def test_nothing_is_checked_if_so_wished(torch: Any) -> None:
    def program(T: Any) -> Any:
        D = T.distributions
        free = D.Uniform(0.0, 1.0, validate_args=False)
        D.Distribution.set_default_validate_args(False)
        try:
            wrong = D.Normal(0.0, -1.0).log_prob(T.tensor(1.0))
        finally:
            D.Distribution.set_default_validate_args(True)
        return free.log_prob(T.tensor([0.5, 1.0, 3.0])), wrong, D.Bernoulli(2.0, None, False).mean

    same(torch, program)


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "scale": lambda T, D: D.Normal(0.0, -1.0),
    "one scale": lambda T, D: D.Normal(T.zeros(2), T.tensor([1.0, -1.0])),
    "nan": lambda T, D: D.Normal(NAN, 1.0),
    "shapes": lambda T, D: D.Normal(T.zeros(2), T.ones(3)),
    "text": lambda T, D: D.Normal("a", 1),
    "probs": lambda T, D: D.Bernoulli(1.5),
    "probs and logits": lambda T, D: D.Bernoulli(0.5, logits=0.5),
    "neither": lambda T, D: D.Categorical(),
    "a single probability": lambda T, D: D.Categorical(T.tensor(0.2)),
    "a single logit": lambda T, D: D.Categorical(logits=T.tensor(0.2)),
    "a negative weight": lambda T, D: D.Categorical(T.tensor([-0.2, 1.0])),
    "no weight": lambda T, D: D.Categorical(T.zeros(2)),
    "nan among logits": lambda T, D: D.Categorical(logits=T.tensor([NAN, 1.0])),
    "bounds": lambda T, D: D.Uniform(1.0, 0.0),
    "a value of no tensor": lambda T, D: D.Normal(0.0, 1.0).log_prob(0.5),
    "the shape of a value": lambda T, D: D.Normal(T.zeros(2), 1.0).log_prob(T.ones(3)),
    "a value of nan": lambda T, D: D.Normal(T.zeros(2), 1.0).log_prob(T.tensor(NAN)),
    "a half": lambda T, D: D.Bernoulli(T.tensor([0.2])).log_prob(T.tensor([0.5])),
    "one too many": lambda T, D: D.Categorical(T.ones(3)).log_prob(T.tensor(3)),
    "between two": lambda T, D: D.Categorical(T.ones(3)).log_prob(T.tensor(1.5)),
    "outside": lambda T, D: D.Uniform(0.0, T.tensor([1.0, 2.0])).log_prob(T.tensor(3.0)),
    "no matrix": lambda T, D: D.MultivariateNormal(T.zeros(2)),
    "two matrices": lambda T, D: D.MultivariateNormal(T.zeros(2), T.eye(2), T.eye(2)),
    "a mean of no dimension": lambda T, D: D.MultivariateNormal(T.tensor(0.0), T.eye(2)),
    "a vector for a matrix": lambda T, D: D.MultivariateNormal(T.zeros(2), T.ones(2)),
    "an asymmetric matrix": lambda T, D: D.MultivariateNormal(T.zeros(2), T.eye(2).cumsum(0)),
    "a negative matrix": lambda T, D: D.MultivariateNormal(T.zeros(2), -T.eye(2)),
    "a full root": lambda T, D: D.MultivariateNormal(T.zeros(2), scale_tril=T.ones(2, 2)),
    "the length of a vector": lambda T, D: D.MultivariateNormal(T.zeros(2), T.eye(2)).log_prob(
        T.zeros(3)
    ),
    "a count of events": lambda T, D: D.Poisson(1.0).log_prob(T.tensor(0.5)),
    "a negative logarithm": lambda T, D: D.LogNormal(0.0, 1.0).log_prob(T.tensor(-1.0)),
    "two ones": lambda T, D: D.OneHotCategorical(T.ones(2)).log_prob(T.ones(2)),
    "no mixture": lambda T, D: D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(0.0, 1.0)),
    "no component": lambda T, D: D.MixtureSameFamily(D.Categorical(T.ones(3)), 3),
    "two of three": lambda T, D: D.MixtureSameFamily(
        D.Categorical(T.ones(3)), D.Normal(T.ones(2), 1.0)
    ),
    "batches of a mixture": lambda T, D: D.MixtureSameFamily(
        D.Categorical(T.ones(4, 3)), D.Normal(T.ones(2, 3), 1.0)
    ),
    "no transform": lambda T, D: D.TransformedDistribution(D.Normal(0.0, 1.0), 3),
    "a number for a transform": lambda T, D: D.TransformedDistribution(D.Normal(0.0, 1.0), [3]),
    "numbers for a vector": lambda T, D: D.TransformedDistribution(
        D.Normal(0.0, 1.0), [D.StickBreakingTransform()]
    ),
    "a larger cache": lambda T, D: D.ExpTransform(cache_size=2),
    "another number of elements": lambda T, D: D.ReshapeTransform((2,), (3,)),
    "too few dimensions": lambda T, D: D.IndependentTransform(D.ExpTransform(), 1)(T.tensor(1.0)),
    "more dimensions than there are": lambda T, D: D.Independent(D.Normal(T.zeros(2), 1.0), 2),
    "a probability of 0": lambda T, D: D.Geometric(0.0),
    "a concentration of no dimension": lambda T, D: D.Dirichlet(T.tensor(1.0)),
    "a negative concentration": lambda T, D: D.Beta(-1.0, 1.0),
    "a concentration of 0": lambda T, D: D.Gamma(0.0, 1.0),
    "negative degrees": lambda T, D: D.Chi2(-1.0),
    "too many counts": lambda T, D: D.Multinomial(3, T.ones(3)).log_prob(T.tensor([2.0, 1.0, 1.0])),
    "counts of each row": lambda T, D: D.Multinomial(T.tensor(3), T.ones(3)),
    "a negative scale of Gumbel": lambda T, D: D.Gumbel(0.0, -1.0),
    "a negative scale of Weibull": lambda T, D: D.Weibull(-1.0, 1.0),
    "a negative time": lambda T, D: D.Gamma(1.0, 1.0).log_prob(T.tensor(-1.0)),
    "what is not differentiable": lambda T, D: D.Bernoulli(0.5).rsample(),
    "a number for a shape": lambda T, D: D.Normal(0.0, 1.0).sample(3),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_the_same_words(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            REFUSED[name](T, T.distributions)
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)


def test_two_kinds_without_a_formula() -> None:
    D = minigrad.distributions
    with pytest.raises(NotImplementedError, match="for Normal and Bernoulli"):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))


@pytest.mark.parametrize("name", ["cdf", "icdf"])
def test_missing_cdf_raises(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        D, half = T.distributions, T.tensor([0.5])
        found = []
        for one in (D.Bernoulli(half), D.Categorical(T.tensor([0.3, 0.7])), D.Distribution()):
            try:
                getattr(one, name)(half)
            except NotImplementedError as error:
                found.append(str(error))
        return found

    same(torch, program)
