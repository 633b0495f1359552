"""How long drawing takes, a move of a slider, and a step in the browser:
`python -m tests.browser.measure` prints the figures.

Not a test: a clock on a shared machine proves nothing. A real backward pass of each size is opened
as a page of its own and stepped through; what is measured runs in the page, without what driving it
costs.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import minigrad_viz as viz
from playwright.sync_api import Browser, sync_playwright

import minigrad as mg
from tests.conftest import CHROMIUM_FLAGS, CHROMIUM_NAMES

SIZES = (20, 200, 2000, 35_000)  # the last is of 10,000 operations
MOVES = 6
ROUNDS = 5  # each goes through all sizes, so that what else the machine does falls on all of them

# From the click until the frame with the change has been handed over for painting.
PAINT = """async (moves) => {
    const root = document.querySelector('.minigrad-stepper').shadowRoot
    const next = root.querySelector('.moves button:nth-child(3)')
    const painted = () => new Promise(done => requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => done(performance.now())
        channel.port2.postMessage(0)
    }))
    const times = []
    for (let i = 0; i < moves; i++) {
        await new Promise(done => setTimeout(done, 50))
        await painted()
        const start = performance.now()
        next.click()
        root.querySelector('.stepper').getBoundingClientRect()
        const computed = performance.now()
        times.push([computed - start, await painted() - start])
    }
    return times
}"""

# From the page's request until the frame with the stepper in it has been handed over for painting.
READY = """new MutationObserver((_, observer) => {
    if (!document.querySelector('.minigrad-stepper')) return
    observer.disconnect()
    requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => { window.ready = performance.now() }
        channel.port2.postMessage(0)
    })
}).observe(document, { childList: true, subtree: true })"""

PAN = """async (frames) => {
    const canvas = document.querySelector('.minigrad-stepper').shadowRoot.querySelector('.canvas')
    const frame = () => new Promise(done => requestAnimationFrame(done))
    const times = []
    let last = await frame()
    for (let i = 0; i < frames; i++) {
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 4, ctrlKey: true }))
        const now = await frame()
        times.push(now - last)
        last = now
    }
    return times
}"""


def layers(nodes: int) -> Any:
    """The loss of a network with about that number of nodes in its graph: seven a layer."""
    mg.manual_seed(0)
    h = mg.randn(2, 4)
    for weight in [mg.randn(4, 4, requires_grad=True) for _ in range(nodes // 7)]:
        h = (h @ weight).tanh()
    return (h**2).mean()


class Measured:
    """A page with a stepper of one size, and what has been measured in it."""

    def __init__(self, browser: Browser, size: int, folder: Path) -> None:
        file = viz.step(layers(size), names={}).save(folder / f"{size}.html")
        self.size = size
        self.kb = file.stat().st_size / 1000
        self.page = browser.new_page(viewport={"width": 1280, "height": 800})
        self.page.add_init_script(READY)
        self.page.goto(file.as_uri())
        self.page.wait_for_function("() => window.ready")
        self.ready = self.page.evaluate("window.ready")
        self.steps: list[tuple[float, float]] = []
        self.pan: list[float] = []

    def look(self, round: int) -> None:
        """Some steps, in each round of another part of the pass."""
        self.page.bring_to_front()  # a page in the background draws nothing
        slider = self.page.get_by_role("slider")
        last = int(slider.get_attribute("max") or 0)
        slider.fill(str(max(last - MOVES, 0) * round // (ROUNDS - 1)))
        self.steps += self.page.evaluate(PAINT, MOVES)
        self.pan += self.page.evaluate(PAN, MOVES)

    def row(self, small: float) -> str:
        computed = statistics.median(computed for computed, _ in self.steps)
        pan = statistics.median(self.pan)
        return (
            f"| {self.size:,} | {self.kb:.0f} | {self.ready:.0f} | {computed:.1f} "
            f"| {self.painted:.1f} | {self.painted / small:.1f} | {pan:.1f} |"
        )

    @property
    def painted(self) -> float:
        return statistics.median(painted for _, painted in self.steps)


def draw_times() -> None:
    """The time to draw graphs, from the tensor to the SVG."""
    chain = weight = mg.ones(1, requires_grad=True)
    for _ in range(10_000):
        chain = chain * weight
    graphs = {"MLP": layers(14), "2,000 nodes": layers(2_000), "10,000 operations": chain}
    print("| draw | ms |")
    print("|---|---:|")
    for name, tensor in graphs.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            assert viz.draw(tensor, names={}).svg
            times.append(time.perf_counter() - start)
        print(f"| {name} | {statistics.median(times) * 1000:.0f} |")
    print()


def explore_times() -> None:
    """The time from a slider's move to the new sentence, graph and plot, a hundred times."""

    def f(x: Any, w: Any, b: Any) -> Any:
        return mg.tanh(x * w + b) ** 2

    print("| explore, 100 updates | ms | slowest |")
    print("|---|---:|---:|")
    for name, kind in {"x": "along the curve", "w": "another input, a new curve"}.items():
        exploration = viz.explore(f, x=(-2, 2), w=(-3, 3), b=0.5)
        sliders = exploration.widget
        low, high = next((low, high) for each, low, high, _ in sliders.ranges if each == name)
        times = []
        for update in range(100):
            start = time.perf_counter()
            place = low + (high - low) * (update + 0.5) / 100
            sliders.values = sliders.values | {name: place}
            times.append(time.perf_counter() - start)
        assert exploration.values[name] == place  # it has followed
        print(f"| {kind} | {statistics.median(times) * 1000:.1f} | {max(times) * 1000:.1f} |")
    print()


def main() -> None:
    draw_times()
    explore_times()
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        print("No Chromium or Chrome on the PATH: the stepper is not measured.")
        return
    with sync_playwright() as p, tempfile.TemporaryDirectory() as folder:
        # A frame is shown when it is ready: else every figure would be a multiple of 16.7 ms.
        flags = [*CHROMIUM_FLAGS, "--disable-frame-rate-limit", "--disable-gpu-vsync"]
        browser = p.chromium.launch(executable_path=chromium, args=flags)
        print("| nodes | page KB | ready ms | step ms | painted ms | of 20 nodes | pan frame ms |")
        print("|---:|---:|---:|---:|---:|---:|---:|")
        sizes = [Measured(browser, size, Path(folder)) for size in SIZES]
        for round in range(ROUNDS):
            for each in sizes:
                each.look(round)
        for each in sizes:
            print(each.row(sizes[0].painted))
        browser.close()


if __name__ == "__main__":
    main()
