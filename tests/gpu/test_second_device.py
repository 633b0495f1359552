"""Operations on tensors of the second GPU run there, and their results stay there.

The stand-in of foreign.py refuses to compute on a device that is not current, so what passes here
has made the right one current. (Each operation: `test_operation_on_the_second_device`.)
"""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from minigrad.utils.data import DataLoader
from tests.gpu import foreign

pytestmark = pytest.mark.usefixtures("cupy")

F = mg.nn.functional


def where(tensor: Any) -> str:
    """On which device a tensor says that it is; its memory is there, too."""
    place = str(tensor.device)
    array = tensor._array
    kept = getattr(array, "plain", array)
    if place != "cpu":
        assert f"cuda:{kept.device.id}" == place
        assert (kept is array) == (place == "cuda:0"), "the first GPU pays nothing"
    return place


MADE: dict[str, Callable[[Any], Any]] = {
    "tensor": lambda there: mg.tensor([1.0, 2.0], device=there),
    "as_tensor": lambda there: mg.as_tensor([1.0, 2.0], device=there),
    "zeros": lambda there: mg.zeros(2, device=there),
    "eye": lambda there: mg.eye(2, device=there),
    "arange": lambda there: mg.arange(3, device=there),
    "randn": lambda there: mg.randn(2, device=there),
    "randperm": lambda there: mg.randperm(3, device=there),
    "ones_like": lambda there: mg.ones_like(mg.zeros(2, device=there)),
    "rand_like": lambda there: mg.rand_like(mg.zeros(2, device=there)),
    "ones_like, elsewhere": lambda there: mg.ones_like(mg.zeros(2, device="cuda:0"), device=there),
    "new_zeros": lambda there: mg.ones(2, device=there).new_zeros(3),
    "new_tensor": lambda there: mg.ones(2, device=there).new_tensor([1.0]),
    "to": lambda there: mg.ones(2).to(there),
    "to, from the first": lambda there: mg.ones(2, device="cuda:0").to(there),
    "to, like another": lambda there: mg.ones(2).to(mg.ones(1, device=there)),
    "to, another type": lambda there: mg.ones(2, device="cuda:0").to(there, mg.float64),
    "cuda": lambda there: mg.ones(2).cuda(mg.device(there).index),
    "normal_": lambda there: mg.ones(2, device=there).normal_(),
    "bernoulli": lambda there: mg.bernoulli(mg.full((2,), 0.5, device=there)),
    "multinomial": lambda there: mg.multinomial(mg.ones(3, device=there), 2),
    "dropout": lambda there: F.dropout(mg.ones(8, device=there)),
    "linspace": lambda there: mg.linspace(0, 1, 3, device=there),
    "from_dlpack": lambda there: mg.from_dlpack(Capsule(there)),
}  # fmt: skip


class Capsule:
    """An object of another library that lends its memory (to the stand-in, NumPy's)."""

    def __init__(self, there: str) -> None:
        self.index = mg.device(there).index

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.index or 0

    def __dlpack__(self, **options: Any) -> Any:
        return np.ones(2, np.float32)


@pytest.mark.parametrize("there", ["cuda:0", "cuda:1"])
@pytest.mark.parametrize("name", MADE)
def test_tensor_is_made_on_chosen_device(name: str, there: str) -> None:
    assert where(MADE[name](there)) == there


def test_what_cuda_means_is_chosen() -> None:
    mg.cuda.set_device(1)
    assert mg.cuda.current_device() == 1 and mg.accelerator.current_device_index() == 1
    assert where(mg.ones(2, device="cuda")) == "cuda:1"
    assert where(mg.ones(2, device="cuda:0") + 1) == "cuda:0"
    first = mg.ones(2, device="cuda:0")
    assert where(first.to("cuda")) == where(first.cuda()) == "cuda:1"
    mg.cuda.set_device("cuda:0")
    assert where(mg.ones(2, device="cuda")) == "cuda:0"


def test_a_gpu_that_is_not_there() -> None:
    for ask in (
        lambda: mg.ones(1, device="cuda:2"),
        lambda: mg.ones(1).to("cuda:2"),
        lambda: mg.cuda.set_device(2),
        lambda: mg.cuda.synchronize(2),
    ):
        with pytest.raises(RuntimeError, match="CUDA error: invalid device ordinal"):
            ask()


def test_the_default_device() -> None:
    mg.set_default_device("cuda:1")
    try:
        assert where(mg.ones(2)) == where(mg.nn.Linear(2, 1).weight) == "cuda:1"
        assert where(mg.ones(2, device="cpu")) == "cpu"
    finally:
        mg.set_default_device(None)


def test_device_copies_do_not_use_host() -> None:
    first = mg.tensor([[1.0, 2.0], [3.0, 4.0]], device="cuda:0").T
    back = mg.zeros(2, 2, device="cuda:0")
    foreign.copies.clear()
    second = first.to("cuda:1")
    back.copy_(second)
    assert foreign.copies == {"peer": 2}
    assert (where(second), where(back)) == ("cuda:1", "cuda:0")
    assert first.tolist() == second.tolist() == back.tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_gradient_crosses_devices() -> None:
    x = mg.ones(2, device="cuda:0", requires_grad=True)
    (slope,) = mg.autograd.grad((x.to("cuda:1") ** 3).sum().cpu(), x, create_graph=True)
    slope.sum().backward()
    assert where(slope) == where(x.grad) == "cuda:0" and x.grad.tolist() == [6.0, 6.0]


def test_gradient_of_other_device_raises() -> None:
    x = mg.ones(2, device="cuda:1", requires_grad=True)
    g = mg.ones(2, device="cuda:0")
    with pytest.raises(RuntimeError, match="at index 0 - expected device cuda:1 but got cuda:0"):
        (x * 2).backward(g)
    with pytest.raises(RuntimeError, match="located on device with index '0' to a tensor located"):
        x.grad = g
    assert x.grad is None


MIXED: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "mul with a number on the way": lambda a, b: (a * 2) * b,
    "matmul": lambda a, b: a @ b,
    "maximum": mg.maximum,
    "where": lambda a, b: mg.where(a > 0, a, b),
    "cat": lambda a, b: mg.cat([a, b]),
    "stack": lambda a, b: mg.stack([a, b]),
    "add_": lambda a, b: a.add_(b),
    "mul_": lambda a, b: a.mul_(b),
    "linear": lambda a, b: F.linear(a, b.reshape(1, 2)),
    "mse_loss": F.mse_loss,
    "cross_entropy": lambda a, b: F.cross_entropy(a.reshape(1, 2), b[:1].long() - 1),
    "gather": lambda a, b: mg.gather(a, 0, b.long() - 1),
    "eq": lambda a, b: a == b,
    "lerp": lambda a, b: mg.lerp(a, b, 0.5),
    "out": lambda a, b: mg.exp(a, out=b),
}


@pytest.mark.parametrize(
    "places", [("cuda:0", "cuda:1"), ("cuda:1", "cuda:0"), ("cuda:1", "cpu"), ("cpu", "cuda:1")]
)
@pytest.mark.parametrize("name", MIXED)
def test_operands_on_two_devices(name: str, places: tuple[str, str]) -> None:
    a, b = (mg.tensor([1.0, 2.0], device=place) for place in places)
    with pytest.raises(RuntimeError, match="on the same device, but found at least two") as caught:
        MIXED[name](a, b)
    assert all(place in str(caught.value) for place in places)
    assert a.tolist() == b.tolist() == [1.0, 2.0] and a._version == b._version == 0


def test_positions_on_the_other_device_are_refused() -> None:
    x, at = mg.ones(2, device="cuda:1"), mg.tensor([0], device="cuda:0")
    with pytest.raises(
        RuntimeError, match=r"indices should be either on cpu or on the same device"
    ):
        x[at]
    assert where(x[mg.tensor([0])]) == "cuda:1"  # of the CPU, they go there


def network() -> Any:
    mg.manual_seed(0)
    nn = mg.nn
    return nn.Sequential(
        nn.Conv2d(1, 2, 3, bias=False), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(18, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 3),
    )  # fmt: skip


OPTIMIZERS: dict[str, Any] = {
    "SGD": lambda p: mg.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.1, nesterov=True),
    "Adam": lambda p: mg.optim.Adam(p, lr=0.01, weight_decay=0.1, amsgrad=True),
    "AdamW": lambda p: mg.optim.AdamW(p, lr=0.01),
    "RMSprop": lambda p: mg.optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True),
}


def trained(optimizer: str, there: str) -> tuple[list[Any], Any]:
    net = network().to(there)
    steps = OPTIMIZERS[optimizer](net.parameters())
    data = list(zip(mg.randn(4, 1, 8, 8), mg.tensor([0, 1, 2, 0]), strict=True))
    for x, t in DataLoader(data, batch_size=2, pin_memory=there != "cpu"):
        steps.zero_grad()
        F.cross_entropy(net(x.to(there)), t.to(there)).backward()
        mg.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        steps.step()
    kept = [t for state in steps.state.values() for t in state.values() if t.ndim]
    for tensor in (*net.state_dict().values(), *(p.grad for p in net.parameters()), *kept):
        assert where(tensor) == there
    return [p.tolist() for p in net.parameters()], net


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_there_is_training_here(optimizer: str) -> None:
    here, there = (trained(optimizer, place)[0] for place in ("cpu", "cuda:1"))
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-4, atol=1e-6)


def test_model_loads_on_chosen_device() -> None:
    net = network().to("cuda:1")
    file = io.BytesIO()
    mg.save(net.state_dict(), file)
    for place in ("cpu", "cuda:0", "cuda:1"):
        file.seek(0)
        found = mg.load(file, map_location=place)
        assert {where(t) for t in found.values()} == {place}
        twin = network().to("cuda:1")
        twin.load_state_dict(found)
        assert {where(t) for t in twin.state_dict().values()} == {"cuda:1"}


def test_copied_and_pickled_it_stays_there() -> None:
    x = mg.arange(6.0, device="cuda:1")[1::2].requires_grad_()
    for twin in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert where(twin) == "cuda:1" and twin.tolist() == [1.0, 3.0, 5.0] and twin.requires_grad


class Doubled(mg.autograd.Function):
    """A user's operation, which leaves one of its results without a gradient."""

    @staticmethod
    def forward(ctx: Any, x: mg.Tensor) -> Any:
        ctx.save_for_backward(x)
        return 2 * x, x * x

    @staticmethod
    def backward(ctx: Any, a: mg.Tensor, b: mg.Tensor) -> Any:
        assert where(a) == where(b) == where(*ctx.saved_tensors)
        return 2 * a + 2 * ctx.saved_tensors[0] * b


def test_functions_hooks_checkpoints_and_views() -> None:
    x = mg.ones(3, device="cuda:1", requires_grad=True)
    seen: list[str] = []
    x.register_hook(lambda g: seen.append(where(g)) or 2 * g)
    y = Doubled.apply(x)[0]
    z = mg.utils.checkpoint.checkpoint(lambda a: F.dropout(a).tanh() * a, y, use_reentrant=False)
    base = mg.zeros(2, 3, device="cuda:1")
    base[0].add_(z)
    with mg.autograd.record() as trace:
        (base * base).sum().backward()
    assert seen == ["cuda:1"] and where(x.grad) == "cuda:1" and len(trace) > 10


def test_second_order_and_checks() -> None:
    x = mg.tensor([1.0, 2.0], dtype=mg.float64, device="cuda:1", requires_grad=True)
    assert mg.autograd.gradcheck(lambda x: (x.exp() * x).sum(), (x,))
    assert mg.autograd.gradgradcheck(lambda x: (x.exp() * x).sum(), (x,))
    hessian = mg.autograd.functional.hessian(lambda x: (x**3).sum(), x)
    assert where(hessian) == "cuda:1" and hessian.tolist() == [[6.0, 0.0], [0.0, 12.0]]
    _, along = mg.autograd.functional.jvp(lambda x: x * x, x, mg.ones_like(x))
    assert where(along) == "cuda:1" and along.tolist() == [2.0, 4.0]


def test_it_is_printed_and_drawn() -> None:
    x = mg.arange(2000.0, device="cuda:1")
    assert repr(x).endswith("device='cuda:1')") and "..." in repr(x)
    assert f"{x[1]:.1f}" == "1.0" and float(x[1]) == int(x[1]) == 1 and bool(x[1])

    def shown(device: str) -> str:
        mg.manual_seed(0)
        x, w = mg.randn(2, 3, device=device), mg.randn(3, device=device, requires_grad=True)
        return str(viz.step(mg.tanh(x @ w).mean()))

    assert shown("cuda:1") == shown("cpu")
