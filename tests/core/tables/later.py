"""Cases of the tables that PyTorch has and minigrad has not, by name.

A test makes sure that each of them is refused with an AttributeError or TypeError: whoever adds the
operation takes its name out of here, and all other tests of the tables start to count for it.
"""

from __future__ import annotations

NOT_YET: frozenset[str] = frozenset(
    {
        # reductions
        "F.normalize",
    }
)
