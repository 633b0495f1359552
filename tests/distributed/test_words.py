"""What is left of a worker that died."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from minigrad.distributed.words import KEPT, NAME, Death, Words, read, remove_old


def test_only_what_was_said_last_is_told(tmp_path: Path) -> None:
    words = Words()
    with words.heard("computing shard 0"):
        print("of the shard before")
    with words.heard("computing shard 1"):
        print("to the one stream")
        print("to the other", file=sys.stderr)
    print("elsewhere")
    assert read(words.path) == ("computing shard 1", "to the one stream\nto the other")
    assert read(words.path) is None  # it is told once
    words.close()


def test_long_speeches_are_cut() -> None:
    words = Words()
    with words.heard("computing"):
        print("x" * 10 * KEPT, "the end")
    told = read(words.path)
    words.close()
    assert told is not None
    assert len(told[1]) == KEPT
    assert told[1].endswith("x the end")


def test_a_fault_in_c_says_where_python_was() -> None:
    program = """
from minigrad.distributed.words import Words
import ctypes
older, words = Words(), Words()
older.close()
print(words.path, flush=True)
words.now("computing shard 3")
def unlucky():
    ctypes.string_at(0)
unlucky()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode != 0
    told = read(done.stdout.strip())
    assert told is not None
    assert told[0] == "computing shard 3"
    assert "in unlucky" in told[1]


def test_what_nobody_asked_for_is_removed_after_a_day(tmp_path: Path) -> None:
    new, old = tmp_path / f"{NAME}1-a.txt", tmp_path / f"{NAME}2-b.txt"
    for file in (new, old):
        file.touch()
    os.utime(old, (0, 0))
    remove_old(str(tmp_path))
    assert list(tmp_path.iterdir()) == [new]


def test_a_death_of_which_nothing_is_known() -> None:
    death = Death("tcp://a:1", "", "", "")
    assert str(death) == "The worker tcp://a:1 died. It said nothing."


def test_a_fault_is_written_into_the_newest_file_as_long_as_there_is_it() -> None:
    program = """
import faulthandler
from minigrad.distributed.words import Words
older, newer = Words(), Words()
older.close()
print(faulthandler.is_enabled())
newer.close()
print(faulthandler.is_enabled())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "False"]
