"""Where minigrad does not do as PyTorch does with an odd input, and why.

A difference is known by the row, and by what both libraries say, as patterns. One that no longer
explains any call must go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """`reason`, the rows, and what both libraries say: regular expressions, searched for."""

    reason: str
    rows: str
    mine: str
    theirs: str

    def allows(self, name: str, mine: str) -> bool:
        """Whether it may explain this line, as far as ours can tell."""
        return bool(re.search(rf"^(?:{self.rows})$", name) and re.search(self.mine, mine))

    def fits(self, name: str, mine: str, theirs: str) -> bool:
        return self.allows(name, mine) and bool(re.search(self.theirs, theirs))


ANY = ".*"

DIFFERENCES = tuple(
    Difference(*each)
    for each in (
    )
)
