"""Your engine after chapter 12: whoever writes a wrong rule, or asks for what is not there, is told
so in a sentence.
"""

from contextlib import contextmanager

import numpy as np


class Node:
    """What is left of an operation: where gradients go, and what is kept for them."""

    incoming = None
    result = None

    def __init__(self, inputs=()):
        self.next_functions = [(edge(tensor), 0) for tensor in inputs]
        self.shapes = [tensor.data.shape for tensor in inputs]
        self.saved = []

    def save(self, *tensors):
        self.saved = [(tensor, tensor.version[0]) for tensor in tensors]

    def read(self):
        """What was saved, or an error that says why it is of no use any more."""
        name = type(self).__name__
        if self.saved is None:
            raise RuntimeError(
                f"{name} has freed what it saved: an earlier backward() "
                "should have been told retain_graph=True"
            )
        for tensor, version in self.saved:
            if tensor.version[0] != version:
                raise RuntimeError(
                    f"what {name} saved was modified by an inplace operation: "
                    f"is at version {tensor.version[0]}; expected version {version}"
                )
        return [tensor for tensor, version in self.saved]

    def receive(self, g):
        """Add up what arrives, until it is this node's turn."""
        self.incoming = g if self.incoming is None else self.incoming + g


class AccumulateGrad(Node):
    """The end of every path: a leaf adds what arrives to its .grad."""

    def __init__(self, leaf):
        super().__init__()
        self.variable = leaf

    def backward(self, g):
        self.variable.keep(g)
        return ()


class AddBackward0(Node):
    def forward(self, a, b):
        return Tensor(a.data + b.data)

    def backward(self, g):
        return g, g


class MulBackward0(Node):
    def forward(self, a, b):
        self.save(a, b)
        return Tensor(a.data * b.data)

    def backward(self, g):
        a, b = self.read()
        return g * b, g * a


class SumBackward0(Node):
    def forward(self, a):
        return Tensor(a.data.sum())

    def backward(self, g):
        return (apply(ExpandBackward0, g, shape=self.shapes[0]),)


class ExpandBackward0(Node):
    def forward(self, a, shape):
        return Tensor(np.broadcast_to(a.data, shape))

    def backward(self, g):
        return (g,)


class SumToBackward0(Node):
    def forward(self, a, shape):
        data = a.data
        while data.ndim > len(shape):
            data = data.sum(0)
        for axis, size in enumerate(shape):
            if size == 1:
                data = data.sum(axis, keepdims=True)
        return Tensor(data)

    def backward(self, g):
        return (apply(ExpandBackward0, g, shape=self.shapes[0]),)


class SubBackward0(Node):
    def forward(self, a, b):
        return Tensor(a.data - b.data)

    def backward(self, g):
        return g, g * -1


class MmBackward0(Node):
    def forward(self, a, b):
        self.save(a, b)
        return Tensor(a.data @ b.data)

    def backward(self, g):
        a, b = self.read()
        return g @ b.t(), a.t() @ g


class TBackward0(Node):
    def forward(self, a):
        return Tensor(a.data.T)

    def backward(self, g):
        return (g.t(),)


class TanhBackward0(Node):
    def forward(self, a):
        result = Tensor(np.tanh(a.data))
        self.save(result)
        return result

    def backward(self, g):
        (result,) = self.read()
        return (g * (result * result * -1 + 1),)


class PowBackward0(Node):
    def forward(self, a, exponent):
        self.exponent = exponent
        self.save(a)
        return Tensor(a.data**exponent)

    def backward(self, g):
        (a,) = self.read()
        return (g * (a ** (self.exponent - 1) * self.exponent),)


class ExpBackward0(Node):
    def forward(self, a):
        result = Tensor(np.exp(a.data))
        self.save(result)
        return result

    def backward(self, g):
        (result,) = self.read()
        return (g * result,)


class Tensor:
    """An array, and the node of the operation that made it."""

    recording = True

    def __init__(self, data, requires_grad=False):
        self.data = np.asarray(data, dtype=np.float32)
        self.grad, self.requires_grad = None, requires_grad
        self.grad_fn = self.accumulate = None
        self.version = [0]

    def __add__(self, other):
        return apply(AddBackward0, self, other)

    def __mul__(self, other):
        return apply(MulBackward0, self, other)

    def __sub__(self, other):
        return apply(SubBackward0, self, other)

    def __matmul__(self, other):
        return apply(MmBackward0, self, other)

    def __pow__(self, exponent):
        return apply(PowBackward0, self, exponent=exponent)

    __radd__ = __add__
    __rmul__ = __mul__

    def sum(self):
        return apply(SumBackward0, self)

    def exp(self):
        return apply(ExpBackward0, self)

    def tanh(self):
        return apply(TanhBackward0, self)

    def t(self):
        return apply(TBackward0, self)

    def add_(self, other):
        """Add in place, and count the change. Nothing is recorded."""
        if Tensor.recording and self.requires_grad:
            raise RuntimeError("a tensor that requires grad is changed in place: use no_grad()")
        self.data += as_tensor(other).data
        self.version[0] += 1

    def detach(self):
        """The same numbers without their history. Array and counter are shared."""
        result = Tensor(self.data)
        result.version = self.version
        return result

    def keep(self, g):
        self.grad = g if self.grad is None else self.grad + g

    def retain_grad(self):
        self.grad_fn.result = self

    def backward(self, g=None, retain_graph=False, create_graph=False):
        """From one number, or from an array and the weights `g` of its elements. With
        `create_graph` the pass itself is recorded.
        """
        if self.grad_fn is None:
            raise RuntimeError("this tensor does not require grad and does not have a grad_fn")
        if g is None:
            if self.data.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            g = np.ones_like(self.data)
        with recording(create_graph):
            run(self.grad_fn, as_tensor(g), retain_graph or create_graph)


def as_tensor(value):
    return value if isinstance(value, Tensor) else Tensor(value)


def edge(tensor):
    """Where a tensor's gradient goes: to the node that made it, to a leaf's, or nowhere."""
    if tensor.grad_fn is None and tensor.requires_grad and tensor.accumulate is None:
        tensor.accumulate = AccumulateGrad(tensor)
    return tensor.grad_fn or tensor.accumulate


def apply(kind, *inputs, **how):
    """Compute an operation, and record it if an input asks for a gradient."""
    inputs = [as_tensor(value) for value in inputs]
    node = kind(inputs)
    result = node.forward(*inputs, **how)
    if Tensor.recording and any(tensor.requires_grad for tensor in inputs):
        result.requires_grad, result.grad_fn = True, node
    return result


def count_uses(root):
    """How many edges lead to each node."""
    uses, found = {root: 0}, [root]
    while found:
        for below, index in found.pop().next_functions:
            if below is not None:
                if below not in uses:
                    uses[below] = 0
                    found.append(below)
                uses[below] += 1
    return uses


def run(root, g, retain_graph):
    """Each node runs once, when everything that leads to it has run."""
    waiting, ready = count_uses(root), [root]
    for node in waiting:
        node.incoming = None
    root.receive(g)
    while ready:
        node = ready.pop()
        g, node.incoming = node.incoming, None
        if node.result is not None:
            node.result.keep(g)
        outgoing = node.backward(g)
        if node.saved and not retain_graph:
            node.saved = None
        check_gradients(node, outgoing)
        for (below, index), shape, part in zip(node.next_functions, node.shapes, outgoing):
            if below is not None:
                below.receive(fitted(part, shape))
                waiting[below] -= 1
                if waiting[below] == 0:
                    ready.append(below)


def check_gradients(node, outgoing):
    """Has the rule given one gradient for each input, and one that can be fitted to it?"""
    name, count = type(node).__name__, len(node.next_functions)
    if len(outgoing) != count:
        raise RuntimeError(
            f"{name} returned an incorrect number of gradients "
            f"(expected {count}, got {len(outgoing)})"
        )
    for place, (shape, g) in enumerate(zip(node.shapes, outgoing)):
        try:
            np.broadcast_to(np.empty(shape), g.data.shape)
        except ValueError:
            raise RuntimeError(
                f"{name} returned an invalid gradient at index {place} - "
                f"got {list(g.data.shape)} but expected shape compatible with {list(shape)}"
            ) from None


def fitted(g, shape):
    """The gradient as the input wants it: what was repeated receives the sum."""
    return g if g.data.shape == shape else apply(SumToBackward0, g, shape=shape)


@contextmanager
def recording(wanted):
    """Is recorded what is computed in here?"""
    before, Tensor.recording = Tensor.recording, wanted
    try:
        yield
    finally:
        Tensor.recording = before


def no_grad():
    return recording(False)
