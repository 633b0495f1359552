"""Recurrent networks: a cell, and the loop that passes its state from one step to the next.

A cell is one function, from the input's products and the state before a step to the state after it.
The rest is the same for all cells: layers on top of each other, both directions, packed sequences.
The products with the input need no state, so they are computed for all steps at once.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from ..ops.indexing.joining import cat, stack, unsafe_chunk
from ..tensors.creation import zeros
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .layers import Place, check_place, weight
from .module import Module
from .parameter import Parameter
from .utils.rnn import PackedSequence

State = tuple[Tensor, ...]
"""The state of a cell: its output and, for an LSTM, its cell."""


class Weights(NamedTuple):
    """The parameters of a cell."""

    input: Tensor
    hidden: Tensor
    input_bias: Tensor | None = None
    hidden_bias: Tensor | None = None
    projection: Tensor | None = None

    def of_hidden(self, state: State) -> Tensor:
        """Return the contribution of the previous step's output."""
        return F.linear(state[0], self.hidden, self.hidden_bias)


# --- Cells


def tanh_step(given: Tensor, state: State, weights: Weights) -> State:
    """Compute h' = tanh(W x + b + U h + c)."""
    return ((weights.of_hidden(state) + given).tanh(),)


def relu_step(given: Tensor, state: State, weights: Weights) -> State:
    """Compute h' = relu(W x + b + U h + c)."""
    return ((weights.of_hidden(state) + given).relu(),)


def lstm_step(given: Tensor, state: State, weights: Weights) -> State:
    """Compute c' = f c + i g and h' = o tanh(c') with gates i, f and o between 0 and 1."""
    gates = unsafe_chunk(weights.of_hidden(state) + given, 4, 1)
    entry, forget, out = (gates[k].sigmoid() for k in (0, 1, 3))
    cell: Any = forget * state[1] + entry * gates[2].tanh()
    hidden = out * cell.tanh()
    if weights.projection is not None:
        hidden = F.linear(hidden, weights.projection)
    return hidden, cell


def gru_step(given: Tensor, state: State, weights: Weights) -> State:
    """Compute h' = (1 - z) n + z h, where the gate r limits the effect of h on n."""
    x = cast(State, unsafe_chunk(given, 3, 1))
    h = cast(State, unsafe_chunk(weights.of_hidden(state), 3, 1))
    reset, update = (h[0] + x[0]).sigmoid(), (h[1] + x[1]).sigmoid()
    new = (x[2] + h[2] * reset).tanh()
    return ((state[0] - new) * update + new,)


Step = Callable[[Tensor, State, Weights], State]

CELLS: dict[str, tuple[int, Step]] = {
    "RNN_TANH": (1, tanh_step),
    "RNN_RELU": (1, relu_step),
    "LSTM": (4, lstm_step),
    "GRU": (3, gru_step),
}
"""By mode, the number of products that a cell computes of its input, and its step."""


# --- The loop


def over_steps(
    step: Step, input: Tensor, state: State, weights: Weights, backwards: bool
) -> tuple[Tensor, State]:
    """Return the outputs of all steps of input [T, B, features], and the last state."""
    steps: Sequence[Tensor] = F.linear(input, weights.input, weights.input_bias).unbind(0)
    outputs = []
    for given in reversed(steps) if backwards else steps:
        state = step(given, state, weights)
        outputs.append(state[0])
    return cast(Tensor, stack(outputs[::-1] if backwards else outputs, 0)), state


def over_packed(
    step: Step, input: Tensor, state: State, weights: Weights, backwards: bool, sizes: list[int]
) -> tuple[Tensor, State]:
    """Return the same for packed steps, each with at most as many sequences as the one before.

    Forwards, the states of finished sequences are set aside. Backwards, sequences join at their
    last step.
    """
    given = F.linear(input, weights.input, weights.input_bias)
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    places = list(zip(sizes, ends, strict=True))
    running, first, outputs, over = sizes[0], state, [], []
    if backwards:
        places, running = places[::-1], sizes[-1]
        state = slice_state(first, 0, running)
    for count, end in places:
        if count < running:
            over.append(slice_state(state, count, running))
            state = slice_state(state, 0, count)
        elif count > running:
            state = join_states([state, slice_state(first, running, count)])
        running = count
        state = step(given.narrow(0, end - count, count), state, weights)
        outputs.append(state[0])
    if not backwards:
        state = join_states([state, *over[::-1]])
    return cast(Tensor, cat(outputs[::-1] if backwards else outputs, 0)), state


def slice_state(state: State, start: int, end: int) -> State:
    """Return the state of some of the sequences."""
    return tuple([each.narrow(0, start, end - start) for each in state])


def join_states(states: list[State]) -> State:
    """Join the states of several groups of sequences."""
    return tuple([cast(Tensor, cat(list(each), 0)) for each in zip(*states, strict=True)])


# --- Networks

Hidden = TypeVar("Hidden")
"""The type of the state for users: a tensor, or for an LSTM a pair."""


class RNNBase(Module, Generic[Hidden]):
    """Layers of a cell on top of each other, in one direction or both."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place("RNNBase", place)
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            if not isinstance(flag, bool):
                found = type(flag).__name__
                raise TypeError(f"{name} should be of type bool, got: {found}")
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
            if size <= 0:
                raise ValueError(f"{name} must be greater than zero")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._check_options(dropout)
        gates, _ = CELLS[mode]
        out = proj_size or hidden_size
        for layer in range(num_layers):
            features = input_size if layer == 0 else out * self._directions
            shapes: dict[str, tuple[int, ...]] = {"weight_ih": (gates * hidden_size, features)}
            shapes["weight_hh"] = (gates * hidden_size, out)
            if bias:
                shapes["bias_ih"] = shapes["bias_hh"] = (gates * hidden_size,)
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for end in self._ends(layer):
                for name, shape in shapes.items():
                    setattr(self, name + end, weight(shape, **place))
        self.reset_parameters()

    def _check_options(self, dropout: Any) -> None:
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            wanted = "dropout should be a number in range [0, 1] representing the probability of an"
            raise ValueError(f"{wanted} element being zeroed")
        if dropout > 0 and self.num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                f"dropout expects num_layers greater than 1, but got dropout={dropout} and "
                f"num_layers={self.num_layers}",
                stacklevel=4,
            )
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            wanted = "proj_size should be a positive integer or zero to disable projections"
            raise ValueError(wanted)
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    def _ends(self, layer: int) -> list[str]:
        """Return the suffixes of a layer's parameter names, for each direction."""
        return [f"_l{layer}{end}" for end in ("", "_reverse")[: self._directions]]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        ends = [end for layer in range(self.num_layers) for end in self._ends(layer)]
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        return [
            [getattr(self, name + end) for name in names if name + end in self._parameters]
            for end in ends
        ]

    def reset_parameters(self) -> None:
        """Draw all parameters again, uniformly within 1 / sqrt(hidden_size) of 0."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: PyTorch prepares parameters for a GPU library, which is not used here."""

    if TYPE_CHECKING:  # a call has the types of `forward`

        @overload
        def __call__(self, input: Tensor, hx: Hidden | None = None) -> tuple[Tensor, Hidden]: ...
        @overload
        def __call__(
            self, input: PackedSequence, hx: Hidden | None = None
        ) -> tuple[PackedSequence, Hidden]: ...
        def __call__(self, input: Any, hx: Any = None) -> Any: ...

    @overload
    def forward(self, input: Tensor, hx: Hidden | None = None) -> tuple[Tensor, Hidden]: ...
    @overload
    def forward(
        self, input: PackedSequence, hx: Hidden | None = None
    ) -> tuple[PackedSequence, Hidden]: ...
    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the outputs of the last layer at every step, and the last state of every layer.

        Args:
            input: [T, B, input_size], [B, T, input_size] if `batch_first`, [T, input_size] for a
                single sequence, or packed.
            hx: the first state, [layers and directions, B, hidden_size]; by default zeros.
        """
        if isinstance(input, PackedSequence):
            data, sizes, order, back = input
            given = None if hx is None else [index(each, order) for each in self._as_state(hx)]
            output, state = self._run(data, sizes.tolist(), given)
            state = [index(each, back) for each in state]
            return PackedSequence(output, sizes, order, back), self._as_hidden(state)
        if input.dim() not in (2, 3):
            name = self._get_name()
            found = f"{input.dim()}D tensor" if name == "RNN" else f"{input.dim()}D"
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {found} instead")
        alone, at = input.dim() == 2, 0 if self.batch_first else 1
        given = None if hx is None else list(self._as_state(hx))
        if given is not None:
            self._check_ranks(alone, given)
        if alone:
            input = input.unsqueeze(at)
            given = None if given is None else [each.unsqueeze(1) for each in given]
        output, state = self._run(input, None, given)
        if alone:
            output, state = output.squeeze(at), [each.squeeze(1) for each in state]
        return output, self._as_hidden(state)

    def _as_state(self, hx: Any) -> State:
        return (hx[0], hx[1]) if self.mode == "LSTM" else (hx,)

    def _as_hidden(self, state: list[Tensor]) -> Any:
        return tuple(state) if self.mode == "LSTM" else state[0]

    def _check_ranks(self, alone: bool, state: list[Tensor]) -> None:
        rank = 2 if alone else 3
        if any(each.dim() != rank for each in state):
            which = "unbatched 2-D" if alone else "batched 3-D"
            names, found = "hx", f"{state[0].dim()}-D tensor"
            if len(state) > 1:
                names, found = "hx and cx", f"({state[0].dim()}-D, {state[1].dim()}-D) tensors"
            wanted = f"For {which} input, {names} should also be {rank}-D"
            raise RuntimeError(f"{wanted} but got {found}")

    def _run(
        self, input: Tensor, sizes: list[int] | None, given: list[Tensor] | None
    ) -> tuple[Tensor, list[Tensor]]:
        """Run all layers, on packed steps if there are `sizes`."""
        self._check_input(input, sizes)
        batch = sizes[0] if sizes else input.shape[0 if self.batch_first else 1]
        count = self.num_layers * self._directions
        widths = [self.proj_size or self.hidden_size, self.hidden_size]
        widths = widths[: 2 if self.mode == "LSTM" else 1]
        if given is None:
            like = {"dtype": input.dtype, "device": input.device}
            given = [zeros(count, batch, width, **like) for width in widths]
        for place, (each, width) in enumerate(zip(given, widths, strict=True)):
            if each.shape != (count, batch, width):
                which = f"hidden[{place}]" if len(widths) > 1 else "hidden"
                found = f"{(count, batch, width)}, got {list(each.shape)}"
                raise RuntimeError(f"Expected {which} size {found}")
        if sizes is None and self.batch_first:
            input = input.transpose(0, 1)
        if not input.shape[0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        starts = list(zip(*[each.unbind(0) for each in given], strict=True))
        output, ends = self._layers(input, sizes, starts)
        if sizes is None and self.batch_first:
            # (As in PyTorch, an LSTM exchanges them in one way, the others in another.)
            output = (output.transpose if self.mode == "LSTM" else output.transpose_)(0, 1)
        return output, [cast(Tensor, stack(list(each), 0)) for each in zip(*ends, strict=True)]

    def _layers(
        self, input: Tensor, sizes: list[int] | None, starts: list[State]
    ) -> tuple[Tensor, list[State]]:
        """Return the outputs of the last layer, and the last state of each layer and direction."""
        _, step = CELLS[self.mode]
        ends = []
        weights = [self._weights(each) for each in self.all_weights]
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                input = F.dropout(input, self.dropout, True)
            outputs = []
            for backwards in (False, True)[: self._directions]:
                at = layer * self._directions + backwards
                how = (step, input, starts[at], weights[at], backwards)
                output, end = over_packed(*how, sizes) if sizes else over_steps(*how)
                outputs.append(output)
                ends.append(end)
            input = outputs[0] if len(outputs) == 1 else cast(Tensor, cat(outputs, -1))
        return input, ends

    def _weights(self, given: list[Parameter]) -> Weights:
        one, other = given[2:4] if self.bias else (None, None)
        return Weights(given[0], given[1], one, other, given[-1] if self.proj_size else None)

    def _check_input(self, input: Tensor, sizes: list[int] | None) -> None:
        kind, wanted = input.dtype, self.weight_ih_l0.dtype
        if kind != wanted:
            cure = f"Convert input: input.to({wanted}), or convert model: model.to({kind})"
            met = f"RNN input dtype ({kind}) does not match weight dtype ({wanted})"
            raise ValueError(f"{met}. {cure}")
        rank = 2 if sizes else 3
        if input.dim() != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {input.dim()}")
        if input.shape[-1] != self.input_size:
            found = f"Expected {self.input_size}, got {input.shape[-1]}"
            raise RuntimeError(f"input.size(-1) must be equal to input_size. {found}")

    def extra_repr(self) -> str:
        usual: dict[str, Any] = {
            "proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0,
            "bidirectional": False,
        }  # fmt: skip
        given = {name: getattr(self, name) for name in usual}
        same = {
            k: given[k] is v if isinstance(v, bool) else given[k] == v for k, v in usual.items()
        }
        changed = [f"{name}={given[name]}" for name in usual if not same[name]]
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *changed])


def index(state: Tensor, order: Tensor | None) -> Tensor:
    """Return the state with the sequences in another order."""
    return state if order is None else state.index_select(1, order)


class RNN(RNNBase[Tensor]):
    """A recurrent network whose state is its output: h' = tanh(W x + b + U h + c).

    >>> import minigrad as mg
    >>> output, h = mg.nn.RNN(3, 4)(mg.ones(5, 2, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 2, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        **place: Unpack[Place],
    ) -> None:
        """`nonlinearity`: "tanh" or "relu"."""
        refuse_projection(place)
        if nonlinearity not in ("tanh", "relu"):
            known = "Select from 'tanh' or 'relu'."
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. {known}")
        mode, options = f"RNN_{nonlinearity.upper()}", (bias, batch_first, dropout, bidirectional)
        super().__init__(mode, input_size, hidden_size, num_layers, *options, **place)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase[tuple[Tensor, Tensor]]):
    """Long short-term memory: it also has a cell, which gates write to and read.

    Source: Hochreiter and Schmidhuber 1997.

    >>> import minigrad as mg
    >>> output, (h, c) = mg.nn.LSTM(3, 4, num_layers=2)(mg.ones(5, 2, 3))
    >>> output.shape, h.shape, c.shape
    (torch.Size([5, 2, 4]), torch.Size([2, 2, 4]), torch.Size([2, 2, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        **place: Unpack[Place],
    ) -> None:
        """`proj_size`: unless it is 0, the output is projected to that size."""
        options = (bias, batch_first, dropout, bidirectional, proj_size)
        super().__init__("LSTM", input_size, hidden_size, num_layers, *options, **place)


class GRU(RNNBase[Tensor]):
    """A gated recurrent unit: gates control how much of the state is forgotten and renewed.

    Source: Cho et al. 2014.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        **place: Unpack[Place],
    ) -> None:
        refuse_projection(place)
        options = (bias, batch_first, dropout, bidirectional)
        super().__init__("GRU", input_size, hidden_size, num_layers, *options, **place)


def refuse_projection(options: Any) -> None:
    if "proj_size" in options:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


# --- Single cells


class RNNCellBase(Module):
    """One step of a network, for use in a loop."""

    mode: ClassVar[str]

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, **place: Unpack[Place]
    ) -> None:
        super().__init__()
        check_place(type(self).__name__, place)
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = CELLS[self.mode][0] * hidden_size
        self.weight_ih = weight((rows, input_size), **place)
        self.weight_hh = weight((rows, hidden_size), **place)
        self.register_parameter("bias_ih", weight(rows, **place) if bias else None)
        self.register_parameter("bias_hh", weight(rows, **place) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters again, uniformly within 1 / sqrt(hidden_size) of 0."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _step(self, mode: str, input: Tensor, state: Sequence[Tensor] | None) -> State:
        """Return the state after the step, for a batch or for a single element."""
        name = self._get_name()
        if input.dim() not in (1, 2):
            wanted = f"{name}: Expected input to be 1D or 2D"
            raise ValueError(f"{wanted}, got {input.dim()}D instead")
        for place, each in enumerate(state or ()):
            if each.dim() not in (1, 2):
                which = f"hx[{place}]" if mode == "LSTM" else "hidden"
                wanted = f"{name}: Expected {which} to be 1D or 2D"
                raise ValueError(f"{wanted}, got {each.dim()}D instead")
        alone = input.dim() == 1
        x = input.unsqueeze(0) if alone else input
        if state is None:
            like = {"dtype": x.dtype, "device": x.device}
            nothing = zeros(x.shape[0], self.hidden_size, **like)
            given: State = (nothing, nothing) if mode == "LSTM" else (nothing,)
        else:
            given = tuple([each.unsqueeze(0) if alone else each for each in state])
        self._check(x, given)
        weights = Weights(self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        step = CELLS[mode][1]
        after = step(F.linear(x, weights.input, weights.input_bias), given, weights)
        return tuple([each.squeeze(0) for each in after]) if alone else after

    def _check(self, input: Tensor, state: State) -> None:
        if input.shape[1] != self.input_size:
            found = f"got {input.shape[1]} expected {self.input_size}"
            raise RuntimeError(f"input has inconsistent input_size: {found}")
        for place, each in enumerate(state):
            count, batch = each.size(0), input.size(0)
            if count != batch:
                met = f"Input batch size {batch} doesn't match hidden{place} batch size {count}"
                raise RuntimeError(met)
            if each.size(1) != self.hidden_size:
                found = f"got {each.size(1)}, expected {self.hidden_size}"
                raise RuntimeError(f"hidden{place} has inconsistent hidden_size: {found}")

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        return text if self.bias is True else f"{text}, bias={self.bias}"


class RNNCell(RNNCellBase):
    """One step of an `RNN`: input [B, input_size] and state [B, hidden_size], or both without B."""

    mode = "RNN_TANH"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        **place: Unpack[Place],
    ) -> None:
        super().__init__(input_size, hidden_size, bias, **place)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        mode = f"RNN_{self.nonlinearity.upper()}"
        if mode not in CELLS:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(mode, input, None if hx is None else (hx,))[0]

    def extra_repr(self) -> str:
        kind = self.nonlinearity
        return super().extra_repr() + ("" if kind == "tanh" else f", nonlinearity={kind}")


class LSTMCell(RNNCellBase):
    """One step of an `LSTM`."""

    mode = "LSTM"

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        hidden, cell = self._step(self.mode, input, None if hx is None else (hx[0], hx[1]))
        return hidden, cell


class GRUCell(RNNCellBase):
    """One step of a `GRU`."""

    mode = "GRU"

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(self.mode, input, None if hx is None else (hx,))[0]
