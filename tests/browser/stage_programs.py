"""Programs whose graphs the stage is measured with: from a neuron to a transformer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad_viz as viz

import minigrad as mg

nn, F = mg.nn, mg.nn.functional


def neuron() -> Any:
    """Two inputs, two weights and a bias: numbers without dimensions."""
    x1, x2, w1, w2, b = (mg.tensor(float(n), requires_grad=True) for n in range(5))
    n = x1 * w1 + x2 * w2 + b
    return viz.step(n.tanh())


def mlp() -> Any:
    mg.manual_seed(0)
    x, y = mg.randn(3, 5), mg.ones(3, 1)
    w1, b1 = mg.randn(5, 4, requires_grad=True), mg.zeros(4, requires_grad=True)
    w2, b2 = mg.randn(4, 1, requires_grad=True), mg.zeros(1, requires_grad=True)
    p = mg.sigmoid(mg.relu(x @ w1 + b1) @ w2 + b2)
    return viz.step(-(y * mg.log(p) + (1 - y) * mg.log(1 - p)).mean())


def cnn() -> Any:
    mg.manual_seed(0)
    layers = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2)
    net = nn.Sequential(*layers, nn.Flatten(), nn.Linear(8, 3))
    return viz.step(F.cross_entropy(net(mg.randn(2, 1, 6, 6)), mg.tensor([0, 2])))


def rnn() -> Any:
    mg.manual_seed(0)
    Wx, Wh = mg.randn(3, 4, requires_grad=True), mg.randn(4, 4, requires_grad=True)
    Wo, total, h = mg.randn(4, 2, requires_grad=True), mg.zeros(()), mg.zeros(1, 4)
    for t in range(5):
        h = mg.tanh(mg.randn(1, 3) @ Wx + h @ Wh)
        total = total + F.cross_entropy(h @ Wo, mg.tensor([t % 2]))
    return viz.step(total)


def attention() -> Any:
    mg.manual_seed(0)
    x = mg.randn(4, 6)
    Wq, Wk, Wv = (mg.randn(6, 3, requires_grad=True) for _ in range(3))
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    out = mg.softmax(q @ k.T / 3**0.5, -1) @ v
    return viz.step((out**2).mean())


def transformer() -> Any:
    mg.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, dropout=0.0)
    net, head = nn.TransformerEncoder(layer, 3), nn.Linear(8, 4)
    out = head(net(mg.randn(2, 5, 8))).reshape(-1, 4)
    return viz.step(F.cross_entropy(out, mg.arange(10) % 4))


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)
        self.conv2, self.bn2 = nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(x + self.bn2(self.conv2(y)))


def resnet() -> Any:
    mg.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 4, 3), *(Residual(4) for _ in range(6)))
    head = nn.Linear(4, 3)
    out = head(net(mg.randn(2, 1, 6, 6)).mean((2, 3)))
    return viz.step(F.cross_entropy(out, mg.tensor([0, 2])))


def gan() -> Any:
    mg.manual_seed(0)
    G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
    D = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
    real, fake = D(mg.randn(3, 4)), D(G(mg.randn(3, 2)))
    loss = F.binary_cross_entropy(real, mg.ones(3, 1))
    return viz.step(loss + F.binary_cross_entropy(fake, mg.zeros(3, 1)))


PROGRAMS: dict[str, Callable[[], Any]] = {
    each.__name__: each for each in (resnet, rnn, mlp, neuron, cnn, attention, transformer, gan)
}
