"""Graphviz's script, made such that it has started when it returns.

The script starts with a promise: compiling WebAssembly may block a page for too long, so a page has
to wait for it. The lab's kernel is a worker, which may compile at once, and a cell that draws is an
ordinary call that cannot wait for a promise. So the words that wait are taken out of the script.
minigrad_viz/picture/in_browser.py runs it.
"""

from __future__ import annotations

import re

ASYNC = re.compile(r"\basync (?=function\b|\w+=>)|\basync(?=\()")
AWAIT = re.compile(r"\bawait (?=\w)|\bawait(?=\()")
START = re.compile(r"return (\w+)\(\)\.then\((\w+)=>new (\w+)\(\2\)\)")
# A promise that is made where the start has not ended at once, which is never, may stay.
LEFT = re.compile(r"\basync\b|\bawait\b")


class NotTheScript(RuntimeError):
    """The script is not one that this change was written for."""


def at_once(script: str) -> str:
    """The script without a promise. NotTheScript where one is left.

    >>> at_once("async function r(){return await g()} i=function(){return r().then(A=>new a(A))}")
    'function r(){return g()} i=function(){return new a(r())}'
    """
    script, starts = START.subn(r"return new \3(\1())", script)
    script = AWAIT.sub("", ASYNC.sub("", script))
    left = LEFT.findall(script)
    if starts != 1 or left:
        raise NotTheScript(f"Graphviz's script starts in {starts} places, and has {left}")
    return script
