"""Programs on one GPU: on the stand-in here, and by test_gpu.py on a GPU where there is
one. So nothing in this file knows of the stand-in.
"""

from __future__ import annotations

import io
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from tests.gpu.test_second_device import OPTIMIZERS, network, trained

pytestmark = pytest.mark.usefixtures("cupy")


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_there_is_training_here(optimizer: str) -> None:
    here, there = (trained(optimizer, place)[0] for place in ("cpu", "cuda:0"))
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-3, atol=1e-5)


def test_large_update_equals_the_cpu_s() -> None:
    """One kernel there, block after block here."""

    def moved(place: str) -> Any:
        mg.manual_seed(0)
        p = mg.randn(300, 700).to(place).requires_grad_()
        optimizer = mg.optim.Adam([p], lr=0.1, weight_decay=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            (p**2).sum().backward()
            optimizer.step()
        return p.detach().cpu()

    assert mg.allclose(moved("cuda"), moved("cpu"), rtol=1e-4, atol=1e-6)


def test_model_loads_on_chosen_device() -> None:
    net = network().to("cuda")
    file = io.BytesIO()
    mg.save(net.state_dict(), file)
    for place in ("cpu", "cuda:0", None):
        file.seek(0)
        found = mg.load(file, map_location=place)
        assert {str(t.device) for t in found.values()} == {place or "cpu"}
        for name, tensor in net.state_dict().items():
            assert mg.equal(found[name].cpu(), tensor.cpu())


def test_the_memory_of_the_gpu_is_counted() -> None:
    before = mg.cuda.memory_allocated()
    x = mg.ones(100_000, device="cuda")
    assert 400_000 <= mg.cuda.memory_allocated() - before < 500_000
    assert mg.cuda.memory_reserved() >= mg.cuda.memory_allocated()
    del x
    assert mg.cuda.memory_allocated() == before
    mg.cuda.empty_cache()
    assert mg.cuda.memory_reserved() >= before
    free, total = mg.cuda.mem_get_info()
    assert 0 < free <= total


def test_the_gpu_says_what_it_is() -> None:
    assert mg.cuda.is_available() and mg.cuda.is_initialized() and mg.cuda.device_count() >= 1
    assert mg.cuda.current_device() == 0 and mg.cuda.get_device_name()
    major, minor = mg.cuda.get_device_capability()
    assert major >= 1 and 0 <= minor < 10


def test_training_steps_keep_no_gpu_memory() -> None:
    net = network().to("cuda")
    optimizer = mg.optim.Adam(net.parameters(), lr=0.01)
    x, t = mg.randn(4, 1, 8, 8).to("cuda"), mg.tensor([0, 1, 2, 0]).to("cuda")
    held = []
    for _ in range(4):
        optimizer.zero_grad()
        mg.nn.functional.cross_entropy(net(x), t).backward()
        optimizer.step()
        held.append(mg.cuda.memory_allocated())
    assert held[1] == held[2] == held[3] > 0


def test_errors_of_a_gpu_are_explained() -> None:
    w = mg.ones(2, device="cuda", requires_grad=True)
    with pytest.raises(RuntimeError, match="cuda:0 and cpu") as caught:
        w * mg.ones(2)
    assert "cuda" in str(viz.explain(caught.value))
    loss = (w * w).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="second time") as caught:
        loss.backward()
    assert "retain_graph" in str(viz.explain(caught.value))
    assert "grad" in str(viz.explain(w))


def test_a_graph_is_drawn_and_outlined() -> None:
    y = x = mg.ones(2, device="cuda", requires_grad=True)
    for _ in range(20):
        y = y * x
    drawing = viz.draw(y)
    assert "cuda:0" in drawing.text and drawing.model.root.value == "[1, 1]"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minigrad_viz.picture.draw.OUTLINED_FROM", 5)
        assert "Mul × 20  22 nodes" in viz.draw(y, fold=True).text
