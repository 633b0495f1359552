"""Operations and training on arrays that are not NumPy's, without a GPU: see foreign.py.

What runs here runs without a NumPy array slipping in, and without waiting for the device unless
that is counted. That the numbers are right on a real GPU is for test_gpu.py to say.
"""

from __future__ import annotations

import copy as copying
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from minigrad.arrays import erf
from tests.gpu import foreign
from tests.ops.tables.families import TABLES
from tests.parity import differentiable, make_inputs, variants, weights_like
from tests.sampling import drawn

CASES = [
    pytest.param(c, id=f"{family}: {c}")
    for family, cases in TABLES.items()
    for c in cases
    if str(c) != "F.dropout in training"  # which draws numbers of its own on the device
]

MAKERS = frozenset("tensor zeros ones full arange eye rand randn randint linspace empty".split())


class OnDevice:
    """minigrad with new tensors on the device."""

    def __init__(self, place: str = "cuda") -> None:
        self.place = place

    def __getattr__(self, name: str) -> Any:
        found = getattr(mg, name)
        if name not in MAKERS:
            return found
        return lambda *args, **options: found(*args, **({"device": self.place} | options))


pytestmark = pytest.mark.usefixtures("cupy")


def test_a_result_is_written_on_the_device() -> None:
    x = mg.tensor([[1.0, 2.0], [3.0, 4.0]], device="cuda")
    out, indices = mg.empty(0, device="cuda"), mg.empty(0, dtype=mg.int64, device="cuda")
    assert mg.add(x, 1, out=out) is out
    assert type(out._array) is type(x._array)
    mg.max(x, 0, out=(out[0], indices))
    assert (out.tolist(), indices.tolist()) == ([[3.0, 4.0], [4.0, 5.0]], [1, 1])
    assert mg.ones(2, out=indices).device == x.device
    with pytest.raises(RuntimeError, match="all tensors to be on the same device"):
        mg.exp(x, out=mg.empty(2, 2))


def run(T: Any, case: Any, variant: Any, there: str) -> list[Any]:
    """Result, gradients and second gradients of a case, computed `there`, as arrays of the host."""
    inputs, dtype, strided = variant
    mg.manual_seed(0)
    made = make_inputs(mg, case, inputs, dtype, strided)
    made = [t.to(there) if isinstance(t, mg.Tensor) else t for t in made]
    sources = [t for t in made if isinstance(t, mg.Tensor) and t.is_floating_point()]
    for tensor in sources:
        tensor.requires_grad_()
    result = case.function(T, *made)
    shown = list(result) if isinstance(result, (tuple, list)) else [result]
    if not case.forward_only:
        outputs = differentiable(mg, result)
        seeds = [weights_like(mg, out, salt) for salt, out in enumerate(outputs)]
        seeds = [seed.to(there) for seed in seeds]
        options = {"retain_graph": True, "allow_unused": True}
        shown += mg.autograd.grad(outputs, sources, seeds, **options)
        first = mg.autograd.grad(outputs, sources, seeds, create_graph=True, **options)
        live = [g for g in first if g is not None and g.requires_grad]
        if live:
            shown += mg.autograd.grad(live, sources, [g.detach() for g in live], **options)
    return [on_host(t, there) for t in shown]


def on_host(value: Any, there: str) -> Any:
    if not isinstance(value, mg.Tensor):
        return value
    assert str(value.device) == there, "not where it was computed"
    return value.cpu().detach().numpy()


@pytest.mark.parametrize("case", CASES)
def test_operation(case: Any) -> None:
    """Value, gradient and second gradient, with nothing but the device's arrays on the way."""
    compare(case, 4, "cuda:0")


@pytest.mark.parametrize("case", drawn("PROOFS", "second device", CASES))
def test_operation_on_the_second_device(case: Any) -> None:
    """Nothing is computed or left on the first device. A third of the operations in each run."""
    compare(case, 2, "cuda:1")


def compare(case: Any, count: int, place: str) -> None:
    for variant in list(variants(case))[:count]:
        there, here = run(OnDevice(place), case, variant, place), run(mg, case, variant, "cpu")
        for a, b in zip(there, here, strict=True):
            if isinstance(b, np.ndarray):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
            else:
                assert a == b


class Attention(mg.nn.Module):
    """Words attend to words: what a language model is made of, but for its size."""

    def __init__(self) -> None:
        super().__init__()
        self.words = mg.nn.Embedding(5, 6)
        self.query, self.key, self.value = (mg.nn.Linear(6, 6) for _ in range(3))
        self.norm, self.out = mg.nn.LayerNorm(6), mg.nn.Linear(6, 3)
        self.later = mg.ones(3, 3, device="cuda").triu(1) > 0

    def forward(self, words: Any) -> Any:
        x = self.words(words)
        scores = self.query(x) @ self.key(x).transpose(-1, -2)
        weights = mg.softmax(scores.masked_fill(self.later, -1e9), -1)
        return self.out(mg.nn.functional.gelu(self.norm(x + weights @ self.value(x)))).mean(1)


def perceptron() -> mg.nn.Module:
    nn = mg.nn
    middle = [nn.Tanh(), nn.Sigmoid(), nn.SiLU(), nn.LeakyReLU(), nn.ELU(), nn.Softplus()]
    between = [layer for each in middle for layer in (each, nn.Linear(8, 8))]
    return nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.LayerNorm(8), *between, nn.Linear(8, 3))


def convolutions() -> mg.nn.Module:
    nn = mg.nn
    first = [nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*first, nn.Conv2d(2, 2, 2), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(2, 3))


MODELS = {
    "perceptron": (perceptron, lambda: mg.randn(4, 6)),
    "convolutions": (convolutions, lambda: mg.randn(4, 1, 8, 8)),
    "attention": (Attention, lambda: mg.tensor([[0, 1, 2], [2, 1, 0], [3, 3, 3], [4, 0, 4]])),
}
LOSSES = {
    "cross_entropy": lambda y, t: mg.nn.functional.cross_entropy(y, t),
    "mse_loss": lambda y, t: mg.nn.functional.mse_loss(y, y.detach() * 0.5),
    "binary_cross_entropy": lambda y, t: mg.nn.functional.binary_cross_entropy(
        mg.sigmoid(y), mg.sigmoid(y.detach())
    ),
}
OPTIMIZERS = {
    "SGD": lambda p: mg.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.1),
    "Adam": lambda p: mg.optim.Adam(p, lr=0.01),
    "AdamW": lambda p: mg.optim.AdamW(p, lr=0.01),
    "RMSprop": lambda p: mg.optim.RMSprop(p, lr=0.01),
}


def counted(model: str, loss: str, optimizer: str) -> dict[str, Counter[str]]:
    """Return the copies and waits between host and device in each part of a training step."""
    make, data = MODELS[model]
    net = make().to("cuda")
    steps = OPTIMIZERS[optimizer](net.parameters())
    x, t = data().to("cuda"), mg.tensor([0, 1, 2, 0]).to("cuda")
    state: dict[str, Any] = {}
    parts: dict[str, Callable[[], Any]] = {
        "zero_grad": lambda: steps.zero_grad(set_to_none=False),
        "forward": lambda: state.update(loss=LOSSES[loss](net(x), t)),
        "backward": lambda: state["loss"].backward(),
        "clip_grad_norm_": lambda: mg.nn.utils.clip_grad_norm_(net.parameters(), 1.0),
        "step": steps.step,
    }
    found: dict[str, Counter[str]] = {}
    for _ in range(2):  # the first step makes the optimizer's buffers
        for name, part in parts.items():
            foreign.copies.clear()
            part()
            found[name] = foreign.copies.copy()
    assert all(type(p.grad._array) is foreign.ndarray for p in net.parameters())
    return found


PARTS = "zero_grad", "forward", "backward", "clip_grad_norm_", "step"
NOTHING: dict[str, Counter[str]] = {part: Counter() for part in PARTS}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("model", MODELS)
def test_a_training_step_never_waits(model: str, optimizer: str) -> None:
    assert counted(model, "cross_entropy", optimizer) == NOTHING


UPDATES: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda p: mg.optim.SGD([p], lr=0.1, momentum=0.9, weight_decay=0.1, nesterov=True),
    "sgd plain": lambda p: mg.optim.SGD([p], lr=0.1),
    "adam": lambda p: mg.optim.Adam([p], lr=0.1, weight_decay=0.1, amsgrad=True),
    "adam decoupled": lambda p: mg.optim.AdamW([p], lr=0.1),
    "rmsprop": lambda p: mg.optim.RMSprop([p], lr=0.1, momentum=0.9, centered=True),
    "rmsprop plain": lambda p: mg.optim.RMSprop([p], lr=0.1, weight_decay=0.1),
}


@pytest.mark.parametrize("place", ["cuda:0", "cuda:1"])
@pytest.mark.parametrize("name", UPDATES)
def test_an_update_is_one_kernel(name: str, place: str) -> None:
    """Of the same formula as on the CPU, with the same numbers."""

    def moved(place: str) -> tuple[list[float], list[Counter[str]]]:
        p = mg.tensor([1.0, -2.0, 3.0], device=place, requires_grad=True)
        optimizer, found = UPDATES[name](p), []
        for _ in range(3):
            optimizer.zero_grad()
            (p**3).sum().backward()
            foreign.launches.clear()
            optimizer.step()
            found.append(foreign.launches.copy())
        return p.tolist(), found

    there, launches = moved(place)
    assert there == pytest.approx(moved("cpu")[0], rel=1e-6)
    assert launches[1:] == [{f"minigrad_{name.split()[0]}": 1}] * 2


def test_a_gradient_is_masked_by_one_kernel() -> None:
    """On the CPU it is arithmetic with bits, which would be three."""
    signs, given = [-1.0, 2.0, -3.0, 4.0, 0.0], [np.inf, 1.0, np.nan, -np.inf, 2.0]
    found = []
    for place in ("cpu", "cuda:0", "cuda:1"):
        x = mg.tensor(signs, device=place, requires_grad=True)
        y, g = mg.relu(x), mg.tensor(given, device=place)
        foreign.launches.clear()
        found.append(mg.autograd.grad(y, x, g)[0].tolist())
        if place != "cpu":
            assert foreign.launches == {"le": 1, "invert": 1, "where": 1}
    assert found == [[0.0, 1.0, 0.0, -np.inf, 0.0]] * 3


def test_class_positions_are_computed_once() -> None:
    scores, classes = mg.randn(4, 3, device="cuda"), mg.tensor([0, 2, 1, 0], device="cuda")
    foreign.launches.clear()
    mg.nn.functional.nll_loss(scores, classes)
    assert foreign.launches["ne"] == foreign.launches["arange"] == 1
    assert foreign.launches["where"] == 2  # classes inside, and zeros in ignored rows
    assert foreign.launches["astype"] == 1


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_never_waits(loss: str) -> None:
    assert counted("perceptron", loss, "SGD") == NOTHING


def test_recorded_step_synchronizes_to_read_values() -> None:
    """So the count does notice what is counted; and recording leaves nothing behind it."""
    with mg.autograd.record():
        found = counted("perceptron", "mse_loss", "SGD")
    assert found["backward"]["get"] > 10
    assert counted("perceptron", "mse_loss", "SGD") == NOTHING


@pytest.mark.parametrize("place", ["cuda:0", "cuda:1"])
def test_dropout_draws_in_one_kernel(place: str) -> None:
    x = mg.ones(200, 300, device=place, requires_grad=True)
    foreign.copies.clear()
    foreign.launches.clear()
    y = mg.nn.functional.dropout(x, 0.2)
    assert foreign.launches == {"minigrad_draws": 1, "mul": 1}
    y.sum().backward()
    assert not foreign.copies
    assert {*y.flatten().tolist()} == {0.0, 1.25} and mg.equal(x.grad, y)
    share = (y == 0).float().mean(1)
    assert abs(share.mean().item() - 0.2) < 0.01 and share.std().item() < 0.05
    again = mg.nn.functional.dropout(x.half(), 0.2)
    assert again.dtype == mg.float16 and not mg.equal(again != 0, y != 0)


@pytest.mark.parametrize("place", ["cuda:0", "cuda:1"])
def test_numpy_is_refused_the_array_itself(place: str) -> None:
    with pytest.raises(TypeError):
        np.asarray(mg.ones(2, device=place)._array)


def test_dropout_of_channels_and_in_place() -> None:
    x = mg.ones(3, 4, 5, 5, device="cuda")
    kept = mg.nn.functional.dropout2d(x).sum((2, 3)).flatten().tolist()
    assert {*kept} == {0.0, 50.0}
    mg.nn.functional.dropout(x, 0.5, inplace=True)
    assert {*x.flatten().tolist()} == {0.0, 2.0}


def test_the_draws_of_each_device_are_seeded() -> None:
    def draws(place: str) -> list[float]:
        return mg.nn.functional.dropout(mg.ones(40, device=place)).tolist()

    for seed in (mg.manual_seed, mg.cuda.manual_seed_all):
        seed(3)
        first = [draws("cuda:0"), draws("cuda:0"), draws("cuda:1")]
        assert first[0] == first[2] != first[1]
        seed(3)
        assert [draws("cuda:0"), draws("cuda:0"), draws("cuda:1")] == first
    mg.cuda.manual_seed(3)  # the current one alone
    assert draws("cuda:0") == first[0] and draws("cuda:1") != first[0]
    mg.cuda.set_device(1)
    mg.cuda.manual_seed(3)
    assert draws("cuda:1") == first[0] != draws("cuda:0")
    for seed_anew in (mg.seed, mg.cuda.seed, mg.cuda.seed_all):
        mg.manual_seed(3)
        seed_anew()
        assert draws("cuda:1") != first[0]


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoint_repeats_draws_on_device(reentrant: bool) -> None:
    x = mg.ones(64, device="cuda", requires_grad=True)
    dropped = mg.nn.functional.dropout
    y = mg.utils.checkpoint.checkpoint(lambda a: dropped(a).exp(), x, use_reentrant=reentrant)
    between = dropped(x)
    y.sum().backward()
    assert mg.equal(x.grad != 0, y != 1) and not mg.equal(x.grad, between)
    after = dropped(x)  # goes on where the draws before it have ended
    assert not mg.equal(after, between) and not mg.equal(after != 0, y != 1)


FAR: dict[str, Callable[[Any, Any], Any]] = {
    "x[i]": lambda x, i: x[i],
    "x[:, i]": lambda x, i: x[:, i],
    "x[i] = 1": lambda x, i: x.__setitem__(i, 1),
    "index_put_": lambda x, i: x.index_put_((i,), x[0].clone()),
    "index_select": lambda x, i: mg.index_select(x, 0, i),
    "index_add": lambda x, i: mg.index_add(x, 0, i, x[:2]),
    "index_fill": lambda x, i: mg.index_fill(x, 0, i, 1.0),
    "index_copy": lambda x, i: mg.index_copy(x, 0, i, x[:2]),
    "gather": lambda x, i: mg.gather(x, 0, i[:, None]),
    "scatter": lambda x, i: mg.scatter(x, 0, i[:, None], 1.0),
    "embedding": lambda x, i: mg.nn.functional.embedding(i, x),
    "cross_entropy": lambda x, i: mg.nn.functional.cross_entropy(x.T[:2], i),
    "nll_loss": lambda x, i: mg.nn.functional.nll_loss(x.T[:2], i),
}


@pytest.mark.parametrize("place", ["cuda:0", "cuda:1"])
@pytest.mark.parametrize("name", FAR)
def test_position_out_of_range_raises_later(name: str, place: str) -> None:
    """The error is raised once, at the next synchronization; on the CPU at once."""
    x, near, far = mg.ones(5, 5), mg.tensor([0, 4]), mg.tensor([1, 5])
    with pytest.raises((IndexError, RuntimeError)):
        FAR[name](x.clone(), far)
    x, near, far = (t.to(place) for t in (x, near, far))
    foreign.copies.clear()
    FAR[name](x, near)
    assert not foreign.copies
    assert x.sum().item() >= 0
    FAR[name](x, far)
    with pytest.raises(RuntimeError, match="device-side assert triggered"):
        x.cpu()
    assert x.cpu().shape == x.shape


def test_whoever_waits_is_told() -> None:
    x, far = mg.ones(5, device="cuda"), mg.tensor([7], device="cuda")
    waits = (
        *(lambda: x[0].item(), x.tolist, lambda: bool(x[0]), lambda: int(x[0]), lambda: repr(x)),
        *(lambda: float(x[0]), mg.cuda.synchronize, lambda: x.to("cpu"), lambda: mg.unique(x)),
    )
    for wait in waits:
        x[far]
        with pytest.raises(RuntimeError, match="device-side assert"):
            wait()
        wait()


def test_positions_that_may_be_there() -> None:
    """Negative ones where they count from the end, and the class that does not count."""
    x = mg.ones(5, 5, device="cuda")
    assert x[mg.tensor([-5, 4], device="cuda")].sum().item() == 10
    assert mg.index_fill(x, 0, mg.tensor([-1], device="cuda"), 0.0).sum().item() == 20
    targets = mg.tensor([4, -100, 0, -100, 2], device="cuda")
    assert mg.nn.functional.cross_entropy(x, targets).item() == pytest.approx(np.log(5))
    mask = mg.tensor([True, False, True, False, False], device="cuda")
    assert x[mask].shape == (2, 5)
    before = mg.tensor([-6], device="cuda")
    for wrong in (lambda: x[before], lambda: mg.gather(x, 0, -targets[:1, None])):
        wrong()
        with pytest.raises(RuntimeError, match="device-side assert"):
            x.cpu()


def test_what_waits_is_counted() -> None:
    x = mg.tensor([1.0, 2.0], device="cuda")
    for ask, name in ((lambda: x.sum().item(), "item"), (x.tolist, "tolist"), (x.cpu, "get")):
        foreign.copies.clear()
        ask()
        assert list(foreign.copies) == [name]


def test_devices_do_not_mix() -> None:
    here, there = mg.ones(2), mg.ones(2, device="cuda")
    assert repr(there) == "tensor([1., 1.], device='cuda:0')"
    assert str(there.device) == "cuda:0" and there.is_cuda
    for mixed in (lambda: here + there, lambda: there * here, lambda: there @ here):
        with pytest.raises(RuntimeError, match="on the same device, but found at least"):
            mixed()
    assert (there + 1).device == there.device
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        there.numpy()


def test_default_device() -> None:
    try:
        mg.set_default_device("cuda")
        assert str(mg.get_default_device()) == "cuda:0"
        made = (
            *(mg.tensor(1.0), mg.zeros(2), mg.arange(3), mg.randn(2), mg.as_tensor([1.0])),
            *(mg.normal(0.0, 1.0, (2,)), mg.nn.Linear(2, 1).weight),
        )
        assert {str(t.device) for t in made} == {"cuda:0"}
        assert str(mg.zeros(2, device="cpu").device) == "cpu"
        # A tensor made like another, or around an array, stays on the same device.
        assert str(mg.zeros_like(mg.zeros(2, device="cpu")).device) == "cpu"
        assert str(mg.from_numpy(np.zeros(2)).device) == "cpu"
    finally:
        mg.set_default_device(None)
    assert str(mg.zeros(2).device) == "cpu"


def test_like_functions_follow_device_argument() -> None:
    there = mg.ones(2, device="cuda")
    for make in (mg.zeros_like, mg.empty_like, mg.ones_like, mg.rand_like, mg.Tensor.new_zeros):
        shape = ((2,),) if make is mg.Tensor.new_zeros else ()
        assert make(there, *shape).is_cuda
        assert str(make(there, *shape, device="cpu").device) == "cpu"


def test_draws_on_device_equal_the_cpu_s() -> None:
    mg.manual_seed(3)
    here = mg.randn(20)
    mg.manual_seed(3)
    there = mg.randn(20, device="cuda")
    assert there.is_cuda and (there.cpu() == here).all()


MESSAGE = "No CUDA GPUs are available: this needs an NVIDIA driver and CuPy"

FAKES = {
    "no CuPy": "raise ImportError('no cupy')",
    "no driver": """
from types import SimpleNamespace
class CUDARuntimeError(RuntimeError): pass
def getDeviceCount(): raise CUDARuntimeError("cudaErrorInsufficientDriver")
cuda = SimpleNamespace(
    runtime=SimpleNamespace(getDeviceCount=getDeviceCount, CUDARuntimeError=CUDARuntimeError)
)
""",
    "no GPU": """
from types import SimpleNamespace
cuda = SimpleNamespace(
    runtime=SimpleNamespace(getDeviceCount=lambda: 0, CUDARuntimeError=RuntimeError)
)
""",
}


@pytest.mark.parametrize("name", FAKES)
def test_message(name: str, tmp_path: Path, root: Path) -> None:
    (tmp_path / "cupy.py").write_text(FAKES[name])
    program = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(root)!r}]\n"
        "import minigrad as mg\n"
        "assert 'cupy' not in sys.modules\n"
        "print(mg.cuda.is_available(), mg.cuda.device_count())\n"
        "for ask in (lambda: mg.ones(1, device='cuda'), lambda: mg.ones(1).to('cuda')):\n"
        "    try: ask()\n"
        "    except RuntimeError as error: print(error)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300
    )
    first, *errors = said.stdout.splitlines()
    assert first == "False 0", said.stderr
    assert len(errors) == 2 and all(MESSAGE in error for error in errors), said.stdout


def test_backward_begins_on_the_device() -> None:
    x = mg.ones(3, device="cuda", requires_grad=True)
    (2 * mg.dot(x, x)).backward()
    assert x.grad.is_cuda and x.grad.tolist() == [4.0, 4.0, 4.0]


def precise(*shape: int) -> mg.Tensor:
    return mg.randn(*shape, dtype=mg.float64, device="cuda", requires_grad=True)


def test_jacobian_is_filled_on_the_device() -> None:
    x = mg.tensor([1.0, 2.0], device="cuda")
    square = mg.autograd.functional.jacobian(lambda x: x * x, x)
    assert square.is_cuda and square.tolist() == [[2.0, 0.0], [0.0, 4.0]]


class Twins(mg.autograd.Function):
    """Two results; where only one of them is used, backward gets zeros for the other."""

    @staticmethod
    def forward(ctx: Any, x: mg.Tensor) -> Any:
        return 2 * x, 3 * x

    @staticmethod
    def backward(ctx: Any, a: mg.Tensor, b: mg.Tensor) -> Any:
        return 2 * a + 3 * b


def test_zeros_for_unused_result_on_device() -> None:
    x = precise(3)
    Twins.apply(x)[0].sum().backward()
    assert x.grad.is_cuda and x.grad.tolist() == [2.0, 2.0, 2.0]
    assert mg.autograd.gradcheck(Twins.apply, (x,))


def test_fill_takes_numbers_of_either_device() -> None:
    t = mg.ones(3, device="cuda")
    t[...] = 2.0
    assert t.tolist() == [2.0, 2.0, 2.0]
    assert t.fill_(mg.tensor(3.0)).tolist() == [3.0, 3.0, 3.0]
    assert t.fill_(mg.tensor(4.0, device="cuda")).tolist() == [4.0, 4.0, 4.0]


def test_gradients_through_writes_to_view() -> None:
    w = mg.tensor(2.0, device="cuda", requires_grad=True)
    powers = mg.ones(3, device="cuda")
    row = powers[1:]
    row.mul_(w * w)
    (slope,) = mg.autograd.grad((row * powers[1:]).sum(), w, create_graph=True)
    slope.backward()
    assert slope.item() == 2 * 4 * 2.0**3 and w.grad.item() == 2 * 12 * 2.0**2


def test_a_matrix_without_an_inverse() -> None:
    singular = mg.ones(2, 2, dtype=mg.float64, device="cuda", requires_grad=True)
    (slope,) = mg.autograd.grad(mg.linalg.det(singular), singular, create_graph=True)
    slope.sum().backward()
    assert slope.is_cuda and singular.grad.is_cuda


def test_saved_factorization_is_on_the_device() -> None:
    node: Any = mg.linalg.det(precise(3, 3)).grad_fn
    assert node._saved_LU.is_cuda and node._saved_pivots.is_cuda


def test_a_constant_is_drawn_with_its_value() -> None:
    drawing = viz.draw(precise(2) * mg.tensor(0.25, dtype=mg.float64, device="cuda"))
    assert "0.25" in drawing.text


REFUSALS = {
    "no such function": lambda x: np.spacing(x),
    "no such argument of a function": lambda x: np.sum(x, where=x > 0),
    "no such argument of a method": lambda x: x.max(initial=0),
    "no such argument of a ufunc": lambda x: np.add(x, x, order="C"),
    "no such method of a ufunc": lambda x: np.maximum.accumulate(x),
    "no such attribute": lambda x: x.flags.writeable,
    "no such type": lambda x: x.astype(object),
    "an index": lambda x: [1, 2][x[0]],
    "an array of NumPy": lambda x: x + np.ones(3),
    "becoming an array of NumPy": np.asarray,
    "a position for item": lambda x: x.item(0),
    "a list assigned": lambda x: x.__setitem__(slice(2), [1, 2]),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_the_stand_in_refuses_what_cupy_refuses(name: str, cupy: Any) -> None:
    x = cupy.arange(3)
    with pytest.raises((TypeError, AttributeError, NotImplementedError, ValueError)):
        REFUSALS[name](x)


def test_stand_in_wraps_positions_like_cupy(cupy: Any) -> None:
    x, far = cupy.arange(6).reshape(2, 3), cupy.array([3, -7])
    assert x[..., far].tolist() == [[0, 2], [3, 5]] and x[far].tolist() == [[3, 4, 5]] * 2
    assert x.take(far).tolist() == [3, 5] and x[[2], None, far[1:]].tolist() == [[2]]
    x[0, far] = 9
    np.add.at(x, (far, far), cupy.array([10, 20]))
    assert x.tolist() == [[9, 1, 9], [13, 4, 25]]


def test_stand_in_computes_on_current_device(cupy: Any) -> None:
    with cupy.cuda.Device(1):
        x = cupy.arange(3)
        assert (x + 1).device.id == x.reshape(1, 3).device.id == x[1:].device.id == 1
    assert x.device.id == 1 and x.copy().device.id == 0
    for compute in (lambda: x + 1, lambda: np.exp(x), lambda: x.sum(), lambda: cupy.asarray(x)):
        with pytest.raises(AssertionError, match="another device"):
            compute()


def test_the_stand_in_counts_kernels(cupy: Any) -> None:
    x = cupy.arange(6)
    foreign.launches.clear()
    x.reshape(2, 3).T[1:].sum(axis=0)
    np.empty_like(x)[...] = x
    x += 1
    assert foreign.launches == {"sum": 1, "setitem": 1, "iadd": 1}


def test_stepper_shows_numbers_of_cpu() -> None:
    def shown(device: str) -> str:
        mg.manual_seed(0)
        x, w = mg.randn(2, 3, device=device), mg.randn(3, device=device, requires_grad=True)
        return str(viz.step(mg.tanh(x @ w).mean()))

    assert shown("cuda") == shown("cpu")


def test_waiting_for_the_device() -> None:
    mg.cuda.synchronize()
    assert foreign.copies["synchronize"] == 1
    with pytest.raises(ValueError, match="Expected a cuda device, but got: cpu"):
        mg.cuda.synchronize("cpu")


def test_gradient_returns_to_its_device() -> None:
    for here, there in (("cpu", "cuda"), ("cuda", "cpu")):
        x = mg.ones(2, device=here, requires_grad=True)
        (slope,) = mg.autograd.grad((x.to(there) ** 3).sum(), x, create_graph=True)
        slope.sum().backward()
        assert slope.device == x.device == x.grad.device and x.grad.tolist() == [6.0, 6.0]


def test_a_gradient_of_another_device_is_refused() -> None:
    for here, there in (("cpu", "cuda"), ("cuda", "cpu")):
        x, g = mg.ones(2, device=here, requires_grad=True), mg.ones(2, device=there)
        where = f"gradient with device type '{there}' to a tensor with device type '{here}'"
        with pytest.raises(RuntimeError, match=where):
            x.grad = g
        with pytest.raises(RuntimeError, match=f"at index 0 - expected device {here}"):
            (x * 2).backward(g)
        assert x.grad is None


def test_view_is_copied_and_pickled() -> None:
    part = mg.arange(6.0, device="cuda")[1::2]
    for copy in (copying.deepcopy(part), pickle.loads(pickle.dumps(part))):
        assert type(copy._array) is type(part._array)
        assert copy.tolist() == [1.0, 3.0, 5.0]


def test_memory_on_device_is_counted() -> None:
    x = mg.ones(10, device="cuda", requires_grad=True)
    assert viz.memory(lambda: (x * 2).exp().sum().backward()).peak.bytes == 40


def test_copy_crosses_devices() -> None:
    here, there = mg.tensor([1.0, 2.0]), mg.zeros(2, device="cuda")
    assert there.copy_(here).tolist() == [1.0, 2.0] and there.is_cuda
    assert here.copy_(2 * there).tolist() == [2.0, 4.0] and not here.is_cuda


def test_draws_use_device_of_their_tensor() -> None:
    def draws(device: str) -> list[Any]:
        mg.manual_seed(0)
        p = mg.tensor([0.1, 0.4, 0.5], device=device)
        ways = mg.bernoulli(p), mg.bernoulli(p, 0.5), mg.zeros_like(p).bernoulli_(p)
        others = mg.multinomial(p, 2), mg.multinomial(p, 4, True), mg.normal(p, p)
        assert {t.is_cuda for t in (*ways, *others)} == {device == "cuda"}
        return [t.tolist() for t in (*ways, *others)]

    assert draws("cuda") == draws("cpu")


def test_new_tensor_from_tensor_on_device() -> None:
    there = mg.ones(2, device="cuda")
    assert there.new_tensor(there).is_cuda and there.new_tensor([1]).is_cuda
    assert not mg.ones(2).new_tensor(there).is_cuda
    assert there.type() == "torch.cuda.FloatTensor"


MIXED = {
    "linear": lambda here, there: mg.nn.functional.linear(here, there.reshape(1, 2), mg.ones(1)),
    "linear without bias": lambda here, there: mg.nn.functional.linear(here, there.reshape(1, 2)),
    "where": lambda here, there: mg.where(here > 0, here, there),
    "mse_loss": mg.nn.functional.mse_loss,
    "cross_entropy": lambda here, there: mg.nn.functional.cross_entropy(there, mg.tensor(0)),
    "add_": lambda here, there: there.add_(here),
    "sub_": lambda here, there: here.sub_(there, alpha=2),
}


@pytest.mark.parametrize("name", MIXED)
def test_operands_on_two_devices(name: str) -> None:
    here, there = mg.tensor([1.0, 2.0]), mg.tensor([3.0, 4.0], device="cuda")
    with pytest.raises(RuntimeError, match="on the same device, but found at least two devices"):
        MIXED[name](here, there)
    assert (here.tolist(), there.tolist()) == ([1.0, 2.0], [3.0, 4.0])
    assert here._version == there._version == 0


def test_the_error_function_is_one_kernel(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    real = cupy.ElementwiseKernel

    def kernel(*how: str) -> Any:
        started.append(how[-1])
        return real(*how)

    monkeypatch.setattr(cupy, "ElementwiseKernel", kernel)
    erf.on_gpu.cache_clear()
    x = mg.linspace(-3, 3, 601)
    for dtype in (mg.float32, mg.float64):
        there = mg.erf(x.to("cuda", dtype)).cpu()
        assert mg.allclose(there, mg.erf(x.to(dtype)), rtol=1e-6)
    assert started == ["minigrad_erf"]
    erf.on_gpu.cache_clear()


def test_alignments_on_device() -> None:
    def slope(device: str) -> Any:
        x = mg.arange(24.0, device=device).sin().view(4, 2, 3).requires_grad_()
        labels = mg.tensor([[1, 2], [2, 2]], device=device)
        how = {"zero_infinity": True}
        loss = mg.nn.functional.ctc_loss(x.log_softmax(2), labels, [4, 3], [2, 1], **how)
        return mg.autograd.grad(loss, x)[0]

    assert slope("cuda").is_cuda and mg.allclose(slope("cuda").cpu(), slope("cpu"))


def test_margins_of_classes_on_device() -> None:
    def slopes(device: str) -> list[Any]:
        x = mg.arange(12.0, device=device).sin().view(3, 4).requires_grad_()
        labels = mg.tensor([[3, 0, -1, 1], [1, 2, 3, 0], [-1, 0, 0, 0]], device=device)
        target, weight = mg.tensor([3, 0, 1], device=device), mg.rand(4).to(device)
        losses = (
            mg.nn.functional.multi_margin_loss(x, target, 2, weight=weight),
            mg.nn.functional.multilabel_margin_loss(x, labels),
        )
        return [mg.autograd.grad(loss, x)[0] for loss in losses]

    mg.manual_seed(0)
    there = slopes("cuda")
    mg.manual_seed(0)
    for one, other in zip(there, slopes("cpu"), strict=True):
        assert one.is_cuda and mg.allclose(one.cpu(), other)


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, 3.0, float("inf")])
def test_distances_of_pairs_on_device(p: float) -> None:
    def slope(device: str) -> Any:
        x = mg.tensor([[0.5, 1.0], [2.0, -1.0], [0.0, 0.25]], device=device, requires_grad=True)
        return mg.autograd.grad((mg.pdist(x, p) ** 2).sum(), x)[0]

    assert slope("cuda").is_cuda and mg.equal(slope("cuda").cpu(), slope("cpu"))
