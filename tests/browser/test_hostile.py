"""Hostile names, code lines and errors: no display runs, fetches or opens them as an element."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg

ATTACKS = {
    "html": '"\'><img src="http://127.0.0.1:9/x.png" onerror="window.attacked=1">',
    "script": "</style></title></p></script><script>window.attacked=1</script>",
    "svg": ']]></text></svg><svg onload="window.attacked=1">'
    '<a href="javascript:window.attacked=1">',
    "record": '{a|<f0> b}\\N\\G\\E&quot;] ; evil [URL="javascript:window.attacked=1"',
    "css": "}*{background:url(http://127.0.0.1:9/x)}",
    "mathematics": "$\\href{javascript:window.attacked=1}{x}$",
    "marks": "\u202e\x00\ud800\ufffe`${window.attacked=1}`",
}


def program(lib: Any, attack: str) -> dict[str, Any]:
    """A program that names its tensors, its operation and a hook so, and says it in its source."""
    safe = re.sub(r"[\x00\ud800\n]", "", attack)
    source = (
        f"y = x * w  # {safe}\nz = apply(y).sum()\nwith lib.no_grad():  # {safe}\n    u = x * 2\n"
    )

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * 2

    def backward(ctx: Any, g: Any) -> Any:
        raise ValueError(attack)

    # A class's name may hold anything but NUL and a lone surrogate; PyTorch's nodes take it over.
    name = safe.replace("\ufffe", "")
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    apply = type(name, (lib.autograd.Function,), body).apply
    scope = {
        "lib": lib,
        "apply": apply,
        "x": lib.ones(2, requires_grad=True),
        "w": lib.ones(2, requires_grad=True),
    }
    filename = f"<{safe}>.py"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), scope)

    def hook(gradient: Any) -> None:
        pass

    hook.__name__ = attack.replace("\ud800", "")
    scope["w"].register_hook(hook)
    scope["y"].register_hook(hook)
    return scope


def displays(lib: Any, attack: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Each display as it is put into a page, by name."""
    scope = program(lib, attack)
    x, w, y, z = (scope[name] for name in "xwyz")
    names = {attack: x, f"{attack}2": w, f"y{attack}": y, f"{attack}z": z}
    for view in ("backward", "forward", "both"):
        drawing = viz.draw(z, names=names, view=view)
        yield f"draw {view}", drawing.svg
        yield f"draw {view} page", drawing.save(folder / "a.html").read_text("utf-8")
    yield "explain", viz.explain(y, names=names).html
    yield "explain svg", viz.explain(y, names=names).svg
    yield "explain plain", viz.explain(scope["u"], names=names | {f"{attack}u": scope["u"]}).html
    stepper = viz.step(z, names=names)
    assert attack.partition("\x00")[0] in str(stepper.error)
    assert stepper.error is not None
    yield "step", stepper.html
    yield "step svg", stepper._repr_mimebundle_()[0].get("image/svg+xml", "")
    yield "step page", stepper.save(folder / "b.html").read_text("utf-8")
    yield "explain error", viz.explain(stepper.error, names=names).html

    def f(**inputs: Any) -> Any:
        value = inputs[attack]
        if value > 1.5:
            raise ValueError(attack)
        return value * value

    f.__name__ = attack.replace("\ud800", "")
    explored = viz.explore(f, library=lib, **{attack: (0, 2)})
    yield "explore", explored.html
    sliders = explored.widget
    sliders.values = {attack: 2.0}  # fails
    for shown in (sliders.graph, sliders.plot):
        yield "explore live", shown
    (x * x).sum().backward()
    yield "grad_flow", viz.grad_flow({attack: x}).html
    yield "grad_flow svg", viz.grad_flow({attack: x}).svg
    yield "loss_curve", viz.loss_curve([2, 1], x=attack, **{attack: [1, 2]}).html
    yield "loss_curve svg", viz.loss_curve([2, 1], x=attack, **{attack: [1, 2]}).svg
    yield "derivatives", viz.derivatives(f_of(attack), 0, 1, library=lib).html


def f_of(attack: str) -> Callable[[Any], Any]:
    def square(x: Any) -> Any:
        return x * x

    square.__name__ = attack.replace("\ud800", "")
    return square


@pytest.mark.sampled("PAGES", 2)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_nothing_runs_and_nothing_is_fetched(attack: str, page: Any, tmp_path: Path) -> None:
    check(page, tmp_path, mg, attack)


def test_nothing_runs_for_pytorch_either(pytorch: ModuleType, page: Any, tmp_path: Path) -> None:
    check(page, tmp_path, pytorch, "".join(ATTACKS.values()))


def check(page: Any, folder: Path, lib: Any, attack: str) -> None:
    """Show everything in a real browser, and look at what has become of it."""
    still: list[tuple[str, str]] = []
    for name, shown in displays(lib, attack, folder):
        if "page" in name or name == "step":
            look(page, folder, name, shown, scripts=name.startswith("step"))
        else:
            still.append((name, shown))
    look(page, folder, "all others", "\n<hr>\n".join(shown for _, shown in still))
    assert page.locator("hr").count() == len(still) - 1


def look(page: Any, folder: Path, name: str, shown: str, *, scripts: bool = False) -> None:
    file = folder / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{shown}", encoding="utf-8")
    page.goto(file.as_uri())
    if scripts:
        page.locator(".stepper").wait_for()
    assert page.evaluate("window.attacked") is None, name
    found = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("*")];
          const attributes = all.flatMap((e) => [...e.attributes]);
          const links = attributes.filter((a) => /(^|:)(href|src|data)$/.test(a.name));
          return {
            handlers: attributes.filter((a) => a.name.startsWith("on")).length,
            embedded: document.querySelectorAll("a, image, iframe, object, embed, base").length,
            // matplotlib's markers are used by reference
            links: links.map((a) => a.value).filter((v) => !/^(#|data:image\\/svg)/.test(v)),
            scripts: document.querySelectorAll("script").length,
          };
        }"""
    )
    assert found == {"handlers": 0, "embedded": 0, "links": [], "scripts": int(scripts)}, name
