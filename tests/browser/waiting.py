"""How a test waits for what a page does by itself: for the state it needs, never for a time.

(A page of ours lets no text become a program: what it is to be waited for has to be a function.)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120  # seconds; a loaded machine is not a bug

NEXT_FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def drawn(page: Any) -> None:
    """Wait until what the page learns at its next frame has come: its size, its media."""
    page.evaluate(NEXT_FRAME)


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
