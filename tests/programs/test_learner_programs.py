"""Programs beyond a first course, run by both libraries: the same text and numbers.

Reinforcement learning, latent variables, clustering, least squares; and the names that such
programs use on their way: distributions, samplers, factorizations, old types, files.
"""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest

from tests.parity import same


def policy_gradient(T: Any) -> None:
    """A walk on five places, of which the last pays."""
    nn = T.nn
    policy = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = T.optim.Adam(policy.parameters(), lr=0.05)
    for episode in range(4):
        place, log_probs, rewards = 2, [], []
        for _ in range(6):
            state = T.nn.functional.one_hot(T.tensor(place), 5).float()
            choice = T.distributions.Categorical(logits=policy(state))
            action = choice.sample()
            log_probs.append(choice.log_prob(action))
            place = min(max(place + 2 * action.item() - 1, 0), 4)
            rewards.append(float(place == 4))
        returns = T.tensor(rewards).flip(0).cumsum(0).flip(0)
        returns = (returns - returns.mean()) / (returns.std() + 1e-8)
        loss = -(T.stack(log_probs) * returns).sum() - 0.01 * choice.entropy()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
        print(episode, f"{loss.item():.4f}", rewards)
    print(choice, policy(T.eye(5)).softmax(-1))


def variational_autoencoder(T: Any) -> None:
    nn, D = T.nn, T.distributions
    encoder, decoder = nn.Linear(6, 4), nn.Linear(2, 6)
    optimizer = T.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
    x, prior = T.rand(8, 6).round(), D.Normal(T.zeros(2), T.ones(2))
    for _ in range(3):
        mu, log_sigma = encoder(x).chunk(2, dim=-1)
        posterior = D.Normal(mu, log_sigma.exp())
        z = posterior.rsample()
        likelihood = D.Bernoulli(logits=decoder(z)).log_prob(x).sum(-1)
        divergence = D.kl_divergence(posterior, prior).sum(-1)
        loss = (divergence - likelihood).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss:.4f}", posterior)
    print(encoder.weight.grad, D.Bernoulli(logits=decoder(prior.sample((2,)))).sample())


def weighted_sampling(T: Any) -> None:
    """Rare samples are drawn as often as frequent ones."""
    data = T.utils.data
    labels = T.tensor([0] * 12 + [1] * 3)
    inputs = T.randn(15, 2) + labels[:, None]
    counts = T.bincount(labels)
    weights = 1.0 / counts[labels].double()
    sampler = data.WeightedRandomSampler(weights, num_samples=20, replacement=True)
    loader = data.DataLoader(
        data.TensorDataset(inputs, labels), batch_size=5, sampler=sampler, pin_memory=False
    )
    seen = T.cat([batch for _, batch in loader])
    print(counts, weights[-1], seen, T.unique(seen, return_counts=True), len(loader))


def k_means(T: Any) -> None:
    points = T.cat([T.randn(10, 2) * 0.3 + T.tensor(c) for c in ([0.0, 0.0], [3.0, 3.0])])
    centers = points[T.randperm(len(points))[:2]].clone()
    for step in range(4):
        distances = T.cdist(points, centers)
        nearest = distances.argmin(dim=1)
        for k in range(2):
            if (nearest == k).any():
                centers[k] = points[nearest == k].mean(0)
        print(step, T.bincount(nearest, minlength=2), f"{distances.min(1).values.sum():.4f}")
    print(centers, nearest.unique_consecutive(return_counts=True))


def principal_components(T: Any) -> None:
    x = T.randn(30, 2) @ T.tensor([[2.0, 1.0, 0.5], [0.1, -0.3, 0.2]]) + T.randn(30, 3) * 0.01
    centered = x - x.mean(0)
    U, S, Vh = T.linalg.svd(centered, full_matrices=False)
    scores = centered @ Vh[:2].T
    share = S.square() / S.square().sum()
    values = T.linalg.eigvalsh(centered.T @ centered)
    print(share, S.square().flip(0).allclose(values, rtol=1e-3, atol=1e-3))
    print(((scores @ Vh[:2] - centered).norm() / centered.norm() < 0.05).item(), U.shape)
    print((U.T @ U - T.eye(3)).abs().max() < 1e-4)


def least_squares(T: Any) -> None:
    """Three ways to the same weights: normal equations, QR, gradient descent."""
    x = T.cat([T.randn(20, 2, dtype=T.float64), T.ones(20, 1, dtype=T.float64)], 1)
    y = x @ T.tensor([1.5, -2.0, 0.5], dtype=T.float64) + 0.1 * T.randn(20, dtype=T.float64)
    normal = T.linalg.solve(x.T @ x, x.T @ y)
    Q, R = T.linalg.qr(x)
    by_qr = T.linalg.solve(R, Q.T @ y)
    lower = T.linalg.cholesky(x.T @ x)
    w = T.zeros(3, dtype=T.float64, requires_grad=True)
    for _ in range(200):
        (g,) = T.autograd.grad(((x @ w - y) ** 2).mean(), w)
        with T.no_grad():
            w.add_(g, alpha=-0.2)
    print(normal, by_qr.allclose(normal), w.allclose(normal, atol=1e-4), lower)


def ridge_by_hand(T: Any) -> None:
    """The penalty is learned: gradients flow through the solution of the equations."""
    x, y = T.randn(8, 3, dtype=T.float64), T.randn(8, dtype=T.float64)
    log_penalty = T.tensor(0.0, dtype=T.float64, requires_grad=True)
    for _ in range(3):
        gram = x[:5].T @ x[:5] + log_penalty.exp() * T.eye(3, dtype=T.float64)
        w = T.linalg.solve(gram, x[:5].T @ y[:5])
        loss = (x[5:] @ w - y[5:]).square().mean()
        (g,) = T.autograd.grad(loss, log_penalty)
        log_penalty.data.addcmul_(g, T.ones_like(g), value=-0.5)
        print(loss, g, log_penalty)


def adam_by_hand(T: Any) -> None:
    """As in papers, with addcmul_, addcdiv_ and lerp_, next to the library's."""
    first = T.nn.Linear(3, 2)
    second = T.nn.Linear(3, 2)
    second.load_state_dict(first.state_dict())
    optimizer = T.optim.Adam(second.parameters(), lr=0.1)
    state = [(T.zeros_like(p), T.zeros_like(p)) for p in first.parameters()]
    x = T.randn(4, 3)
    for step in range(1, 4):
        for net in (first, second):
            net.zero_grad()
            net(x).pow(2).mean().backward()
        optimizer.step()
        with T.no_grad():
            for p, (m, v) in zip(first.parameters(), state, strict=True):
                m.lerp_(p.grad, 1 - 0.9)
                v.mul_(0.999).addcmul_(p.grad, p.grad, value=1 - 0.999)
                bottom = (v / (1 - 0.999**step)).sqrt_().add_(1e-8)
                p.addcdiv_(m, bottom, value=-0.1 / (1 - 0.9**step))
    print(first.weight, first.weight.allclose(second.weight, atol=1e-6))


def written_years_ago(T: Any) -> None:
    """Variable, FloatTensor, size_average: as tutorials of 2017 have it."""
    Variable = T.autograd.Variable
    dtype = T.cuda.FloatTensor if T.cuda.is_available() else T.FloatTensor
    T.backends.cudnn.benchmark = False
    x, y = Variable(T.randn(4, 3).type(dtype)), Variable(T.LongTensor([0, 1, 1, 0]))
    w = Variable(T.randn(3, 2).type(dtype), requires_grad=True)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        criterion = T.nn.CrossEntropyLoss(size_average=False)
        for _ in range(2):
            loss = criterion(x.mm(w), y)
            loss.backward()
            w.data.sub_(0.1 * w.grad.data)
            w.grad.data.zero_()
    print(said[0].message, criterion.reduction, loss.data.item(), w.data, isinstance(w, Variable))
    print(x.clamp(min=0).type(), y.type("torch.FloatTensor"), T.is_tensor(w), w.data.numel())
    print(x[0, :, T.newaxis].shape, T.cos(T.tensor(T.pi)), T.tensor([T.inf]) > 0)


def stopped_and_continued(T: Any) -> None:
    """A checkpoint of model, optimizer and epoch, written in the middle."""

    def make() -> tuple[Any, Any]:
        net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.ReLU(), T.nn.Linear(4, 1))
        return net, T.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

    x, y = T.randn(6, 2), T.randn(6, 1)
    net, optimizer = make()
    losses = []
    for epoch in range(4):
        if epoch == 2:
            file = io.BytesIO()
            kept = {"epoch": epoch, "net": net.state_dict(), "optimizer": optimizer.state_dict()}
            T.save({**kept, "losses": losses}, file)
            file.seek(0)
            found = T.load(file, map_location="cpu", weights_only=True)
            net, optimizer = make()
            print(net.load_state_dict(found["net"]), found["epoch"], found["losses"])
            optimizer.load_state_dict(found["optimizer"])
        loss = T.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(round(loss.item(), 4))
    print(losses, net[0].weight)


def grid_search(T: Any) -> None:
    """All pairs of settings, and the angles and bits that turn up on the way."""
    settings = T.cartesian_prod(T.tensor([0.01, 0.1]), T.tensor([1.0, 2.0, 3.0]))
    scores = [-((a - 0.1) ** 2 + (b - 2) ** 2) for a, b in settings]
    best = int(T.stack(scores).argmax())
    print(settings, best, settings[best], T.combinations(T.arange(4), 2))
    points = T.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    print(T.atan2(points[:, 1], points[:, 0]), T.fmod(T.tensor([-370.0, 725.0]), 360))
    print(T.histc(T.tensor([0.1, 0.4, 0.45, 0.9]), bins=4, min=0, max=1), 1 << T.arange(5))
    print(points.clamp_min(0).clamp_max(0.5), T.masked_scatter(points, points < 0, T.arange(2.0)))


PROGRAMS = [
    policy_gradient,
    variational_autoencoder,
    weighted_sampling,
    k_means,
    principal_components,
    least_squares,
    ridge_by_hand,
    adam_by_hand,
    written_years_ago,
    stopped_and_continued,
    grid_search,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_text(torch: Any, program: Any) -> None:
    assert same(torch, program)["printed"]
