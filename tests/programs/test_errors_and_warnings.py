"""Errors, warnings and results of unusual calls to the core, the modules and their tools.

Each row is one call that no other test makes. Its result, or the type and text of its error and its
warnings, must be PyTorch's.
"""

from __future__ import annotations

import collections
import importlib
import operator
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.ops.refusals import Outcome
from tests.parity import caught, same, warn_always

Row = Callable[[Any], Any]


def seen(T: Any, row: Row) -> Any:
    """Return the result or the error of a call, and its warnings."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for kind in (RuntimeWarning, DeprecationWarning):  # NumPy's, and PyTorch's of itself
            warnings.simplefilter("ignore", kind)
        try:
            result = row(T)
        except Exception as error:
            kind = type(error).__name__
            result = kind, first_sentence(Outcome(kind, str(error)).line)
    return result, [(w.category.__name__, first_sentence(str(w.message))) for w in warned]


def first_sentence(text: str) -> str:
    """Behind it PyTorch says what it cannot do, and names pages and lines of its sources."""
    return re.split(r"\.(?=\s|$)| \(Triggered", text.strip(), maxsplit=1)[0]


def ones(T: Any, *size: int) -> Any:
    return T.ones(*size, requires_grad=True)


def function(T: Any, **methods: Any) -> Any:
    """A Function of the given methods that doubles."""
    given = {
        "forward": lambda ctx, x, *others: x * 2,
        "backward": lambda ctx, g: g * 2,
    } | methods
    statics = {name: staticmethod(method) for name, method in given.items()}
    return type("Double", (T.autograd.Function,), statics)


def network(T: Any) -> Any:
    return T.nn.Sequential(T.nn.Linear(2, 3), T.nn.BatchNorm1d(3))


CORE: dict[str, Row] = {
    "gradients for one output of two": lambda T: T.autograd.backward(
        [ones(T, 2).sum(), ones(T, 2).sum()], [T.tensor(1.0)]
    ),
    "a gradient that is a number": lambda T: T.autograd.grad(ones(T, 2).sum(), ones(T), [1.0]),
    "a gradient for an argument that is no tensor": lambda T: (
        function(T, backward=lambda ctx, g: (g, g)).apply(ones(T, 2), 3).sum().backward()
    ),
    "a Function without setup_context": lambda T: T.autograd.Function.setup_context(None, (), 1),
    "mark_dirty on what is no input": lambda T: function(
        T, forward=lambda ctx, x: marked(ctx, x * 2)
    ).apply(ones(T, 2)),
    "a Function that changes a view and returns two": lambda T: function(
        T, forward=lambda ctx, x: (marked(ctx, x.mul_(2)), x * 3), backward=lambda ctx, g, h: g
    ).apply((ones(T, 2) * 1)[:1]),
    "a formula that cannot do without a gradient": lambda T: T.autograd.gradcheck(
        function(T, forward=unmaterialized).apply, (ones(T, 2).double().detach().requires_grad_(),)
    ),
    "the values of a dual tensor": lambda T: of_dual(T),
    "a view whose shape has changed": lambda T: turned_view(T),
    "an inference tensor in a checkpoint": lambda T: T.utils.checkpoint.checkpoint(
        lambda a, b: a * b, inferred(T), ones(T, 2), use_reentrant=False
    ),
    "checkpoints in checkpoints that are looked at": lambda T: nested_checkpoints(T),
    "a jvp that changes nothing": lambda T: in_place_jvp(T, lambda t: t.clone()),
    "a jvp that does as the forward did": lambda T: in_place_jvp(T, lambda t: t.mul_(2)),
    "warnings of anomalies as errors": lambda T: anomaly(T),
    "calling a node with two gradients": lambda T: (ones(T, 2) * 2).grad_fn(T.ones(2), T.ones(2)),
    "calling a node with a number": lambda T: (ones(T, 2) * 2).grad_fn(1.0),
    "an attribute that no node has": lambda T: (ones(T, 2) * 2).grad_fn._saved_nothing,
    "a pack hook that writes": lambda T: in_hooks(
        T, lambda: ones(T, 2).exp(), lambda x: x.detach().mul_(2), lambda x: x
    ),
    "a mode that is no bool": lambda T: T.set_grad_enabled(1),
    "a hook on what requires no grad": lambda T: T.ones(2).register_hook(print),
    "a hook after accumulation on what requires no grad": lambda T: T.ones(
        2
    ).register_post_accumulate_grad_hook(print),
    "a hook after accumulation on a result": lambda T: (
        ones(T, 2) * 2
    ).register_post_accumulate_grad_hook(print),
    "hooks on several in no known mode": lambda T: T.autograd.graph.register_multi_grad_hook(
        [ones(T, 2)], print, mode="some"
    ),
    "hooks on several as a context": lambda T: hooks_within(T),
    "versions raised by hand": lambda T: raised(T),
    "its own grad": lambda T: own_grad(T),
    "requires_grad = 1": lambda T: setattr(T.ones(2), "requires_grad", 1),
    "requires_grad of integers": lambda T: setattr(T.tensor([1]), "requires_grad", True),
    "detach_ of a view": lambda T: T.ones(2)[:1].detach_(),
    "batched gradients of a number without one": lambda T: caught(
        lambda: T.autograd.grad([ones(T, 2).sum()], [ones(T, 2)], [None], is_grads_batched=True),
        "Got in_dim=0 for",
    ),
    "a decorated generator that is closed": lambda T: closed(T),
    "a decorated generator that gets an error": lambda T: thrown(T),
}


def marked(ctx: Any, x: Any) -> Any:
    ctx.mark_dirty(x)
    return x


def unmaterialized(ctx: Any, x: Any) -> Any:
    ctx.set_materialize_grads(False)
    return x * 2


def of_dual(T: Any) -> Any:
    fw, x = T.autograd.forward_ad, ones(T, 2)
    with fw.dual_level():
        primal = fw.unpack_dual(fw.make_dual(x, T.ones(2))).primal
        (primal * 3).sum().backward()
    return primal, x.grad


def turned_view(T: Any) -> Any:
    x = ones(T, 6)
    y = x * 1
    turned = y.view(2, 3)
    turned.t_()
    before = turned.grad_fn
    turned.mul_(T.arange(6.0).view(3, 2))
    turned.sum().backward()
    return before, turned, y, x.grad


def inferred(T: Any) -> Any:
    with T.inference_mode():
        return T.ones(2)


def nested_checkpoints(T: Any) -> Any:
    def checkpoint(f: Any, x: Any) -> Any:
        return T.utils.checkpoint.checkpoint(f, x, use_reentrant=False, debug=True)

    x = ones(T, 2)
    checkpoint(lambda a: checkpoint(lambda b: b.exp(), a * 2).sin(), x).sum().backward()
    return x.grad


def in_place_jvp(T: Any, jvp: Any) -> Any:
    double = function(T, forward=lambda ctx, x: marked(ctx, x.mul_(2)), jvp=lambda ctx, t: jvp(t))
    with T.autograd.forward_ad.dual_level():
        dual = T.autograd.forward_ad.make_dual(ones(T, 2), T.tensor([1.0, 3.0]))
        result = T.autograd.forward_ad.unpack_dual(double.apply(dual * 1))
        return result.primal.detach(), result.tangent.detach()


def anomaly(T: Any) -> None:
    """The error of the node is raised, though its warning is one, too."""
    x = T.zeros(2, requires_grad=True)
    with T.autograd.detect_anomaly(), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        (x.sqrt() * 0).sum().backward()


def in_hooks(T: Any, program: Callable[[], Any], pack: Any, unpack: Any) -> Any:
    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        return program()


def hooks_within(T: Any) -> Any:
    x, found = ones(T, 2), []
    with T.autograd.graph.register_multi_grad_hook([x], lambda gs: found.append(len(gs))):
        (x * 2).sum().backward()
    (x * 2).sum().backward()
    return found


def raised(T: Any) -> Any:
    x, y = T.ones(2), T.ones(3)
    T.autograd.graph.increment_version(x)
    T.autograd.graph.increment_version([x, y])
    return x._version, y._version


def own_grad(T: Any) -> None:
    x = T.ones(2)
    x.grad = x


def generator(T: Any, noted: list[Any]) -> Any:
    @T.no_grad()
    def numbers() -> Any:
        while True:
            try:
                noted.append((yield T.is_grad_enabled()))
            except KeyError:
                noted.append(("caught", T.is_grad_enabled()))
            except GeneratorExit:
                noted.append(("closed", T.is_grad_enabled()))
                raise

    return numbers()


def closed(T: Any) -> Any:
    noted: list[Any] = []
    each = generator(T, noted)
    first, second = next(each), each.send("sent")
    each.close()
    return first, second, noted, T.is_grad_enabled()


def thrown(T: Any) -> Any:
    noted: list[Any] = []
    each = generator(T, noted)
    return next(each), each.throw(KeyError()), noted, T.is_grad_enabled()


TENSORS: dict[str, Row] = {
    "an array that may not be written": lambda T: T.from_numpy(unwritable()),
    "as_tensor of an array that may not be written": lambda T: T.as_tensor(unwritable()),
    "an empty list inside a list": lambda T: T.tensor([[], []], dtype=T.int32),
    "an empty list of a kind of number": lambda T: T.tensor([[]], dtype=T.bool),
    "a number of NumPy's as a fill": lambda T: T.full((2,), np.float32(1.5)),
    "integers and halves": lambda T: T.tensor([np.float32(1.5), 2, True]),
    "steps in half precision": lambda T: T.linspace(0, 1, 5, dtype=T.float16),
    "normal of a mean alone": lambda T: T.normal(T.zeros(3)).shape,
    "normal with a negative deviation": lambda T: T.normal(T.zeros(3), -1.5),
    "normal with negative deviations": lambda T: T.normal(0.0, T.tensor([1.0, -1.0])),
    "uniform_ by name": lambda T: T.zeros(3).uniform_(to=3.0, **{"from": 2.0}),
    "contained": lambda T: [element in T.tensor([1, 2]) for element in (1, 2.0, 3, T.tensor(2))],
    "contained: a text": lambda T: "a" in T.ones(2),
    "is_nonzero": lambda T: [T.tensor([0.0]).is_nonzero(), T.tensor(2).is_nonzero()],
    "is_nonzero of two": lambda T: T.ones(2).is_nonzero(),
}


def unwritable() -> np.ndarray[Any, Any]:
    array = np.ones(2, np.float32)
    array.flags.writeable = False
    return array


Pair = collections.namedtuple("Pair", "x, y")

ACTIVATIONS = "relu relu6 elu leaky_relu silu hardtanh".split()


def activation(T: Any, name: str, options: dict[str, Any]) -> Any:
    return getattr(T.nn.functional, name)(T.tensor([-1, 2]), **options)


MODULES: dict[str, Row] = {
    f"{name} of {rank} dimensions without dim": lambda T, name=name, rank=rank: getattr(
        T.nn.functional, name
    )(T.arange(2.0**rank).reshape((2,) * rank))
    for name in ("softmax", "log_softmax")
    for rank in range(5)
} | {
    "a Softmax without dim": lambda T: T.nn.Softmax()(T.arange(8.0).reshape(2, 2, 2)),
    "activations of integers": lambda T: [
        seen(T, lambda T, name=name, options=options: activation(T, name, options))
        for name in ACTIVATIONS
        for options in ({}, {"inplace": True})
    ],
    "lists of modules added": lambda T: [
        type(m).__name__ for m in operator.add(T.nn.ModuleList([T.nn.ReLU()]), [T.nn.Tanh()])
    ],
    "a slope that is a text": lambda T: T.nn.init.calculate_gain("leaky_relu", "a"),
    "a slope that is a truth": lambda T: T.nn.init.calculate_gain("leaky_relu", True),
    "a gain of nothing known": lambda T: T.nn.init.calculate_gain("nothing"),
    "gains": lambda T: (
        [
            T.nn.init.calculate_gain(name)
            for name in ("linear", "tanh", "relu", "leaky_relu", "selu")
        ]
        + [T.nn.init.calculate_gain("leaky_relu", slope) for slope in (0, 0.2, 3)]
    ),
    "a padding of no known name": lambda T: caught(  # which it may be, PyTorch says in any order
        lambda: T.nn.Conv2d(1, 1, 3, padding="some"), "Invalid padding string 'some', should be one"
    ),
    "padding same with strides": lambda T: T.nn.Conv1d(1, 1, 3, stride=2, padding="same"),
    "groups of nothing": lambda T: T.nn.Conv1d(1, 1, 3, groups=0),
    "groups that do not divide": lambda T: [T.nn.Conv1d(3, 4, 3, groups=2)],
    "groups that do not divide what comes out": lambda T: [T.nn.Conv1d(4, 3, 3, groups=2)],
    "an Embedding of given vectors": lambda T: given_vectors(T),
    "an Embedding of one vector": lambda T: T.nn.Embedding.from_pretrained(T.ones(3)),
    "a pre-hook with keywords that returns one": lambda T: pre_hook(T, lambda m, a, k: a),
    "a pre-hook with keywords that changes them": lambda T: pre_hook(
        T, lambda m, a, k: ((a[0] * 2,), k)
    ),
    "a pre-hook that returns a tensor": lambda T: pre_hook(T, lambda m, a: a[0] * 3, False),
    "get_parameter": lambda T: [
        seen(T, lambda T, path=path: list(network(T).get_parameter(path).shape))
        for path in (
            "0.weight",
            "1.bias",
            "0.nothing",
            "0.in_features",
            "2.weight",
            "1.running_mean",
        )
    ],
    "buffers of the module alone": lambda T: [
        len([*network(T).buffers(recurse=recurse)]) for recurse in (True, False)
    ],
    "modules as other types": lambda T: converted(T),
    "a module as integers": lambda T: network(T).to(T.int32),
    "names of a module": lambda T: [
        name in dir(network(T)) for name in ("0", "forward", "training", "nothing")
    ],
    "an RNN on a vector": lambda T: T.nn.RNN(2, 2)(T.ones(2)),
    "an RNN on four dimensions": lambda T: T.nn.LSTM(2, 2)(T.ones(1, 1, 1, 2)),
    "an RNN on an empty sequence": lambda T: T.nn.GRU(2, 2)(T.ones(0, 1, 2)),
    "masks of two kinds": lambda T: masked(T),
    "a mask that is not causal": lambda T: causal(T, T.zeros(2, 2)),
    "a mask of another size": lambda T: causal(T, T.zeros(3, 3)),
    "norms of two kinds": lambda T: norms(T),
    "functional_call with a new attribute": lambda T: new_attribute(T),
    "the norm of no gradient": lambda T: [
        T.nn.utils.get_total_norm([]),
        T.nn.utils.clip_grad_norm_([], 1.0),
    ],
    "functional_call with a number": lambda T: T.func.functional_call(
        T.nn.Linear(1, 1), {"weight": 3}, (T.ones(1),)
    ),
    "full backward hooks without inputs that require grad": lambda T: full_hook(
        T, lambda m, i, o: None
    ),
    "a full backward hook without inputs that returns one": lambda T: full_hook(
        T, lambda m, i, o: (T.ones(2),)
    ),
    "a full backward hook with too many gradients": lambda T: full_hook(
        T, lambda m, i, o: (o[0], o[0]), requires_grad=True
    ),
    "a full backward pre-hook with too many gradients": lambda T: full_pre_hook(T),
    "an old backward hook on two nodes": lambda T: old_hook(T, lambda x: (x * 2, x.exp())),
    "an old backward hook on a nested result": lambda T: old_hook(T, lambda x: (x * 2, [x])),
    "an old backward hook on a dictionary": lambda T: old_hook(T, lambda x: {"a": x * 2}),
    "an old backward hook on several nodes": lambda T: old_hook(T, lambda x: x.exp() * 2),
}


def given_vectors(T: Any) -> Any:
    vectors = T.arange(6.0).reshape(3, 2)
    layers = [
        T.nn.Embedding.from_pretrained(vectors),
        T.nn.Embedding.from_pretrained(vectors, freeze=False, padding_idx=-1),
    ]
    return [
        (layer(T.tensor([0, 2])), layer.weight.requires_grad, layer.padding_idx, str(layer))
        for layer in layers
    ]


def pre_hook(T: Any, hook: Any, with_kwargs: bool = True) -> Any:
    layer = T.nn.ReLU()
    layer.register_forward_pre_hook(hook, with_kwargs=with_kwargs)
    return layer(T.tensor([-1.0, 1.0]))


def converted(T: Any) -> Any:
    found = []
    for name in ("double", "half", "float", "cpu"):
        model = network(T)
        model(T.ones(2, 2)).sum().backward()
        model = getattr(model.double() if name == "float" else model, name)()
        found.append([str(each.dtype).rpartition(".")[2] for each in model.state_dict().values()])
        found.append(
            [p.grad.shape == p.shape and p.grad.dtype == p.dtype for p in model.parameters()]
        )
    return found


def masked(T: Any) -> Any:
    layer = T.nn.TransformerEncoderLayer(2, 1, 2, dropout=0.0)
    for parameter in layer.parameters():
        T.nn.init.constant_(parameter, 0.5)
    padding = T.tensor([[False, True]])
    return layer(T.ones(2, 1, 2), src_mask=T.zeros(2, 2), src_key_padding_mask=padding).detach()


def causal(T: Any, mask: Any) -> Any:
    layer = T.nn.TransformerEncoderLayer(2, 1, 3)
    return T.nn.TransformerEncoder(layer, 1)(T.ones(3, 1, 2), mask=mask).shape


def norms(T: Any) -> Any:
    layer = T.nn.TransformerEncoderLayer(2, 2, 3, batch_first=True)
    layer.norm1.eps = 1e-3
    T.nn.TransformerEncoder(layer, 1)


def new_attribute(T: Any) -> Any:
    layer = T.nn.Module()
    layer.forward = lambda x: x * layer.new
    return T.func.functional_call(layer, {"new": T.tensor(3.0)}, (T.ones(2),)), hasattr(
        layer, "new"
    )


def full_hook(T: Any, hook: Any, requires_grad: bool = False) -> Any:
    layer = T.nn.Linear(2, 1, bias=False)
    T.nn.init.constant_(layer.weight, 2.0)
    layer.register_full_backward_hook(hook)
    layer(T.ones(2, requires_grad=requires_grad)).sum().backward()
    return layer.weight.grad


def full_pre_hook(T: Any) -> None:
    layer = T.nn.ReLU()
    layer.register_full_backward_pre_hook(lambda m, o: (o[0], o[0]))
    layer(ones(T, 2)).sum().backward()


def old_hook(T: Any, forward: Any) -> Any:
    layer = T.nn.Module()
    layer.forward = forward
    found: list[Any] = []
    layer.register_backward_hook(lambda m, i, o: found.append((len(i), len(o))))
    x = ones(T, 2)
    results = layer(x * 1)
    results = results.values() if isinstance(results, dict) else results
    for result in results if not isinstance(results, T.Tensor) else [results]:
        if isinstance(result, T.Tensor):
            result.sum().backward(retain_graph=True)
    return found, x.grad


TOOLS: dict[str, Row] = {
    "scores of another shape": lambda T: prune_of(T).l1_unstructured(
        T.nn.Linear(2, 1), "weight", 1, importance_scores=T.ones(3)
    ),
    "pruned twice": lambda T: pruned_twice(T),
    "pruned of a tensor alone": lambda T: pruned_alone(T),
    "nothing pruned of whole rows": lambda T: pruned_rows(T, 0),
    "one row pruned of two": lambda T: pruned_rows(T, 1),
    "pruned together: no list": lambda T: prune_of(T).global_unstructured(
        3, prune_of(T).L1Unstructured, amount=1
    ),
    "pruned together: rows": lambda T: prune_of(T).global_unstructured(
        [(T.nn.Linear(2, 1), "weight")], prune_of(T).LnStructured, amount=1
    ),
    "a right inverse that is a number": lambda T: inverted(T, lambda self, x: 3),
    "a right inverse of another type": lambda T: inverted(T, lambda self, x: x.double()),
    "a right inverse of another shape": lambda T: inverted(T, lambda self, x: x[:1]),
    "a buffer that is computed": lambda T: inverted(T, None, "buffer"),
    "a second parametrization with a right inverse": lambda T: inverted_twice(
        T, lambda self, x: x / 2
    ),
    "a second right inverse that is a number": lambda T: inverted_twice(T, lambda self, x: 3),
    "a second right inverse of another type": lambda T: inverted_twice(
        T, lambda self, x: x.double()
    ),
    "a second right inverse of another shape": lambda T: inverted_twice(T, lambda self, x: x[:1]),
    "a module that is none": lambda T: T.nn.Module()(3),
    "distributions that are none": lambda T: [
        seen(
            T, lambda T, name=name: getattr(T.distributions.Distribution(validate_args=False), name)
        )
        for name in ("mean", "variance", "stddev", "batch_shape", "event_shape")
    ],
    "draws of a distribution that is none": lambda T: [
        seen(T, lambda T, call=call: call(T.distributions.Distribution(validate_args=False)))
        for call in (
            lambda d: d.rsample(),
            lambda d: d.sample(),
            lambda d: d.entropy(),
            lambda d: d.log_prob(3),
        )
    ],
    "an accelerator that is not there": lambda T: [
        seen(T, lambda T, name=name: getattr(T.accelerator, name)())
        for name in ("current_device_index", "is_available", "device_count")
    ],
    "a learning rate for each of two groups": lambda T: T.optim.lr_scheduler.LambdaLR(
        T.optim.SGD([ones(T, 1)], lr=0.1), [abs, abs]
    ),
    "a group that is a list": lambda T: T.optim.SGD([ones(T, 1)], lr=0.1).add_param_group([1]),
    "parameters with names": lambda T: named_parameters(T),
    "a set of parameters": lambda T: len(T.optim.SGD({ones(T, 1)}, lr=0.1).param_groups),
    "the step of another class": lambda T: steps_hooked(T),
    "no parameters": lambda T: T.optim.SGD([], lr=0.1),
    "batches of named tuples": lambda T: [
        tuple(batch)
        for batch in T.utils.data.DataLoader([Pair(1, 2.0), Pair(3, 4.0)], batch_size=2)
    ],
    "samples that are named tuples": lambda T: [
        type(sample).__name__ for sample in T.utils.data.DataLoader([Pair(1, 2)], batch_size=None)
    ],
    "batches of unequal lists": lambda T: [*T.utils.data.DataLoader([[1], [1, 2]], batch_size=2)],
    "batches of objects": lambda T: [*T.utils.data.DataLoader([object()], batch_size=1)],
    "shares of which one is empty": lambda T: [
        len(part) for part in T.utils.data.random_split(range(2), [0.9, 0.05, 0.05])
    ],
    "shares that are too little": lambda T: T.utils.data.random_split(range(4), [0.5, 0.4]),
    "shares that are too much": lambda T: T.utils.data.random_split(range(4), [1.5, -0.5]),
    "numbers that are too few": lambda T: T.utils.data.random_split(range(4), [1, 2]),
    "a Dataset that is none": lambda T: T.utils.data.Dataset()[0],
    "quantiles": lambda T: T.distributions.Uniform(1.0, 3.0).icdf(T.tensor([0.0, 0.25, 1.0])),
    "validation that is no truth": lambda T: T.distributions.Distribution.set_default_validate_args(
        3
    ),
}


def steps_hooked(T: Any) -> Any:
    """How often a hook is called by an optimizer that has taken over the step of another one."""
    kind = type("Same", (T.optim.SGD,), {"step": T.optim.SGD.step})
    found: list[str] = []
    for optimizer in (T.optim.SGD([ones(T, 1)], lr=0.1), kind([ones(T, 1)], lr=0.1)):
        optimizer.register_step_pre_hook(lambda *_: found.append("before"))
        optimizer.register_step_post_hook(lambda *_: found.append("after"))
        optimizer.step()
    return found


def weights(T: Any) -> Any:
    layer = T.nn.Linear(2, 2)
    with T.no_grad():
        layer.weight.copy_(T.tensor([[1.0, -4.0], [3.0, 2.0]]))
    return layer


def prune_of(T: Any) -> Any:
    return importlib.import_module(f"{T.__name__}.nn.utils.prune")


def pruned_twice(T: Any) -> Any:
    prune, layer = prune_of(T), weights(T)
    prune.l1_unstructured(layer, "weight", 1)
    prune.l1_unstructured(layer, "weight", 1)
    (container,) = layer._forward_pre_hooks.values()
    kinds = [type(container[index]).__name__ for index in range(len(container))]
    return kinds, layer.weight.detach(), layer.weight_mask


def pruned_alone(T: Any) -> Any:
    method, x = prune_of(T).L1Unstructured(2), T.tensor([1.0, -4.0, 3.0])
    scores = T.tensor([3.0, 1.0, 2.0])
    mask = T.tensor([1.0, 0.0, 1.0])
    return method.prune(x), method.prune(x, importance_scores=scores), method.prune(x, mask)


def pruned_rows(T: Any, count: int) -> Any:
    layer = weights(T)
    prune_of(T).ln_structured(layer, "weight", count, n=1, dim=0)
    return layer.weight.detach(), layer.weight_mask


def parametrization(T: Any, inverse: Any) -> Any:
    methods = {"forward": lambda self, x, *others: x * 2}
    if inverse is not None:
        methods["right_inverse"] = inverse
    return type("Twice", (T.nn.Module,), methods)()


def inverted(T: Any, inverse: Any, name: str = "weight") -> Any:
    layer = weights(T)
    layer.register_buffer("buffer", T.ones(2))
    T.nn.utils.parametrize.register_parametrization(layer, name, parametrization(T, inverse))
    return getattr(layer, name), sorted(layer.state_dict())


def inverted_twice(T: Any, second: Any) -> Any:
    """The second need only be invertible: what is computed from stays as the first made it."""
    layer = weights(T)
    for inverse in (lambda self, x: x / 2, second):
        made = parametrization(T, inverse)
        T.nn.utils.parametrize.register_parametrization(layer, "weight", made)
    return layer.weight.detach(), layer.parametrizations.weight.original.detach()


def named_parameters(T: Any) -> Any:
    optimizer = T.optim.SGD(T.nn.Linear(1, 1).named_parameters(), lr=0.1)
    optimizer.add_param_group({"params": [("more", ones(T, 1))]})
    return [group["param_names"] for group in optimizer.param_groups]


ROWS = CORE | TENSORS | MODULES | TOOLS


@pytest.mark.parametrize("name", ROWS)
def test_same_as_torch(torch: Any, name: str) -> None:
    with warn_always(torch):
        same(torch, lambda T: seen(T, ROWS[name]))


def test_warning_as_error_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match="nan"):
        anomaly(mg)
    said = capsys.readouterr().err
    assert said.startswith("UserWarning: Error detected in SqrtBackward0. Traceback of forward")


def test_fewer_steps_than_are_to_be_packed() -> None:
    """PyTorch reads on behind the end."""
    with pytest.raises(RuntimeError, match="Expected lengths of at most 2 steps, but got 3"):
        mg.nn.utils.rnn.pack_padded_sequence(mg.ones(2, 1, 3), [3])


def test_an_argument_that_minigrad_leaves_out() -> None:
    with pytest.raises(TypeError, match=r"^tensor\(\) got an unexpected keyword .* 'pin_memory'$"):
        mg.tensor(1.0, pin_memory=True)  # type: ignore[call-arg]


OVERFLOWING = """
import minigrad as mg

x = mg.tensor([1e38, 0.0], requires_grad=True)
for y in (x * 1e10, x * x, x / x, x / 0, x @ x, x**9, x.log(), x.exp(), x.square().sum()):
    y.sum().backward()
x.detach().mul_(x.detach()).add_(x.detach())
"""


def test_overflow_raises_no_warning() -> None:
    """NumPy's warnings would name the user's line. A process has the filters of a real program."""
    done = subprocess.run([sys.executable, "-c", OVERFLOWING], capture_output=True, timeout=300)
    assert done.stderr == b""
