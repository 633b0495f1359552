"""Recurrent networks and packed sequences: the same draws, numbers, graphs and refusals."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tests.parity import caught, same, weights_like
from tests.record import where_present


@where_present
@contextlib.contextmanager
def composed(torch: Any) -> Iterator[None]:
    """PyTorch without the kernel that computes an LSTM in one step, which has no second
    derivative: it composes it then, as minigrad does."""
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(True)


NETWORKS = [
    "RNN(3, 4)",
    "RNN(3, 4, 2, nonlinearity='relu', bias=False)",
    "RNN(3, 4, num_layers=2, batch_first=True, dropout=0.5, bidirectional=True)",
    "GRU(3, 4)",
    "GRU(3, 2, 3, bidirectional=True, dropout=0.2)",
    "GRU(3, 4, bias=False, batch_first=True)",
    "LSTM(3, 4)",
    "LSTM(3, 4, num_layers=2, batch_first=True, dropout=0.5, bidirectional=True)",
    "LSTM(3, 4, 2, proj_size=2, bidirectional=True)",
    "LSTM(3, 4, dtype=T.float64)",
]


def started(T: Any, layer: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """A state to begin with, or a pair of them."""
    layers = layer.num_layers * (2 if layer.bidirectional else 1)
    batch = () if len(shape) == 2 else (shape[0] if layer.batch_first else shape[1],)
    sizes = [layer.proj_size or layer.hidden_size, layer.hidden_size]
    made = [T.randn(layers, *batch, n, dtype=kind, requires_grad=True) for n in sizes]
    return tuple(made) if layer.mode == "LSTM" else made[0]


@pytest.mark.parametrize("shape", [(4, 2, 3), (4, 3)], ids=["batch", "alone"])
@pytest.mark.parametrize("given", [False, True], ids=["zeros", "given"])
@pytest.mark.parametrize("call", NETWORKS)
def test_network(torch: Any, call: str, given: bool, shape: tuple[int, ...]) -> None:
    def program(T: Any) -> Any:
        layer = eval("T.nn." + call, {"T": T})
        kind = layer.weight_ih_l0.dtype
        print(layer)
        start = {name: value.clone() for name, value in layer.state_dict().items()}
        x = T.randn(shape, dtype=kind, requires_grad=True)
        hx = started(T, layer, shape, kind) if given else None
        seen = []
        for mode in (True, False):
            output, state = layer.train(mode)(x, hx)
            states = list(state) if isinstance(state, tuple) else [state]
            seen.append([output, states])
            outputs = [output, *states]
            seeds = [weights_like(T, each, at) for at, each in enumerate(outputs)]
            T.autograd.backward(outputs, seeds)
        leaves = [x, *(hx if isinstance(hx, tuple) else [hx] if given else [])]
        gradients = [leaf.grad for leaf in [*leaves, *layer.parameters()]]
        return start, seen, gradients, [len(each) for each in layer.all_weights]

    with composed(torch):
        same(torch, program)


@pytest.mark.parametrize("call", ["LSTM(3, 4, 2)", "LSTM(3, 4, bidirectional=True, proj_size=1)"])
def test_fused_lstm_kernel_matches(torch: Any, call: str) -> None:
    def program(T: Any) -> Any:
        layer, x = eval("T.nn." + call, {"T": T}), T.randn(4, 2, 3, requires_grad=True)
        output, (h, c) = layer(x)
        (output.sum() + (h * h).sum() + c.sum()).backward()
        return [t.detach() for t in (output, h, c)], x.grad, [p.grad for p in layer.parameters()]

    same(torch, program)


def test_second_derivative_of_a_network(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer, x = T.nn.LSTM(2, 3), T.randn(3, 1, 2, requires_grad=True)
        (g,) = T.autograd.grad(layer(x)[0].sum(), x, create_graph=True)
        g.pow(2).sum().backward()
        return x.grad, [p.grad for p in layer.parameters()]

    with composed(torch):
        same(torch, program)


CELLS = [
    "RNNCell(3, 4)",
    "RNNCell(3, 4, nonlinearity='relu')",
    "GRUCell(3, 4)",
    "GRUCell(3, 4, bias=False)",
    "LSTMCell(3, 4)",
    "LSTMCell(3, 4, False, dtype=T.float64)",
]


@pytest.mark.parametrize("shape", [(2, 3), (3,)], ids=["batch", "alone"])
@pytest.mark.parametrize("call", CELLS)
def test_cell(torch: Any, call: str, shape: tuple[int, ...]) -> None:
    def program(T: Any) -> Any:
        cell = eval("T.nn." + call, {"T": T})
        print(cell)
        kind = cell.weight_ih.dtype
        start = {name: value.clone() for name, value in cell.state_dict().items()}
        x = T.randn(shape, dtype=kind, requires_grad=True)
        state, seen = None, []
        for _ in range(3):
            state = cell(x, state)
            seen.append(list(state) if isinstance(state, tuple) else state)
        last = state[0] if isinstance(state, tuple) else state
        last.backward(weights_like(T, last, 1))
        return start, seen, x.grad, [p.grad for p in cell.parameters()]

    same(torch, program)


@pytest.mark.parametrize("order", [[3, 2, 2], [1, 3, 2]], ids=["sorted", "not sorted"])
@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize(
    "call", ["RNN(2, 3, bidirectional=True)", "LSTM(2, 3, 2, dropout=0.5)", "GRU(2, 3, 2)"]
)
def test_packed_sequences(torch: Any, call: str, batch_first: bool, order: list[int]) -> None:
    def program(T: Any) -> Any:
        tools = T.nn.utils.rnn
        layer = eval("T.nn." + call, {"T": T})
        x = T.randn(3, 3, 2, requires_grad=True)
        in_order = order == sorted(order, reverse=True)
        packed = tools.pack_padded_sequence(x, order, batch_first, enforce_sorted=in_order)
        print(packed)
        output, state = layer(packed)
        print(output)
        padded, lengths = tools.pad_packed_sequence(output, batch_first, -1.0, total_length=4)
        padded.backward(weights_like(T, padded, 0))
        states = list(state) if isinstance(state, tuple) else [state]
        gradients = [x.grad, *[p.grad for p in layer.parameters()]]
        again = tools.unpack_sequence(tools.PackedSequence(*packed))
        return list(packed), list(output), padded, lengths, states, gradients, again

    with composed(torch):
        same(torch, program)


def test_packing_twice_differentiated(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.randn(3, 2, 2, dtype=T.float64, requires_grad=True)
        tools = T.nn.utils.rnn

        def f(x: Any) -> Any:
            return tools.pad_packed_sequence(tools.pack_padded_sequence(x, [3, 1]))[0]

        (g,) = T.autograd.grad(f(x).pow(3).sum(), x, create_graph=True)
        g.sum().backward()
        return x.grad, T.autograd.gradcheck(f, x), T.autograd.gradgradcheck(f, x)

    same(torch, program)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("batch_first", [False, True])
def test_pad_sequence(torch: Any, batch_first: bool, side: str) -> None:
    def program(T: Any) -> Any:
        tools = T.nn.utils.rnn
        parts = [T.randn(n, 2, requires_grad=True) for n in (3, 1, 2)]
        padded = tools.pad_sequence(parts, batch_first, 7.0, padding_side=side)
        padded.backward(weights_like(T, padded, 0))
        integers = tools.pad_sequence([T.tensor([1, 2]), T.tensor([3])], batch_first)
        packed = tools.pack_sequence(parts, enforce_sorted=False)
        lengths = T.tensor([3, 1, 2])
        back = tools.unpad_sequence(tools.pad_sequence(parts, batch_first), lengths, batch_first)
        return padded, [p.grad for p in parts], integers, list(packed), back

    same(torch, program)


def test_a_packed_sequence_in_another_type(torch: Any) -> None:
    def program(T: Any) -> Any:
        packed = T.nn.utils.rnn.pack_sequence([T.ones(2, 1), T.zeros(1, 1)])
        again = packed.double()
        print(packed, again, packed.cpu() is packed, packed.is_cuda, packed.to(T.float16))
        return list(again), list(again.half().float()), len(packed), isinstance(packed, tuple)

    same(torch, program)


MISTAKES = [
    ("RNN(3, 4, nonlinearity='x')", None, "Unknown nonlinearity 'x'. Select from 'tanh' or 'relu'"),
    ("LSTM(3, 0)", None, "hidden_size must be greater than zero"),
    ("LSTM(3, 4.0)", None, "hidden_size should be of type int, got: float"),
    ("LSTM(3, 4, 0)", None, "num_layers must be greater than zero"),
    ("LSTM(3, 4, dropout=2)", None, "dropout should be a number in range [0, 1]"),
    ("LSTM(3, 4, dropout=True)", None, "dropout should be a number in range [0, 1]"),
    ("LSTM(3, 4, proj_size=4)", None, "proj_size has to be smaller than hidden_size"),
    ("LSTM(3, 4, proj_size=-1)", None, "proj_size should be a positive integer or zero"),
    ("GRU(3, 4, proj_size=2)", None, "proj_size argument is only supported for LSTM"),
    ("LSTM(3, 4)", "(T.ones(2),)", "LSTM: Expected input to be 2D or 3D, got 1D instead"),
    ("GRU(3, 4)", "(T.ones(2, 2, 2, 3),)", "GRU: Expected input to be 2D or 3D, got 4D instead"),
    ("LSTM(3, 4)", "(T.ones(2, 5, 2),)", "input.size(-1) must be equal to input_size. Expected 3"),
    (
        "LSTM(3, 4)",
        "(T.ones(2, 5, 3), (T.zeros(1, 3, 4), T.zeros(1, 5, 4)))",
        "Expected hidden[0] size (1, 5, 4), got [1, 3, 4]",
    ),
    (
        "LSTM(3, 4)",
        "(T.ones(2, 5, 3), (T.zeros(1, 5, 4), T.zeros(1, 5, 3)))",
        "Expected hidden[1] size (1, 5, 4), got [1, 5, 3]",
    ),
    (
        "LSTM(3, 4)",
        "(T.ones(2, 5, 3), (T.zeros(5, 4), T.zeros(5, 4)))",
        "For batched 3-D input, hx and cx should also be 3-D but got (2-D, 2-D) tensors",
    ),
    (
        "GRU(3, 4)",
        "(T.ones(2, 5, 3), T.zeros(1, 3, 4))",
        "Expected hidden size (1, 5, 4), got [1, 3, 4]",
    ),
    (
        "RNN(3, 4)",
        "(T.ones(2, 3), T.zeros(1, 1, 4))",
        "For unbatched 2-D input, hx should also be 2-D but got 3-D tensor",
    ),
    (
        "GRU(3, 4)",
        "(T.ones(2, 5, 3).double(),)",
        "RNN input dtype (torch.float64) does not match weight dtype (torch.float32). Convert",
    ),
    ("GRU(3, 4)", "(T.ones(0, 2, 3),)", "Expected sequence length to be larger than 0 in RNN"),
    ("LSTMCell(3, 4)", "(T.ones(2, 4),)", "input has inconsistent input_size: got 4 expected 3"),
    ("LSTMCell(3, 4)", "(T.ones(1, 2, 3),)", "LSTMCell: Expected input to be 1D or 2D, got 3D"),
    (
        "LSTMCell(3, 4)",
        "(T.ones(2, 3), (T.zeros(2, 4), T.zeros(2, 3)))",
        "hidden1 has inconsistent hidden_size: got 3, expected 4",
    ),
    (
        "GRUCell(3, 4)",
        "(T.ones(2, 3), T.zeros(3, 4))",
        "Input batch size 2 doesn't match hidden0 batch size 3",
    ),
    (
        "GRUCell(3, 4)",
        "(T.ones(2, 3), T.zeros(1, 2, 4))",
        "GRUCell: Expected hidden to be 1D or 2D, got 3D instead",
    ),
    ("RNNCell(3, 4, nonlinearity='x')", "(T.ones(2, 3),)", "Unknown nonlinearity: x"),
]


@pytest.mark.parametrize(("call", "args", "phrase"), MISTAKES)
def test_mistake(torch: Any, call: str, args: str | None, phrase: str) -> None:
    def program(T: Any) -> Any:
        def act() -> None:
            layer = eval("T.nn." + call, {"T": T})
            if args is not None:
                layer(*eval(args, {"T": T}))

        return caught(act, phrase)

    same(torch, program)


PACKING_MISTAKES = [
    ("pack_padded_sequence(T.ones(3, 2), [1, 3])", "`lengths` array must be sorted in decreasing"),
    ("pack_padded_sequence(T.ones(3, 2), [3, 0])", "Length of all samples has to be greater than"),
    ("pack_padded_sequence(T.ones(0, 2), [1, 1])", "Cannot pack empty tensors."),
    ("pack_padded_sequence(T.ones(3, 2), [3])", "to be equal to batch_size, but got 1 (batch_size"),
    (
        "pad_packed_sequence(R.pack_padded_sequence(T.ones(3, 2), [3, 1]), total_length=2)",
        "Expected total_length to be at least the length of the longest sequence in input",
    ),
    ("pad_sequence([])", "received an empty list of sequences"),
    ("pad_sequence([T.ones(2)], padding_side='x')", "padding_side to be one of left or right"),
    ("pad_sequence([T.ones(2, 3), T.ones(2, 4)])", "The size of tensor a (3) must match"),
    ("pad_sequence(5)", "pad_sequence: Expected iterable for input sequences, but got arg of type"),
]


@pytest.mark.parametrize(("call", "phrase"), PACKING_MISTAKES)
def test_mistake_in_packing(torch: Any, call: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        names = {"T": T, "R": T.nn.utils.rnn}
        return caught(lambda: eval("R." + call, names), phrase)

    same(torch, program)


def test_dropout_of_a_single_layer_warns(torch: Any) -> None:
    def program(T: Any) -> Any:
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            T.nn.GRU(3, 4, dropout=0.5)
        return [str(each.message) for each in met]

    same(torch, program)
