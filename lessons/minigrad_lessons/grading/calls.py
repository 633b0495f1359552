"""A filter of system calls for bubblewrap, as a program of the kernel's packet filter (seccomp(2)).

Memory and messages of System V belong to no process and no file, so limits.py could not count them
where the kernel does not. Their three calls fail with EPERM. A line of the program
has eight bytes: an operation, the lines to skip if its test is true or false, and a number.
"""

from __future__ import annotations

import platform
import struct

REFUSED = {
    "x86_64": (0xC000003E, (29, 64, 68)),
    "aarch64": (0xC00000B7, (194, 190, 186)),
}
"""For each machine: the kernel's number for it, and the numbers of shmget, semget and msgget."""

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE = 0, 4
"""Where the kernel's description of a call has the call's number, and the machine's."""
ALLOW, FAIL = 0x7FFF0000, 0x00050001
OTHER_TABLE = 0x40000000
"""The first number of x86_64's second table of calls (x32)."""


def calls_filter(machine: str = platform.machine()) -> bytes | None:
    """Return the program for a kind of machine; None for one whose numbers are not known.

    >>> len(calls_filter("x86_64")) // 8
    9
    """
    if machine not in REFUSED:
        return None
    audited, numbers = REFUSED[machine]
    tests = [(EQUAL, number) for number in numbers]
    if machine == "x86_64":
        tests.insert(0, (AT_LEAST, OTHER_TABLE))
    # The last line but one allows the call, and the last one lets it fail.
    lines = [(LOAD, 0, 0, MACHINE), (EQUAL, 0, len(tests) + 2, audited), (LOAD, 0, 0, NUMBER)]
    lines += [(test, len(tests) - at, 0, number) for at, (test, number) in enumerate(tests)]
    lines += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, FAIL)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
