"""Pages and pictures that a person has checked, stored as JSON in xz next to their tests.

Pages and pictures are long lists of places and colours. A test that lists them all is unreadable,
and one that checks a few misses the others. So the whole list is stored, with the data that it was
drawn from, since Graphviz's layout differs between machines. When you change how something looks,
look at it, and store it with `MINIGRAD_LOOKS=1 python -m pytest` and the test's file.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

WRITING = os.environ.get("MINIGRAD_LOOKS", "") not in ("", "0")


def recall(test: str, name: str, make: Callable[[], Any]) -> Any:
    """Return what the test file stores under this name; `make` makes it again."""
    path = Path(test).with_suffix(".json.xz")
    known = json.loads(lzma.decompress(path.read_bytes())) if path.exists() else {}
    if WRITING:
        known[name] = json.loads(json.dumps(make()))
        path.write_bytes(lzma.compress(json.dumps(known).encode(), preset=9))
    return known[name]
