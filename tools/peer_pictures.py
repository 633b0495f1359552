"""One ResNet in five visualizers: `python tools/peer_pictures.py` writes the pictures of
docs/peers.md.

It needs the extra `peers`, which brings the other four, and Chromium for pages. torchviz and
torchview draw with Graphviz's `dot`.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import torch
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from torch import nn
from torch.nn import functional as F

FOLDER = Path(__file__).parents[1] / "docs" / "peers"
BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")


class Block(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two convolutions, and a way around them."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        plain = inputs == outputs and stride == 1
        self.down = nn.Identity() if plain else nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.down(x))


class ResNet(nn.Module):  # type: ignore[misc, unused-ignore]
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, padding=1)
        self.layer1, self.layer2 = Block(4, 4), Block(4, 8, 2)
        self.fc = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        x = self.layer2(self.layer1(F.relu(self.stem(x))))
        return self.fc(x.mean((2, 3)))


def with_torchviz(net: Any, x: Any, y: Any) -> None:
    from torchviz import make_dot

    loss = F.cross_entropy(net(x), y)
    rendered(make_dot(loss, dict(net.named_parameters())), "torchviz")


def with_torchview(net: Any, x: Any) -> None:
    from torchview import draw_graph

    graph = draw_graph(net, input_data=x, depth=2, expand_nested=True, device="cpu")
    rendered(graph.visual_graph, "torchview")


def rendered(graph: Any, name: str) -> None:
    """Write a graph of the package graphviz as a picture of at most 1600 pixels."""
    graph.graph_attr.update(size="12,12", dpi="100", ratio="compress")
    graph.render(FOLDER / name, format="png", cleanup=True)


def with_torchlens(net: Any, x: Any) -> None:
    import torchlens

    path = str(FOLDER / "torchlens")
    overrides = {"size": "12,12", "dpi": "100"}
    torchlens.trace(net, x).draw(
        vis_outpath=path, vis_fileformat="png", vis_save_only=True, vis_graph_overrides=overrides
    )


def with_torchvista(net: Any, x: Any, page: Page, folder: Path) -> None:
    from torchvista import trace_model

    file = folder / "torchvista.html"
    trace_model(net, x, export_format="html", export_path=str(file), collapse_modules_after_depth=2)
    page.set_viewport_size({"width": 640, "height": 816})
    page.goto(file.as_uri())
    page.wait_for_timeout(4000)  # it lays the graph out, and says nothing of the end
    page.screenshot(path=FOLDER / "torchvista.png")


def with_minigrad(net: Any, x: Any, y: Any, page: Page, folder: Path) -> None:
    viz.draw(F.cross_entropy(net(x), y), names=net).save(FOLDER / "draw.png")
    stepper = viz.step(lambda: F.cross_entropy(net(x), y), names=net)
    page.goto(stepper.save(folder / "step.html").as_uri() + "#step=49")
    page.locator(".stepper").wait_for()
    page.wait_for_timeout(1000)
    page.screenshot(path=FOLDER / "step.png")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    net, x, y = ResNet(), torch.randn(2, 3, 8, 8), torch.tensor([1, 4])
    program = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as p, tempfile.TemporaryDirectory() as folder:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(reduced_motion="reduce")
        page.set_viewport_size({"width": 1280, "height": 800})
        with_minigrad(net, x, y, page, Path(folder))
        with_torchvista(net, x, page, Path(folder))
        browser.close()
    with_torchviz(net, x, y)
    with_torchview(net, x)
    with_torchlens(net, x)  # last: it replaces functions of PyTorch
    for file in FOLDER.glob("*.png"):
        shrink(file)


def shrink(file: Path) -> None:
    """Make a picture as small as a page needs it."""
    picture = Image.open(file).convert("RGB")
    picture.thumbnail((1280, 1200))
    picture.quantize(128).save(file, optimize=True)


if __name__ == "__main__":
    main()
