"""Measure a class: the time until a server has started, and the memory of a student.

    python -m tests.classroom.measure --students 20

starts a JupyterHub with deploy/'s configuration, lets all students come in at once and run chapter
2, and prints the figures that docs/teaching.md sizes a machine by. With `--simulated` each server
is a small program that only answers (simulated.py), to see what the hub itself takes for more
students than have room.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil

from .hub import CHAPTER, Student, memory, running

SIMULATED = """
c.Spawner.cmd = [__import__("sys").executable, "-m", "tests.classroom.simulated"]
c.Spawner.args = []
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.classroom.measure")
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--simulated", action="store_true")
    options = parser.parse_args()
    count = options.students
    failures: list[str] = []
    load = os.getloadavg()[0]

    def tried(work: Callable[[Student], Any]) -> Callable[[Student], Any]:
        def attempt(student: Student) -> Any:
            try:
                return work(student)
            except Exception as error:
                failures.append(f"{student.name}: {error}")
                return None

        return attempt

    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), SIMULATED if options.simulated else "") as hub,
        ThreadPoolExecutor(count) as together,
    ):
        students = [Student(hub, f"student{number:02}") for number in range(count)]
        list(together.map(tried(Student.log_in), students))
        starts = [s for s in together.map(tried(Student.start_server), students) if s is not None]
        idle = [memory(student) for student in students]
        begun = time.perf_counter()
        if not options.simulated:
            list(together.map(tried(work), students))
        worked = time.perf_counter() - begun
        busy = [memory(student) for student in students]
        everything = sum(process.memory_full_info().pss for process in hub.descendants()) / 2**20
        hubs = everything - sum(busy)
        if failures:
            print(hub.said())
    cores, total = os.cpu_count(), psutil.virtual_memory().total / 2**30
    kind = "simulated servers" if options.simulated else "students"
    today = time.strftime("%Y-%m-%d", time.gmtime())
    print(
        f"{today}: {count} {kind} at once, {cores} cores, {total:.0f} GiB, load {load:.0f} before"
    )
    print(f"server ready, seconds: median {statistics.median(starts):.0f}, last {max(starts):.0f}")
    if not options.simulated:
        print(f"chapter 2 run by all, seconds: {worked:.0f}")
        print(f"memory a student, MiB: {statistics.median(idle):.0f} before, ", end="")
        print(f"{statistics.median(busy):.0f} after the chapter (the most: {max(busy):.0f})")
    print(f"hub, proxy and culler, MiB: {hubs:.0f}")
    print(f"failures: {len(failures)}")
    print("\n".join(failures))


def work(student: Student) -> None:
    student.run(*student.open(CHAPTER))


if __name__ == "__main__":
    main()
