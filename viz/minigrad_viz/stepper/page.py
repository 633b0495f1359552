"""A payload as HTML with its own program: in a notebook's output, or as a page of its own.

Neither needs a kernel, a network or another file, so a saved notebook steps when it is opened
again, and so does a page made from it. Where scripts do not run, such as in a notebook that is not
trusted or in a preview, the picture and the steps as text remain.

The front end's module and the payload are compressed, since a notebook stores them at every output.
A page of its own runs two scripts, the unpacking one and the unpacked one, and no other
(picture/policy.py).
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import json
import re
import zlib
from pathlib import Path
from typing import NamedTuple, cast

from ..picture.image import image
from ..picture.policy import digest, policy
from ..picture.svg import styled
from ..texts.printable import printable
from ..texts.sentences import say
from .payload import Pair, Payload
from .transcript import transcript
from .wire import encode

STEPPER, FORMULAS = (
    (Path(__file__).parent / "static" / name).read_text(encoding="utf-8")
    for name in ("stepper.js", "formulas.js")
)
MODULE = STEPPER + FORMULAS
"""The front end's program, built from viz/frontend."""

WITH_FORMULAS = frozenset(re.findall(r"\w+Backward\d\w*", FORMULAS))
"""The nodes whose arithmetic is in the formulas; that of others is read from the rule."""

MOST_NODES = 200
"""The picture of a larger graph is left out: it would be larger than all the rest."""


class Pieces(NamedTuple):
    """A stepper in a page."""

    place: str
    """Its element as HTML, which contains the form without scripts."""
    script: str
    """The script that puts it there."""
    program: str
    """The front end, as the script unpacks it."""

    @property
    def html(self) -> str:
        return f'{self.place}\n<script type="module">{self.script}</script>'


def fragment(payload: Payload, picture: str) -> str:
    """The stepper as a piece of another page; `picture` is an SVG for a page without scripts."""
    return _pieces(payload, picture, alone=False).html


def pair_fragment(payload: Pair, text: str) -> str:
    """Two passes side by side as a piece of a page; `text` is shown without scripts."""
    return _assemble(payload, text, "", alone=False).html


def page(payload: Payload, picture: str) -> str:
    """The stepper as a whole page."""
    return _page(payload["language"], _title(payload), _pieces(payload, picture, alone=True))


def pair_page(payload: Pair, text: str) -> str:
    """Two passes side by side as a whole page."""
    title = printable(" | ".join(payload["titles"]))
    return _page(payload["language"], title, _assemble(payload, text, "", alone=True))


def _page(language: str, title: str, stepper: Pieces) -> str:
    scripts = [digest(stepper.script), digest(stepper.program)]
    return _PAGE.format(
        policy=policy(scripts=scripts, styles=[digest(_STYLE)], images=["data:"]),
        language=language,
        title=html.escape(title),
        style=_STYLE,
        stepper=stepper.html,
    )


def _pieces(payload: Payload, picture: str, *, alone: bool) -> Pieces:
    """The stepper in a page; `alone`: in a page of its own, where scripts run.

    There the form without scripts is in a <noscript>, so that the browser need not draw it first.
    """
    shown = image(styled(picture, image=True), _title(payload)) if picture else ""
    return _assemble(payload, transcript(payload), shown, alone=alone)


def _assemble(sent: Payload | Pair, text: str, picture: str, *, alone: bool) -> Pieces:
    payload = pack(json.dumps(encode(sent), ensure_ascii=False, separators=(",", ":")))
    name = hashlib.sha256(payload.encode()).hexdigest()[:16]
    before, after = ("<noscript>", "</noscript>") if alone else ("", "")
    program = as_script(_program(sent)) if alone else _program(sent)
    place = _PLACE.format(
        before=before,
        after=after,
        name=name,
        picture=picture,
        heading=html.escape(say(sent["language"], "as_text")),
        text=html.escape(text),
    )
    script = _SCRIPT.format(
        name=name,
        module=pack(program),
        load=_AS_SCRIPT if alone else BY_BLOB,
        alone=", true" if alone else "",
        payload=payload,
    )
    return Pieces(place, script, program)


def _title(payload: Payload) -> str:
    return printable(payload["nodes"][0]["name"])


def _program(sent: Payload | Pair) -> str:
    """The part of the program that these nodes need: a notebook stores it at every output."""
    passes = cast(Pair, sent)["passes"] if "passes" in sent else [sent]
    names = {node["name"] for each in passes for node in each["nodes"]}
    return MODULE if names & WITH_FORMULAS else STEPPER


def as_script(module: str) -> str:
    """The front end as a script that is no module and defines `minigradMount`.

    A policy allows a script by its text, and an imported module only by its address.
    """
    script, exports = _EXPORT.subn(r"globalThis.minigradMount=\1})();", module)
    assert exports == 1
    return f'(()=>{{"use strict";\n{script}'


_EXPORT = re.compile(r"export\{[^}]*?([\w$]+) as mount\};")

PLAIN = str.maketrans("<&`", ",./")
"""Characters of base 85 with a meaning in HTML or JavaScript, and their replacements. Base 64 would
be a sixteenth longer.
"""


@functools.lru_cache(maxsize=6)  # the programs are the same every time
def pack(text: str) -> str:
    """Compress a program or a payload to the text that a page contains."""
    # A name may contain half a surrogate pair, which cannot be encoded.
    compressed = zlib.compress(text.encode(errors="replace"), 9)
    return base64.b85encode(compressed).decode().translate(PLAIN)


# A page from disk may not import a file next to it, and a notebook's output has none. The module is
# therefore data, and gets the address of a blob, which every notebook allows. That takes tens of
# milliseconds; a page of its own runs a script instead.
BY_BLOB = """const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
const { mount } = await import(url);
URL.revokeObjectURL(url);"""
_AS_SCRIPT = """const program = document.createElement("script");
program.textContent = code;
document.head.append(program);
program.remove();
const mount = minigradMount;"""

# The script finds its own element by the digest in the class name, and equal steppers with it.
_PLACE = """<div class="minigrad-output minigrad-{name}">
{before}{picture}
<details><summary>{heading}</summary><pre>{text}</pre></details>{after}
</div>"""

_SCRIPT = """
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
  "!#$%.()*+-;,=>?@^_/{{|}}~";
const unpack = (packed) => {{
  const bytes = new Uint8Array(Math.floor((packed.length / 5) * 4));
  for (let i = 0; i < packed.length; i += 5) {{
    let number = 0;
    for (const sign of packed.slice(i, i + 5).padEnd(5, "~"))
      number = number * 85 + digits.indexOf(sign);
    for (let j = 0; j < 4; j++) bytes[(i / 5) * 4 + j] = number / 256 ** (3 - j);
  }}
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}};
const [code, sent] = await Promise.all([unpack("{module}"), unpack("{payload}")]);
{load}
const payload = JSON.parse(sent);
for (const place of document.querySelectorAll(".minigrad-{name}:not([data-steps])")) {{
  place.dataset.steps = "";
  place.replaceChildren();
  mount(place, payload{alone});
}}
"""

_STYLE = (
    ":root{color-scheme:light dark;--minigrad-height:calc(100dvh - 1rem)}\n"
    "body{margin:.5rem}img{max-width:100%;height:auto}\n"
    "h1{position:absolute;clip-path:inset(50%);white-space:nowrap}"
)

_PAGE = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
{policy}
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
<main><h1>{title}</h1>
{stepper}
</main>
</html>
"""
