"""How a test waits for what a page does by itself: for the state it needs, never for a time.

(A page of ours lets no text become a program: what it is to be waited for has to be a function.)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.sampling import all_of

PATIENCE = 300  # seconds; a loaded machine is not a bug
MOTION = "no-preference" if all_of("PAGES") else "reduce"
"""The reader's wish, where a test has none: what moves costs a fifth of the browser's time."""

STANDS_STILL = """async () => {
    const frame = () => new Promise(done => requestAnimationFrame(done))
    const hosts = [...document.querySelectorAll("*")].filter(element => element.shadowRoot)
    const roots = [document, ...hosts.map(host => host.shadowRoot)]
    const isRunning = animation => {
        const { endTime } = animation.effect.getComputedTiming()
        return endTime < Infinity && animation.currentTime < endTime
    }
    const times = () => roots.flatMap(root => root.getAnimations()).filter(isRunning)
        .map(animation => animation.currentTime).join()
    let before
    do {  // what is out of sight may never end, but then its time stands still, too
        before = times()
        await frame()
        await frame()
    } while (times() !== before)
}"""


def drawn(page: Any) -> None:
    """Wait until the page has learned what comes with its next frame, and nothing in it moves.

    With a frame come its size and its media; boxes, menus and colours then move or fade.
    """
    page.evaluate(STANDS_STILL)


def until(page: Any, condition: Callable[[], bool]) -> None:
    """Wait for a state that stays once it is there."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        page.wait_for_timeout(20)


class Clock:
    """The page's timers, from now on: they run when the test says so, and at no other time."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(
            """() => {
                const timers = new Map()
                let count = 0
                window.setTimeout = (action, delay) => {
                    timers.set(++count, { action, delay })
                    return count
                }
                window.clearTimeout = number => timers.delete(number)
                window.ring = () => {
                    const [[number, { action, delay }]] = timers
                    timers.delete(number)
                    action()
                    return delay
                }
                window.timers = () => timers.size
            }"""
        )

    def ring(self) -> float:
        """Run the timer that was set first; after how many milliseconds it would have."""
        return float(self.page.evaluate("ring()"))

    @property
    def waiting(self) -> int:
        """How many timers are set."""
        return int(self.page.evaluate("timers()"))
