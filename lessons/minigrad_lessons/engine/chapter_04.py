"""Your engine after chapter 4: a product saves its factors, a rule makes gradients of them, and
backward() lets go of them. Who wants to walk again is told why that cannot be done.
"""

RULES = {
    "AddBackward0": lambda node, g: (g, g),
    "MulBackward0": lambda node, g: (g * node.read(1), g * node.read(0)),
}


class Tensor:
    """A number that remembers how it was computed."""

    keeps = False

    def __init__(self, data, name="", inputs=(), saved=()):
        self.data, self.grad = data, None
        self.name, self.inputs, self.saved = name, inputs, saved

    def __add__(self, other):
        return Tensor(self.data + other.data, "AddBackward0", (self, other))

    def __mul__(self, other):
        saved = (self.data, other.data)
        return Tensor(self.data * other.data, "MulBackward0", (self, other), saved)

    def retain_grad(self):
        self.keeps = True

    def read(self, place):
        """What was saved, or an error that says why it is gone."""
        if self.saved is None:
            raise RuntimeError(
                f"{self.name} has freed what it saved: an earlier backward() "
                "should have been told retain_graph=True"
            )
        return self.saved[place]

    def free(self):
        """Let go of all that is saved from here down."""
        if self.saved:
            self.saved = None
        for tensor in self.inputs:
            tensor.free()

    def backward(self, retain_graph=False):
        self.walk(1.0)
        if not retain_graph:
            self.free()

    def walk(self, g):
        """Go down every path. A leaf adds what arrives; a result only hands it on."""
        if self.keeps or not self.inputs:
            self.grad = g if self.grad is None else self.grad + g
        if self.inputs:
            for tensor, part in zip(self.inputs, RULES[self.name](self, g)):
                tensor.walk(part)
