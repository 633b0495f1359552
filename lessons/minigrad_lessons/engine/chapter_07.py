"""Your engine after chapter 7: nodes of their own, and the walk in order, where each runs once."""

from contextlib import contextmanager

import numpy as np

RULES = {
    "AddBackward0": lambda node, g: (g, g),
    "MulBackward0": lambda node, g: (g * node.read(1), g * node.read(0)),
    "SumBackward0": lambda node, g: (np.broadcast_to(g, node.shapes[0]),),
}


class Node:
    """What is left of an operation: where gradients go, and what is kept for them."""

    incoming = None
    result = None

    def __init__(self, name, inputs=(), saved=()):
        self.name = name
        self.next_functions = [(edge(tensor), 0) for tensor in inputs]
        self.shapes = [tensor.data.shape for tensor in inputs]
        self.saved = [(tensor, tensor.version[0]) for tensor in saved]

    def read(self, place):
        """What was saved, or an error that says why it is of no use any more."""
        if self.saved is None:
            raise RuntimeError(
                f"{self.name} has freed what it saved: an earlier backward() "
                "should have been told retain_graph=True"
            )
        tensor, version = self.saved[place]
        if tensor.version[0] != version:
            raise RuntimeError(
                f"what {self.name} saved was modified by an inplace operation: "
                f"is at version {tensor.version[0]}; expected version {version}"
            )
        return tensor.data

    def receive(self, g):
        """Add up what arrives, until it is this node's turn."""
        self.incoming = g if self.incoming is None else self.incoming + g

    def backward(self, g):
        return RULES[self.name](self, g)


class AccumulateGrad(Node):
    """The end of every path: a leaf adds what arrives to its .grad."""

    def __init__(self, leaf):
        super().__init__("AccumulateGrad")
        self.variable = leaf

    def backward(self, g):
        self.variable.keep(g)
        return ()


class Tensor:
    """An array, and the node of the operation that made it."""

    recording = True

    def __init__(self, data, requires_grad=False):
        self.data = np.asarray(data, dtype=np.float32)
        self.grad, self.requires_grad = None, requires_grad
        self.grad_fn = self.accumulate = None
        self.version = [0]

    def __add__(self, other):
        return record(self.data + other.data, "AddBackward0", (self, other))

    def __mul__(self, other):
        return record(self.data * other.data, "MulBackward0", (self, other), (self, other))

    def sum(self):
        return record(self.data.sum(), "SumBackward0", (self,))

    def add_(self, other):
        """Add in place, and count the change. Nothing is recorded."""
        if Tensor.recording and self.requires_grad:
            raise RuntimeError("a tensor that requires grad is changed in place: use no_grad()")
        self.data += other
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
        run(self.grad_fn, np.asarray(g, dtype=np.float32), retain_graph)


def edge(tensor):
    """Where a tensor's gradient goes: to the node that made it, to a leaf's, or nowhere."""
    if tensor.grad_fn is None and tensor.requires_grad and tensor.accumulate is None:
        tensor.accumulate = AccumulateGrad(tensor)
    return tensor.grad_fn or tensor.accumulate


def record(data, name, inputs, saved=()):
    """A result, with a node if one of its inputs asks for a gradient."""
    result = Tensor(data)
    if Tensor.recording and any(tensor.requires_grad for tensor in inputs):
        result.requires_grad, result.grad_fn = True, Node(name, inputs, saved)
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
