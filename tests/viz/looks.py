"""What was looked at once and found right: kept as it was, in JSON in xz beside its test.

Pages and pictures are long lists of places and colours. A test that repeats them would be read by
nobody, and one that asks only for a few lets the others slip. So the whole list is kept, with what
it was drawn from, as Graphviz lays out otherwise on another machine. Who changes how something
looks, looks at it, and writes it down with `MINIGRAD_LOOKS=1 python -m pytest` and the test's file.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITING = os.environ.get("MINIGRAD_LOOKS", "") not in ("", "0")


def kept(test: str, name: str, make: Callable[[], Any]) -> Any:
    """What the test file keeps under this name; `make` gives it anew."""
    path = Path(test).with_suffix(".json.xz")
    known = json.loads(lzma.decompress(path.read_bytes())) if path.exists() else {}
    if WRITING:
        known[name] = json.loads(json.dumps(make()))
        path.write_bytes(lzma.compress(json.dumps(known).encode(), preset=9))
    return known[name]
