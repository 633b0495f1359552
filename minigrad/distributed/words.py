"""What is known of a worker that died: what it was doing, what it said, and how it ended.

A process that is killed can tell nobody. So each worker writes what it does into a file, and what
the loss prints, and where Python was if the system ended it (a fault in C, say). Others on the same
machine can read that file: the client if it runs there, or the nanny, Dask's process that starts a
worker anew and knows how the last one ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TextIO

KEPT = 2000
"""Characters of the last words that are told."""

DAY = 86400.0
"""Seconds after which nobody will ask any more for the last words of a worker."""

NAME = "minigrad-worker-"
"""How the files' names begin; then follow the process and what makes it unique."""


class Words:
    """The file into which a worker writes: in the first line what it does, below it what it says.

    >>> words = Words()
    >>> with words.heard("computing shard 2"):
    ...     print("so far so good")
    so far so good
    >>> read(words.path)
    ('computing shard 2', 'so far so good')
    """

    newest: ClassVar[Words | None] = None
    """Into whose file Python writes where it was; a process has but one for that."""

    def __init__(self) -> None:
        remove_old(tempfile.gettempdir())
        number, self.path = tempfile.mkstemp(prefix=f"{NAME}{os.getpid()}-", suffix=".txt")
        os.close(number)
        self.file = open(self.path, "a", buffering=1)
        self.doing = ""
        faulthandler.enable(self.file)
        Words.newest = self

    def now(self, doing: str) -> None:
        """What the worker does from now on; what it has said before is forgotten."""
        self.doing = doing
        self.file.truncate(0)
        self.file.write(f"{doing}\n")

    @contextlib.contextmanager
    def heard(self, doing: str) -> Iterator[None]:
        """What is printed inside goes into the file as well as to where it went before."""
        self.now(doing)
        out, err = Both(sys.stdout, self.file), Both(sys.stderr, self.file)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield

    def close(self) -> None:
        if Words.newest is self:
            faulthandler.disable()
        self.file.close()
        Path(self.path).unlink(missing_ok=True)


class Both:
    """A stream that writes to two."""

    def __init__(self, first: TextIO, second: TextIO) -> None:
        self.first, self.second = first, second

    def write(self, text: str) -> int:
        self.second.write(text)
        self.second.flush()
        return self.first.write(text)

    def flush(self) -> None:
        self.first.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.first, name)


def read(path: str) -> tuple[str, str] | None:
    """What a worker did and said last, once: the file is removed, and those that the same process
    had for other teams. None if there is none here.
    """
    file = Path(path)
    try:
        doing, _, said = file.read_text(errors="replace").partition("\n")
    except OSError:
        return None
    process = file.name.rpartition("-")[0]
    for own in file.parent.glob(f"{process}-*.txt"):
        own.unlink(missing_ok=True)
    return doing, said.strip()[-KEPT:]


def remove_old(folder: str) -> None:
    """Remove what workers have left that were killed when no team was looking."""
    for file in Path(folder).glob(f"{NAME}*.txt"):
        with contextlib.suppress(OSError):  # another's file, or removed by another just now
            if file.stat().st_mtime < time.time() - DAY:
                file.unlink()


class Trace(NamedTuple):
    """Where to ask about a worker that does not answer any more."""

    pid: int
    path: str
    nanny: str | None


class Death(NamedTuple):
    """What could be found out; an empty text is what nobody knows."""

    address: str
    doing: str
    said: str
    end: str

    def __str__(self) -> str:
        """A sentence, and the last words below it.

        >>> print(Death("tcp://127.0.0.1:40001", "computing shard 2", "Killed", "exit code 1"))
        The worker tcp://127.0.0.1:40001 died while computing shard 2 (exit code 1). Its last words:
        Killed
        """
        doing = f" while {self.doing}" if self.doing else ""
        end = f" ({self.end})" if self.end else ""
        said = f" Its last words:\n{self.said}" if self.said else " It said nothing."
        return f"The worker {self.address} died{doing}{end}.{said}"


async def death_of(client: Any, address: str, trace: Trace) -> Death:
    """How a worker died, from the file that it has left and from its nanny."""
    found = read(trace.path)  # it ran on this machine, or there is no such file
    end = ""
    if trace.nanny is not None:
        with contextlib.suppress(Exception):
            found, end = await asyncio.wait_for(asked(client, trace, found), 3)
    doing, said = found or ("", "")
    return Death(address, doing, said, end)


async def asked(
    client: Any, trace: Trace, found: tuple[str, str] | None
) -> tuple[tuple[str, str] | None, str]:
    """What a nanny knows: the file, if it was not found yet, and how the process ended."""
    import cloudpickle

    nanny = client.rpc(trace.nanny)
    if found is None:
        answer = await nanny.run(
            function=cloudpickle.dumps(read), args=cloudpickle.dumps((trace.path,))
        )
        found = answer["result"]
    process = f"process {trace.pid} "
    for _ in range(10):  # it hears of the end a moment after the scheduler
        for _, line in await nanny.get_logs():
            if process in line:
                return found, line.partition(process)[2]
        await asyncio.sleep(0.1)
    return found, ""
