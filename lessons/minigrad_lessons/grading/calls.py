"""A filter of system calls for bubblewrap, as a program of the kernel's packet filter (seccomp(2)).

Some calls take memory that belongs to no process, so limits.py could not count it: memory of System
V, memory shared without a file, pages lent to a pipe, and all that the root of a user namespace may
make. These calls fail with EPERM. A line of the program has eight bytes: an operation, the lines to
skip if its test is true or false, and a number.
"""

from __future__ import annotations

import platform
import struct

MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""For each machine: the kernel's number for it, and its place in a row of REFUSED."""

REFUSED = {
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),
    "mount": (165, 40),
    "fsopen": (430, 430),
    "unshare": (272, 97),
}

WITH_BITS = {
    "mmap": ((9, 222), 3, 0x21),  # MAP_SHARED | MAP_ANONYMOUS
    "clone": ((56, 220), 0, 0x10000000),  # CLONE_NEWUSER
}
"""Calls refused if an argument has all of these bits: numbers, the argument's place, the bits."""

ABSENT = {"clone3": (435, 435)}
"""Calls that seem not to exist, so that C libraries use others: their bits are out of reach."""

LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16
"""Where the kernel's description of a call has its number, the machine's, and the arguments."""
ALLOW, FAIL, UNKNOWN = 0x7FFF0000, 0x00050001, 0x00050026
OTHER_TABLE = 0x40000000
"""The first number of x86_64's second table of calls (x32)."""


def calls_filter(machine: str = platform.machine()) -> bytes | None:
    """Return the program for a kind of machine; None for one whose numbers are not known.

    >>> len(calls_filter("x86_64")) // 8
    39
    """
    if machine not in MACHINES:
        return None
    audited, at = MACHINES[machine]
    fail = (RETURN, 0, 0, FAIL)
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, audited), fail, (LOAD, 0, 0, NUMBER)]
    lines += [(AT_LEAST, 0, 1, OTHER_TABLE), fail]
    for numbers in REFUSED.values():
        lines += [(EQUAL, 0, 1, numbers[at]), fail]
    for numbers in ABSENT.values():
        lines += [(EQUAL, 0, 1, numbers[at]), (RETURN, 0, 0, UNKNOWN)]
    for numbers, argument, bits in WITH_BITS.values():
        lines += [(EQUAL, 0, 5, numbers[at]), (LOAD, 0, 0, ARGUMENTS + 8 * argument)]
        lines += [(AND, 0, 0, bits), (EQUAL, 0, 1, bits), fail, (RETURN, 0, 0, ALLOW)]
    lines.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
