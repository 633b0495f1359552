"""Your engine after chapter 8: each operation is a class with a forward and a backward, and one
function, apply, records them all.
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
        return (Tensor(np.broadcast_to(g.data, self.shapes[0])),)


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

    __radd__ = __add__
    __rmul__ = __mul__

    def sum(self):
        return apply(SumBackward0, self)

    def exp(self):
        return apply(ExpBackward0, self)

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

    def backward(self, g=None, retain_graph=False):
        """From one number, or from an array and the weight `g` of each of its elements."""
        if g is None:
            if self.data.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            g = np.ones_like(self.data)
        with no_grad():
            run(self.grad_fn, as_tensor(g), retain_graph)


def as_tensor(value):
    return value if isinstance(value, Tensor) else Tensor(value)


def edge(tensor):
    """Where a tensor's gradient goes: to the node that made it, to a leaf's, or nowhere."""
    if tensor.grad_fn is None and tensor.requires_grad and tensor.accumulate is None:
        tensor.accumulate = AccumulateGrad(tensor)
    return tensor.grad_fn or tensor.accumulate


def apply(kind, *inputs):
    """Compute an operation, and record it if an input asks for a gradient."""
    inputs = [as_tensor(value) for value in inputs]
    node = kind(inputs)
    result = node.forward(*inputs)
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
        for (below, index), part in zip(node.next_functions, outgoing):
            if below is not None:
                below.receive(part)
                waiting[below] -= 1
                if waiting[below] == 0:
                    ready.append(below)


@contextmanager
def no_grad():
    """Nothing is recorded in here."""
    before, Tensor.recording = Tensor.recording, False
    try:
        yield
    finally:
        Tensor.recording = before
