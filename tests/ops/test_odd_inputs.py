"""Every public function with odd inputs: what comes out, and what is refused in which words.

`python -m tests.ops.test_odd_inputs [name ...]` prints every disagreement, of all rows or of those
named (`flip`, `functional.relu`, `nn.Linear`, `Tensor.flip`).
"""

from __future__ import annotations

import sys
import zlib
from typing import Any

import minigrad
from tests.ops.odd.lines import agree, line
from tests.ops.odd.rows import ROWS, Row
from tests.ops.odd.variants import odd_calls, with_grad
from tests.ops.refusals import Library


def said(T: Library, row: Row, share: int = 1) -> dict[str, str]:
    found = {}
    inplace = row.changes_its_tensor
    for way, change in odd_calls(minigrad, row).items():
        if share > 1 and zlib.crc32(f"{row.name} {way}".encode()) % share:
            continue

        def call(grad: bool) -> Any:
            args, named = change(T, list(row.arguments(T)))
            leaves: list[Any] = []
            if grad:
                args, named = with_grad(T, [args, named], inplace, leaves)
            return row.function(T), tuple(args), named, leaves

        text = line(T, row.name, lambda: call(False))
        if "Error" not in text[:40]:
            text += " || " + line(T, row.name, lambda: call(True))
        found[way] = text
    return found


if __name__ == "__main__":
    import torch, time, faulthandler, os
    torch.set_warn_always(True)
    torch.set_num_threads(1)
    names = sys.argv[1:]
    total = wrong = 0
    done = set(open("/tmp/odd.done").read().split("\n")) if os.path.exists("/tmp/odd.done") else set()
    for row in ROWS.values():
        if names and not any(row.name.startswith(n) for n in names): continue
        if not names:
            if row.name in done: continue
            print(row.name, file=open("/tmp/odd.done","a"), flush=True)
        faulthandler.dump_traceback_later(12, exit=True)
        t=time.time(); theirs = said(torch, row); a=time.time()-t
        t=time.time(); mine = said(minigrad, row); b=time.time()-t
        print(f"# {row.name} {a:.2f} {b:.2f} {len(mine)}", file=sys.stderr, flush=True)
        total += len(mine)
        for way in mine:
            if not agree(mine[way], theirs[way]):
                wrong += 1
                print(f"{row.name} [{way}]\n    m {mine[way]}\n    t {theirs[way]}", flush=True)
    print(f"{wrong} of {total}")
