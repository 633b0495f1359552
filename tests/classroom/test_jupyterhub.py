"""A class on a real JupyterHub: students log in at once, run chapter 2 and step.

A server that dies affects no other. A class of forty takes four minutes of a processor and runs at
night.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest
from minigrad_lessons.lab import singleuser

pytest.importorskip("jupyterhub", reason="JupyterHub is not installed (pip install '.[classroom]')")
from tests.browser.jupyterlab import run_all_and_step, wait_for_kernel
from tests.classroom.hub import CHAPTER, PATIENCE, Hub, Student, execute, proxy_program, running
from tests.sampling import all_of

STUDENTS = 40 if all_of("COURSE") else 2


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    if proxy_program() is None:
        pytest.skip("configurable-http-proxy is not installed (npm ci --prefix deploy)")
    # The path of a kernel's socket has to be short: pytest's own folders are too deep.
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as hub:
        yield hub


@pytest.fixture(scope="module")
def students(hub: Hub) -> list[Student]:
    """The class, logged in, each with a server."""
    present = [Student(hub, f"student{number:02}") for number in range(STUDENTS)]
    with ThreadPoolExecutor(STUDENTS) as together:
        list(together.map(Student.log_in, present))
        list(together.map(Student.start_server, present))
    return present


def work(student: Student) -> list[str]:
    """Run the chapter; the steps of each stepper that was shown."""
    return student.run(*student.open(CHAPTER))


def test_killed_server_leaves_other_students_running(students: list[Student]) -> None:
    *others, unlucky = students
    with ThreadPoolExecutor(STUDENTS) as together:
        working = together.map(work, others)
        _, kernel = unlucky.open(CHAPTER)
        with unlucky.channels(kernel) as channels:
            assert list(execute(channels, "import minigrad_viz"))
            for process in psutil.process_iter(["environ"]):
                if (process.info["environ"] or {}).get("JUPYTERHUB_USER") == unlucky.name:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        process.send_signal(signal.SIGKILL)
        steppers = list(working)
    # Everyone has steps to go through, and the same ones.
    assert steppers[0] and all("1. seed" in steps for steps in steppers[0])
    assert steppers == [steppers[0]] * len(others)


def test_killed_server_restarts_with_its_files(students: list[Student]) -> None:
    unlucky = students[-1]
    mine = unlucky.home / CHAPTER
    mine.write_text(mine.read_text(encoding="utf-8").replace("minigrad", "MINIGRAD", 1))
    changed = mine.read_bytes()
    unlucky.stop_server()  # the hub may not have noticed the death yet
    unlucky.start_server()
    assert mine.read_bytes() == changed


def test_student_cannot_reach_another_server(students: list[Student]) -> None:
    curious, other = students[:2]
    assert other.get(f"/api/contents/{CHAPTER}").status_code == 200
    answer = curious.session.get(
        f"{other.server}/api/contents/{CHAPTER}", timeout=PATIENCE, allow_redirects=False
    )
    assert answer.status_code in (302, 403)  # redirected to the login of another user, or refused


def test_a_student_steps_in_the_browser(students: list[Student], browser: Any) -> None:
    student = students[0]
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{student.hub.url}/hub/login")
    page.get_by_label("Username").fill(student.name)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{student.server}/**")
    page.goto(f"{student.server}/lab/tree/{CHAPTER}?reset")
    wait_for_kernel(page)
    run_all_and_step(page)
    page.context.close()


def test_the_idle_culler_runs(hub: Hub, students: list[Student]) -> None:
    commands = []
    for process in hub.descendants():
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
            commands.append(" ".join(process.cmdline()))
    assert any("jupyterhub_idle_culler" in command for command in commands)
    assert "idle-culler" in hub.said()


def test_files_of_student_are_private(tmp_path: Path) -> None:
    """Where students are users of the system, as with The Littlest JupyterHub."""
    program = "import sys, pathlib; from minigrad_lessons.lab import singleuser as s"
    command = [sys.executable, "-c", f"{program}; s.prepare(pathlib.Path(sys.argv[1]))", tmp_path]
    subprocess.run(command, check=True, timeout=300)
    copied = [tmp_path / singleuser.FOLDER, *(tmp_path / singleuser.FOLDER).rglob("*")]
    assert tmp_path / CHAPTER in copied
    assert {path.stat().st_mode & 0o077 for path in copied} == {0}
