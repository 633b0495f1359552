"""nn: modules keep the same books as PyTorch's, start from the same draws, compute the same, and
print the same."""

from __future__ import annotations

import copy
import importlib
import pickle
from collections import OrderedDict
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same, weights_like

# Layers by the text of a call, and the shape of an input for each.
LAYERS = [
    ("Identity(3, a=2)", (2, 3)),
    ("Linear(3, 4)", (2, 3)),
    ("Linear(3, 4, bias=False)", (5, 2, 3)),
    ("Linear(3, 4, dtype=T.float64)", None),
    ("Conv1d(2, 4, 3, stride=2, padding=1, dilation=2, groups=2, bias=False)", (2, 2, 9)),
    ("Conv2d(3, 4, 3)", (2, 3, 5, 5)),
    ("Conv2d(3, 4, (3, 2), padding='same')", (3, 5, 5)),
    ("BatchNorm1d(3)", (4, 3)),
    ("BatchNorm1d(3, momentum=None)", (4, 3, 2)),
    ("BatchNorm1d(3, bias=False)", (4, 3)),
    ("BatchNorm2d(3, affine=False, momentum=0.3)", (2, 3, 2, 2)),
    ("BatchNorm2d(3, track_running_stats=False)", (2, 3, 2, 2)),
    ("ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)", (2, 4, 5)),
    ("ConvTranspose1d(2, 3, 2, dilation=3, output_padding=2, bias=False)", (2, 4)),
    ("ConvTranspose2d(3, 4, 4, 2, 1)", (2, 3, 4, 4)),
    ("ConvTranspose2d(3, 4, (2, 3), stride=(1, 2))", (3, 4, 5)),
    ("InstanceNorm1d(3)", (2, 3, 4)),
    ("InstanceNorm1d(3, affine=True, track_running_stats=True)", (3, 4)),
    ("InstanceNorm2d(3, affine=True, momentum=0.3)", (2, 3, 2, 2)),
    ("InstanceNorm2d(3, track_running_stats=True)", (2, 3, 2, 2)),
    ("GroupNorm(2, 4)", (2, 4, 3)),
    ("GroupNorm(4, 4, affine=False, eps=0.1)", (2, 4, 3, 2)),
    ("GroupNorm(1, 4, bias=False)", (2, 4)),
    ("Hardtanh()", (2, 3)),
    ("Hardtanh(-0.5, 2, inplace=False)", (2, 3)),
    ("ReLU6()", (2, 3)),
    ("LayerNorm(3)", (2, 3)),
    ("LayerNorm((2, 3), bias=False)", (4, 2, 3)),
    ("RMSNorm(3)", (2, 3)),
    ("RMSNorm((2, 3), eps=0.1, elementwise_affine=False)", (4, 2, 3)),
    ("LocalResponseNorm(3, alpha=0.5)", (2, 5, 3)),
    ("EmbeddingBag(5, 2)", None),
    ("EmbeddingBag(5, 2, mode='max', padding_idx=-1)", None),
    ("EmbeddingBag(5, 2, max_norm=0.5, norm_type=1.5, mode='sum')", None),
    ("LayerNorm(3, elementwise_affine=False, eps=0.1)", (2, 3)),
    ("Dropout()", (4, 5)),
    ("Dropout(0.2, inplace=False)", (3, 3)),
    ("Dropout2d(0.5)", (2, 3, 2, 2)),
    ("Embedding(5, 2)", None),
    ("Embedding(5, 2, padding_idx=-1)", None),
    ("Embedding(5, 2, max_norm=0.5, norm_type=1.0)", None),
    ("Embedding(5, 2, 1, scale_grad_by_freq=True)", None),
    ("Flatten()", (2, 3, 4)),
    ("Flatten(0, 1)", (2, 3, 4)),
    ("MaxPool1d(2, stride=1, padding=1)", (2, 3, 6)),
    ("MaxPool2d(2)", (2, 3, 5, 5)),
    ("MaxPool2d((2, 3), ceil_mode=True)", (1, 5, 5)),
    ("AvgPool2d(3, stride=2, padding=1, count_include_pad=False)", (2, 3, 5, 5)),
    ("AdaptiveAvgPool2d(1)", (2, 3, 5, 5)),
    ("AdaptiveAvgPool2d((2, None))", (2, 3, 5, 5)),
    ("ReLU()", (2, 3)),
    ("ReLU(inplace=False)", (2, 3)),
    ("LeakyReLU(0.2)", (2, 3)),
    ("ELU(0.5)", (2, 3)),
    ("GELU()", (2, 3)),
    ("GELU('tanh')", (2, 3)),
    ("SiLU()", (2, 3)),
    ("Sigmoid()", (2, 3)),
    ("Tanh()", (2, 3)),
    ("Softplus(2.0)", (2, 3)),
    ("LogSigmoid()", (2, 3)),
    ("Softmax(dim=1)", (2, 3)),
    ("LogSoftmax(dim=-1)", (2, 3)),
]


def made(T: Any, call: str) -> Any:
    return eval("T.nn." + call, {"T": T})


@pytest.mark.parametrize(("call", "shape"), LAYERS)
def test_layer(torch: Any, call: str, shape: Any) -> None:
    """Text, initial state, result, graph, gradients and state afterwards; in training and not."""

    def program(T: Any) -> Any:
        layer = made(T, call)
        print(layer)
        if call.startswith("Embedding"):
            x = T.tensor([[1, 4, 0], [4, 2, 2]])
        else:
            x = T.randn(shape or (2, 3), requires_grad=True)
        start = {name: value.clone() for name, value in layer.state_dict().items()}
        if "float64" in call:
            return start
        seen = [start]
        for mode in (True, False, True):
            y = layer.train(mode)(x)
            seen.append(y)
            T.autograd.backward([y], [weights_like(T, y, 1)])
        gradients = [p.grad for p in layer.parameters()]
        return seen, gradients, x.grad, dict(layer.state_dict())

    same(torch, program)


LOSSES = [
    "L1Loss()",
    "MSELoss(reduction='sum')",
    "SmoothL1Loss(beta=0.5)",
    "KLDivLoss(reduction='batchmean', log_target=True)",
    "BCEWithLogitsLoss(pos_weight=T.tensor([1.0, 2.0, 3.0]))",
    "NLLLoss(weight=T.tensor([1.0, 2.0, 3.0]), ignore_index=0)",
    "CrossEntropyLoss()",
    "CrossEntropyLoss(T.tensor([1.0, 2.0, 3.0]), label_smoothing=0.1, reduction='none')",
]


@pytest.mark.parametrize("call", LOSSES)
def test_loss(torch: Any, call: str) -> None:
    def program(T: Any) -> Any:
        loss = made(T, call)
        x = T.randn(4, 3, requires_grad=True)
        classes = call.startswith(("NLL", "Cross"))
        target = T.tensor([0, 2, 1, 0]) if classes else T.rand(4, 3)
        value = loss(x, target)
        value.sum().backward()
        return repr(loss), dict(loss.state_dict()), value, x.grad

    same(torch, program)


def test_loss_of_probabilities(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.rand(4, requires_grad=True)
        value = T.nn.BCELoss(weight=T.full((4,), 2.0))(x, T.ones(4))
        value.backward()
        return value, x.grad

    same(torch, program)


def network(T: Any) -> Any:
    """A small network with all kinds of state."""

    class Block(T.nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.linear = T.nn.Linear(width, width)
            self.norm = T.nn.BatchNorm1d(width)
            self.scale = T.nn.Parameter(T.ones(1))
            self.register_buffer("count", T.zeros(1))
            self.register_buffer("scratch", T.zeros(1), persistent=False)
            self.extra = None

        def forward(self, x: Any) -> Any:
            return self.norm(self.linear(x)).relu() * self.scale

        def extra_repr(self) -> str:
            return "a block"

    return T.nn.Sequential(
        OrderedDict(first=Block(3), second=Block(3), last=T.nn.Linear(3, 2, bias=False))
    )


def test_module_names_and_order(torch: Any) -> None:
    """Names and order of everything that can be walked."""

    def program(T: Any) -> Any:
        net = network(T)
        net.add_module("again", net.first)
        print(net)
        return {
            "parameters": [(n, p) for n, p in net.named_parameters()],
            "twice": [n for n, _ in net.named_parameters(remove_duplicate=False)],
            "own": [n for n, _ in net.first.named_parameters(recurse=False)],
            "prefix": [n for n, _ in net.named_parameters(prefix="net")],
            "buffers": [n for n, _ in net.named_buffers()],
            "modules": [n for n, _ in net.named_modules()],
            "children": [n for n, _ in net.named_children()],
            "state": list(net.state_dict()),
            "metadata": {k: dict(v) for k, v in net.state_dict()._metadata.items()},
            "prefixed": list(net.state_dict(prefix="a.")),
            "counts": [len(list(net.parameters())), len(list(net.modules()))],
        }

    same(torch, program)


def test_a_training_step(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = network(T)
        x, y = T.randn(8, 3), T.tensor([0, 1, 1, 0, 1, 0, 0, 1])
        losses = []
        for _ in range(3):
            net.zero_grad()
            loss = T.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            with T.no_grad():
                for p in net.parameters():
                    p -= 0.5 * p.grad
            losses.append(loss)
        return losses, dict(net.state_dict()), net.eval()(x)

    same(torch, program)


def test_train_and_eval_reach_every_child(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = network(T)
        before = [m.training for m in net.modules()]
        net.eval()
        net.second.train()
        return before, [m.training for m in net.modules()], net.train(False) is net

    same(torch, program)


def test_state_dict_shares_memory_and_loads(torch: Any) -> None:
    def program(T: Any) -> Any:
        net, other = network(T), network(T)
        state = net.state_dict()
        result = other.load_state_dict(state)
        with T.no_grad():
            net.last.weight.fill_(7)
        return (
            repr(result),
            state["last.weight"],
            state["last.weight"].requires_grad,
            net.state_dict(keep_vars=True)["last.weight"].requires_grad,
            other.last.weight,
            other(T.ones(2, 3)),
        )

    same(torch, program)


def test_load_state_dict_names_mismatches(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Linear(2, 3)
        good = net.state_dict()
        tries = [
            {},
            {**good, "foo": T.ones(1)},
            {"foo": T.ones(1)},
            {**good, "weight": T.ones(2, 2), "bias": T.ones(4)},
            {**good, "weight": 3},
            3,
        ]
        said = []
        for given in tries:
            try:
                net.load_state_dict(given)
            except Exception as error:
                said.append((type(error).__name__, str(error)))
        partial = net.load_state_dict({"weight": T.zeros(3, 2), "x": T.ones(1)}, strict=False)
        return said, repr(partial), net.weight

    same(torch, program)


def test_old_state_dicts_lack_batch_count(torch: Any) -> None:
    """A plain dictionary says nothing of its version, and counts as old."""

    def program(T: Any) -> Any:
        net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.BatchNorm1d(3))
        net(T.ones(2, 2))
        state = net.state_dict()
        del state["1.num_batches_tracked"]
        refused = caught(lambda: net.load_state_dict(state), "1.num_batches_tracked")
        loaded = [net.load_state_dict(dict(state)), net.load_state_dict({}, strict=False)]
        return refused, repr(loaded), net[1].num_batches_tracked

    same(torch, program)


def test_load_state_dict_assign(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Linear(2, 1)
        weight = T.ones(1, 2)
        net.load_state_dict({"weight": weight, "bias": T.zeros(1)}, assign=True)
        weight[0, 0] = 5
        return net.weight, isinstance(net.weight, T.nn.Parameter)

    same(torch, program)


def test_attributes(torch: Any) -> None:
    """Assign values of many kinds to attributes, and list the attributes afterwards."""

    def program(T: Any) -> Any:
        net = network(T)
        net.first.scale = None
        net.second.scale = T.nn.Parameter(T.zeros(2))
        net.first.count = T.ones(3)
        net.first.plain = T.ones(2)
        net.third = T.nn.ReLU()
        del net.last
        net.first.extra = T.nn.Tanh()
        names = [n for n, _ in net.named_parameters()], list(net.state_dict())
        kinds = [hasattr(net, "last"), hasattr(net, "third"), "plain" in net.first.state_dict()]
        print(net)
        return names, kinds

    same(torch, program)


ERRORS = {
    "no forward": lambda T, m: T.nn.Module()(1),
    "assign a tensor to a parameter": lambda T, m: setattr(m, "weight", T.ones(1)),
    "assign a number to a parameter": lambda T, m: setattr(m, "weight", 3),
    "assign a number to a child": lambda T, m: setattr(T.nn.Sequential(m), "0", 3),
    "register a buffer twice": lambda T, m: m.register_buffer("weight", T.ones(1)),
    "a buffer with a dot": lambda T, m: m.register_buffer("a.b", T.ones(1)),
    "a buffer without name": lambda T, m: m.register_buffer("", T.ones(1)),
    "a number as buffer": lambda T, m: m.register_buffer("z", 3),
    "a tensor as parameter": lambda T, m: m.register_parameter("z", T.ones(1)),
    "a number as child": lambda T, m: m.add_module("z", 3),
    "a child over a parameter": lambda T, m: m.add_module("weight", T.nn.ReLU()),
    "no such submodule": lambda T, m: m.get_submodule("x.y"),
    "a parameter is no submodule": lambda T, m: m.get_submodule("weight"),
    "no such parameter": lambda T, m: m.get_parameter("w"),
    "train what?": lambda T, m: m.train("a"),
    "to an integer type": lambda T, m: m.to(T.int64),
    "a parameter of integers": lambda T, m: T.nn.Parameter(T.ones(2, dtype=T.int64)),
    "groups": lambda T, m: T.nn.Conv2d(3, 4, 2, groups=2),
    "groups out": lambda T, m: T.nn.Conv2d(4, 3, 2, groups=2),
    "no groups": lambda T, m: T.nn.Conv2d(4, 3, 2, groups=0),
    "strided same": lambda T, m: T.nn.Conv2d(4, 3, 2, padding="same", stride=2),
    "BatchNorm1d of images": lambda T, m: T.nn.BatchNorm1d(3)(T.ones(2, 3, 4, 4)),
    "BatchNorm2d of vectors": lambda T, m: T.nn.BatchNorm2d(3)(T.ones(2, 3)),
    "BatchNorm channels": lambda T, m: T.nn.BatchNorm1d(3)(T.ones(2, 4)),
    "dropout": lambda T, m: T.nn.Dropout(2.0),
    "padding_idx": lambda T, m: T.nn.Embedding(3, 2, padding_idx=5),
    "embedding of other rows": lambda T, m: T.nn.Embedding(3, 2, _weight=T.ones(2, 2)),
    "shortened out of range": lambda T, m: T.nn.Embedding(3, 2, max_norm=1.0)(T.tensor([3])),
    "a norm of text": lambda T, m: T.nn.functional.embedding(
        T.tensor([0]), T.ones(2, 2), max_norm="a"
    ),
    "a switch of frequencies": lambda T, m: T.nn.functional.embedding(
        T.tensor([0]), T.ones(2, 2), scale_grad_by_freq=2
    ),
    "embedding of floats": lambda T, m: T.nn.Embedding(3, 2)(T.tensor([1.0])),
    "embedding out of range": lambda T, m: T.nn.Embedding(3, 2)(T.tensor([3])),
    "Sequential of numbers": lambda T, m: T.nn.Sequential(m, 3),
    "Sequential index": lambda T, m: T.nn.Sequential(m)[3],
    "ModuleList called": lambda T, m: T.nn.ModuleList([m])(3),
    "ModuleList.extend": lambda T, m: T.nn.ModuleList([m]).extend(3),
    "gain": lambda T, m: T.nn.init.calculate_gain("foo"),
    "fan": lambda T, m: T.nn.init.kaiming_uniform_(T.ones(2)),
    "fan mode": lambda T, m: T.nn.init.kaiming_uniform_(T.ones(2, 2), mode="foo"),
    "eye": lambda T, m: T.nn.init.eye_(T.ones(2)),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            ERRORS[name](T, T.nn.Linear(1, 2))
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)


def test_before_init(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Hasty(T.nn.Module):
            def __init__(self, value: Any) -> None:
                self.value = value

        plain = Hasty(3)
        return (
            plain.value,
            caught(lambda: Hasty(T.nn.ReLU()), "cannot assign module before Module.__init__()"),
            caught(
                lambda: Hasty(T.nn.Parameter(T.ones(1))),
                "cannot assign parameters before Module.__init__()",
            ),
            caught(lambda: plain.register_buffer("x", T.ones(1)), "cannot assign buffer before"),
        )

    same(torch, program)


def test_containers(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        seq = nn.Sequential(nn.Linear(1, 2), nn.ReLU())
        seq.append(nn.Linear(2, 1))
        seq.insert(1, nn.Tanh())
        seq[0] = nn.Linear(1, 2, bias=False)
        print(seq, len(seq), seq[-1], seq[1:3], [type(m).__name__ for m in seq])
        del seq[1]
        seq.extend([nn.ReLU(), nn.ReLU()])
        popped = seq.pop(-1)
        print(seq, popped, seq + nn.Sequential(nn.Tanh()))
        items = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()])
        items += [nn.Sequential(nn.ReLU()), nn.Sequential(nn.ReLU())]
        items.insert(0, nn.Tanh())
        print(items, len(items), items[-1], items[:2])
        return [list(m.state_dict()) for m in (seq, items)]

    same(torch, program)


def test_dictionaries_of_hooks(torch: Any) -> None:
    def program(T: Any) -> Any:
        prune = importlib.import_module(f"{T.__name__}.nn.utils.prune")
        layer = prune.l1_unstructured(T.nn.Linear(2, 3), "weight", 1)
        prune.ln_structured(layer, "weight", 1, n=2, dim=0)
        kinds = [
            [type(method).__name__ for method in hook]
            for hook in layer._forward_pre_hooks.values()
            if hook._tensor_name == "weight"
        ]
        prune.remove(layer, "weight")
        handle = layer.register_forward_hook(print, with_kwargs=True)
        layer.register_forward_pre_hook(len).remove()
        texts = [repr(layer._forward_hooks).replace(str(handle.id), "n")]
        texts.append(repr(layer._forward_pre_hooks))
        return kinds, texts, layer._forward_hooks[handle.id] is print

    same(torch, program)


def test_forward_hooks(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.Linear(2, 2)
        seen: list[Any] = []

        def pre(module: Any, args: Any) -> Any:
            seen.append("pre")
            return (args[0] * 2,)

        def pre_with(module: Any, args: Any, kwargs: Any) -> Any:
            seen.append(f"pre with {len(args)} {sorted(kwargs)}")

        def post(module: Any, args: Any, out: Any) -> Any:
            seen.append(f"post {len(args)}")
            return out + 1

        def always(module: Any, args: Any, out: Any) -> None:
            seen.append(f"always {out is None}")

        handle = layer.register_forward_pre_hook(pre)
        layer.register_forward_pre_hook(pre_with, with_kwargs=True, prepend=True)
        layer.register_forward_hook(post)
        layer.register_forward_hook(always, always_call=True)
        x = T.ones(1, 2)
        results = [layer(x)]
        handle.remove()
        results.append(layer(x))
        failed = caught(lambda: layer(T.ones(1, 3)))
        return seen, results, failed

    same(torch, program)


def test_forward_hooks_on_every_module(torch: Any) -> None:
    """They run before those of the module itself, and replace what these get to see."""

    def program(T: Any) -> Any:
        every = T.nn.modules.module
        layer, seen = T.nn.Linear(2, 2), []

        def note(word: str) -> Any:
            return lambda module, args, *out: seen.append((word, type(module).__name__, len(out)))

        def always(module: Any, args: Any, out: Any) -> None:
            seen.append(f"always {out is None}")

        layer.register_forward_pre_hook(note("pre"))
        layer.register_forward_hook(note("post"))
        handles = [
            every.register_module_forward_pre_hook(note("every pre")),
            every.register_module_forward_hook(note("every post")),
            every.register_module_forward_hook(always, always_call=True),
            every.register_module_forward_pre_hook(lambda module, args: (args[0] * 2,)),
            every.register_module_forward_hook(lambda module, args, out: out + 1),
        ]
        x = T.ones(1, 2)
        try:
            results = [layer(x), T.nn.Sequential(layer, T.nn.ReLU())(x)]
            failed = caught(lambda: layer(T.ones(1, 3)))
        finally:
            for handle in handles:
                handle.remove()
        return seen, [*results, layer(x)], failed

    same(torch, program)


def test_backward_hooks(torch: Any) -> None:
    def program(T: Any) -> Any:
        seen: list[Any] = []

        def hook(module: Any, grad_input: Any, grad_output: Any) -> Any:
            seen.append((list(grad_input), list(grad_output)))
            return tuple(None if g is None else g * 10 for g in grad_input)

        def pre(module: Any, grad_output: Any) -> Any:
            seen.append(list(grad_output))
            return (grad_output[0] * 2,)

        first, second = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
        second.register_full_backward_hook(hook)
        second.register_full_backward_pre_hook(pre)
        x = T.ones(3, 2, requires_grad=True)
        y = second(first(x))
        y.sum().backward()
        return y, seen, x.grad, [p.grad for p in (*first.parameters(), *second.parameters())]

    same(torch, program)


def test_apply_and_conversions(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = network(T)
        order: list[str] = []
        net.apply(lambda m: order.append(type(m).__name__))
        before = net.first.scale
        net.double()
        types = [str(t.dtype).rpartition(".")[2] for t in net.state_dict().values()]
        net.to(T.float16)
        half = [str(t.dtype).rpartition(".")[2] for t in net.state_dict().values()]
        net.requires_grad_(False)
        return order, types, half, before is net.first.scale, net.first.scale.requires_grad

    same(torch, program)


def test_type_converts_all_buffers(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2))
        found = [net.type(T.float64) is net]
        for kind in (T.float64, "torch.FloatTensor"):
            net.type(kind)
            found.append([str(each.dtype).partition(".")[2] for each in net.state_dict().values()])
        with pytest.raises(RuntimeError) as error:
            net.type(T.int64)
        return [*found, str(error.value), net[0].weight.dtype == T.float32]

    same(torch, program)


def test_training_keeps_graph_of_evaluation(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(4, 2, requires_grad=True)
        norm = T.nn.BatchNorm1d(2)
        norm(x)
        norm.eval()
        y = norm(x)
        norm.train()
        norm(T.arange(8.0).view(4, 2))
        y.sum().backward()
        return x.grad, norm.running_mean, norm.running_var

    same(torch, program)


def test_copies_and_pickles(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.BatchNorm1d(2))
        (net(T.randn(4, 2)) ** 3).sum().backward()
        twin = copy.deepcopy(net)
        thawed = pickle.loads(pickle.dumps(net))
        with T.no_grad():
            net[0].weight.zero_()
        x = T.randn(3, 2)
        return (
            [type(p).__name__ for p in twin.parameters()],
            twin[0].weight,
            twin[0].weight.grad,
            twin(x),
            thawed(x),
            repr(thawed),
        )

    same(torch, program)


def test_parameter(torch: Any) -> None:
    def program(T: Any) -> Any:
        data = T.ones(2)
        p = T.nn.Parameter(data)
        data[0] = 3
        fixed = T.nn.Parameter(T.zeros(1), requires_grad=False)
        print(p, fixed, T.nn.Parameter())
        twin = copy.deepcopy(p)
        return p, type(p * 2).__name__, isinstance(p, T.Tensor), twin, type(twin).__name__, fixed

    same(torch, program)


INITS = {
    "uniform_": {"a": -1.0, "b": 2.0},
    "normal_": {"mean": 1.0, "std": 0.5},
    "constant_": {"val": 0.3},
    "ones_": {},
    "zeros_": {},
    "eye_": {},
    "xavier_uniform_": {"gain": 2.0},
    "xavier_normal_": {},
    "kaiming_uniform_": {"a": 0.1, "mode": "fan_out"},
    "kaiming_normal_": {"nonlinearity": "relu"},
}


@pytest.mark.parametrize("name", INITS)
def test_init(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        w = T.nn.Parameter(T.zeros(5, 7))
        back = getattr(T.nn.init, name)(w, **INITS[name])
        return w, back is w, w.is_leaf

    same(torch, program)


@pytest.mark.parametrize("gain", ["linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
def test_gain(torch: Any, gain: str) -> None:
    same(torch, lambda T: T.nn.init.calculate_gain(gain))


def test_clipping(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Linear(3, 2)
        clip = T.nn.utils
        seen = []
        for clipped in (
            lambda p: clip.clip_grad_norm_(p, 0.5),
            lambda p: clip.clip_grad_norm_(p, 100.0),
            lambda p: clip.clip_grad_norm_(p, 0.5, norm_type=float("inf")),
            lambda p: clip.clip_grad_value_(p, 0.3),
        ):
            net.zero_grad()
            (net(T.ones(4, 3)) ** 2).sum().backward()
            seen.append(clipped(net.parameters()))
            seen.extend(p.grad.clone() for p in net.parameters())
        net.weight.grad.fill_(float("nan"))
        strict = caught(
            lambda: clip.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True),
            "is non-finite, so it cannot be clipped",
        )
        return seen, strict

    same(torch, program)


def test_parameters_as_one_vector(torch: Any) -> None:
    def program(T: Any) -> Any:
        net, vector = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Linear(3, 1)), T.arange(13.0)
        first = T.nn.utils.parameters_to_vector(net.parameters())
        T.nn.utils.vector_to_parameters(vector, net.parameters())
        vector[0] = 70.0
        refused = caught(
            lambda: T.nn.utils.vector_to_parameters(3, net.parameters()), "Tensor", "int"
        )
        return first, list(net.parameters()), refused

    same(torch, program)


def test_gradients_set_to_zero(torch: Any) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Linear(2, 1)
        net(T.ones(1, 2)).sum().backward()
        grad = net.weight.grad
        net.zero_grad(set_to_none=False)
        kept = net.weight.grad is grad
        zero = net.weight.grad.clone()
        net.zero_grad()
        return kept, zero, net.weight.grad

    same(torch, program)


def test_save_and_load(tmp_path: Any) -> None:
    """Everything of a state_dict comes back: names, order, types, shapes, values."""
    pytest.importorskip("safetensors")
    net = network(minigrad).double()
    state = net.state_dict()
    state["half"] = minigrad.ones(2, 3, dtype=minigrad.float16).t()
    state["flag"] = minigrad.tensor([True, False])
    path = tmp_path / "net.safetensors"
    minigrad.save(state, path)
    back = minigrad.load(path)
    assert list(back) == list(state)
    for name, tensor in state.items():
        assert back[name].dtype == tensor.dtype
        assert back[name].equal(tensor)
    del back["half"], back["flag"]
    assert repr(network(minigrad).double().load_state_dict(back)).startswith("<All keys")
    with path.open("rb") as file:
        assert list(minigrad.load(file)) == list(state)


def test_without_safetensors(tmp_path: Any, monkeypatch: Any) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match="pip install safetensors"):
        minigrad.save({}, tmp_path / "x")
    with pytest.raises(ImportError, match="pip install safetensors"):
        minigrad.load(tmp_path / "x")


def test_torch_loads_saved_state_dict(pytorch: Any, tmp_path: Any) -> None:
    numpy = pytest.importorskip("safetensors.torch")
    layer = minigrad.nn.Linear(2, 3)
    minigrad.save(layer.state_dict(), tmp_path / "a")
    theirs = pytorch.nn.Linear(2, 3)
    theirs.load_state_dict(numpy.load_file(tmp_path / "a"))
    assert theirs.weight.tolist() == layer.weight.tolist()
