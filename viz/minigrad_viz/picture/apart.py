"""Graphviz in a process of its own, which is stopped when it takes too long or too much memory.

How long a layout takes cannot be told from a graph's size, and nothing stops a library that runs in
the reader's own process: neither Ctrl-C nor the want of memory, which may end the reader's program.
So all but small graphs are laid out apart, at the cost of starting Python, some 50 ms.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

SECONDS = 120
"""Of processor time, for one layout. The largest graph that is drawn takes some twenty."""

MEMORY = 2 * 1024**3
"""Bytes of address space, where the system keeps count. The largest graph that is drawn takes half
a gigabyte.
"""

ADVICE = (
    "Let it be folded (leave out fold=False), draw a tensor that was computed earlier, or "
    "print(viz.draw(t))"
)


class Stopped(RuntimeError):
    """A limit was reached; the message says which."""


def possible() -> bool:
    """Whether Python can be started: not in a browser, nor where another program has it inside."""
    here = Path(sys.executable or "").stem.lower()
    return sys.platform != "emscripten" and here.startswith(("python", "pypy"))


def drawn(source: str, format: str, layout: str, program: str) -> tuple[int, bytes, str]:
    """How Graphviz ended, what it drew, and what it said. Stopped if it went beyond a limit."""
    job = [sys.path, SECONDS, MEMORY, layout, format, program]
    command = [sys.executable, "-I", "-S", "-c", _CHILD, json.dumps(job)]
    if layout == "dot" and (os.name == "nt" or not possible()):
        command = ["dot", f"-K{program}", f"-T{format}"]
    try:
        # Where processor time has no limit, the clock has; elsewhere others may have the processor.
        patience = SECONDS if os.name == "nt" else 10 * SECONDS
        done = subprocess.run(command, input=source.encode(), capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        raise Stopped(_TIME.format(SECONDS)) from None
    if os.name != "nt" and done.returncode == -signal.SIGXCPU:
        raise Stopped(_TIME.format(SECONDS))
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode < 0 or done.returncode == _NO_MEMORY or "out of memory" in said.lower():
        raise Stopped(_SPACE.format(MEMORY // 1024**2))
    return done.returncode, done.stdout, said


_TIME = f"Graphviz was stopped after {{:,}} seconds over the layout of this graph. {ADVICE}"
_SPACE = f"Graphviz could not draw this graph with {{:,}} MB of memory. {ADVICE}"
_NO_MEMORY = 3

# The limits are set by the process that they are for: between fork and exec a program with threads
# may do next to nothing.
_CHILD = f"""
import json, os, sys
path, seconds, memory, layout, format, program = json.loads(sys.argv[1])
sys.path[:] = path
try:
    import resource
except ImportError:
    resource = None
for name, most in (("RLIMIT_CPU", seconds), ("RLIMIT_AS", memory), ("RLIMIT_CORE", 0)):
    try:
        # At the first of two limits of time a signal says that it is one; at the other none does.
        resource.setrlimit(getattr(resource, name), (most, most + 1 if most else 0))
    except (AttributeError, ValueError, OSError):
        pass  # this system does not count it
if layout == "dot":
    os.execvp("dot", ["dot", "-K" + program, "-T" + format])
try:
    import pygraphviz
except (ImportError, MemoryError):  # who started this has found it
    sys.exit({_NO_MEMORY})
try:
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
    sys.stdout.buffer.write(graph.draw(format=format, prog=program) or b"")
except MemoryError:
    sys.exit({_NO_MEMORY})
except (ValueError, pygraphviz.DotError) as error:
    sys.exit(str(error))
"""
