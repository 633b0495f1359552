"""Every control of the stepper in a real browser, on a page without kernel and without network."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from tests.browser import recordings
from tests.browser.waiting import Clock, drawn

Open = Callable[..., Any]


def shown(page: Any) -> str:
    """All that the stepper says, as one text: equal texts mean an equal picture."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.minigrad-stepper')].map(host => {
            const copy = host.shadowRoot.querySelector('.stepper').cloneNode(true)
            for (const g of copy.querySelectorAll('[data-id]')) g.prepend(g.getAttribute('class'))
            return copy.textContent
        }).join()"""
    )


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def title(page: Any) -> str:
    return page.locator(".node h2 strong").inner_text()


def node(page: Any, name: str) -> Any:
    """The node in the picture whose label begins with `name`."""
    label = re.compile(rf"{name}\b.*: ")
    return page.locator(".canvas").get_by_role("button", name=label)


def plays(page: Any) -> bool:
    return page.get_by_role("button", name="Pause", exact=True).count() == 1


def test_buttons_step_through_the_whole_nodes(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    assert title(page) == "seed"
    press(page, "Next step")
    assert title(page) == "MulBackward0"
    press(page, "Last step")
    assert title(page) == "AccumulateGrad (x)"
    assert page.locator(".position").inner_text() == "3 / 3"
    press(page, "Previous step")
    assert title(page) == "MulBackward0"
    press(page, "First step")
    assert title(page) == "seed"


def test_a_button_at_its_end_does_nothing_and_says_so(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    first = page.get_by_role("button", name="First step")
    assert first.get_attribute("aria-disabled") == "true"
    first.click(force=True)
    assert page.locator(".position").inner_text() == "1 / 3"


def test_backwards_shows_exactly_what_was_there(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_label("Follow").select_option("detail")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="First step").focus()
    page.keyboard.press("Home")
    forwards = [shown(page)]
    count = int(page.locator(".position").inner_text().split("/")[1])
    for _ in range(count - 1):
        page.keyboard.press("ArrowRight")
        forwards.append(shown(page))
    assert len(set(forwards)) == count  # each event shows something of its own
    for before in reversed(forwards[:-1]):
        page.keyboard.press("ArrowLeft")
        assert shown(page) == before


def test_keyboard_alone(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.keyboard.press("Tab")
    for key, step in [
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 6),
        ("Home", 1),
    ]:
        page.keyboard.press(key)
        assert page.locator(".position").inner_text() == f"{step} / 6"


def test_slider(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    slider = page.get_by_role("slider")
    slider.fill("4")
    assert title(page) == "MmBackward0"
    assert slider.get_attribute("aria-valuetext") == "step 5 of 6: MmBackward0"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert title(page) == "AccumulateGrad (b)"


def test_click_on_a_node_or_a_listed_step_jumps_there(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    node(page, "MmBackward0").click()
    assert title(page) == "MmBackward0"
    page.locator(".steps button").nth(1).click()
    assert title(page) == "MeanBackward0"
    node(page, "w").click()  # a leaf has no turn: its AccumulateGrad has
    assert title(page) == "AccumulateGrad (w)"
    node(page, "x").click()  # the saved tensor: the node that reads it
    assert title(page) == "MmBackward0"


def test_nodes_can_be_reached_by_keyboard(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    node(page, "MeanBackward0").focus()
    page.keyboard.press("ArrowDown")
    assert node(page, "AddBackward0").evaluate("e => e === e.getRootNode().activeElement")
    page.keyboard.press("Enter")
    assert title(page) == "AddBackward0"
    page.keyboard.press("ArrowRight")  # from inside the picture, too
    assert page.locator(".position").inner_text() == "4 / 6"


def test_phases_are_seen_in_the_picture(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_role("slider").fill("4")
    labels = [
        ("MeanBackward0", "done"),
        ("MmBackward0", "now"),
        ("x", "now"),  # what the step reads is there as long as it lasts
        ("w", "gradient waits"),
        ("b", "done"),
    ]
    for name, phase in labels:
        assert node(page, name).get_attribute("aria-label").startswith(name)
        assert f": {phase}." in node(page, name).get_attribute("aria-label")
    assert page.locator(".canvas .e.touched").count() == 1
    press(page, "Next step")
    assert ": freed." in node(page, "x").get_attribute("aria-label")


def test_detail_shows_values_when_they_are_made(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    page.get_by_label("Follow").select_option("detail")
    press(page, "Next step")
    assert page.get_by_text("to AccumulateGrad (x): not yet").count() == 2
    press(page, "Last step")
    for _ in range(2):
        press(page, "Previous step")
    assert page.locator(".sum").inner_text().split() == ["3", "+", "3", "=", "6"]
    row = page.locator(".buffers tbody tr").first.inner_text().split("\t")
    assert row[0] == "AccumulateGrad (x)"
    assert row[1] == "2 of 2"
    assert row[2].strip() == "6"


def test_each_parallel_edge_has_its_own_gradient(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    page.get_by_label("Follow").select_option("detail")
    edges = page.locator(".canvas .e.next")
    paths = edges.locator("path:first-child").evaluate_all("all => all.map(e => e.outerHTML)")
    assert len(paths) == len(set(paths)) == 2
    press(page, "Last step")
    for marks in (["carried", "carried"], ["carried", "carried touched"], ["carried touched", ""]):
        press(page, "Previous step")
        classes = [each.get_attribute("class").split() for each in edges.all()]
        assert [" ".join(each[2:]) for each in classes] == marks


def test_switching_the_mode_stays_at_the_node(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_role("slider").fill("2")
    page.get_by_label("Follow").select_option("detail")
    press(page, "Previous step")
    page.get_by_label("Follow").select_option("node")
    assert title(page) == "AddBackward0"
    assert page.locator(".position").inner_text() == "3 / 6"


def test_the_line_that_made_the_node_is_marked(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_role("slider").fill("4")
    assert page.locator(".line[aria-current]").inner_text().split("\n")[-1] == "z = x @ w + b"
    page.get_by_role("slider").fill("5")
    assert "w = mg.randn(5, 3" in page.locator(".line[aria-current]").inner_text()


def test_without_source_there_is_no_code_pane(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear() | {"files": []})
    press(page, "Next step")
    assert page.locator(".code").count() == 0


@pytest.mark.parametrize("more", ["  # " + "on and on " * 30, "+on_and_on" * 30])
def test_a_line_wider_than_its_pane_goes_on_below(open_steppers: Open, more: str) -> None:
    recording = recordings.linear()
    for file in recording["files"]:
        file["lines"] = [f"    {line}{more}" for line in file["lines"]] + ["    pass"] * 100
    page = open_steppers(recording)
    press(page, "Next step")
    listing = page.locator(".code .listing")
    assert listing.evaluate("pane => pane.scrollWidth - pane.clientWidth") == 0
    # Its beginning is next to its number, indented, and is copied unchanged.
    code = page.locator(".line[aria-current] code")
    assert code.evaluate(
        """code => {
            const range = document.createRange()
            range.setStart(code.childNodes[1], 0)
            const text = range.getClientRects()[0]
            const row = code.getBoundingClientRect()
            return text.top - row.top < text.height && text.left - row.left > 20
        }"""
    )
    assert code.text_content() == "    loss = z.mean()" + more
    below = "document.documentElement.scrollHeight - innerHeight"
    assert page.evaluate(below) == 0  # what scrolls is the pane


def test_caption_is_announced(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    caption = page.locator(".caption[role=status]")
    assert caption.get_attribute("aria-live") == "polite"
    assert caption.inner_text() == "backward() starts at y: MulBackward0 runs first."


def test_the_error_is_the_last_thing_and_red(open_steppers: Open) -> None:
    payload = recordings.twice()
    failed = payload["events"][1] | {"kind": "error", "message": "modified by an inplace operation"}
    payload["events"] = [*payload["events"][:2], failed]
    payload["steps"] = [payload["steps"][0], payload["steps"][1] | {"last": 2}]
    page = open_steppers(payload)
    press(page, "Last step")
    assert page.locator(".message").inner_text() == "modified by an inplace operation"
    assert node(page, "MulBackward0").get_attribute("class").endswith("error")
    assert page.locator(".steps .now").inner_text().endswith("failed")


def test_large_tensors_are_summed_up(open_steppers: Open) -> None:
    r = recordings.Recording()
    mul = r.node("function", "MulBackward0")
    big = r.large([64, 784], min=-2.5, max=3.25, norm=12.5, nonfinite=3)
    long = r.value([[float(i) for i in range(30)]])
    r.turn(mul, {"kind": "seed", "index": 0, "added": big, "after": big, "before": None})
    r.turn(mul, {"kind": "start", "incoming": [big, long], "saved": []})
    page = open_steppers(r.payload())
    press(page, "Next step")
    body = page.locator(".node .body").inner_text()
    assert "[64, 784] float32" in body
    for text in ["norm 12.5", "min −2.5", "max 3.25", "3 not finite"]:
        assert text in body
    cells = page.locator(".grid td").all_inner_texts()
    assert cells == ["0", "1", "2", "…", "28", "29"]


def test_the_pane_holds_the_longest_row_of_a_grid(open_steppers: Open) -> None:
    r = recordings.Recording()
    mul = r.node("function", "MulBackward0")
    six, eight = ([[-0.1847 * (i + j) for i in range(n)] for j in range(n)] for n in (6, 8))
    values = [r.value(six), r.value(eight)]
    r.turn(mul, {"kind": "start", "incoming": values, "saved": []})
    page = open_steppers(r.payload())
    for width in (900, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        drawn(page)
        hidden = "grids => grids.map(grid => grid.scrollWidth - grid.clientWidth)"
        assert page.locator(".node .value .scroll").evaluate_all(hidden) == [0, 0]


def test_chinese(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice("zh"))
    press(page, "下一步")
    assert "第 2 步，共 3 步" in page.locator(".node h2").inner_text()
    assert "反向传播" in page.locator(".listing").inner_text()


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_reader_s_colour_scheme(open_steppers: Open, scheme: str, dark: bool) -> None:
    page = open_steppers(recordings.twice(), color_scheme=scheme)
    colour = page.locator(".stepper").evaluate("e => getComputedStyle(e).backgroundColor")
    red = int(colour.removeprefix("rgb(").split(",")[0])
    assert (red < 64) == dark


def test_a_notebook_s_theme_goes_before_the_system_s(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice(), color_scheme="light")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.locator(".minigrad-stepper[data-theme=dark]").wait_for()
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    page.locator(".minigrad-stepper[data-theme=light]").wait_for()


def test_reduced_motion(open_steppers: Open) -> None:
    moving, still = (
        open_steppers(recordings.twice(), reduced_motion=motion)
        .locator(".canvas .n rect")
        .first.evaluate("e => getComputedStyle(e).transitionDuration")
        for motion in ("no-preference", "reduce")
    )
    assert moving != "0s"
    assert still == "0s"


def test_two_steppers_are_independent(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice(), recordings.linear())
    first, second = page.locator(".stepper").all()
    second.get_by_role("slider").fill("4")
    assert second.locator(".node h2 strong").inner_text() == "MmBackward0"
    assert first.locator(".node h2 strong").inner_text() == "seed"
    assert first.locator(".canvas .n.current").count() == 1  # the root, still
    assert page.evaluate("document.querySelectorAll('[id]').length") == 1  # the page's own JSON


def test_hostile_text_stays_text(open_steppers: Open) -> None:
    page = open_steppers(recordings.hostile())
    press(page, "Last step")
    drawn(page)
    assert page.evaluate("window.attacked") is None
    found = page.evaluate(
        """() => {
            const root = document.querySelector('.minigrad-stepper').shadowRoot
            const all = [...root.querySelectorAll('*')]
            const attributes = all.flatMap(e => [...e.attributes])
            return {
                names: all.map(e => e.localName),
                handlers: attributes.filter(a => /^on|href|^src|^id$/.test(a.name)).length,
                urls: attributes.filter(a => /url\\(|javascript:/.test(a.value)).length,
                styles: all.filter(e => e.localName === 'style').length,
                sheets: root.adoptedStyleSheets.length,
            }
        }"""
    )
    assert not {"script", "img", "image", "foreignObject", "a", "animate"} & set(found["names"])
    assert found["handlers"] == 0
    assert found["urls"] == 0
    assert (found["styles"], found["sheets"]) == (0, 1)
    assert "<img src=x onerror=" in page.locator(".message").inner_text()
    assert page.locator('[data-id="inside"]').count() == 0  # the browser draws its own picture


def test_play_runs_to_the_end_and_can_be_paused(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    position, clock = page.locator(".position"), Clock(page)
    page.get_by_label("Speed").select_option("4")
    press(page, "Play")
    assert [clock.ring(), clock.ring()] == [250, 250]
    assert position.inner_text() == "3 / 6"
    press(page, "Pause")
    assert not plays(page) and clock.waiting == 0
    assert position.inner_text() == "3 / 6"
    page.keyboard.press("p")
    page.get_by_label("Speed").select_option("0.5")
    assert [clock.ring(), clock.ring(), clock.ring()] == [2000] * 3
    assert position.inner_text() == "6 / 6"
    assert not plays(page) and clock.waiting == 0
    press(page, "Play")  # from the end, it begins anew
    assert position.inner_text() == "1 / 6"
    clock.ring()
    assert position.inner_text() == "2 / 6"
    press(page, "Next step")  # what is done by hand ends the playing
    assert not plays(page) and clock.waiting == 0


def test_playing_needs_no_help(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_label("Speed").select_option("4")
    press(page, "Play")
    page.get_by_text("6 / 6").wait_for()
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_playing_stops_at_a_breakpoint(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_role("slider").fill("2")
    press(page, "Stop here")
    assert node(page, "AddBackward0").locator(".dot").count() == 1
    assert "playing stops here" in node(page, "AddBackward0").get_attribute("aria-label")
    press(page, "First step")
    clock = Clock(page)
    press(page, "Play")
    while plays(page):
        clock.ring()
    assert title(page) == "AddBackward0"
    page.keyboard.press("b")
    assert page.locator(".dot").count() == 0
    assert page.get_by_role("button", name="Stop here").get_attribute("aria-pressed") == "false"


def test_search(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    page.get_by_role("button", name="First step").focus()
    page.keyboard.press("/")
    page.keyboard.type("ACCUM")
    assert page.locator(".search [role=status]").inner_text() == "2"
    assert page.locator(".n.found").count() == 2
    page.keyboard.press("Enter")
    assert title(page) == "AccumulateGrad (b)"
    page.keyboard.press("Enter")
    assert title(page) == "AccumulateGrad (w)"
    assert page.locator(".n.found").count() == 2
    page.keyboard.press("ArrowLeft")  # moves in the word, not in the steps
    assert title(page) == "AccumulateGrad (w)"
    page.get_by_role("searchbox").fill("")
    assert page.locator(".n.found").count() == 0


def test_predicting_hides_what_comes_until_it_is_said(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    press(page, "Predict")
    press(page, "Next step")
    assert title(page) == "MulBackward0"
    assert page.get_by_text("No gradient waits.").is_visible()
    assert "sends" not in page.locator(".caption").inner_text()
    first, second = page.locator(".question input").all()
    first.fill("3")
    second.fill("4")
    press(page, "Check and show")
    assert page.locator(".verdict").all_inner_texts() == [
        "Your answer: 3. Correct.",
        "Your answer: 4. Not correct.",
    ]
    assert "sends" in page.locator(".caption").inner_text()
    press(page, "Next step")
    page.locator(".question input").fill("6")
    page.keyboard.press("Enter")
    assert page.locator(".verdict").inner_text() == "Your answer: 6. Correct."
    press(page, "Previous step")  # what has been answered stays so
    assert page.locator(".verdict").count() == 2


def test_predicting_asks_for_forward_results(open_steppers: Open) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    page = open_steppers(viz.step(lambda: (x * x + 1).square(), names={}).payload)
    body = page.locator(".node .body")
    press(page, "Predict")  # it also asks for the first operation
    assert title(page) == "mul"
    assert "Makes" not in body.inner_text()
    press(page, "Next step")
    assert "Makes" in body.inner_text()
    press(page, "Next step")
    assert title(page) == "add"
    assert "Makes" not in body.inner_text()
    assert page.locator(".caption").inner_text() == (
        "add takes 9, 1. Predict the result of this operation. Then check your answer."
    )
    page.get_by_label("the result one number").fill("10")
    page.keyboard.press("Enter")
    assert page.locator(".verdict").inner_text() == "Your answer: 10. Correct."
    assert page.locator(".caption").inner_text() == (
        "add runs and leaves AddBackward0 in the graph."
    )
    press(page, "Next step")
    page.locator(".question input").fill("20")
    press(page, "Check and show")
    assert page.locator(".verdict").inner_text() == "Your answer: 20. Not correct."
    for _ in range(2):  # the seed, and then the first of the backward pass
        press(page, "Next step")
    assert page.get_by_text("Predict the results of this node.").first.is_visible()


def test_wide_graph_is_readable_from_afar(page: Any, tmp_path: Path) -> None:
    h = mg.ones(2, 2, requires_grad=True)
    for weight in [mg.ones(2, 2, requires_grad=True) for _ in range(40)]:
        h = (h @ weight).tanh() + h
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(viz.step(h.sum(), names={}).save(tmp_path / "page.html").as_uri())
    text = page.locator(".n.current .title")
    text.wait_for()
    drawn(page)
    scale = page.locator(".stage > g").evaluate("all => all.getScreenCTM().a")
    size = text.evaluate("text => parseFloat(getComputedStyle(text).fontSize)")
    assert scale * size >= 12


def test_predicting_can_be_passed_over(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice())
    press(page, "Next step")
    press(page, "Predict")  # what has been seen is not asked
    assert page.locator(".question").count() == 0
    press(page, "Next step")
    assert page.locator(".question").count() == 1
    page.get_by_role("button", name="First step").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".question").count() == 0
    assert "6" in page.locator(".node .body").inner_text()
    press(page, "Previous step")
    press(page, "Predict")
    press(page, "Next step")
    assert page.locator(".question").count() == 0


def test_the_reader_chooses_a_theme(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice(), color_scheme="dark")
    host = page.locator(".minigrad-stepper")
    assert host.get_attribute("data-theme") == "dark"
    press(page, "Theme: as the page")
    assert host.get_attribute("data-theme") == "light"
    press(page, "Theme: light")
    assert host.get_attribute("data-theme") == "dark"
    page.emulate_media(color_scheme="light")
    drawn(page)
    assert host.get_attribute("data-theme") == "dark"
    press(page, "Theme: dark")
    assert host.get_attribute("data-theme") == "light"


def test_zoom_and_fit(open_steppers: Open) -> None:
    page = open_steppers(recordings.linear())
    width = "e => e.getBoundingClientRect().width"
    picture = page.locator(".stage > g")
    fitted = picture.evaluate(width)
    press(page, "Zoom in")
    drawn(page)
    assert picture.evaluate(width) == pytest.approx(fitted * 1.25, abs=0.1)  # of a pixel
    press(page, "Fit the graph")
    drawn(page)
    assert picture.evaluate(width) == pytest.approx(fitted, abs=0.1)


@pytest.mark.parametrize("width", [480, 700, 900, 1280])
def test_nothing_is_cut_off_sideways(open_steppers: Open, width: int) -> None:
    page = open_steppers(recordings.linear())
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("slider").fill("4")
    drawn(page)
    edges = page.evaluate(
        """() => {
            const root = document.querySelector('.minigrad-stepper').shadowRoot
            const right = root.querySelector('.stepper').getBoundingClientRect().right
            const parts = root.querySelectorAll('.pane, .controls > *, .caption, .moves button')
            return [...parts].map(e => e.getBoundingClientRect().right - right)
        }"""
    )
    assert max(edges) <= 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_empty_recording_says_so(open_steppers: Open) -> None:
    page = open_steppers(recordings.twice(), recordings.twice() | {"events": [], "steps": []})
    assert page.get_by_text("Nothing was recorded.").is_visible()


def test_a_widget_s_model_can_change(open_steppers: Open, module_url: str) -> None:
    """Act as anywidget does in every notebook: render with a model, and again when the payload
    changes. Nothing is used but what anywidget promises, and nothing is left behind.
    """
    page = open_steppers(recordings.twice())
    page.evaluate(
        """async ([url, first, second]) => {
            const { default: widget } = await import(url)
            const listeners = new Set()
            const state = { payload: first }
            const promised = { get: name => state[name], save_changes() {}, send() {},
                               set(name, value) { state[name] = value },
                               on: (_, f) => listeners.add(f), off: (_, f) => listeners.delete(f) }
            const model = new Proxy(promised, { get(all, name) {
                if (!(name in all)) throw new Error(`model.${String(name)} is not promised`)
                return all[name]
            } })
            const el = document.createElement("div")
            document.body.replaceChildren(el)
            const around = () => [...Object.keys(window), document.body.childElementCount,
                                  document.head.innerHTML, document.documentElement.className]
            const before = around().join()
            const stop = widget.render({ model, el })
            window.change = () => { state.payload = second; for (const f of listeners) f() }
            window.leave = () => {
                stop()
                delete window.change
                delete window.leave
                return [listeners.size, el.childElementCount, around().join() === before]
            }
        }""",
        [module_url, recordings.twice(), recordings.linear()],
    )
    assert page.locator(".position").inner_text() == "1 / 3"
    page.evaluate("change()")
    assert page.locator(".position").inner_text() == "1 / 6"
    assert page.evaluate("leave()") == [0, 0, True]
