"""One program in each place that shows notebooks, and what its reader finds there."""

from __future__ import annotations

import re
from typing import Any

import nbformat

IMPORTS = "import minigrad as mg\nimport minigrad_viz as viz"

DRAWN = "x = mg.tensor(3.0, requires_grad=True)\ny = x * x\nviz.draw(y)"
STEPPED = "viz.step(x * x)"
EXPLORED = "viz.explore(lambda x, w: mg.tanh(x * w), x=(-2, 2), w=1.0)"
COMPARED = """\
def program(lib):
    a = lib.tensor(3.0, requires_grad=True)
    return a * a


viz.compare(program, mg, mg)"""
WRITTEN = "viz.program(x * x)"

LIGHT_TEXT, DARK_TEXT = "rgb(27, 31, 36)", "rgb(236, 239, 242)"
"""The colour of what is written, on a light page and on a dark one."""


def notebook(*, slides: bool = False) -> Any:
    """The program as a notebook without outputs."""
    v4 = nbformat.v4
    about = {"slideshow": {"slide_type": "slide"}} if slides else {}
    cells = [IMPORTS, DRAWN, STEPPED, EXPLORED, COMPARED, WRITTEN]
    return v4.new_notebook(
        cells=[v4.new_code_cell(cell, metadata=about) for cell in cells],
        metadata={"kernelspec": {"display_name": "Python 3", "name": "python3"}},
    )


def check_steps(page: Any) -> None:
    """The first stepper, forwards and back, by button and by key."""
    stepper = page.locator(".minigrad-stepper").first
    position = stepper.locator(".position")
    position.wait_for()
    stepper.scroll_into_view_if_needed()
    assert position.text_content() == "1 / 3"
    stepper.get_by_role("button", name="Next step").click()
    assert position.text_content() == "2 / 3"
    assert stepper.locator(".node h2 strong").text_content() == "MulBackward0"
    stepper.get_by_role("button", name="Last step").click()
    assert "x.grad, which was None." in stepper.locator(".caption").text_content()
    stepper.get_by_role("button", name="First step").press("ArrowLeft")
    assert position.text_content() == "2 / 3"
    assert stepper.locator(".canvas svg .n").count() > 3


def check_nudge(page: Any) -> None:
    """The kernel runs the cell of the first stepper again, with a number pushed."""
    nudge = page.locator(".minigrad-stepper").first.locator(".nudge")
    nudge.locator("summary").click()
    nudge.get_by_role("combobox", name="by").select_option("1")
    nudge.get_by_role("button", name="Push up").click()
    nudge.locator("tr").nth(2).wait_for()
    assert nudge.locator("td:nth-child(2)").all_text_contents() == ["6", "7", "1"]


def check_pair(page: Any) -> None:
    """Two passes side by side."""
    pair = page.locator(".minigrad-stepper").last
    pair.locator(".half").nth(1).wait_for()
    pair.get_by_role("button", name="Next step").click()
    assert pair.locator(".node h2 strong").all_text_contents() == ["MulBackward0"] * 2


def check_sliders(page: Any) -> None:
    """A slider moves the sentence, the graph and the plot."""
    live = page.locator(".mg-explore-live")
    live.wait_for()
    live.scroll_into_view_if_needed()
    plot = live.locator("svg.mg-curve")
    before = plot.inner_html()
    live.get_by_role("slider", name="x").fill("2")
    live.locator("svg").get_by_text("value 0.9640", exact=True).wait_for()  # tanh(2)
    assert live.get_by_role("status").text_content().startswith("At x = 2, w = 1: f = 0.964")
    assert plot.inner_html() != before
    assert not page.locator(".mg-explore-still").is_visible()


def check_stills(page: Any) -> None:
    """Where nothing can move, the pictures of the place where the sliders stood."""
    still = page.locator(".mg-explore-still")
    still.scroll_into_view_if_needed()
    assert still.get_by_text("At x = 0, w = 1: f = 0").is_visible()
    for picture in still.locator("img").all():
        assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
    assert page.locator(".mg-explore-live").count() == 0


def check_program(page: Any, *, dark: bool = False) -> None:
    """Code, in letters of one width that can be read on this page."""
    program = page.locator("pre.mg-program")
    program.scroll_into_view_if_needed()
    colour, letters = program.evaluate(
        "e => [getComputedStyle(e).color, getComputedStyle(e).fontFamily]"
    )
    brightness = sum(float(each) for each in re.findall(r"[\d.]+", colour)[:3]) / 3
    assert brightness > 200 if dark else brightness < 60
    assert letters.endswith("monospace")


def complaints_of(page: Any, *known: str) -> list[str]:
    """Collect a page's errors and its requests to other servers, except for known messages of
    the host's own.
    """
    complaints: list[str] = []

    def hear(words: str) -> None:
        if not any(each in words for each in known):
            complaints.append(words)

    near = ("http://127.0.0.1:", "http://localhost:", "data:", "blob:")
    page.on("pageerror", lambda error: hear(str(error)))
    page.on("console", lambda m: hear(m.text) if m.type == "error" else None)
    page.on("request", lambda r: None if r.url.startswith(near) else hear(r.url))
    return complaints
