"""Programs of the kind that public courses teach; both libraries print the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same


def blobs(T: Any, count: int = 24) -> tuple[Any, Any]:
    """Points around three centres, and their classes."""
    T.manual_seed(3)
    y = T.arange(count) % 3
    centres = T.tensor([[0.0, 2.0], [2.0, -1.0], [-2.0, -1.0]])
    return centres[y] + 0.4 * T.randn(count, 2), y


def early_stopping_on_plateau(T: Any) -> None:
    x, y = blobs(T)
    net = T.nn.Linear(2, 3)
    opt = T.optim.SGD(net.parameters(), lr=0.5)
    plateau = T.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=1, factor=0.5, threshold=0.05)
    best, bad = math.inf, 0
    for epoch in range(30):
        opt.zero_grad()
        loss = T.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        plateau.step(loss.item())
        print(f"{epoch} {loss.item():.4f} {opt.param_groups[0]['lr']}")
        bad = 0 if loss.item() < best - 0.01 else bad + 1
        best = min(best, loss.item())
        if bad > 4:
            break


def warmup_then_cosine(T: Any) -> None:
    net = T.nn.Linear(1, 1)
    opt = T.optim.AdamW(net.parameters(), lr=0.1)
    S = T.optim.lr_scheduler
    warm = S.LinearLR(opt, start_factor=0.1, total_iters=3)
    cosine = S.CosineAnnealingLR(opt, T_max=5)
    schedule = S.SequentialLR(opt, [warm, cosine], milestones=[3])
    for _ in range(9):
        net(T.ones(2, 1)).square().mean().backward()
        opt.step()
        opt.zero_grad()
        schedule.step()
        print([round(rate, 6) for rate in schedule.get_last_lr()])
    print(f"{net.weight.item():.4f}")


def one_cycle_over_batches(T: Any) -> None:
    x, y = blobs(T)
    loader = T.utils.data.DataLoader(T.utils.data.TensorDataset(x, y), batch_size=8, shuffle=True)
    net = T.nn.Sequential(T.nn.Linear(2, 8), T.nn.ReLU(), T.nn.Linear(8, 3))
    opt = T.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    cycle = T.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.3, epochs=4, steps_per_epoch=len(loader))
    for epoch in range(4):
        for xb, yb in loader:
            opt.zero_grad()
            T.nn.functional.cross_entropy(net(xb), yb).backward()
            opt.step()
            cycle.step()
        group = opt.param_groups[0]
        print(epoch, f"{group['lr']:.5f} {group['momentum']:.4f}")
    print(f"accuracy {(net(x).argmax(1) == y).float().mean():.3f}")


def optimizers_on_a_valley(T: Any) -> None:
    for name in ("SGD", "Adagrad", "Adadelta", "RMSprop", "Adam", "Adamax", "NAdam", "RAdam"):
        p = T.tensor([-1.0, 1.5], requires_grad=True)
        opt = getattr(T.optim, name)([p], lr=0.05)
        for _ in range(15):
            opt.zero_grad()
            loss = (1 - p[0]) ** 2 + 5 * (p[1] - p[0] ** 2) ** 2
            loss.backward()
            opt.step()
        print(f"{name:8} {loss.item():.3f} at {p[0].item():.3f}, {p[1].item():.3f}")


def siamese_pairs(T: Any) -> None:
    x, y = blobs(T)
    net = T.nn.Linear(2, 2)
    loss_of = T.nn.CosineEmbeddingLoss(margin=0.2)
    opt = T.optim.Adam(net.parameters(), lr=0.05)
    left, right = x[:12], x[12:]
    target = T.where(y[:12] == y[12:].flip(0), 1.0, -1.0)
    for _ in range(10):
        opt.zero_grad()
        loss = loss_of(net(left), net(right.flip(0)), target)
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")
    print(T.nn.functional.cosine_similarity(net(left)[:3], net(right)[:3]).detach())


def triplets(T: Any) -> None:
    x, y = blobs(T)
    net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 2))
    opt = T.optim.SGD(net.parameters(), lr=0.1)
    anchor, positive, negative = x[0:9], x[3:12], x[1:10]
    for _ in range(12):
        opt.zero_grad()
        out = [net(part) for part in (anchor, positive, negative)]
        loss = T.nn.functional.triplet_margin_loss(*out, margin=0.5)
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}", y[:3].tolist())


def decoder_of_images(T: Any) -> None:
    T.manual_seed(1)
    net = T.nn.Sequential(
        T.nn.Linear(3, 8),
        T.nn.Unflatten(1, (2, 2, 2)),
        T.nn.Upsample(scale_factor=2),
        T.nn.Conv2d(2, 1, 3, padding=1),
        T.nn.Sigmoid(),
    )
    print(net)
    image = net(T.randn(2, 3))
    image.mean().backward()
    print(image.shape, f"{image.mean().item():.4f}", f"{net[0].weight.grad.norm().item():.5f}")


def moving_average_of_weights(T: Any) -> None:
    x, y = blobs(T)
    net = T.nn.Linear(2, 3)
    swa = T.optim.swa_utils
    average = swa.AveragedModel(net, multi_avg_fn=swa.get_ema_multi_avg_fn(0.9))
    opt = T.optim.SGD(net.parameters(), lr=0.3)
    for step in range(20):
        opt.zero_grad()
        T.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
        average.update_parameters(net)
        if step % 5 == 4:
            gap = (average.module.weight - net.weight).abs().max()
            print(f"{gap.item():.5f}", average.n_averaged.item())


def windows_of_a_series(T: Any) -> None:
    series = T.sin(T.arange(40.0) / 4)
    windows = series.unfold(0, 6, 1)
    x, y = windows[:, :5], windows[:, 5:]
    net = T.nn.Linear(5, 1)
    T.nn.init.orthogonal_(net.weight)
    opt = T.optim.Rprop(net.parameters(), lr=0.01)
    for _ in range(30):
        opt.zero_grad()
        loss = T.nn.functional.huber_loss(net(x), y, delta=0.5)
        loss.backward()
        opt.step()
    print(windows.shape, f"{loss.item():.5f}")


def patches_of_an_image(T: Any) -> None:
    image = T.arange(36.0).reshape(1, 6, 6)
    patches = image.unfold(1, 3, 3).unfold(2, 3, 3)
    print(patches.shape, patches.reshape(4, 9).mean(1))
    print(T.movedim(patches, (1, 2), (0, 1)).shape)
    print([part.shape for part in T.tensor_split(image, 4, dim=2)])


def nearest_neighbours(T: Any) -> None:
    x, y = blobs(T)
    queries = T.tensor([[0.0, 1.5], [1.5, -1.0], [-1.0, -1.0]])
    distances = T.cdist(queries, x)
    near = distances.topk(5, largest=False).indices
    votes = y.unsqueeze(0).expand(3, -1).take_along_dim(near, 1)
    print(votes, T.median(distances, 1).values, distances.kthvalue(3, 1).values)


def principal_directions(T: Any) -> None:
    x, _ = blobs(T)
    centred = x - x.mean(0)
    _, sizes, V = T.svd(centred)
    directions = V * V[0].sign()
    print(sizes, directions)
    std, mean = T.std_mean(centred @ directions, 0)
    print(std, mean.abs() < 1e-5)


def deep_narrow_network(T: Any) -> None:
    T.manual_seed(0)
    block = T.nn.Sequential(T.nn.Linear(4, 4), T.nn.Tanh())
    net = block * 3
    for layer in net:
        if isinstance(layer, T.nn.Linear):
            T.nn.init.trunc_normal_(layer.weight, std=0.5)
    out = net(T.ones(1, 4))
    out.sum().backward()
    print(len(net), out, block[0].weight.grad.norm())


def stopwords(T: Any) -> None:
    tokens = T.tensor([[4, 1, 7, 2], [1, 1, 3, 9]])
    keep = ~T.isin(tokens, T.tensor([1, 2]))
    print(keep, tokens[keep], keep.sum(1))
    print(T.rot90(tokens), T.fliplr(tokens), T.column_stack((tokens[0], tokens[1])))
    print(T.iinfo(T.int16).max, T.logspace(-2, 2, 5))


def samples_along_rays(T: Any) -> None:
    """Points drawn where a ray meets most, by the inverse of the cumulated weights."""
    edges = T.linspace(2.0, 6.0, 6).expand(2, 6).contiguous()
    weights = T.tensor([[0.1, 0.2, 3.0, 0.4, 0.1], [1.0, 0.0, 0.0, 0.0, 1.0]]) + 1e-5
    share = weights / weights.sum(-1, keepdim=True)
    rising = T.cat([T.zeros(2, 1), share.cumsum(-1)], -1)
    wanted = T.linspace(0.05, 0.95, 7).expand(2, 7).contiguous()
    above = T.searchsorted(rising, wanted, right=True).clamp(1, 5)
    low, high = rising.gather(1, above - 1), rising.gather(1, above)
    near, far = edges.gather(1, above - 1), edges.gather(1, above)
    depths = near + (wanted - low) / (high - low) * (far - near)
    print(above, depths, T.bucketize(depths, edges[0]))
    print(T.trapezoid(depths, wanted), T.cumulative_trapezoid(depths, wanted)[:, -1])


def repeatable_runs(T: Any) -> None:
    """The same numbers again, with the settings of a script that must repeat them."""
    threads = T.get_num_threads()
    T.use_deterministic_algorithms(True)
    T.set_num_threads(1)
    T.set_float32_matmul_precision("highest")
    try:
        for _ in range(2):
            T.manual_seed(11)
            net = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.GELU(), T.nn.Linear(4, 1))
            opt = T.optim.Adam(net.parameters(), lr=0.05)
            for _ in range(3):
                loss = net(T.randn(8, 3)).square().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
            print(f"{loss.item():.5f}", T.are_deterministic_algorithms_enabled())
    finally:
        T.use_deterministic_algorithms(False)
        T.set_num_threads(threads)


def intervals_that_cover(T: Any) -> None:
    """A threshold from held-out residuals, so that nine in ten intervals cover."""
    x = T.randn(60, 2)
    y = T.tensordot(x, T.tensor([1.5, -0.5]), dims=1) + 0.3 * T.randn(60)
    weights = T.linalg.solve(x[:30].T @ x[:30], x[:30].T @ y[:30])
    residuals = (y[30:45] - T.inner(x[30:45], weights)).abs()
    limit = T.quantile(residuals, 0.9)
    covered = (y[45:] - T.inner(x[45:], weights)).abs() <= limit
    print(f"{limit.item():.4f} {covered.float().mean().item():.3f}", T.argwhere(~covered).flatten())
    print(T.quantile(residuals, T.tensor([0.25, 0.75])), T.fmin(residuals[:3], limit))


def normalizing_flow(T: Any) -> None:
    """Coupling layers map points to a normal distribution."""
    nets = T.nn.ModuleList(
        T.nn.Sequential(T.nn.Linear(1, 8), T.nn.Tanh(), T.nn.Linear(8, 2)) for _ in range(4)
    )
    base = T.distributions.MultivariateNormal(T.zeros(2), T.eye(2))
    opt = T.optim.Adam(nets.parameters(), lr=0.05)
    x = 0.5 * T.randn(16, 2) + 1
    for _ in range(5):
        z, volume = x, T.zeros(16)
        for net in nets:
            still, moved = z.chunk(2, dim=-1)
            scale, shift = net(still).chunk(2, dim=-1)
            z = T.cat([moved * scale.tanh().exp() + shift, still], dim=-1)
            volume = volume + scale.tanh().sum(-1)
        loss = -(base.log_prob(z) + volume).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{loss.item():.4f}")


def weights_with_doubts(T: Any) -> None:
    """Each weight is a distribution: the loss adds its divergence from a prior."""
    D = T.distributions
    mean = T.nn.Parameter(0.1 * T.randn(3))
    spread = T.nn.Parameter(T.full((3,), -3.0))
    x = T.linspace(-1, 1, 12)
    powers = T.stack([T.ones(12), x, x**2], dim=1)
    opt = T.optim.RMSprop([mean, spread], lr=0.05)
    prior = D.Independent(D.Normal(T.zeros(3), T.ones(3)), 1)
    for _ in range(6):
        guess = D.Independent(D.Normal(mean, T.nn.functional.softplus(spread)), 1)
        noise = D.Normal(powers @ guess.rsample(), 0.2)
        loss = D.kl_divergence(guess, prior) - noise.log_prob(2 * x - 1).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"{loss.item():.3f}")


def ensemble_of_networks(T: Any) -> None:
    nets = [T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 1)) for _ in range(3)]
    parameters, buffers = T.func.stack_module_state(nets)
    x = T.randn(6, 2)

    def call(parameters: Any, buffers: Any) -> Any:
        return T.func.functional_call(nets[0], (parameters, buffers), (x,)).squeeze(-1)

    together = T.vmap(call)(parameters, buffers)
    print(together.mean(0), together.std(0))
    apart = T.stack([net(x).squeeze(-1) for net in nets])
    print(
        T.allclose(together, apart, atol=1e-6), {n: tuple(p.shape) for n, p in parameters.items()}
    )


def chosen_precision(T: Any) -> None:
    """The usual choice of a dtype by its name, with a scaler that a CPU may do without."""
    dtype = {"float32": T.float32, "bfloat16": T.bfloat16, "float16": T.float16}["float16"]
    x, y = blobs(T)
    net = T.nn.Linear(2, 3)
    opt = T.optim.AdamW(net.parameters(), lr=0.1, fused=None)
    scaler = T.amp.GradScaler("cpu", enabled=dtype == T.float16)
    for _ in range(4):
        with T.autocast(device_type="cpu", dtype=dtype):
            logits = net(x)
            loss = T.nn.functional.cross_entropy(logits, y)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        T.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad(set_to_none=True)
        print(logits.dtype, loss.dtype, f"{loss.item():.2f}", scaler.get_scale())


def texts_in_bags(T: Any) -> None:
    """Texts of different lengths, one after the other, with the place where each begins."""
    texts = [([1, 2, 3], 0), ([4, 5], 1), ([1, 6, 2, 3], 0), ([5, 4, 4], 1)]

    def together(batch: Any) -> Any:
        lengths = T.tensor([0, *(len(words) for words, _ in batch[:-1])])
        words = T.tensor([word for words, _ in batch for word in words])
        return words, lengths.cumsum(0), T.tensor([label for _, label in batch])

    loader = T.utils.data.DataLoader(texts, batch_size=2, shuffle=True, collate_fn=together)
    net = T.nn.ModuleDict({"bags": T.nn.EmbeddingBag(7, 4), "head": T.nn.Linear(4, 2)})
    opt = T.optim.SGD(net.parameters(), lr=0.5)
    print(net)
    for _ in range(4):
        for words, starts, labels in loader:
            loss = T.nn.functional.cross_entropy(net["head"](net["bags"](words, starts)), labels)
            opt.zero_grad()
            loss.backward()
            T.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
        print(f"{loss.item():.4f} {net['bags'].weight.grad.norm().item():.4f}")


def classes_between(T: Any) -> None:
    """An autoencoder whose code is a class, drawn so that the draw has a gradient."""
    F, x = T.nn.functional, (T.rand(12, 6) > 0.5).float()
    encoder, decoder = T.nn.Linear(6, 3), T.nn.Sequential(T.nn.RMSNorm(3), T.nn.Linear(3, 6))
    parameters = [*encoder.parameters(), *decoder.parameters()]
    opt = T.optim.Adam(parameters, lr=0.05)
    for step in range(8):
        logits = encoder(x)
        code = F.gumbel_softmax(logits, tau=max(0.5, 0.9**step))
        share = logits.softmax(-1)
        cost = (share * (logits.log_softmax(-1) + math.log(3))).sum(-1).mean()
        loss = F.binary_cross_entropy_with_logits(decoder(code), x) + 0.1 * cost
        opt.zero_grad()
        loss.backward()
        opt.step()
    hard = F.gumbel_softmax(encoder(x), hard=True)
    print(f"{loss.item():.4f}", hard.argmax(-1).tolist(), hard.sum().item(), decoder)


def counts_by_rates(T: Any) -> None:
    """Counts drawn at rates that a line predicts the logarithms of."""
    x = T.linspace(-1, 1, 40).unsqueeze(1)
    counts = T.poisson((1.5 * x + 0.5).exp())
    line, loss_of = T.nn.Linear(1, 1), T.nn.PoissonNLLLoss()
    opt = T.optim.Rprop(line.parameters(), lr=0.1)
    for _ in range(15):
        opt.zero_grad()
        loss = loss_of(line(x), counts)
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f} {line.weight.item():.3f} {line.bias.item():.3f}")
    print(T.histogram(counts, 4), T.histc(counts, 3).tolist(), T.distributions.Poisson(2.0))
    (slope,) = T.gradient(line(x).exp().detach().squeeze(), spacing=0.05)
    print(slope[::10])


def squashed_density(T: Any) -> None:
    """A density of two peaks, and another one by the change of variables."""
    D = T.distributions
    peaks = D.Normal(T.tensor([-2.0, 1.0]), T.tensor([0.5, 0.8]))
    x = D.MixtureSameFamily(D.Categorical(T.tensor([0.4, 0.6])), peaks).sample((50,))
    loc, log_scale = (T.zeros((), requires_grad=True) for _ in range(2))
    opt = T.optim.Adam([loc, log_scale], lr=0.2)
    for _ in range(8):
        moved = [D.AffineTransform(loc, log_scale.exp())]
        loss = -D.TransformedDistribution(D.Normal(0.0, 1.0), moved).log_prob(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f} {loc.item():.3f} {log_scale.exp().item():.3f}")
    steps = D.ComposeTransform([D.AffineTransform(0.5, 2.0), D.TanhTransform(cache_size=1)])
    action = D.Independent(D.TransformedDistribution(D.Normal(T.zeros(3), 1.0), steps), 1)
    drawn = action.rsample()
    print(action, drawn, action.log_prob(drawn), D.LogNormal(0.0, 0.5).mean)


PROGRAMS: list[Callable[[Any], None]] = [
    early_stopping_on_plateau, warmup_then_cosine, one_cycle_over_batches, optimizers_on_a_valley,
    siamese_pairs, triplets, decoder_of_images, moving_average_of_weights, windows_of_a_series,
    patches_of_an_image, nearest_neighbours, principal_directions, deep_narrow_network, stopwords,
    samples_along_rays, repeatable_runs, intervals_that_cover,
    normalizing_flow, weights_with_doubts, ensemble_of_networks, chosen_precision,
    texts_in_bags, classes_between, counts_by_rates, squashed_density,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program_prints_the_same(torch: Any, program: Callable[[Any], None]) -> None:
    def printing(T: Any) -> None:
        T.manual_seed(0)
        program(T)

    same(torch, printing)
