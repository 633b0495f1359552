"""`autocast` and the scaler of gradients: dtypes, graphs, numbers and refusals are PyTorch's."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest

import minigrad as mg
from tests.core.test_regressions import outcome
from tests.parity import caught, same


def training(T: Any) -> Any:
    net = T.nn.Linear(2, 1)
    with T.no_grad():
        net.weight.copy_(T.tensor([[0.5, -0.25]]))
        net.bias.zero_()
    optimizer = T.optim.SGD(net.parameters(), lr=0.5, momentum=0.5)
    scaler = T.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    seen = []
    for step in range(6):
        optimizer.zero_grad()
        loss = (net(T.ones(4, 2)) * (float("inf") if step == 3 else 1.0)).sum()
        scaled = scaler.scale(loss)
        scaled.backward()
        if step % 2:
            scaler.unscale_(optimizer)
        result = scaler.step(optimizer)
        scaler.update()
        state = scaler.state_dict()
        seen.append((scaled, result, scaler.get_scale(), list(state.items()), net.weight.detach()))
    return seen


def order_of_calls(T: Any) -> Any:
    weight = T.ones(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu")
    seen = [
        outcome(lambda: scaler.step(optimizer)),
        outcome(scaler.update),
        outcome(lambda: scaler.unscale_(optimizer)),
        outcome(lambda: scaler.scale(3)),
    ]
    scaler.scale(weight.sum()).backward()
    seen.append(outcome(scaler.update))
    scaler.unscale_(optimizer)
    seen += [
        outcome(lambda: scaler.unscale_(optimizer)),
        outcome(lambda: pickle.dumps(scaler)),
        outcome(lambda: scaler.step(optimizer, closure=lambda: 0.0)),
        outcome(lambda: scaler.step(optimizer)),
        outcome(lambda: scaler.step(optimizer)),
        outcome(lambda: scaler.unscale_(optimizer)),
    ]
    optimizer.zero_grad()
    scaler.update()
    seen.append(outcome(lambda: scaler.step(optimizer)))
    half = T.ones(1, dtype=T.float16, requires_grad=True)
    half.grad = T.ones(1, dtype=T.float16)
    seen.append(outcome(lambda: scaler.unscale_(T.optim.SGD([half], lr=1.0))))
    return seen


def settings(T: Any) -> Any:
    scaler = T.amp.GradScaler("cpu")
    scaler.set_growth_factor(3.0)
    scaler.set_backoff_factor(0.1)
    scaler.set_growth_interval(4)
    found = [scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()]
    copy = pickle.loads(pickle.dumps(scaler))
    found += [list(copy.state_dict().items()), scaler.is_enabled()]
    several = scaler.scale([T.ones(1), (T.ones(1),)])
    scaler.update(4.0)
    found.append(scaler.get_scale())
    scaler.update(T.tensor(3.0))
    found += [several, scaler.get_scale(), outcome(lambda: scaler.update(2))]
    other = T.amp.GradScaler("cpu")
    other.scale(T.ones(1))
    other.load_state_dict(scaler.state_dict())
    found += [list(other.state_dict().items()), T.GradScaler is T.amp.GradScaler]
    found.append(outcome(lambda: T.amp.GradScaler("cpu", growth_factor=1.0)))
    found.append(outcome(lambda: T.amp.GradScaler("cpu", backoff_factor=1.0)))
    return found


def disabled(T: Any) -> Any:
    weight = T.ones(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu", enabled=False)
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    scaler.load_state_dict({})
    enabled = T.amp.GradScaler("cpu")
    refused = outcome(lambda: enabled.load_state_dict(scaler.state_dict()))
    return weight.detach(), scaler.get_scale(), scaler.state_dict(), scaler.scale(3), refused


def growth_that_overflows(T: Any) -> Any:
    weight = T.zeros(1, requires_grad=True)
    optimizer = T.optim.SGD([weight], lr=1.0)
    scaler = T.amp.GradScaler("cpu", init_scale=1e38, growth_factor=16.0, growth_interval=1)
    scaler.scale((weight * 1e-30).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale()


PROGRAMS = [training, order_of_calls, settings, disabled, growth_that_overflows]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_scaler_without_a_gpu_is_disabled() -> None:
    if mg.cuda.is_available():
        pytest.skip("there is a GPU")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        scaler = mg.amp.GradScaler()
    assert not scaler.is_enabled()
    assert ["CUDA is not available.  Disabling" in str(each.message) for each in said] == [True]


FUNCTIONS = {
    "matmul": lambda T, x, h: x @ x,
    "linear": lambda T, x, h: T.nn.functional.linear(x, x, x[0]),
    "mv": lambda T, x, h: T.mv(x, x[0]),
    "einsum": lambda T, x, h: T.einsum("ij,jk->ik", x, x),
    "baddbmm": lambda T, x, h: T.baddbmm(x[None], x[None], x[None]),
    "double": lambda T, x, h: x.double() @ x.double(),
    "integers": lambda T, x, h: T.ones(2, 2, dtype=T.int64) @ T.ones(2, 2, dtype=T.int64),
    "conv1d": lambda T, x, h: T.nn.functional.conv1d(x[None], x[:, :, None]),
    "prelu": lambda T, x, h: T.nn.functional.prelu(x, x[0, :1]),
    "attention": lambda T, x, h: T.nn.functional.scaled_dot_product_attention(x, x, x),
    "softmax": lambda T, x, h: h.softmax(0),
    "sum": lambda T, x, h: h.sum() + x.sum(),
    "layer_norm": lambda T, x, h: T.nn.functional.layer_norm(h, (3,)),
    "mse_loss": lambda T, x, h: T.nn.functional.mse_loss(h, x),
    "cross_entropy": lambda T, x, h: T.nn.functional.cross_entropy(h, T.tensor([0, 1, 2])),
    "nll_loss": lambda T, x, h: T.nn.functional.nll_loss(h, T.tensor([0, 1, 2])),
    "with_logits": lambda T, x, h: T.nn.functional.binary_cross_entropy_with_logits(h, x),
    "cat": lambda T, x, h: T.cat([h, x]),
    "cat of short": lambda T, x, h: T.cat([h, h]),
    "stack": lambda T, x, h: T.stack([h, x]),
    "trace": lambda T, x, h: h.trace(),
    "cdist": lambda T, x, h: T.cdist(h, x),
    "quantile": lambda T, x, h: h.quantile(0.5),
    "solve": lambda T, x, h: T.linalg.solve(h, x),
    "cholesky": lambda T, x, h: T.linalg.cholesky((x @ x.T).float() + T.eye(3)),
    "different types": lambda T, x, h: h @ x.double(),
}
"""Functions of a float32 matrix and of a float16 one."""


def conversions(T: Any) -> Any:
    found: list[Any] = []
    start = T.tensor([[1.0, 2.0, 0.5], [0.25, -1.0, 1.5], [2.0, 0.5, -0.75]])
    for name, function in FUNCTIONS.items():
        x = start.clone().requires_grad_()
        h = start.half().requires_grad_()
        with T.autocast("cpu", dtype=T.float16):
            result = caught_or(lambda: function(T, x, h))  # noqa: B023
        if isinstance(result, str):
            found.append((name, result))
            continue
        if result.grad_fn is not None:
            result.float().sum().backward()
        grads = [None if each.grad is None else each.grad.dtype for each in (x, h)]
        found.append((name, result.dtype, str(graph(result.grad_fn)), grads))
    return found


def caught_or(call: Any) -> Any:
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def graph(node: Any) -> Any:
    """The names of the nodes from `node` on."""
    if node is None:
        return None
    return type(node).__name__, [graph(each) for each, _ in node.next_functions]


def training_in_half_precision(T: Any) -> Any:
    net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.ReLU(), T.nn.Linear(4, 2))
    with T.no_grad():
        for p in net.parameters():
            p.copy_(T.arange(p.numel()).view(p.shape) / 8 - 0.5)
    optimizer, scaler = T.optim.SGD(net.parameters(), lr=0.5), T.amp.GradScaler("cpu")
    seen = []
    for _ in range(3):
        optimizer.zero_grad()
        with T.autocast(device_type="cpu", dtype=T.float16):
            logits = net(T.tensor([[1.0, 0.5], [-1.0, 2.0]]))
            loss = T.nn.functional.cross_entropy(logits, T.tensor([0, 1]))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        seen.append((logits.dtype, loss.dtype, round(loss.item(), 3)))
    return seen, [p.grad.dtype for p in net.parameters()]


def blocks(T: Any) -> Any:
    x = T.ones(2, 2, requires_grad=True)
    short = T.autocast("cpu", dtype=T.float16)

    @T.autocast("cpu", dtype=T.float16)
    def product(x: Any) -> Any:
        return x @ x

    seen = [T.is_autocast_enabled("cpu"), T.is_autocast_enabled(), T.get_autocast_dtype("cuda")]
    with short:
        seen += [(x @ x).dtype, T.is_autocast_enabled("cpu"), T.get_autocast_dtype("cpu")]
        with T.autocast("cpu", enabled=False):
            seen += [(x @ x).dtype, T.is_autocast_enabled("cpu")]
        seen.append((x @ x).dtype)
    seen += [(x @ x).dtype, product(x).dtype, T.is_autocast_cache_enabled()]
    for caching in (True, False):  # a converted parameter is one node, or two
        with T.autocast("cpu", dtype=T.float16, cache_enabled=caching):
            left, right = (T.mm(x, T.ones(2, 2)).grad_fn.next_functions[0][0] for _ in range(2))
            seen.append(left is right)
    seen.append(outcome(lambda: T.autocast("toaster")))
    seen += [outcome(lambda: T.autocast(3)), outcome(lambda: T.is_autocast_enabled(3))]
    seen += [T.amp.is_autocast_available("cpu"), short.device, short.fast_dtype]
    seen += [outcome(lambda: T.set_autocast_cache_enabled(3)), T.clear_autocast_cache()]
    return seen


def own_function(T: Any) -> Any:
    seen: list[Any] = []

    class Square(T.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        @T.amp.custom_fwd(device_type="cpu", cast_inputs=T.float32)
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            seen.append((x.dtype, T.is_autocast_enabled("cpu")))
            return x @ x

        @staticmethod
        @T.amp.custom_bwd(device_type="cpu")
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            seen.append(T.is_autocast_enabled("cpu"))
            return g @ x.T + x.T @ g

    x = T.ones(2, 2, requires_grad=True)
    with T.autocast("cpu", dtype=T.float16):
        Square.apply(x.half()).sum().backward()
    Square.apply(x).sum().backward()
    return seen, x.grad, outcome(lambda: T.amp.custom_fwd(len, device_type=3))


@pytest.mark.parametrize(
    "program",
    [conversions, training_in_half_precision, blocks, own_function],
    ids=lambda program: program.__name__,
)
def test_autocast_equals_pytorch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_bfloat16_is_a_name_only() -> None:
    x = mg.ones(2, 2)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with mg.autocast("cpu", dtype=mg.bfloat16):
            assert (x @ x).dtype is mg.float32
        with mg.autocast("cpu", dtype=mg.bfloat16, enabled=False):
            assert (x @ x).dtype is mg.float32
    assert ["NumPy has no bfloat16" in str(each.message) for each in said] == [True]
    for call in (lambda: x.to(mg.bfloat16), lambda: mg.set_default_dtype(mg.bfloat16)):
        assert "use float16 or float32" in caught(call, "NumPy has no bfloat16")


def test_autocast_without_a_gpu_is_off() -> None:
    if mg.cuda.is_available():
        pytest.skip("there is a GPU")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with mg.cuda.amp.autocast():
            assert not mg.is_autocast_enabled()
        mg.cuda.amp.GradScaler()
    kinds = [each.category for each in said]
    assert kinds == [FutureWarning, UserWarning, FutureWarning, UserWarning]


def test_functions_are_restored_after_autocast() -> None:
    before = mg.mm.body, mg.cat.body
    with mg.autocast("cpu", dtype=mg.float16):
        assert before[0] is not mg.mm.body
    assert before == (mg.mm.body, mg.cat.body)
    mg.set_autocast_enabled("cpu", True)
    mg.set_autocast_dtype("cpu", mg.float16)
    assert (mg.ones(2, 2) @ mg.ones(2, 2)).dtype is mg.float16
    mg.set_autocast_enabled("cpu", False)
    mg.set_autocast_dtype("cpu", mg.bfloat16)
    assert before == (mg.mm.body, mg.cat.body)
