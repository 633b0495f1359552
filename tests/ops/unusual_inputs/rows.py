"""A right call of every public function, method and module; unusual calls are made from them.

The right calls of functions and methods are in test_wrong_calls.py. Here are the rest: modules,
each made with unusual arguments and called in training and in evaluation, optimizers and schedules,
data sets and samplers, and what autograd and the other namespaces have.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad
from tests.arrays.pytorch_names import at
from tests.ops.refusals import Library
from tests.ops.test_wrong_calls import functions, good, methods


@dataclass(frozen=True)
class Row:
    """A function of either library, right arguments for it, and what in it takes which."""

    name: str
    function: Callable[[Library], Callable[..., Any]]
    arguments: Callable[[Library], tuple[Any, ...]]
    signature: Callable[[Library], Callable[..., Any]] | None = None
    huge: bool = False
    """Whether a huge number may be an argument; a loop over it would not end."""

    @property
    def parameters(self) -> list[inspect.Parameter]:
        try:
            return [
                *inspect.signature((self.signature or self.function)(minigrad)).parameters.values()
            ]
        except (TypeError, ValueError):
            return []

    @property
    def changes_its_tensor(self) -> bool:
        return self.name.rstrip(")").endswith("_")


# A number in memory, and what waits for a key; and what only GPUs have.
LEFT_OUT = {"Tensor.data_ptr", "seed", "Tensor.record_stream"}


def public() -> list[Row]:
    """A row for every function and method that both libraries have."""
    found = []
    for name, (place, mine) in {**functions(), **methods()}.items():
        bare = name.rpartition(".")[2]
        if name in LEFT_OUT:
            continue
        found.append(
            Row(
                name,
                lambda T, p=place, b=bare: getattr(at(p, T.__name__), b),
                good(name, mine),
                huge=not any(word in name for word in ("ool", "fold")),
            )  # type: ignore[misc]
        )
    return found


MODULES = """
AdaptiveAvgPool1d(2) | T.rand(1, 2, 4)
AdaptiveAvgPool2d(2) | T.rand(1, 2, 4, 4)
AdaptiveAvgPool3d(2) | T.rand(1, 2, 4, 4, 4)
AdaptiveMaxPool1d(2) | T.rand(1, 2, 4)
AdaptiveMaxPool2d(2) | T.rand(1, 2, 4, 4)
AdaptiveMaxPool3d(2) | T.rand(1, 2, 4, 4, 4)
AvgPool1d(2, 2) | T.rand(1, 2, 4)
AvgPool3d(2, 2) | T.rand(1, 2, 4, 4, 4)
BatchNorm3d(2, 1e-5, 0.1) | T.randn(2, 2, 2, 2, 2)
Conv3d(2, 3, 2, 1, 1) | T.randn(2, 2, 2, 2, 2)
ConvTranspose3d(2, 3, 2, 1, 1) | T.randn(2, 2, 2, 2, 2)
InstanceNorm3d(2, 1e-5, 0.1, True, True) | T.randn(2, 2, 2, 2, 2)
LazyConv3d(3, 2) | T.randn(2, 2, 2, 2, 2)
MaxPool3d(2, 2, 0) | T.randn(1, 2, 4, 4, 4)
AvgPool2d(2, 2) | T.rand(1, 2, 4, 4)
BCELoss(None) | T.rand(2, 3), T.rand(2, 3)
BCEWithLogitsLoss(None) | T.randn(2, 3), T.rand(2, 3)
BatchNorm1d(3, 1e-5, 0.1) | T.randn(2, 3)
BatchNorm2d(2, 1e-5, 0.1) | T.randn(2, 2, 3, 3)
Conv1d(2, 3, 2, 1, 1) | T.randn(2, 2, 4)
Conv2d(2, 3, 2, 1, 1) | T.randn(2, 2, 4, 4)
ConvTranspose1d(2, 3, 2, 1, 1) | T.randn(2, 2, 4)
ConvTranspose2d(2, 3, 2, 1, 1) | T.randn(2, 2, 4, 4)
CrossEntropyLoss(None) | T.randn(2, 3), T.tensor([0, 2])
Dropout(0.5, False) | T.ones(2, 3)
Dropout2d(0.5, False) | T.ones(2, 3, 2, 2)
ELU(1.0, False) | T.randn(2, 3)
EmbeddingBag(4, 2) | T.tensor([[0, 3], [1, 1]])
RMSNorm((3,), 1e-5, True) | T.randn(2, 3)
LocalResponseNorm(2, 0.5, 0.75, 2.0) | T.randn(2, 3, 4)
MultiLabelSoftMarginLoss() | T.randn(2, 3), T.ones(2, 3)
PoissonNLLLoss(True, True) | T.randn(2, 3), T.ones(2, 3)
Embedding(4, 2) | T.tensor([[0, 3], [1, 1]])
Flatten(1, -1) | T.randn(2, 3, 2)
GELU('none') | T.randn(2, 3)
GRU(3, 2, 1) | T.randn(2, 1, 3), T.randn(1, 1, 2)
GRUCell(3, 2, True) | T.randn(2, 3), T.randn(2, 2)
GroupNorm(2, 4, 1e-5) | T.randn(2, 4, 3)
Hardtanh(-0.5, 0.5, False) | T.randn(2, 3)
Identity() | T.randn(2, 3)
InstanceNorm1d(3, 1e-5, 0.1, True, True) | T.randn(2, 3, 4)
InstanceNorm2d(2, 1e-5, 0.1, True, True) | T.randn(2, 2, 3, 3)
KLDivLoss(None, None, 'sum') | T.randn(2, 3), T.rand(2, 3)
L1Loss(None) | T.randn(2, 3), T.randn(2, 3)
LSTM(3, 2, 1) | T.randn(2, 1, 3),
LSTMCell(3, 2, True) | T.randn(2, 3),
LayerNorm((3,), 1e-5, True) | T.randn(2, 3)
LazyBatchNorm1d(1e-5, 0.1) | T.randn(2, 3)
LazyConv2d(3, 2) | T.randn(2, 2, 4, 4)
LazyLinear(2, True) | T.randn(2, 3)
LeakyReLU(0.1, False) | T.randn(2, 3)
Linear(3, 2, True) | T.randn(2, 3)
LogSigmoid() | T.randn(2, 3)
LogSoftmax(1) | T.randn(2, 3)
CELU(0.5, False) | T.randn(2, 3)
GLU(1) | T.randn(2, 4)
Hardshrink(0.3) | T.randn(2, 3)
Hardsigmoid(False) | T.randn(2, 3)
Hardswish(False) | T.randn(2, 3)
Mish(False) | T.randn(2, 3)
PReLU(3, 0.2) | T.randn(2, 3)
RReLU(0.1, 0.2, False) | T.randn(2, 3)
SELU(False) | T.randn(2, 3)
Softmax2d() | T.randn(1, 2, 3, 3)
Softshrink(0.3) | T.randn(2, 3)
Softsign() | T.randn(2, 3)
Tanhshrink() | T.randn(2, 3)
Threshold(0.1, 2.0, False) | T.randn(2, 3)
CosineEmbeddingLoss(0.1) | T.randn(2, 3), T.randn(2, 3), T.tensor([1, -1])
CosineSimilarity(1) | T.randn(2, 3), T.randn(2, 3)
HuberLoss('sum', 0.5) | T.randn(2, 3), T.randn(2, 3)
PairwiseDistance(2.0) | T.randn(2, 3), T.randn(2, 3)
TripletMarginLoss(0.5) | T.randn(2, 3), T.randn(2, 3), T.randn(2, 3)
TripletMarginWithDistanceLoss() | T.randn(2, 3), T.randn(2, 3), T.randn(2, 3)
MarginRankingLoss(0.5) | T.randn(2, 3), T.randn(2, 3), T.ones(2, 3)
HingeEmbeddingLoss(0.5) | T.randn(2, 3), T.ones(2, 3)
SoftMarginLoss() | T.randn(2, 3), T.ones(2, 3)
GaussianNLLLoss() | T.randn(2, 3), T.randn(2, 3), T.ones(2, 3)
CTCLoss(0, 'sum') | T.zeros(4, 1, 3).log_softmax(2), T.tensor([[1, 2]]), [4], [2]
Bilinear(3, 2, 4) | T.randn(2, 3), T.randn(2, 2)
Unfold(2, 1, 0) | T.randn(1, 2, 3, 3)
Fold((2, 3), 2, 1) | T.randn(1, 4, 2)
PixelShuffle(2) | T.randn(1, 4, 2, 2)
PixelUnshuffle(2) | T.randn(1, 1, 2, 4)
ChannelShuffle(2) | T.randn(1, 4, 2)
Unflatten(1, (3, 1)) | T.randn(2, 3)
Upsample(3) | T.randn(1, 2, 4, 4)
MSELoss(None) | T.randn(2, 3), T.randn(2, 3)
MaxPool1d(2, 2, 0) | T.randn(1, 2, 4)
MaxPool2d(2, 2, 0) | T.randn(1, 2, 4, 4)
MultiheadAttention(4, 2, 0.0) | T.randn(3, 2, 4), T.randn(3, 2, 4), T.randn(3, 2, 4)
NLLLoss(None) | T.randn(2, 3), T.tensor([0, 2])
Parameter(T.ones(2), True) |
RNN(3, 2, 1) | T.randn(2, 1, 3), T.randn(1, 1, 2)
RNNCell(3, 2, True) | T.randn(2, 3), T.randn(2, 2)
ReLU(False) | T.randn(2, 3)
ReLU6(False) | T.randn(2, 3)
Sequential(T.nn.Linear(3, 2), T.nn.ReLU()) | T.randn(2, 3)
SiLU(False) | T.randn(2, 3)
Sigmoid() | T.randn(2, 3)
SmoothL1Loss(None) | T.randn(2, 3), T.randn(2, 3)
Softmax(1) | T.randn(2, 3)
Softmax() | T.randn(2, 3)
Softplus(1.0, 20.0) | T.randn(2, 3)
Tanh() | T.randn(2, 3)
TransformerEncoderLayer(4, 2, 8, 0.0) | T.randn(3, 2, 4)
"""
"""Modules with the arguments they are made with | an input."""

CALLS = """
optim.SGD(lr) | stepped(T.optim.SGD) | [T.ones(2, requires_grad=True)], 0.1
optim.Adam(lr) | stepped(T.optim.Adam) | [T.ones(2, requires_grad=True)], 0.1
optim.AdamW(lr) | stepped(T.optim.AdamW) | [T.ones(2, requires_grad=True)], 0.1
optim.RMSprop(lr) | stepped(T.optim.RMSprop) | [T.ones(2, requires_grad=True)], 0.1
lr_scheduler.StepLR | rates(T, 'StepLR') | 2, 0.5
lr_scheduler.MultiStepLR | rates(T, 'MultiStepLR') | [1, 3], 0.5
lr_scheduler.ExponentialLR | rates(T, 'ExponentialLR') | 0.5,
lr_scheduler.CosineAnnealingLR | rates(T, 'CosineAnnealingLR') | 3, 0.01
random_split | listed(T.utils.data.random_split) | list(range(10)), [5, 5]
random_split by share | listed(T.utils.data.random_split) | list(range(10)), [0.5, 0.5]
DataLoader | listed(T.utils.data.DataLoader) | list(range(5)), 2, False
TensorDataset | listed(T.utils.data.TensorDataset) | T.ones(2, 3), T.ones(2)
StackDataset | listed(T.utils.data.StackDataset) | [1, 2], [3, 4]
ConcatDataset | listed(T.utils.data.ConcatDataset) | [[1, 2], [3, 4]],
Subset | listed(T.utils.data.Subset) | [1, 2, 3], [0, 2]
SequentialSampler | listed(T.utils.data.SequentialSampler) | [1, 2, 3],
RandomSampler | listed(T.utils.data.RandomSampler) | [1, 2, 3], True, 2
SubsetRandomSampler | listed(T.utils.data.SubsetRandomSampler) | [0, 2],
WeightedRandomSampler | listed(T.utils.data.WeightedRandomSampler) | [0.5, 0.2], 3, True
BatchSampler | listed(T.utils.data.BatchSampler) | [0, 1, 2], 2, False
default_collate | T.utils.data.default_collate | [T.ones(2), T.ones(2)],
Dataset | T.utils.data.Dataset().__getitem__ | 0,
IterableDataset | T.utils.data.IterableDataset().__iter__ |
autograd.grad | squared_slope(T) | T.ones(2),
autograd.jacobian | T.autograd.functional.jacobian | FUNCTION, T.ones(2)
autograd.jacobian of a constant | T.autograd.functional.jacobian | CONSTANT, T.ones(2)
autograd.hessian | T.autograd.functional.hessian | SCALAR, T.ones(2)
autograd.hessian of a line | T.autograd.functional.hessian | LINE, T.ones(2)
autograd.vjp | T.autograd.functional.vjp | FUNCTION, T.ones(2), T.ones(2)
autograd.jvp | T.autograd.functional.jvp | FUNCTION, T.ones(2), T.ones(2)
autograd.vjp of a constant | T.autograd.functional.vjp | CONSTANT, T.ones(2), T.ones(2)
autograd.jvp of a constant | T.autograd.functional.jvp | CONSTANT, T.ones(2), T.ones(2)
autograd.vhp | T.autograd.functional.vhp | SCALAR, T.ones(2), T.ones(2)
autograd.hvp | T.autograd.functional.hvp | SCALAR, T.ones(2), T.ones(2)
autograd.vhp of a line | T.autograd.functional.vhp | LINE, T.ones(2), T.ones(2)
autograd.hvp of a line | T.autograd.functional.hvp | LINE, T.ones(2), T.ones(2)
autograd.gradcheck | T.autograd.gradcheck | FUNCTION, DOUBLES(T)
autograd.gradcheck of float32 | T.autograd.gradcheck | FUNCTION, T.ones(2, requires_grad=True)
autograd.gradgradcheck | T.autograd.gradgradcheck | FUNCTION, DOUBLES(T)
init.constant_ | T.nn.init.constant_ | T.ones(2, 3), 0.5
init.eye_ | T.nn.init.eye_ | T.ones(2, 3),
init.kaiming_normal_ | T.nn.init.kaiming_normal_ | T.ones(2, 3), 0.5
init.kaiming_uniform_ | T.nn.init.kaiming_uniform_ | T.ones(2, 3), 0.5
init.normal_ | T.nn.init.normal_ | T.ones(2, 3), 0.5, 1.0
init.ones_ | T.nn.init.ones_ | T.zeros(2, 3),
init.uniform_ | T.nn.init.uniform_ | T.ones(2, 3), 0.5, 1.0
init.xavier_normal_ | T.nn.init.xavier_normal_ | T.ones(2, 3), 0.5
init.xavier_uniform_ | T.nn.init.xavier_uniform_ | T.ones(2, 3), 0.5
init.zeros_ | T.nn.init.zeros_ | T.ones(2, 3),
init.calculate_gain | T.nn.init.calculate_gain | 'leaky_relu', 0.5
utils.parameters_to_vector | T.nn.utils.parameters_to_vector | [T.ones(2), T.ones(3)],
utils.clip_grad_norm_ | clipped(T.nn.utils.clip_grad_norm_) | [DOUBLES(T)], 0.5, 2.0
utils.clip_grad_value_ | clipped(T.nn.utils.clip_grad_value_) | [T.ones(2, requires_grad=True)], 0.5
rnn.pad_sequence | T.nn.utils.rnn.pad_sequence | [T.ones(2), T.ones(3)], False, 0.5
rnn.pack_padded_sequence | T.nn.utils.rnn.pack_padded_sequence | T.ones(3, 2, 1), [3, 2]
as_tensor of an array | T.as_tensor | np.ones(2),
as_tensor of an array that cannot be written | T.as_tensor | unwritable(),
from_numpy of an array that cannot be written | T.from_numpy | unwritable(),
from_numpy of an empty array | T.from_numpy | np.ones((0, 2)),
tensor of an array | T.tensor | np.ones((2, 1), 'int16'),
accelerator.synchronize | T.accelerator.synchronize | 'cpu',
accelerator.device_count | T.accelerator.device_count |
accelerator.set_device_index | T.accelerator.set_device_index | 0,
cuda.synchronize | T.cuda.synchronize | 'cpu',
cuda.set_device | T.cuda.set_device | 0,
manual_seed | seeded(T.manual_seed) | 3,
x[i] | indexed(T) | T.ones(2, 3), 1
x[index] | indexed(T) | T.ones(2, 3), T.tensor([0, 1])
x[mask] | indexed(T) | T.ones(2, 3), T.tensor([True, False])
x[i, j] | indexed(T) | T.ones(2, 3), (1, 2)
x[i] = y | assigned(T) | T.ones(2, 3), 1, T.ones(3)
x[index] = y | assigned(T) | T.ones(2, 3), T.tensor([0, 1]), T.ones(3)
x[mask] = y | assigned(T) | T.ones(2, 3), T.tensor([True, False]), 2.0
vector @ matrix | T.matmul | T.ones(2), T.ones(2, 3)
matrix @ vector | T.matmul | T.ones(2, 3), T.ones(3)
vector @ batch | T.matmul | T.ones(2), T.ones(4, 2, 3)
softmax of a module's dim | T.nn.functional.softmax | T.ones(2, 3),
Tensor.type by name | T.Tensor.type | T.ones(2), 'torch.DoubleTensor'
Tensor.to a type | T.Tensor.to | T.ones(2), T.float64
Tensor.new_tensor of a tensor | T.Tensor.new_tensor | T.ones(2), T.ones(2)
Tensor.split by sizes | T.Tensor.split | T.ones(4), [1, 3], 0
Tensor.max over all | T.Tensor.max | T.ones(2, 3),
Tensor.min over all | T.Tensor.min | T.ones(2, 3),
Tensor.view as a type | T.Tensor.view | T.ones(2), (2, 1)
"""
"""A name | the function | its arguments."""


def function(x: Any) -> Any:
    return x**3


def constant(x: Any) -> Any:
    return x.detach() * 2


def scalar(x: Any) -> Any:
    return (x**3).sum()


def line(x: Any) -> Any:
    return (x * 2).sum()


def doubles(T: Library) -> Any:
    return T.ones(2, dtype=T.float64, requires_grad=True)


def unwritable() -> Any:
    array = np.ones(2)
    array.flags.writeable = False
    return array


def stepped(kind: Any) -> Callable[..., Any]:
    """Two steps of an optimizer."""

    def steps(params: Any, lr: Any = 0.1, **named: Any) -> Any:
        optimizer = kind(params, lr, **named)
        for _ in range(2):
            for each in params:
                each.grad = each.detach() * 0.5
            optimizer.step()
        return [each.detach() for each in params]

    return steps


def rates(T: Library, kind: str) -> Callable[..., Any]:
    def first_rates(*args: Any, **named: Any) -> Any:
        optimizer = T.optim.SGD([T.ones(1, requires_grad=True)], 0.1)
        schedule = getattr(T.optim.lr_scheduler, kind)(optimizer, *args, **named)
        found = []
        for _ in range(5):
            found += schedule.get_last_lr()
            optimizer.step()
            schedule.step()
        return found

    return first_rates


def listed(kind: Any) -> Callable[..., Any]:
    """Return the items of a data set or a sampler."""

    def all_of(*args: Any, **named: Any) -> Any:
        made = kind(*args, **named)
        if hasattr(made, "__len__") and not hasattr(made, "__iter__"):
            return [made[i] for i in range(len(made))]
        return [list(part) if hasattr(part, "dataset") else part for part in made]

    return all_of


def squared_slope(T: Library) -> Callable[..., Any]:
    def slope(x: Any, **named: Any) -> Any:
        x = x.detach().requires_grad_()
        return T.autograd.grad(x**2, x, x.detach(), **named)

    return slope


def clipped(clip: Any) -> Callable[..., Any]:
    def clips(params: Any, *args: Any, **named: Any) -> Any:
        for each in params:
            each.grad = each.detach() * 4
        return clip(params, *args, **named), [each.grad for each in params]

    return clips


def seeded(seed: Any) -> Callable[..., Any]:
    return lambda *args: type(seed(*args)).__name__


def indexed(T: Library) -> Callable[..., Any]:
    return lambda x, index: x[index]


def assigned(T: Library) -> Callable[..., Any]:
    def assign(x: Any, index: Any, value: Any) -> Any:
        if x.requires_grad:
            x = x.clone()
        x[index] = value
        return x

    return assign


def called(module: Any) -> Callable[..., Any]:
    """The module's result, and what it remembers."""
    return lambda *args, **named: [module(*args, **named), *module.buffers()]


KNOWN = {
    "np": np, "FUNCTION": function, "CONSTANT": constant, "SCALAR": scalar, "LINE": line,
    "stepped": stepped, "rates": rates, "listed": listed, "squared_slope": squared_slope,
    "clipped": clipped, "seeded": seeded, "indexed": indexed, "assigned": assigned,
    "unwritable": unwritable, "DOUBLES": doubles,
}  # fmt: skip


def made(T: Library, text: str) -> Any:
    return eval(text, {**KNOWN, "T": T})


def arguments(text: str) -> Callable[[Library], tuple[Any, ...]]:
    text = f"({text.strip().rstrip(',')},)" if text.strip() else "()"
    code = compile(text, "<row>", "eval")
    return lambda T: eval(code, {**KNOWN, "T": T})  # type: ignore[no-any-return]


def modules() -> list[Row]:
    found = []
    for text in MODULES.strip().splitlines():
        making, inputs = (part.strip() for part in text.split(" |"))
        name, _, made_with = making.partition("(")
        kind = lambda T, name=name: getattr(T.nn, name)  # noqa: E731
        found.append(Row(f"nn.{name}", kind, arguments(made_with[:-1])))
        if not inputs:
            continue
        for mode in ("train", "eval"):
            found.append(
                Row(
                    f"nn.{making}.{mode}()",
                    lambda T, m=making, mode=mode: called(getattr(made(T, f"T.nn.{m}"), mode)()),  # type: ignore[misc]
                    arguments(inputs),
                    lambda T, m=making: made(T, f"T.nn.{m}").forward,  # type: ignore[misc]
                )
            )
    return found


def calls() -> list[Row]:
    found = []
    for text in CALLS.strip().splitlines():
        name, wanted, args = (part.strip() for part in (text + " ").split(" |"))
        signature = None
        inner = wanted.partition("(T.")[2].rstrip(")")
        if inner:
            signature = lambda T, inner=inner: made(T, f"T.{inner}")  # noqa: E731
        if wanted.startswith("rates"):
            kind = wanted.split("'")[1]
            signature = lambda T, kind=kind: getattr(T.optim.lr_scheduler, kind)  # noqa: E731
        found.append(Row(name, lambda T, w=wanted: made(T, w), arguments(args), signature))  # type: ignore[misc]
    return found


ROWS = {row.name: row for row in [*public(), *modules(), *calls()]}
