"""Programs of a first course on deep learning: both libraries print the same text.

test_seed_programs.py has what an introduction to autograd shows; here are whole exercises, with
models, losses, optimizers and data, and with everything printed that one prints to look at them.
"""

from __future__ import annotations

import copy
import math
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

from tests.parity import same, warn_always


def linear_regression_from_scratch(T: Any) -> None:
    true_w, true_b = T.tensor([2.0, -3.4]), 4.2
    features = T.normal(0, 1, (100, 2))
    labels = T.matmul(features, true_w) + true_b
    labels += T.normal(0, 0.01, labels.shape)
    w = T.normal(0, 0.01, size=(2, 1), requires_grad=True)
    b = T.zeros(1, requires_grad=True)
    print(features[:3], labels[:3])
    for epoch in range(3):
        order = T.randperm(len(features))
        for start in range(0, len(features), 10):
            batch = order[start : start + 10]
            error = T.matmul(features[batch], w) + b - labels[batch].reshape((-1, 1))
            (error**2 / 2).sum().backward()
            with T.no_grad():
                for parameter in (w, b):
                    parameter -= 0.03 * parameter.grad / 10
                    parameter.grad.zero_()
        with T.no_grad():
            loss = (((features @ w + b).squeeze() - labels) ** 2 / 2).mean()
        print(f"epoch {epoch + 1}, loss {float(loss):f}")
    print(w, b, error)
    print(f"error of w: {true_w - w.reshape(true_w.shape)}")


def bag_of_words(T: Any) -> None:
    F = T.nn.functional
    vocabulary = {"good": 1, "bad": 2, "film": 3, "very": 4}
    texts = [["very", "good", "film"], ["bad", "film", "film"]]
    ids = T.tensor([[vocabulary[word] for word in text] for text in texts])
    embedding, head = T.nn.Embedding(5, 3, padding_idx=0), T.nn.Linear(3, 2)
    print(embedding, embedding.weight)
    loss = F.cross_entropy(head(embedding(ids).mean(1)), T.tensor([1, 0]))
    loss.backward()
    print(loss, embedding.weight.grad)
    print(T.zeros(2, 5).scatter_add_(1, ids, T.ones(2, 3)), F.one_hot(ids, 5).sum(1))


def recurrent_network_by_hand(T: Any) -> None:
    wx, wh = T.nn.Parameter(T.randn(3, 4) * 0.1), T.nn.Parameter(T.randn(4, 4) * 0.1)
    b, h = T.nn.Parameter(T.zeros(4)), T.zeros(2, 4)
    print(b, wx)
    outputs = []
    for x in T.randn(5, 2, 3):
        h = T.tanh(x @ wx + h @ wh + b)
        outputs.append(h)
    print(h.grad_fn, T.stack(outputs).shape)
    T.stack(outputs).sum().backward()
    print(wx.grad, wh.grad, b.grad)
    print(h.detach())


def causal_attention(T: Any) -> None:
    q, k, v = (T.randn(2, 4, 3, requires_grad=True) for _ in range(3))
    scores = T.einsum("bid,bjd->bij", q, k) / math.sqrt(3)
    seen = T.tril(T.ones(4, 4)).bool()
    scores = scores.masked_fill(~seen, float("-inf"))
    weights = T.nn.functional.softmax(scores, dim=-1)
    print(seen, scores[0], weights[0])
    out = weights @ v
    out.pow(2).mean().backward()
    print(out, q.grad[0], v.grad[1])


def variational_autoencoder(T: Any) -> None:
    nn, F = T.nn, T.nn.functional

    class VAE(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.encoder, self.mu, self.logvar = nn.Linear(6, 4), nn.Linear(4, 2), nn.Linear(4, 2)
            self.decoder = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 6), nn.Sigmoid())

        def forward(self, x: Any) -> Any:
            h = F.relu(self.encoder(x))
            mu, logvar = self.mu(h), self.logvar(h)
            std = T.exp(0.5 * logvar)
            return self.decoder(mu + T.randn_like(std) * std), mu, logvar

    model, x = VAE(), T.rand(3, 6)
    optimizer = T.optim.AdamW(model.parameters(), lr=1e-2)
    print(model, optimizer)
    for _ in range(3):
        out, mu, logvar = model(x)
        likelihood = F.binary_cross_entropy(out, x, reduction="sum")
        divergence = -0.5 * T.sum(1 + logvar - mu.pow(2) - logvar.exp())
        loss = likelihood + divergence
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss, f"{likelihood.item():.4f} + {divergence:.4f}")
    print(out)


def adversarial_networks(T: Any) -> None:
    nn = T.nn
    maker = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 3))
    judge = nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1), nn.Sigmoid())
    print(maker, judge)
    of_maker = T.optim.Adam(maker.parameters(), lr=2e-4, betas=(0.5, 0.999))
    of_judge = T.optim.Adam(judge.parameters(), lr=2e-4, betas=(0.5, 0.999))
    criterion, real = nn.BCELoss(), T.randn(4, 3)
    for step in range(2):
        of_judge.zero_grad()
        fake = maker(T.randn(4, 2))
        seen = criterion(judge(real), T.ones(4, 1))
        unmasked = criterion(judge(fake.detach()), T.zeros(4, 1))
        (seen + unmasked).backward()
        of_judge.step()
        of_maker.zero_grad()
        fooled = criterion(judge(fake), T.ones(4, 1))
        fooled.backward()
        of_maker.step()
        print(f"[{step}] {(seen + unmasked).item():.4f} {fooled.item():.4f}", fooled)
    print(fake, of_maker.state_dict()["state"][0]["step"])


def early_stopping(T: Any) -> None:
    nn = T.nn
    model, x = nn.Linear(2, 1), T.randn(8, 2)
    y = x.sum(1, keepdim=True)
    optimizer = T.optim.SGD(model.parameters(), lr=0.1)
    best, kept, waited = float("inf"), None, 0
    for epoch in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        value = loss.item() + max(0, epoch - 4)
        if value < best:
            best, kept, waited = value, copy.deepcopy(model.state_dict()), 0
        elif (waited := waited + 1) > 2:
            print("stopped at", epoch)
            break
    print(f"{best:.5f}", kept, model.load_state_dict(kept))
    for other in (nn.Linear(3, 1), nn.Sequential(nn.Linear(2, 1))):
        try:
            other.load_state_dict(kept)
        except RuntimeError as error:
            print(error)
    print(nn.Sequential(nn.Linear(2, 1)).load_state_dict(kept, strict=False))


def hooks_of_modules_and_tensors(T: Any) -> None:
    nn = T.nn
    net = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    seen = {}
    handles = [
        net[0].register_forward_hook(lambda m, i, o: seen.__setitem__("first", o.detach())),
        net[1].register_forward_pre_hook(lambda m, i: print("into", m, i[0].shape)),
        net[2].register_full_backward_hook(lambda m, gi, go: print("out of", m, gi, go)),
    ]
    x = T.ones(2, 3, requires_grad=True)
    x.register_hook(lambda g: print("gradient of x", g))
    net(x).sum().backward()
    print(seen)
    for handle in handles:
        handle.remove()
    y = net(x)
    y.retain_grad()
    y.mean().backward()
    print(y.grad, x.grad)


def gradient_penalty(T: Any) -> None:
    nn = T.nn
    critic = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    x = T.randn(3, 2).requires_grad_(True)
    score = critic(x)
    (slope,) = T.autograd.grad(score, x, grad_outputs=T.ones_like(score), create_graph=True)
    print(slope, slope.grad_fn.next_functions)
    penalty = ((slope.norm(2, dim=1) - 1) ** 2).mean()
    penalty.backward()
    print(penalty, [parameter.grad for parameter in critic.parameters()])
    nn.utils.clip_grad_norm_(critic.parameters(), 0.1)
    print(critic[0].weight.grad)


def datasets_and_loaders(T: Any) -> None:
    data = T.utils.data

    class Squares(data.Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return 7

        def __getitem__(self, index: int) -> Any:
            return T.tensor([float(index)]), index * index

    def apart(samples: Any) -> Any:
        return T.stack([x for x, _ in samples]), [y for _, y in samples]

    for x, y in data.DataLoader(Squares(), batch_size=3, shuffle=True):
        print(x, y, y.dtype)
    print(list(data.DataLoader(Squares(), batch_size=4, collate_fn=apart, drop_last=True)))
    pairs = data.TensorDataset(T.arange(6).view(3, 2), T.tensor([1, 0, 1]))
    first, second = data.random_split(pairs, [2, 1])
    print(pairs[1], len(pairs), first[0], list(second.indices))
    print(list(data.DataLoader([{"a": 1, "b": 2.0}, {"a": 3, "b": 4.0}], batch_size=2)))


def what_beginners_read(T: Any) -> None:
    """Mistakes whose whole message is the same."""
    F = T.nn.functional
    x = T.tensor([1.0, 2.0], requires_grad=True)
    mistakes = (
        lambda: (x * 2).backward(),
        lambda: T.ones(2).sum().backward(),
        lambda: x.numpy(),
        lambda: x.add_(1),
        lambda: T.tensor([1, 2], requires_grad=True),
        lambda: T.ones(2, 3) @ T.ones(2, 3),
        lambda: T.ones(2) + T.ones(3),
        lambda: T.ones(2, 3).view(4),
        lambda: T.zeros(2, 2).reshape(3),
        lambda: T.cat([T.ones(2), T.ones(2, 2)]),
        lambda: T.stack([T.ones(2), T.ones(3)]),
        lambda: T.mm(T.ones(2), T.ones(2)),
        lambda: T.ones(3)[5],
        lambda: T.ones(2, 2)[:, 3],
        lambda: T.ones(3).item(),
        lambda: bool(T.ones(2)),
        lambda: T.arange(3).mean(),
        lambda: T.nn.Linear(2, 3)(T.ones(2, 4)),
        lambda: T.nn.Conv2d(1, 2, 3)(T.ones(1, 2, 5, 5)),
        lambda: T.nn.BatchNorm1d(3)(T.ones(1, 3)),
        lambda: T.nn.Embedding(3, 2)(T.tensor([4])),
        lambda: F.cross_entropy(T.randn(2, 3), T.tensor([0, 5])),
        lambda: F.cross_entropy(T.randn(2, 3), T.tensor([0, 1, 2])),
        lambda: F.binary_cross_entropy(T.tensor([1.5]), T.tensor([1.0])),
        lambda: T.optim.SGD([T.ones(1) * x.sum()], lr=0.1),
        lambda: T.optim.SGD([], lr=0.1),
        lambda: T.optim.SGD(x, lr=0.1),
        lambda: T.optim.Adam([x], lr=-1),
    )
    for mistake in mistakes:
        try:
            print(mistake())
        except Exception as error:
            print(type(error).__name__, error)


def shapes_by_the_part(T: Any) -> None:
    """Operations on a shape return a shape."""
    x = T.zeros(2, 3, 4)
    shape = x.shape
    seven = (7,)
    print(shape[1:], shape[-1], shape[:1] + seven, seven + shape[:1], shape + shape, shape * 2)
    print(T.zeros(shape[:1] + seven).shape, T.Size([T.tensor(2), True]), 2 * shape[::2], *shape)
    print(copy.deepcopy(shape), pickle.loads(pickle.dumps(shape)), x.size(-1), x.stride(-3))
    for wrong in (
        lambda: x.size(3),
        lambda: x.stride(-4),
        lambda: T.Size([2.5]),
        lambda: T.Size(["a"]),
    ):
        try:
            print(wrong())
        except (IndexError, TypeError) as error:
            print(type(error).__name__, error)


def tensors_made_the_old_way(T: Any) -> None:
    x = T.ones(2, requires_grad=True)
    print(T.Tensor([1, 2, 3]), T.Tensor((2, 3)), T.Tensor([[True, False]]), T.Tensor(np.arange(3)))
    print(T.Tensor(2, 3).shape, T.Tensor(4).dtype, T.Tensor().shape, T.Tensor(T.Size([2, 1])).shape)
    print(T.Tensor(x), T.Tensor(T.tensor([1, 2])), T.nn.Parameter(T.Tensor([1.5])))
    print(copy.deepcopy(T.Tensor([1])), pickle.loads(pickle.dumps(T.Tensor([1]))))
    for wrong in (lambda: T.Tensor(3.5), lambda: T.Tensor(None), lambda: T.Tensor(-1)):
        try:
            print(wrong())
        except (RuntimeError, TypeError) as error:
            print(type(error).__name__, error)


def learning_rates_as_tensors(T: Any) -> None:
    for kind in (T.optim.SGD, T.optim.Adam, T.optim.AdamW, T.optim.RMSprop):
        for start in (2.0, [2.0, -1.0]):
            x = T.tensor(start, requires_grad=True)
            optimizer = kind([x], lr=T.tensor(0.125))
            for _ in range(2):
                optimizer.zero_grad()
                (x * x).sum().backward()
                optimizer.step()
            print(x)


def numbers_out_of_what_requires_grad(T: Any) -> None:
    x = T.tensor(2.0, requires_grad=True)
    for number in (
        lambda: float(x),
        lambda: math.floor(x * 1.5),
        lambda: complex(x),
        lambda: int(x),
        lambda: bool(x),
        lambda: x.item(),
        lambda: float(x.detach()),
        lambda: T.tensor([x, x * 2]),
        lambda: T.tensor([x.detach(), 1.0]),
    ):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            print(number(), [str(w.message).partition(" (Trig")[0] for w in seen])
    with warnings.catch_warnings(), T.no_grad():
        warnings.simplefilter("error")
        print(float(x))


def samples_of_all_sorts(T: Any) -> None:
    data = T.utils.data
    pairs = data.TensorDataset(T.arange(3.0), T.arange(3))
    samples = [(1, "a", np.float32(0.5)), (2, "b", np.float32(1.5))]
    for one in (pairs, samples, [{"x": np.ones(1), "y": ("b", [2])}], [1, 2], ["a", "b"]):
        print(list(data.DataLoader(one, batch_size=None)))
        print(list(data.DataLoader(one, batch_size=2)))

    class Named(data.Dataset[tuple[str, int]]):  # type: ignore[misc,name-defined]
        def __len__(self) -> int:
            return 2

        def __getitem__(self, index: int) -> tuple[str, int]:
            return "ab"[index], index

    loader = data.DataLoader(Named(), batch_size=2)
    print(list(loader))
    for wrong in (
        lambda: setattr(loader, "batch_size", 3),
        lambda: setattr(loader, "dataset", pairs),
        lambda: data.random_split(pairs, [1.5, -0.5]),
    ):
        try:
            print(wrong())
        except ValueError as error:
            print(error)


def an_optimizer_of_ones_own(T: Any) -> None:
    class Sign(T.optim.Optimizer):  # type: ignore[misc,name-defined]
        def __init__(self, params: Any, lr: float = 0.25) -> None:
            super().__init__(params, {"lr": lr})

        @T.no_grad()  # type: ignore[untyped-decorator]
        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for p in group["params"]:
                    p.add_(p.grad.sign(), alpha=-group["lr"])
                    self.state[p]["steps"] = self.state[p].get("steps", 0) + 1

    class Halving(T.optim.lr_scheduler._LRScheduler):  # type: ignore[misc,name-defined]
        def get_lr(self) -> list[float]:
            return [rate * 0.5**self.last_epoch for rate in self.base_lrs]

    x = T.tensor([1.0, -2.0], requires_grad=True)
    optimizer = Sign([x])
    scheduler = Halving(optimizer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            optimizer.zero_grad()
            (x * x).sum().backward()
            optimizer.step()
            scheduler.step()
    print(x, scheduler.get_last_lr(), optimizer.state_dict())
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        T.optim.SGD([x, x], lr=0.1)
    print([str(w.message)[:99] for w in seen])
    try:
        T.optim.Optimizer([x], {"lr": 1.0}).step()
    except NotImplementedError as error:
        print(type(error).__name__)


def arguments_by_their_names(T: Any) -> None:
    x, row, F = T.arange(6.0).view(2, 3).requires_grad_(), T.ones(3), T.nn.functional
    print(x.permute(dims=(1, 0)), T.permute(input=x, dims=(1, 0)), T.flip(x, dims=[1]))
    print(row.expand(size=(2, 3)), row.repeat(repeats=(2, 1)), T.tile(row, dims=(2,)))
    print(x.view(size=(3, 2)), x.reshape(shape=(6,)), x.new_zeros(size=(1, 2)), x.new_ones(size=()))
    print(T.zeros(2, 3).copy_(other=row), F.one_hot(input=T.tensor([1]), num_classes=2))
    for wrong in (lambda: x.view(foo=3), lambda: x.view(6, size=(6,)), lambda: x.flip(foo=1)):
        try:
            print(wrong())
        except TypeError:
            print("TypeError")


def warnings_worth_reading(T: Any) -> None:
    x = T.ones(1, 3)
    net = T.nn.Linear(3, 1)
    net.register_full_backward_hook(lambda module, inner, outer: None)
    for action in (
        lambda: T.ones(1).std(),
        lambda: x.var(0),
        lambda: T.var_mean(x, 1, correction=3),
        lambda: x.var(1),
        lambda: T.ones(1).var(unbiased=False),
        lambda: net(x).sum().backward(),
        lambda: net(x.clone().requires_grad_()).sum().backward(),
    ):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            print(action(), [str(w.message)[:117] for w in seen if w.category is UserWarning])


def everything_seeded(T: Any) -> None:
    def seed(number: int) -> None:
        T.manual_seed(number)
        T.cuda.manual_seed(number)
        T.cuda.manual_seed_all(number)

    for number in (0, 1, 0):
        seed(number)
        print(T.rand(2))


def meta_learning(T: Any) -> None:
    """Gradients through steps of gradient descent (MAML)."""
    F = T.nn.functional
    net = T.nn.Sequential(T.nn.Linear(1, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
    optimizer = T.optim.Adam(net.parameters(), 0.01)
    for _ in range(2):
        total = 0
        for _ in range(2):
            x = T.rand(6, 1) * 10 - 5
            y = (T.rand(1) + 0.5) * T.sin(x + T.rand(1))
            fast = dict(net.named_parameters())
            for steps_left in (1, 0):
                hidden = T.tanh(F.linear(x, fast["0.weight"], fast["0.bias"]))
                loss = F.mse_loss(F.linear(hidden, fast["2.weight"], fast["2.bias"]), y)
                if steps_left:
                    slopes = T.autograd.grad(loss, list(fast.values()), create_graph=True)
                    pairs = zip(fast.items(), slopes, strict=True)
                    fast = {name: p - 0.1 * slope for (name, p), slope in pairs}
            total = total + loss
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        print(total, [p.grad.norm() for p in net.parameters()])


def newtons_method(T: Any) -> None:
    def valley(x: Any) -> Any:
        return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2

    x = T.tensor([-1.2, 1.0], dtype=T.float64, requires_grad=True)
    for _ in range(3):
        (slope,) = T.autograd.grad(valley(x), x, create_graph=True)
        rows = [T.autograd.grad(each, x, retain_graph=True)[0] for each in slope]
        curvature = T.stack(rows)
        print(x, slope, curvature, T.linalg.det(curvature))
        with T.no_grad():
            x -= T.linalg.solve(curvature, slope)
    print(T.autograd.functional.hessian(valley, x.detach()), valley(x))


def tied_weights_and_their_state(T: Any) -> None:
    class Model(T.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.embed = T.nn.Embedding(5, 3, padding_idx=0)
            self.out = T.nn.Linear(3, 5, bias=False)
            self.out.weight = self.embed.weight

        def forward(self, words: Any) -> Any:
            return self.out(self.embed(words).mean(1))

    net = Model()
    words = T.tensor([[1, 2, 0], [3, 3, 4]])
    T.nn.functional.cross_entropy(net(words), T.tensor([2, 4])).backward()
    print(net, len(list(net.parameters())), list(net.state_dict()), net.embed.weight.grad)
    twin = copy.deepcopy(net)
    print(twin.out.weight is twin.embed.weight, twin.embed.weight.grad is net.embed.weight.grad)
    renamed = {f"body.{name}": value for name, value in net.state_dict().items()}
    wrapped = T.nn.Module()
    wrapped.body = twin
    print(wrapped.load_state_dict(renamed), wrapped)
    twin.embed.weight.requires_grad_(False)
    print(sum(p.numel() for p in wrapped.parameters() if p.requires_grad), twin(words))


def what_passes_through_a_model(T: Any) -> None:
    nn, depth = T.nn, 0
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Sequential(nn.Flatten(), nn.Linear(8, 2)))

    def enter(name: str) -> Any:
        def hook(module: Any, args: Any) -> None:
            nonlocal depth
            print("  " * depth + name, type(module).__name__, *[tuple(each.shape) for each in args])
            depth += 1

        return hook

    def leave(module: Any, args: Any, result: Any) -> None:
        nonlocal depth
        depth -= 1
        print("  " * depth + "gives", tuple(result.shape), result.grad_fn.name())

    for name, module in net.named_modules():
        module.register_forward_pre_hook(enter(name or "all"))
        module.register_forward_hook(leave)
    sizes: dict[str, float] = {}
    for name, parameter in net.named_parameters():
        parameter.register_hook(lambda g, name=name: sizes.__setitem__(name, g.norm().item()))
    net(T.randn(3, 1, 4, 4)).square().mean().backward()
    print({name: round(size, 4) for name, size in sizes.items()})


def functions_of_ones_own(T: Any) -> None:
    class Reversed(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, factor: float) -> Any:
            ctx.factor = factor
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return -ctx.factor * g, None

    class Layer(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any, w: Any, b: Any = None, act: str = "relu") -> Any:
            z = x @ w.t() if b is None else x @ w.t() + b
            alive = z > 0 if act == "relu" else T.ones_like(z, dtype=T.bool)
            ctx.save_for_backward(x, w, b, alive)
            ctx.mark_non_differentiable(alive)
            print(ctx.needs_input_grad)
            return z * alive, alive, z.sum()

        @staticmethod
        def backward(ctx: Any, g: Any, _: Any, g_sum: Any) -> Any:
            x, w, b, alive = ctx.saved_tensors
            g = g * alive + g_sum
            return (g @ w, g.t() @ x, None if b is None else g.sum(0), None)[
                : len(ctx.needs_input_grad)
            ]

    x, w = T.randn(2, 3, requires_grad=True), T.randn(4, 3, requires_grad=True)
    for more in ((), (T.ones(4, requires_grad=True),), (None, "none")):
        y, alive, total = Layer.apply(Reversed.apply(x, 0.5), w, *more)
        print(y, alive, total, y.grad_fn is total.grad_fn, total.output_nr)
        (y.sum() + total).backward()
        print(x.grad, w.grad, *(each.grad for each in more[:1] if each is not None))
    print(Layer.apply(x, w=w, act="none", b=None)[2])


PROGRAMS = [
    meta_learning,
    newtons_method,
    tied_weights_and_their_state,
    what_passes_through_a_model,
    functions_of_ones_own,
    everything_seeded,
    warnings_worth_reading,
    arguments_by_their_names,
    samples_of_all_sorts,
    an_optimizer_of_ones_own,
    shapes_by_the_part,
    tensors_made_the_old_way,
    learning_rates_as_tensors,
    numbers_out_of_what_requires_grad,
    linear_regression_from_scratch,
    bag_of_words,
    recurrent_network_by_hand,
    causal_attention,
    variational_autoencoder,
    adversarial_networks,
    early_stopping,
    hooks_of_modules_and_tensors,
    gradient_penalty,
    datasets_and_loaders,
    what_beginners_read,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_text(torch: Any, program: Any) -> None:
    with warn_always(torch):
        assert same(torch, program)["printed"]
