"""Change Graphviz's script so that it starts synchronously.

The script returns a promise, since compiling WebAssembly may block a page. The lab's kernel is a
worker, which may block, and a cell that draws cannot wait for a promise. This module removes
`async` and `await` from the script. minigrad_viz/picture/in_browser.py runs it.
"""

from __future__ import annotations

import re

ASYNC = re.compile(r"\basync (?=function\b|\w+=>)|\basync(?=\()")
AWAIT = re.compile(r"\bawait (?=\w)|\bawait(?=\()")
START = re.compile(r"return (\w+)\(\)\.then\((\w+)=>new (\w+)\(\2\)\)")
# Other promises are never made, since the start has ended, and may stay.
LEFT = re.compile(r"\basync\b|\bawait\b")


class NotTheScript(RuntimeError):
    """The script is not the one that this change was written for."""


def at_once(script: str) -> str:
    """Return the script without a promise; raise NotTheScript if one is left.

    >>> at_once("async function r(){return await g()} i=function(){return r().then(A=>new a(A))}")
    'function r(){return g()} i=function(){return new a(r())}'
    """
    script, starts = START.subn(r"return new \3(\1())", script)
    script = AWAIT.sub("", ASYNC.sub("", script))
    left = LEFT.findall(script)
    if starts != 1 or left:
        raise NotTheScript(f"Graphviz's script starts in {starts} places, and has {left}")
    return script
