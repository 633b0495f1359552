"""Your engine after chapter 2: numbers that remember how they were computed, and the sum over all
paths, taken by its word.
"""


class Tensor:
    """A number that remembers how it was computed."""

    def __init__(self, data, name="", inputs=(), slopes=()):
        self.data, self.grad = data, None
        self.name, self.inputs, self.slopes = name, inputs, slopes

    def __add__(self, other):
        return Tensor(self.data + other.data, "AddBackward0", (self, other), (1.0, 1.0))

    def __mul__(self, other):
        slopes = (other.data, self.data)
        return Tensor(self.data * other.data, "MulBackward0", (self, other), slopes)

    def backward(self):
        self.walk(1.0)

    def walk(self, g):
        """Go down every path. A leaf adds what arrives."""
        if not self.inputs:
            self.grad = g if self.grad is None else self.grad + g
        for tensor, slope in zip(self.inputs, self.slopes):
            tensor.walk(g * slope)
