"""A program as a link: what is packed comes back, and nothing is linked but a whole program."""

from __future__ import annotations

import base64
import linecache
import re
import zlib
from pathlib import Path
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper import share

ADDRESS = "https://example.org/try/"
WHOLE = """\
import math

import minigrad as mg
import minigrad_viz as viz

def area(r):
    return r * r * math.pi

r = mg.tensor(3.0, requires_grad=True)
stepper = viz.step(area(r))
"""


def stepped(program: str, name: str = "whole.py", **scope: Any) -> viz.stepper.widget.Stepper:
    """The variable `stepper` of a program, which has run as a file of this name."""
    linecache.cache[name] = (len(program), None, program.splitlines(keepends=True), name)
    exec(compile(program, name, "exec"), scope)
    made: viz.stepper.widget.Stepper = scope["stepper"]
    return made


def program_in(address: str) -> str:
    where, _, code = address.partition("#code=")
    assert where == ADDRESS
    return share.unpack(code)


def test_a_whole_program_is_in_its_link() -> None:
    address = stepped(WHOLE).share(address=ADDRESS)
    assert program_in(address) == WHOLE
    assert re.fullmatch(r"[\w#=/:.-]+", address)  # nothing that a messenger would take apart


def test_given_program_is_in_link() -> None:
    stepper = stepped(WHOLE)
    assert program_in(stepper.share("x = '三'", address=ADDRESS)) == "x = '三'"


def test_the_address_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(share.VARIABLE, raising=False)
    stepper = stepped(WHOLE)
    with pytest.raises(ValueError, match=r"needs the address of the page.*variable MINIGRAD_SHARE"):
        stepper.share()
    monkeypatch.setenv(share.VARIABLE, ADDRESS)
    assert program_in(stepper.share()) == WHOLE
    other = stepper.share(address="http://localhost:8000/try/#old")
    assert other.startswith("http://localhost:8000/try/#code=")


def test_part_of_a_program_is_refused() -> None:
    """Names from another cell, in a function as well; a graph made by two files; what is cut."""
    stepper = stepped(WHOLE.replace("import math\n", ""), math=__import__("math"))
    with pytest.raises(ValueError, match="it takes math from elsewhere"):
        stepper.share(address=ADDRESS)
    first = stepped(WHOLE.replace("viz.step(area(r))", "area(r)"), "first.py")
    both = "import minigrad_viz as viz\nstepper = viz.step(area * 2)\n"
    with pytest.raises(ValueError, match="lines of 2 files or cells"):
        stepped(both, "second.py", area=first).share(address=ADDRESS)
    long = WHOLE + "\n".join(f"x{i} = {i}" for i in range(500))
    with pytest.raises(ValueError, match="too long to be shown whole"):
        stepped(long, "long.py").share(address=ADDRESS)


def test_file_is_cut_after_the_call() -> None:
    for lines, cut in ((380, None), (500, True)):
        program = WHOLE + "\n" * lines
        (file,) = stepped(program, f"{lines}.py").payload["files"]
        assert (file.get("cut"), file["first"]) == (cut, 4 if cut else 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%matplotlib inline", "no Python"),
        ("from .mine import net", "which the page does not have"),
        ("import torch", "it imports torch"),
    ],
)
def test_unsupported_program_raises(line: str, words: str) -> None:
    files = [{"name": "cell 1", "first": 1, "lines": [line, "y = 2"]}]
    with pytest.raises(ValueError, match=words):
        share.program_of(files)  # type: ignore[arg-type]


def test_a_damaged_link_is_refused() -> None:
    whole = share.pack(WHOLE)
    for damaged in ("", "!", whole[:-8], whole[8:], whole + "AAAA", "三"):
        with pytest.raises(ValueError, match="no program"):
            share.unpack(damaged)


def test_unpacked_link_is_small_too() -> None:
    """A few kilobytes could hold gigabytes."""
    with pytest.raises(ValueError, match="100,000 bytes"):
        share.pack("x" * 100_001)
    bomb = base64.urlsafe_b64encode(zlib.compress(b"x" * 10_000_000)).decode().rstrip("=")
    with pytest.raises(ValueError, match="no program"):
        share.unpack(bomb)
    assert share.unpack(share.pack("x" * 100_000)) == "x" * 100_000


def test_the_page_has_the_same_limit(root: Path) -> None:
    script = (root / "lessons/minigrad_lessons/site/try/link.js").read_text("utf-8")
    assert f"LARGEST = {share.LARGEST:_}" in script
