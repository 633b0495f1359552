"""Unusual calls of public functions give PyTorch's result or error.

Each call runs lines of the functions that no other test runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.ops.refusals import said_by
from tests.parity import same

CALLS = """
F.max_pool2d(T.ones(1, 1, 2, 2), 2)
T.tensor([2, -1, 1, -1]) ** T.tensor([-1, -3, -2, -2])
T.tensor([2, -1, 1]).pow(T.tensor([3, 2, -2]))
grads(lambda b: 0 ** b, [-1.0, 0.0, 2.0])
grads(lambda b: (-2.0) ** b, [-1.0, 0.0, 2.0])
T.ones(2).add_(True, alpha=3)
T.ones(1).expand(3).clamp_max_(0.5)
T.ones(1).expand(3).clamp_min_(T.ones(3) * 2)
T.ones(2, requires_grad=True).clamp_max_(0.5)
T.ones(2, requires_grad=True).clamp_min_(2)
T.zeros(3, dtype=T.uint8) == 0
T.tensor([-128, 127], dtype=T.int8)
T.tensor([-255, 255], dtype=T.uint8)
T.tensor([-129], dtype=T.int8)
T.tensor([-256], dtype=T.uint8)
T.zeros(3, dtype=T.uint8) < 300
T.ones(2).sub_(2, alpha=0.5)
T.ones(2).add_(T.tensor(2.0), alpha=-3)
T.nn.LSTM(3, "a")
T.nn.LSTM(3, 0)
T.nn.GRU(3, -1)
T.nn.RNNCell(2, 2)(T.ones(1, 1, 2))
T.nn.LSTMCell(2, 2)(T.ones(1, 1, 2))
T.nn.GRUCell(2, 2)(T.tensor(1.0))
T.repeat_interleave(T.tensor([1, 0, 2]))
T.repeat_interleave(T.tensor([1, 0, 2]), output_size=3)
T.repeat_interleave(T.tensor([[1]]))
T.repeat_interleave(T.tensor(3.0), T.tensor([2]), dim=0)
T.repeat_interleave(T.tensor(3.0), T.tensor([2]))
T.repeat_interleave(T.tensor(3.0), 2, dim=0)
T.meshgrid(T.arange(2), T.arange(3), indexing=3)
F.cross_entropy(T.ones(2, 3), T.ones(2, 3) / 3, ignore_index=0)
F.cross_entropy(T.ones(2, 3), T.ones(2, 3) / 3, label_smoothing=2.0)
F.cross_entropy(T.ones(2, 3), T.tensor([0, 1]), label_smoothing=-1.0)
T.tensor(1.0).index_add_(1, T.tensor([0]), T.ones(1))
T.tensor(1.0).index_add_(0, T.tensor([0]), T.tensor(2.0))
T.ones(2, 2).index_add_(1, T.tensor([0]), T.ones(2))
T.ones(2).index_add_(0, T.tensor([0, 1]), T.tensor(1.0))
T.ones(2).index_reduce(0, T.tensor([0, 1]), T.ones(2), "sum")
T.ones(2).index_reduce(0, T.tensor([0, 5]), T.ones(2), "prod")
T.ones(2).index_reduce(0, T.tensor([[0, 1]]), T.ones(2), "prod")
T.ones(2).index_reduce_(0, T.tensor([0]), T.ones(2), "prod")
T.ones(2).scatter_reduce(0, T.tensor([0, 1]), T.ones(2), "add")
T.ones(2).scatter_reduce(0, T.tensor([0, 5]), T.ones(2), "amax")
second_of_product(T.scatter_reduce, [0.0, 0.0])
second_of_product(T.index_reduce, [0.0, 0.0])
second_of_product(T.scatter_reduce, [0.0, 2.0])
T.ones(2).scatter(0, T.tensor([0, 1]), 1.0, reduce="sum")
T.ones(2, requires_grad=True).scatter(0, T.tensor([0]), 1.0, reduce="add").grad_fn.name()
T.ones(2, requires_grad=True).scatter(0, T.tensor([0]), 1.0, reduce="add").sum().backward()
T.ones(2).take(T.tensor([2]))
T.ones(2).take(T.tensor([0.0]))
T.ones(0).take(T.tensor([0]))
T.ones(2).put(T.tensor([0]), T.ones(2))
T.ones(2).put_(T.tensor([0]), T.ones(1, dtype=T.float64))
T.ones(0).put_(T.tensor([0]), T.ones(1))
T.diff(T.tensor(1.0))
T.diff(T.ones(2), -1)
T.diff(T.ones(2, 2), prepend=T.ones(2))
T.diff(T.ones(2, 2), prepend=T.ones(3, 3))
T.ones(2).fill_diagonal_(1.0)
T.ones(2, 3, 2).fill_diagonal_(1.0)
T.aminmax(T.ones(0))
T.aminmax(T.ones(0, 2), dim=0)
T.ones(2).cummax(1)
T.ones(0).mode()
T.logcumsumexp(T.tensor([1, 2]), 0)
T.nanmean(T.tensor([1, 2]))
T.nansum(T.ones(2, 2), (0, 0))
T.tensor(5.0).index_select(0, T.tensor([0, 0]))
T.tensor(5.0).index_select(0, T.tensor([0]))
T.addmm(T.ones(2, 2), T.ones(2, 3), T.ones(3, 2), beta=2, alpha=3)
T.addmm(T.ones(2), T.ones(2, 3), T.ones(3, 2))
T.ones(1, 2, 3, requires_grad=True) @ T.ones(4, 3, 2)
T.ones(4, 2, 3) @ T.ones(1, 3, 2, requires_grad=True)
grads(lambda a: a.view(1, 1, 3) @ T.ones(4, 3, 2), [1.0, 2.0, 3.0])
T.nn.utils.rnn.pad_sequence([T.ones(1)], padding_value="a")
T.nn.utils.rnn.pad_sequence([T.ones(2), T.ones(1)], padding_value=7)
T.linalg.svd(T.eye(2)).U.abs()
T.linalg.svd(T.eye(2)).S
T.linalg.svd(T.eye(2)).Vh.abs()
T.ones(0, 3).t().view(3, 0)
T.ones(2, 0).t().reshape(0, 4)
F.conv_transpose1d(T.ones(1, 2, 3), T.ones(2))
F.conv_transpose2d(T.ones(1, 2, 3, 3), T.ones(2, 2, 0, 1))
F.conv_transpose2d(T.ones(1, 2, 3, 3), T.ones(2, 2, 2))
T.tensor([MyInt(3), 4])
T.tensor([MyFloat(3), 4.5])
T.tensor(MyInt(3))
T.arange(end=3)
T.arange(1, step=2)
T.arange(end=3, step=2)
T.arange(start=1)
F.dropout(T.ones(3), 1.0)
F.dropout(T.ones(3), 1.0, training=1)
T.dropout(T.ones(3), 1.0, True)
T.dropout(T.ones(3), 1.0, 1)
T.dropout(T.ones(3, dtype=T.int64), 0.5, True)
T.where(T.tensor([True, False, True]))
T.where(T.tensor([[1.0, 0.0]]))
T.where(3)
F.nll_loss(T.log(T.ones(3)), T.tensor([1]))
F.nll_loss(T.ones(3), T.tensor(1))
F.nll_loss(T.ones(3), T.tensor([1, 2]))
T.norm(T.tensor([3.0, 4.0]), p=None)
T.norm(T.ones(2, 2), p=None, dim=0)
T.norm(T.ones(2, 2, 2), p="fro", dim=(0, 1, 2))
F.pad(T.ones(1, 1, 2, 2), (-2, -2, 0, 0), mode="reflect")
F.pad(T.ones(1, 1, 2, 2), (-2, -1, 0, 0), mode="replicate")
F.pad(T.ones(1, 2, 2), (-2, -1), mode="circular")
F.pad(T.ones(1, 2, 2), (-3, 0))
grads(lambda a: a.view(3, 1).prod(1), [0.0, 2.0, 0.0])
grads(lambda a: a.prod(), [0.0, 2.0, 3.0])
grads(lambda a: T.autograd.grad(a.view(3, 1).prod(1).sum(), a, create_graph=True)[0], [0.0] * 3)
T.softmax(T.ones(0, 2), 0)
T.logsumexp(T.ones(0, 2), 0)
T.logsumexp(T.ones(2, 0), 1)
T.ones(2, bad=3)
T.relu(T.ones(2), bad=3)
T.sum(T.ones(2), bad=3)
T.ones(2)[0, T.tensor([0])]
T.ones(2)[T.tensor([0]), T.tensor([0]), T.tensor([0])]
T.ones(2)[T.tensor([[True, False]])]
T.ones(2)[T.tensor([1, 0], dtype=T.uint8)]
T.ones(2, 2)[:, T.tensor([1, 0], dtype=T.uint8)]
setting(T.zeros(2), T.tensor([1, 0], dtype=T.uint8), 3.0)
setting(T.zeros(2, 2), (0, T.tensor([1, 0], dtype=T.uint8)), 3.0)
T.einsum("i,i", 3)
T.einsum("i,i", T.ones(2), 3)
T.einsum("i,i->", [T.ones(2), T.ones(2)])
F.batch_norm(T.ones(2), None, None, training=True)
F.instance_norm(T.ones(2))
F.group_norm(T.ones(2), 1)
F.layer_norm(T.tensor(1.0), (1,))
T.ones(2).type("torch.FloatTensor")
T.ones(2).type("torch.DoubleTensor")
T.ones(2).type("FloatTensor")
T.ones(2, 2).sum(0, dtype=T.float64)
T.ones(2, 2).mean(0, dtype=T.int64)
T.device("cpu") != T.device("cuda")
T.device("cpu") == "cpu"
T.logical_and(T.ones(2), 3)
T.logical_not(T.ones(2), out=T.zeros(2))
F.max_pool2d(T.arange(4.0).view(1, 2, 2), 2, return_indices=True)
F.max_pool2d(T.ones(2, 2), 2)
T.ones(2, 2, requires_grad=True).sum(None)
T.ones(2, 2, requires_grad=True).sum(dim=None).grad_fn._saved_dim
T.sum(T.ones(2, requires_grad=True), dim=None, dtype=T.float64)
T.ones(2, requires_grad=True).mean(dim=None, keepdim=True)
T.ones((), requires_grad=True).mean(None).grad_fn._saved_dim
grads(lambda a: a.sum(None), [1.0, 2.0])
grads(lambda a: a.mean(dim=None, keepdim=True), [1.0, 2.0])
T.ones(2).sum(keepdim=False)
T.ones(2).mean(keepdim=True)
grads(lambda a: T.atan2(T.tensor([True, False]), a), [1.0, 2.0])
T.ones(2, 3).diagonal(2**40)
T.ones(2, 3).diag(-(2**63))
T.ones(2, 3).diagonal(2**63)
T.diag(T.ones(2), 2**63)
T.ones(2, 3, 4, requires_grad=True).diagonal(2**40, 1, 2).grad_fn._saved_offset
T.cdist(T.ones(2, 3), T.ones(2, 3), p=math.nan)
T.cdist(T.ones(2, 3).half(), T.ones(2, 3))
T.cdist(T.ones(2, 3), T.ones(2, 3).half())
T.repeat_interleave(T.tensor(1.0))
T.repeat_interleave(T.tensor([1, 2], dtype=T.int32))
T.stack([T.ones(2)] * 2, 2)
T.stack([T.ones(2), T.ones(3)], 5)
T.stack([T.tensor(1.0)], -(2**40))
F.binary_cross_entropy_with_logits(T.ones(2), T.tensor([True, False]))
F.pad(T.ones(2, 3), (1, True))
T.linalg.matrix_norm(T.ones(2, 3), dim=(0, True))
T.multinomial(T.ones(0), 1, replacement=True)
T.multinomial(T.ones(0), 2, replacement=True)
T.multinomial(T.ones(0, 0), 1, replacement=True)
list(T.utils.data.RandomSampler([7], num_samples=True))
list(T.utils.data.RandomSampler([7], num_samples=False))
T.utils.data.WeightedRandomSampler([1.0], num_samples=True)
T.nn.utils.rnn.pack_padded_sequence(T.tensor(1.0), [1], batch_first=True)
T.nn.utils.rnn.pack_padded_sequence(T.tensor(1.0), [1])
T.nn.RNN(3, 2)(T.nn.utils.rnn.PackedSequence(T.ones(2, 2, 3), T.tensor([1, 1])))
T.ones(2).is_contiguous(memory_format=3)
T.ones(2).to(T.float64, memory_format=3)
T.ones(2).double(memory_format=3)
T.ones(2).cpu(memory_format=3)
T.ones(2).cpu(memory_format=None)
T.einsum("i,i", "ab")
T.einsum("i,i", [3])
T.logsumexp(T.ones(0, 2), 1)
T.logsumexp(T.ones(0, 2), (0, 1))
T.vstack([T.tensor(1.0), T.tensor(2.0)])
T.hstack([T.tensor(1.0), T.ones(2)])
T.group_norm(T.ones(2), 1)
T.ones(2).addcmul_(T.ones(2), T.ones(3))
T.ones(2).addcmul_(T.ones(3), T.ones(2))
T.ones(2).addcdiv_(T.ones(1), T.ones(3))
T.zeros(2).index_put((T.tensor([[True, False]]),), T.ones(2))
T.zeros(2).index_put((T.tensor([[True], [True]]),), T.ones(2))
T.zeros(2).index_put_((T.tensor([[True], [True]]),), T.ones(2))
T.zeros(2, 3).index_put((T.tensor([0]), T.tensor([[True, False, True]])), T.ones(2))
T.zeros(2).index_put((T.tensor([1, 0], dtype=T.uint8),), T.tensor([1.0]))
T.zeros(2).index_put((T.tensor([1, 0], dtype=T.uint8),), T.tensor([1.0]), accumulate=True)
T.zeros(2).index_put((T.tensor([1, 1], dtype=T.uint8),), T.ones(2))
T.zeros(2).index_put((T.tensor([1, 0], dtype=T.uint8), T.tensor([1])), T.tensor(1.0))
T.zeros(2, 2).index_put((T.tensor([1, 0], dtype=T.uint8), T.tensor([1])), T.tensor(1.0))
T.zeros(2).index_put_((T.tensor([1, 1], dtype=T.uint8),), T.ones(2))
T.ones(2, requires_grad=True)[-1:].grad_fn._saved_start
T.ones(2, requires_grad=True)[:-1].grad_fn._saved_end
T.ones(2, requires_grad=True)[-(2**70) : 1].grad_fn._saved_start
T.ones(2, requires_grad=True)[1 : 2**70].grad_fn._saved_end
T.ones(2, requires_grad=True)[1:2].grad_fn._saved_end
T.ones(2, 3).repeat(2, -1, 4)
T.ones(2, 0).repeat(2, 1, -4)
T.nn.Linear(1, 1).register_parameter("a", int)
setattr(T.nn.Linear(1, 1), "weight", int)
T.nn.LazyBatchNorm1d().double().running_mean.dtype
T.ones(2).__deepcopy__({1: 2})
[x.__deepcopy__({id(x): 3}) for x in [T.ones(2)]]
grads(lambda x: T.igamma(T.tensor([1, 2, 3, 21]), x), [0.5, 1.0, 2.0, 3.0])
grads(lambda x: T.igammac(T.tensor([1, 2, 3, 21], dtype=T.int8), x), [0.5, 1.0, 2.0, 3.0])
grads(lambda x: T.igamma(T.tensor([True]), x), [0.5])
T.autograd.functional.hessian(lambda x: T.igamma(T.tensor(3), x), T.tensor(2.0))
"""


class MyInt(int):
    """As good as an integer."""


class MyFloat(float):
    """As good as a number."""


def grads(T: Any, function: Callable[[Any], Any], values: list[float]) -> Any:
    """A function's result, and the gradient of its sum."""
    x = T.tensor(values, requires_grad=True)
    y = function(x)
    y.sum().backward()
    return y, x.grad


def second_of_product(T: Any, function: Callable[..., Any], values: list[float]) -> Any:
    """The source's second derivative of a product of all `values` and one element more."""
    x, source = T.tensor([3.0], requires_grad=True), T.tensor(values, requires_grad=True)
    y = function(x, 0, T.zeros(len(values), dtype=T.int64), source, "prod")
    first = T.autograd.grad(y.sum(), source, create_graph=True)[0]
    return first, T.autograd.grad((first * first.detach()).sum(), source)


def setting(x: Any, index: Any, value: Any) -> Any:
    x[index] = value
    return x


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_same_as_torch(torch: Any, call: str) -> None:
    def program(T: Any) -> Any:
        known = {"grads": partial(grads, T), "setting": setting, "MyInt": MyInt, "MyFloat": MyFloat}
        known["second_of_product"] = partial(second_of_product, T)
        try:
            return eval(call, {"T": T, "F": T.nn.functional, "math": math, **known})
        except Exception as error:
            return type(error).__name__, said_by(error).line

    same(torch, program)


@pytest.mark.parametrize("count", [3, 30, 150])
def test_parts_of_gamma_keep_their_digits(count: int) -> None:
    """PyTorch has nine digits near the middle. For integers these are sums of Poisson's shares."""
    x = count * np.array([0.5, 0.9, 1.0, 1.1, 2.0])
    fewer = sum(np.exp(k * np.log(x) - x - math.lgamma(k + 1)) for k in range(count))
    above = mg.igammac(mg.tensor(float(count), dtype=mg.float64), mg.tensor(x))
    np.testing.assert_allclose(above.numpy(), fewer, rtol=1e-12)
