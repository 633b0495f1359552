"""Your engine after chapter 6: whole arrays, and backward(v) where the result is not one number."""

from contextlib import contextmanager

import numpy as np

RULES = {
    "AddBackward0": lambda node, g: (g, g),
    "MulBackward0": lambda node, g: (g * node.read(1), g * node.read(0)),
    "SumBackward0": lambda node, g: (np.broadcast_to(g, node.inputs[0].data.shape),),
}


class Tensor:
    """An array that remembers how it was computed, if a gradient may be asked for."""

    keeps = False
    recording = True

    def __init__(self, data, requires_grad=False):
        self.data = np.asarray(data, dtype=np.float32)
        self.grad, self.requires_grad = None, requires_grad
        self.name, self.inputs, self.saved = "", (), ()
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

    def retain_grad(self):
        self.keeps = True

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

    def free(self):
        """Let go of all that is saved from here down."""
        if self.saved:
            self.saved = None
        for tensor in self.inputs:
            tensor.free()

    def backward(self, g=None, retain_graph=False):
        """From one number, or from an array and the weight `g` of each of its elements."""
        if g is None:
            if self.data.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            g = np.ones_like(self.data)
        self.walk(np.asarray(g, dtype=np.float32))
        if not retain_graph:
            self.free()

    def walk(self, g):
        """Go down every path that somebody asked for."""
        if self.keeps or (self.requires_grad and not self.inputs):
            self.grad = g if self.grad is None else self.grad + g
        if self.inputs:
            for tensor, part in zip(self.inputs, RULES[self.name](self, g)):
                if tensor.requires_grad:
                    tensor.walk(part)


def record(data, name, inputs, saved=()):
    """A result. It remembers how it was computed if an input asks for a gradient."""
    result = Tensor(data)
    if Tensor.recording and any(tensor.requires_grad for tensor in inputs):
        result.requires_grad, result.name, result.inputs = True, name, inputs
        result.saved = [(tensor, tensor.version[0]) for tensor in saved]
    return result


@contextmanager
def no_grad():
    """Nothing is recorded in here."""
    before, Tensor.recording = Tensor.recording, False
    try:
        yield
    finally:
        Tensor.recording = before
