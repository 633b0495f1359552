"""The memory lane of the stepper: what the graph keeps, step by step."""

from __future__ import annotations

import tracemalloc
from importlib import import_module
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import numpy as np
from minigrad_viz.ledger.memory import record_memory
from minigrad_viz.stepper.memory_lane import MOST

import minigrad as mg
from tests.speaking import speaking
from tests.viz.ledger.test_memory import allocated_by_numpy


def lane(tensor: Any, **options: Any) -> Any:
    return viz.step(tensor, **options).payload.get("memory")


def test_a_step_frees_what_its_node_kept(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    y = x.exp()
    found = lane((y * y).tanh().sum(), names={"x": x, "y": y})
    # seed, sum, tanh, mul, exp, x: y is kept by two nodes, and gone with the second of them.
    assert (found["start"], found["held"]) == (48, [48, 48, 24, 24, 0, 0])
    assert found["own"] == 0
    pieces = {piece["name"]: piece for piece in found["pieces"]}
    assert (pieces["y"]["born"], pieces["y"]["freed"], pieces["y"]["bytes"]) == (-1, 4, 24)
    assert pieces["TanhBackward0.result"]["freed"] == 2


def test_saved_memory_grows_during_forward(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane(lambda: x.exp().tanh().sum())
    # exp, tanh, sum; seed, sum, tanh, exp, x
    assert (found["start"], found["held"]) == (0, [24, 48, 48, 48, 48, 24, 0, 0])


def test_a_graph_that_is_retained_keeps_all(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane(x.exp().tanh().sum(), retain_graph=True)
    assert set(found["held"]) == {found["start"]} == {48}
    assert all("freed" not in piece for piece in found["pieces"])


def test_leaves_are_told_apart(lib: ModuleType) -> None:
    x = lib.ones(2, 3, requires_grad=True)
    found = lane((x.exp() * x).sum())
    assert (found["start"], found["own"]) == (24, 24)
    assert lane((x * x).sum()) is None  # nothing else is kept


def test_it_is_the_curve_of_a_recording(lib: ModuleType) -> None:
    lib.manual_seed(0)
    nn = lib.nn
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
    x, y = lib.randn(5, 3), lib.zeros(5, dtype=lib.int64)

    def loss() -> Any:
        return nn.functional.cross_entropy(model(x), y)

    curve = [moment.held for moment in record_memory(lambda: loss().backward(), ()).moments]
    found = lane(loss, names={"x": x, "y": y})
    # (A call of PyTorch is one step, and may be two operations.)
    assert changes(found["held"]) == changes(curve)


def changes(curve: list[int]) -> list[int]:
    """The values of a curve from its top on, each once."""
    curve = curve[curve.index(max(curve)) :]
    return [each for at, each in enumerate(curve) if at == 0 or each != curve[at - 1]]


def note(tensor: Any, **options: Any) -> Any:
    return viz.step(tensor, **options).payload.get("memory_note")


def test_packed_values_count_as_packed(lib: ModuleType) -> None:
    """In half precision, with a word in a tuple: the bytes are those that the hook made."""
    made: list[int] = []

    def pack(tensor: Any) -> Any:
        small = tensor.half()
        made.append(small.numel() * small.element_size())
        return "half", [small]

    x = lib.ones(2, 3, requires_grad=True)
    with lib.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed[1][0].float()):
        y = x.exp().tanh()
    result = (y * y).sum()
    assert made == [12, 12]
    stepper = viz.step(result, names={"x": x, "y": y})
    found = stepper.payload["memory"]
    # seed, sum, mul (which keeps y itself), tanh, exp, x
    assert (found["start"], found["held"]) == (48, [48, 48, 24, 12, 0, 0])
    assert "memory_note" not in stepper.payload


def test_packing_into_no_tensor_is_stated(lib: ModuleType) -> None:
    kept: list[Any] = []

    def pack(tensor: Any) -> int:
        kept.append(tensor)
        return len(kept) - 1

    x = lib.ones(2, 3, requires_grad=True)
    with lib.autograd.graph.saved_tensors_hooks(pack, kept.__getitem__):
        y = x.exp()
    result = y.tanh().sum()
    found = viz.step(result).payload
    assert "packed what ExpBackward0 keeps" in found["memory_note"]
    assert found["memory"]["start"] == 24  # tanh alone
    assert "ExpBackward0" in str(viz.memory(lambda: packed(lib, pack, kept).backward()))


def packed(lib: ModuleType, pack: Any, kept: list[Any]) -> Any:
    x = lib.ones(2, 3, requires_grad=True)
    with lib.autograd.graph.saved_tensors_hooks(pack, kept.__getitem__):
        return x.exp().sum()


def test_a_checkpoint_is_said_in_words(lib: ModuleType) -> None:
    run = import_module(f"{lib.__name__}.utils.checkpoint").checkpoint
    x = lib.ones(2, 3, requires_grad=True)
    y = run(lambda x: x.exp().tanh(), x * 2, use_reentrant=False).sum()
    with speaking("zh"):
        found = viz.step(y).payload
    assert "memory" not in found
    assert "检查点" in found["memory_note"]


def test_unknown_write_through_view_is_stated(
    lib: ModuleType,
) -> None:
    w = lib.ones(3, requires_grad=True)
    y = lib.zeros(2, 3).clone()
    y[0] *= w * 3
    said = [note(y.exp().sum()), str(viz.memory(y.exp().sum()))]
    if lib is mg:  # which shows what its own node keeps
        assert said[0] is None and "wrote through" not in said[1]
    else:
        assert all("CopySlices wrote through a view" in each for each in said)


def test_bytes_of_packed_graph_are_freed() -> None:
    """NumPy frees them once the graph is gone."""
    x = mg.ones(50, 20, requires_grad=True)

    def run() -> Any:
        hooks = (lambda tensor: (tensor.detach().clone(),), lambda each: each[0])
        with mg.autograd.graph.saved_tensors_hooks(*hooks):
            return x.exp().tanh().sin().sum()

    start = lane(run(), names={"x": x})["start"]
    tracemalloc.start()
    try:
        result = run()
        before = allocated_by_numpy()
        number = result.detach()._array.nbytes if isinstance(result._array, np.ndarray) else 0
        del result
        gone = before - allocated_by_numpy() - number
    finally:
        tracemalloc.stop()
    assert gone == start == 3 * 4000


def test_bytes_equal_those_packed_by_pytorch(pytorch: Any) -> None:
    packed: dict[int, Any] = {}

    def pack(tensor: Any) -> Any:
        packed[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage()
        return tensor

    pytorch.manual_seed(0)
    model = pytorch.nn.Sequential(pytorch.nn.Linear(3, 4), pytorch.nn.Tanh())
    x = pytorch.randn(5, 3)

    def loss() -> Any:
        return pytorch.nn.functional.softmax(model(x), 1).log().sum()

    with pytorch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        hooked = loss()
    found = lane(hooked, names=dict(model.named_parameters()) | {"x": x})
    assert found["start"] + found["own"] == sum(each.nbytes() for each in packed.values())
    assert found["held"][-1] == 0
    plain = lane(loss(), names=dict(model.named_parameters()) | {"x": x})
    assert (plain["start"], plain["held"]) == (found["start"], found["held"])


def test_of_many_pieces_the_largest_are_told() -> None:
    leaves = [mg.ones(place + 2, requires_grad=True) for place in range(MOST + 2)]
    total = mg.zeros(())
    for leaf in leaves:
        total = total + leaf.exp().sum()
    sizes = [piece["bytes"] for piece in lane(total)["pieces"]]
    assert len(sizes) == MOST and min(sizes) == 4 * 4  # those of 2 and 3 numbers are left out
