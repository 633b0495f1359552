"""What a class costs: how long a server takes to start, and how much memory a student holds.

    python -m tests.classroom.measure --students 20

starts a JupyterHub with deploy/'s configuration, lets all students come in at once and run chapter
2, and prints the figures that docs/teaching.md sizes a machine by.
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.classroom.measure")
    parser.add_argument("--students", type=int, default=20)
    count = parser.parse_args().students
    failures: list[str] = []

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
        running(Path(folder)) as hub,
        ThreadPoolExecutor(count) as together,
    ):
        students = [Student(hub, f"student{number:02}") for number in range(count)]
        list(together.map(tried(Student.log_in), students))
        starts = [s for s in together.map(tried(Student.start_server), students) if s is not None]
        idle = [memory(student) for student in students]
        begun = time.perf_counter()
        list(together.map(tried(work), students))
        worked = time.perf_counter() - begun
        busy = [memory(student) for student in students]
        everything = sum(process.memory_full_info().pss for process in hub.descendants()) / 2**20
        hubs = everything - sum(busy)
        if failures:
            print(hub.said())
    cores, total = os.cpu_count(), psutil.virtual_memory().total / 2**30
    print(f"{count} students at once, {cores} cores, {total:.0f} GiB")
    print(f"server ready, seconds: median {statistics.median(starts):.0f}, last {max(starts):.0f}")
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
