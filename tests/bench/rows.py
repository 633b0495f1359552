"""The rows of the benchmark: their programs, their peers, and their target ratios.

A row is a class with one method for each peer that can do the work. The method is given the peer's
module, prepares the data, and returns the step that is timed: a function without arguments that
returns what it computed, so that a test can hold the peers to the same numbers. A `SharedRow` is
one program for minigrad and PyTorch, word for word. To add a row, add a class.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

Step = Callable[[], Any]

PEERS = {
    "minigrad": "minigrad",
    "torch": "torch",
    "numpy": "numpy",
    "autograd": "autograd",
    "micrograd": "micrograd",
    "itself": "minigrad",
}
"""Each peer, which is also the name of the method that makes its step, and its module."""


class Row:
    """One line of work. `targets` holds the highest wanted ratio of minigrad's time to a peer's."""

    title: ClassVar[str]
    targets: ClassVar[dict[str, float]]
    operations = 1
    """Operations in one step; times are given for one operation."""

    def peers(self) -> list[str]:
        return [peer for peer in PEERS if hasattr(self, peer)]

    def step(self, peer: str) -> Step:
        """`peer`'s step, with data of its own. Raises ImportError where the peer is missing."""
        make: Callable[[Any], Step] = getattr(self, peer)
        return make(importlib.import_module(PEERS[peer]))


class SharedRow(Row):
    """A row in which minigrad and PyTorch run the same program."""

    def tensors(self, T: Any) -> Step:
        raise NotImplementedError

    def minigrad(self, mg: Any) -> Step:
        return self.tensors(mg)

    def torch(self, torch: Any) -> Step:
        return self.tensors(torch)


class Chain(SharedRow):
    """The cost of an operation itself: numbers so small that arithmetic does not count."""

    title = "chain of 200 0-d multiplications, forward and backward, per operation"
    targets = {"torch": 0.65, "micrograd": 1.0, "autograd": 0.25}
    operations = 200

    def power(self, x: Any) -> Any:
        y = x
        for _ in range(self.operations):
            y = y * x
        return y

    def tensors(self, T: Any) -> Step:
        x = T.tensor(1.001, requires_grad=True)

        def step() -> Any:
            x.grad = None
            self.power(x).backward()
            return x.grad

        return step

    def autograd(self, autograd: Any) -> Step:
        gradient = autograd.grad(self.power)
        return lambda: gradient(1.001)

    def micrograd(self, micrograd: Any) -> Step:
        value = importlib.import_module("micrograd.engine").Value

        def step() -> Any:
            x = value(1.001)
            self.power(x).backward()
            return x.grad

        return step


class Mixed(SharedRow):
    """Small operations of several kinds, as the loops of a first course have them."""

    title = "chain of 40 mixed operations (tanh, exp, division, sum) on 8 elements"
    targets = {"torch": 0.95}
    operations = 40

    def tensors(self, T: Any) -> Step:
        x = T.linspace(-1.0, 1.0, 8).requires_grad_()

        def step() -> Any:
            x.grad = None
            y = x
            for _ in range(self.operations // 4):
                e = T.exp(T.tanh(y))
                y = e / e.sum()
            y.sum().backward()
            return x.grad

        return step


class MixedWithLines(Mixed):
    """Cost of the visualizer's import for every operation: each node remembers its line."""

    title = "the same chain, with the lines of the program remembered"
    targets = {"itself": 1.15}

    def peers(self) -> list[str]:
        return ["minigrad", "itself"]

    def itself(self, mg: Any) -> Step:
        return self.tensors(mg)

    def minigrad(self, mg: Any) -> Step:
        plain = self.tensors(mg)

        def step() -> Any:
            with mg.autograd.track_lines():
                return plain()

        return step


class Views(SharedRow):
    """A view of a view of a view: each may cost no more than the first."""

    targets = {"torch": 3.0}

    def tensors(self, T: Any) -> Step:
        x = T.ones(2, requires_grad=True)

        def step() -> Any:
            x.grad = None
            y = x
            for _ in range(self.operations):
                y = y.view(2)
            y.sum().backward()
            return x.grad

        return step


class Views1000(Views):
    title = "chain of 1,000 views, forward and backward, per view"
    operations = 1000


class Views100000(Views):
    title = "chain of 100,000 views, forward and backward, per view"
    operations = 100_000


class ForwardAlone(SharedRow):
    title = "0-d multiplication forward alone, under no_grad"
    targets = {"numpy": 3.0}
    operations = 200

    def tensors(self, T: Any) -> Step:
        x, w = T.tensor(1.5), T.tensor(2.0)

        def step() -> Any:
            with T.no_grad():
                for _ in range(self.operations):
                    y = x * w
            return y

        return step

    def numpy(self, np: Any) -> Step:
        x, w = np.array(1.5, np.float32), np.array(2.0, np.float32)

        def step() -> Any:
            for _ in range(self.operations):
                y = np.multiply(x, w)
            return y

        return step


class TwiceDot(SharedRow):
    title = "y = 2 * dot(x, x), x of 4, forward and backward"
    targets = {"torch": 0.5}

    def tensors(self, T: Any) -> Step:
        x = T.arange(4.0, requires_grad=True)

        def step() -> Any:
            x.grad = None
            (2 * T.dot(x, x)).backward()
            return x.grad

        return step

    def autograd(self, autograd: Any) -> Step:
        anp = importlib.import_module("autograd.numpy")
        x = np.arange(4, dtype=np.float32)
        gradient = autograd.grad(lambda x: 2 * anp.dot(x, x))
        return lambda: gradient(x)


class TwiceDotBackward(SharedRow):
    title = "y = 2 * dot(x, x), x of 4, backward alone"
    targets = {"torch": 0.4}

    def tensors(self, T: Any) -> Step:
        x = T.arange(4.0, requires_grad=True)
        y = 2 * T.dot(x, x)

        def step() -> Any:
            x.grad = None
            y.backward(retain_graph=True)
            return x.grad

        return step


class Logistic(SharedRow):
    title = "linear + bias + binary_cross_entropy_with_logits, 5x3, forward and backward"
    targets = {"torch": 0.65}

    def data(self) -> tuple[Any, Any, Any, Any]:
        draw = np.random.default_rng(0)
        w = draw.standard_normal((5, 3), np.float32)
        b = draw.standard_normal(3, np.float32)
        return np.ones(5, np.float32), np.zeros(3, np.float32), w, b

    def tensors(self, T: Any) -> Step:
        x, y, w, b = map(T.tensor, self.data())
        w.requires_grad_()
        b.requires_grad_()

        def step() -> Any:
            w.grad = b.grad = None
            z = T.matmul(x, w) + b
            T.nn.functional.binary_cross_entropy_with_logits(z, y).backward()
            return w.grad

        return step

    def numpy(self, np: Any) -> Step:
        x, y, w, b = self.data()

        def step() -> Any:
            z = x @ w + b
            e = np.exp(-np.abs(z))
            (np.maximum(z, 0) - z * y + np.log1p(e)).mean()
            sigmoid = np.where(z >= 0, 1, e) / (1 + e)
            grad_b = (sigmoid - y) / z.size
            return x[:, None] * grad_b

        return step


class MLP(SharedRow):
    """A perceptron with 784 inputs, 256 hidden units with tanh, 10 outputs, and squared error."""

    batch = 32

    def data(self) -> tuple[Any, ...]:
        draw = np.random.default_rng(0)
        shapes = (self.batch, 784), (self.batch, 10), (784, 256), (256,), (256, 10), (10,)
        x, y, *parameters = (draw.standard_normal(shape, np.float32) for shape in shapes)
        return x, y, *(0.05 * p for p in parameters)

    def model(self, T: Any) -> tuple[Step, list[Any]]:
        """The loss, to be computed again at each call, and the parameters."""
        x, y, *parameters = map(T.tensor, self.data())
        for p in parameters:
            p.requires_grad_()
        w1, b1, w2, b2 = parameters
        return lambda: ((T.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean(), parameters


class Training(MLP):
    """A training step as in a first course: forward, backward, and the update."""

    rate = 0.01

    def tensors(self, T: Any) -> Step:
        loss_now, parameters = self.model(T)

        def step() -> Any:
            loss = loss_now()
            loss.backward()
            with T.no_grad():
                for p in parameters:
                    p.sub_(p.grad, alpha=self.rate)
                    p.grad = None
            return loss

        return step

    def numpy(self, np: Any) -> Step:
        x, y, w1, b1, w2, b2 = self.data()

        def step() -> Any:
            h = x.dot(
                w1
            )  # with one sample, `dot` is faster than `@`, and where it is outer tenfold
            h += b1
            np.tanh(h, out=h)
            error = h.dot(w2)
            error += b2
            error -= y
            loss = np.vdot(error, error) / error.size

            error *= 2 / error.size
            grad_h = error.dot(w2.T)
            grad_w2, grad_b2 = h.T.dot(error), error.sum(0)
            h *= h
            np.subtract(1, h, out=h)
            grad_h *= h
            grad_w1 = x.T.dot(grad_h)
            grad_b1 = grad_h.sum(0)
            for p, g in (w1, grad_w1), (b1, grad_b1), (w2, grad_w2), (b2, grad_b2):
                g *= self.rate
                p -= g
            return loss

        return step


class Training1(Training):
    title = "MLP 784-256-10, tanh, squared error, training step, batch 1"
    targets = {"numpy": 1.05, "torch": 0.95}
    batch = 1


class Training32(Training):
    title = "MLP 784-256-10, tanh, squared error, training step, batch 32"
    targets = {"numpy": 1.05, "torch": 0.8}
    batch = 32


class Training256(Training):
    title = "MLP 784-256-10, tanh, squared error, training step, batch 256"
    targets = {"numpy": 1.05, "torch": 0.8}
    batch = 256


class HessianVector(MLP):
    title = "the same MLP, Hessian-vector product, batch 32"
    targets = {"torch": 1.2}

    def tensors(self, T: Any) -> Step:
        loss_now, parameters = self.model(T)
        direction = [T.ones_like(p) for p in parameters]

        def step() -> Any:
            gradient = T.autograd.grad(loss_now(), parameters, create_graph=True)
            along = sum((g * v).sum() for g, v in zip(gradient, direction, strict=True))
            return T.autograd.grad(along, parameters)[0]

        return step


class Attention(SharedRow):
    """A block of attention written out: softmax(Q K^T / sqrt(d)) V, for every head."""

    title = "attention block, 64 positions, 4 heads of 16, training step"
    targets = {"torch": 1.0}
    positions, heads, size, rate = 64, 4, 16, 0.01

    def tensors(self, T: Any) -> Step:
        draw = np.random.default_rng(0)
        width = self.heads * self.size
        x, y = (T.tensor(draw.standard_normal((self.positions, width), np.float32)) for _ in "xy")
        parameters = [
            T.tensor(0.1 * draw.standard_normal((width, width), np.float32)).requires_grad_()
            for _ in "qkvo"
        ]
        wq, wk, wv, wo = parameters

        def split(z: Any) -> Any:
            return z.view(self.positions, self.heads, self.size).transpose(0, 1)

        def step() -> Any:
            q, k, v = split(x @ wq), split(x @ wk), split(x @ wv)
            weights = T.softmax(q @ k.transpose(-2, -1) / self.size**0.5, -1)
            mixed = (weights @ v).transpose(0, 1).reshape(self.positions, -1)
            loss = ((mixed @ wo - y) ** 2).mean()
            loss.backward()
            with T.no_grad():
                for p in parameters:
                    p.sub_(p.grad, alpha=self.rate)
                    p.grad = None
            return loss

        return step


class RNN(SharedRow):
    """A recurrent network without a module: the loop that a course writes."""

    title = "RNN by hand, 50 steps of 16 units, batch 8, forward and backward"
    targets = {"torch": 0.9}
    length, units, batch = 50, 16, 8

    def tensors(self, T: Any) -> Step:
        draw = np.random.default_rng(0)
        xs = T.tensor(draw.standard_normal((self.length, self.batch, self.units), np.float32))
        shapes = (self.units, self.units), (self.units, self.units), (self.units,)
        parameters = [T.tensor(0.2 * draw.standard_normal(s, np.float32)) for s in shapes]
        for p in parameters:
            p.requires_grad_()
        wx, wh, b = parameters

        def step() -> Any:
            for p in parameters:
                p.grad = None
            h = T.zeros(self.batch, self.units)
            for x in xs:
                h = T.tanh(x @ wx + h @ wh + b)
            (h**2).mean().backward()
            return wh.grad

        return step


class Recording(MLP):
    """Cost of a watched pass, against the same pass unwatched."""

    title = "the same MLP, forward and backward while recording, batch 32"
    targets = {"itself": 1.3}

    def tensors(self, T: Any) -> Step:
        loss_now, parameters = self.model(T)

        def step() -> Any:
            for p in parameters:
                p.grad = None
            loss_now().backward()
            return parameters[0].grad

        return step

    def itself(self, mg: Any) -> Step:
        return self.tensors(mg)

    def minigrad(self, mg: Any) -> Step:
        unwatched = self.tensors(mg)

        def step() -> Any:
            with mg.autograd.record():
                return unwatched()

        return step


class Adam(SharedRow):
    """The update alone, of gradients that are there already."""

    title = "optim.Adam, one step of 1,000,000 parameters"
    targets = {"torch": 1.5}

    def tensors(self, T: Any) -> Step:
        draw = np.random.default_rng(0)
        parameters = []
        for _ in range(4):
            start, gradient = draw.standard_normal((2, 500, 500), np.float32)
            parameters.append(T.tensor(start).requires_grad_())
            parameters[-1].grad = T.tensor(gradient)
        # Without `foreach`, PyTorch too takes one parameter after the other.
        optimizer = T.optim.Adam(parameters, foreach=False)

        def step() -> Any:
            optimizer.step()
            return parameters[0].detach()

        return step


class ConvNet(SharedRow):
    title = "ConvNet (2 convolutions, 2 linear) on 28x28, training step, batch 32"
    targets = {"torch": 2.0}
    batch, rate = 32, 0.01

    def tensors(self, T: Any) -> Step:
        draw = np.random.default_rng(0)
        F = T.nn.functional
        x = T.tensor(draw.standard_normal((self.batch, 1, 28, 28), np.float32))
        y = T.tensor(draw.integers(10, size=self.batch))
        shapes = (8, 1, 3, 3), (8,), (16, 8, 3, 3), (16,), (64, 400), (64,), (10, 64), (10,)
        parameters = [T.tensor(0.1 * draw.standard_normal(s, np.float32)) for s in shapes]
        for p in parameters:
            p.requires_grad_()
        k1, c1, k2, c2, w1, b1, w2, b2 = parameters

        def step() -> Any:
            h = F.max_pool2d(F.relu(F.conv2d(x, k1, c1)), 2)
            h = F.max_pool2d(F.relu(F.conv2d(h, k2, c2)), 2)
            h = F.relu(F.linear(T.flatten(h, 1), w1, b1))
            loss = F.cross_entropy(F.linear(h, w2, b2), y)
            loss.backward()
            with T.no_grad():
                for p in parameters:
                    p.sub_(p.grad, alpha=self.rate)
                    p.grad = None
            return loss

        return step


class CrossEntropy(SharedRow):
    title = "softmax cross-entropy, 4096x1000, forward and backward"
    targets = {"numpy": 1.1}

    def data(self) -> tuple[Any, Any]:
        draw = np.random.default_rng(0)
        return draw.standard_normal((4096, 1000), np.float32), draw.integers(1000, size=4096)

    def tensors(self, T: Any) -> Step:
        x, y = map(T.tensor, self.data())
        x.requires_grad_()

        def step() -> Any:
            x.grad = None
            T.nn.functional.cross_entropy(x, y).backward()
            return x.grad

        return step

    def numpy(self, np: Any) -> Step:
        x, y = self.data()
        at_target = np.arange(len(x)), y

        def step() -> Any:
            grad = x - x.max(1, keepdims=True)
            chosen = grad[at_target]
            np.exp(grad, out=grad)
            total = grad.sum(1, keepdims=True)
            (np.log(total[:, 0]) - chosen).mean()
            grad /= total * len(x)
            grad[at_target] -= 1 / len(x)
            return grad

        return step


ROWS: list[Row] = [
    Chain(),
    Mixed(),
    MixedWithLines(),
    Views1000(),
    Views100000(),
    ForwardAlone(),
    TwiceDot(),
    TwiceDotBackward(),
    Logistic(),
    Training1(),
    Training32(),
    Training256(),
    ConvNet(),
    CrossEntropy(),
    Attention(),
    RNN(),
    HessianVector(),
    Adam(),
    Recording(),
]


# --- On a GPU: the same programs, some with more to do, and the aims there


class ChainOnGPU(Chain):
    targets = {"torch": 3.0}


class Training256OnGPU(Training256):
    targets: dict[str, float] = {}


class Training8192(Training):
    title = "MLP 784-256-10, tanh, squared error, training step, batch 8,192"
    targets = {"torch": 1.3}
    batch = 8192


class Training65536(Training):
    title = "MLP 784-256-10, tanh, squared error, training step, batch 65,536"
    targets = {"torch": 1.3}
    batch = 65536


class ConvNetOnGPU(ConvNet):
    targets: dict[str, float] = {}


ROWS_ON_GPU: list[Row] = [
    Training256OnGPU(),
    Training8192(),
    Training65536(),
    ConvNetOnGPU(),
    ChainOnGPU(),
]
