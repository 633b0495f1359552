"""Try to read and to change another student's files on the same machine.

    sudo python -m tests.classroom.intruder

Three accounts, the hub with deploy/'s configuration, and the exchange as deploy/tljh/install.sh
makes it, all in namespaces of their own: this machine's accounts and processes stay as they are. A
server runs for alice; mallory, who has one too, tries what a student may try. For each attempt it
prints whether it was refused; docs/class.md has what it printed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import psutil

from .hub import CHAPTER, ROOT, Student, running

TEACHER, ALICE, MALLORY = "jupyter-ada", "jupyter-alice", "jupyter-mallory"
ACCOUNTS = {TEACHER: 61201, ALICE: 61202, MALLORY: 61203}
ASSIGNMENT = "13_engine"
SOLUTIONS = f"source/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"

# All users of this machine can start what is above: they have accounts, and PAM is not asked.
ACCOUNTS_OF_ITS_OWN = """
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.JupyterHub.allow_named_servers = False
"""

# The program that mallory runs: an attempt that comes to its end has succeeded.
TRIES = """
import glob, json, os, pathlib, sys
said = []
for program, given in json.load(sys.stdin):
    try:
        exec(program, given | {"glob": glob, "os": os, "pathlib": pathlib})
        said.append("")
    except BaseException as error:
        why = getattr(error, "strerror", None) or str(error)
        said.append(f"{type(error).__name__}: {why}")
print(json.dumps(said))
"""
ASK = """
import json, urllib.request
def ask(url, token="", method="GET", data=None):
    headers = {"Authorization": "token " + token} if token else {}
    request = urllib.request.Request(url, data and data.encode(), headers, method=method)
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *anything):
            raise PermissionError("sent away to log in")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)
    with opener.open(request, timeout=60) as answer:
        return answer.read().decode()
"""


SEARCH = """
lines = [open(f"/proc/{each}/cmdline").read() for each in os.listdir("/proc") if each.isdigit()]
(got,) = [line for line in lines if "token" in line.lower()]
"""
LISTEN = """
import socket
for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, option, 1)
        try:
            taken.bind(("127.0.0.1", port))
            taken.listen()
            break
        except OSError as error:
            last = error
else:
    raise last
"""
HAND_IN = """
today = "2026-11-22 10:00:00 UTC"
def hand_in(name, time):
    place = pathlib.Path(f"{course}/inbound/{name}+13_engine+{time}+{os.urandom(6).hex()}")
    place.mkdir()
    return place / "13_engine.ipynb"
"""
OWN, REFUSED, KNOWN, PUT = "had, one's own", "refused", "had, known", "put there"


@dataclass(frozen=True, slots=True)
class Try:
    """Something that mallory tries, and what should come of it. What is one's own must be had, or
    the others prove nothing; what is known is in docs/teaching.md.
    """

    title: str
    program: str
    expected: str = REFUSED


FILES = [
    Try("read one's own notebook", "got = open(f'{mine}/{chapter}').read()", OWN),
    Try("list alice's home", "got = os.listdir(home)"),
    Try("read alice's notebook", "got = open(f'{home}/{chapter}').read()"),
    Try("list alice's kernels", "got = os.listdir(f'{home}/.jupyter/run')"),
    Try("write into alice's home", "open(f'{home}/mine', 'w').write('x')"),
    Try("read the hub's database", "got = open(f'{state}/jupyterhub.sqlite', 'rb').read()"),
    Try("read the hub's cookie secret", "got = open(f'{state}/jupyterhub_cookie_secret').read()"),
    Try("read the teacher's solutions", "got = open(f'{course}/{source}').read()"),
    Try("enter the teacher's environment", "got = os.listdir(f'{course}/../marking')"),
]
PROCESSES = [
    Try("read one's own server's token", "got = open(f'/proc/{own_pid}/environ').read()", OWN),
    Try("read the token of alice's server", "got = open(f'/proc/{pid}/environ').read()"),
    Try("read the memory of alice's server", "open(f'/proc/{pid}/mem', 'rb').close()"),
    Try("read the hub's environment", "got = open(f'/proc/{hub_pid}/environ').read()"),
    Try("end alice's server", "os.kill(pid, 15)"),
    Try("end the hub", "os.kill(hub_pid, 15)"),
    Try("find a token in a command line", SEARCH),
    Try("see that alice has a server", "got = open(f'/proc/{pid}/cmdline').read()", KNOWN),
]
NETWORK = [
    Try("ask one's own server", "got = ask(f'{mine}/api/contents', token)", OWN),
    Try("ask the hub about oneself", "got = ask(f'{hub}/users/{mallory}', token)", OWN),
    Try("ask alice's server without a token", "got = ask(f'{server}/api/contents')"),
    Try("ask alice's server with one's own", "got = ask(f'{server}/api/contents', token)"),
    Try("the same by the hub's address", "got = ask(f'{outside}/api/contents', token)"),
    Try("start a kernel in alice's server", "ask(f'{outside}/api/kernels', token, 'POST', '{}')"),
    Try("ask the hub who there is", "got = ask(f'{hub}/users', token)"),
    Try("ask the hub about alice", "got = ask(f'{hub}/users/{alice}', token)"),
    Try("stop alice's server", "ask(f'{hub}/users/{alice}/server', token, 'DELETE')"),
    Try("make a token of alice's", "ask(f'{hub}/users/{alice}/tokens', token, 'POST', '{}')"),
    Try("with one's server's token", "ask(f'{hub}/users/{alice}/tokens', servers, 'POST', '{}')"),
    Try("become an admin", "ask(f'{hub}/users/{mallory}', token, 'PATCH', '{\"admin\": true}')"),
    Try("ask the proxy where servers are", "got = ask(f'{proxy}/api/routes')"),
    Try("lead alice's address elsewhere", "ask(f'{proxy}/api/routes{path}', '', 'POST', target)"),
    Try("listen in the place of alice's server", LISTEN),
]
EXCHANGE = [
    Try("list what has been handed out", "got = os.listdir(f'{course}/outbound')", OWN),
    Try("list what has been handed in", "got = os.listdir(f'{course}/inbound')"),
    Try("find what alice has handed in", "(got,) = glob.glob(f'{course}/inbound/{alice}*')"),
    Try("hand out in the teacher's place", "os.mkdir(f'{course}/outbound/14')"),
    Try("take the course away", "os.rename(course, course + '-gone')"),
]
# These can be put down, and must not be collected.
PUT_DOWN = [
    Try("work in alice's name", "hand_in(alice, '2099-01-01 00:00:00 UTC').write_text('{}')", PUT),
    Try("a link to the solutions", "hand_in(mallory, today).symlink_to(solutions)", PUT),
    Try("a folder without a time", "hand_in(mallory, 'never')", PUT),
]


def main() -> int:
    if sys.platform != "linux" or os.geteuid() != 0:
        sys.exit("This needs root, and namespaces, which are Linux's")
    if "--inside" not in sys.argv:
        namespaces = ("--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc")
        again = (sys.executable, "-m", "tests.classroom.intruder", "--inside")
        command = ["unshare", *namespaces, "--kill-child", *again]
        return subprocess.run(command, check=False).returncode
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o711)
        make_accounts(folder)
        show_this_python()
        slips = [*attacks_on_the_exchange(folder), *attacks_on_a_server(folder)]
    print("\nNot as it should be: " + ", ".join(slips) if slips else "\nAll as it should be.")
    return int(bool(slips))


def make_accounts(folder: Path) -> None:
    """Accounts that these namespaces alone know, and their homes."""
    for file, line in (
        ("/etc/passwd", "{name}:x:{number}:{number}::{home}:/bin/bash\n"),
        ("/etc/group", "{name}:x:{number}:\n"),
    ):
        more = [
            line.format(name=name, number=number, home=folder / "homes" / name)
            for name, number in ACCOUNTS.items()
        ]
        own = folder / Path(file).name
        own.write_text(Path(file).read_text(encoding="utf-8") + "".join(more))
        own.chmod(0o644)
        subprocess.run(["mount", "--bind", own, file], check=True)
    for name, number in ACCOUNTS.items():
        home = folder / "homes" / name
        home.mkdir(parents=True)
        home.chmod(0o700)
        os.chown(home, number, number)
    (folder / "homes").chmod(0o711)


def show_this_python() -> None:
    """Where Python lies in root's home, show others the way to it, and to nothing else there."""
    prefix = Path(sys.base_prefix).resolve()
    home = Path("/root")
    if home not in prefix.parents:
        return
    aside = Path(tempfile.mkdtemp(dir="/tmp"))
    subprocess.run(["mount", "--bind", prefix, aside], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", home], check=True)
    prefix.mkdir(parents=True)
    subprocess.run(["mount", "--bind", aside, prefix], check=True)


def run_as(name: str, program: str, *arguments: str, given: Any = None, cwd: Path) -> str:
    """Return the printed text of a program that an account runs."""
    paths = [ROOT, ROOT / "viz", ROOT / "lessons"]
    scripts = str(Path(sys.executable).parent)
    environment = {
        "HOME": str(cwd.parents[0] / name if cwd.name != name else cwd),
        "PATH": os.pathsep.join([scripts, os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "JUPYTER_CONFIG_PATH": os.environ.get("JUPYTER_CONFIG_PATH", ""),
    }
    number = ACCOUNTS[name]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input=json.dumps(given), env=environment, cwd=cwd, user=number, group=number,
        extra_groups=[], umask=0o022, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stdout}{done.stderr}")
    return done.stdout


def tried(attempts: list[Try], before: str, folder: Path, **given: Any) -> Iterator[str]:
    """Let mallory try; what did not come out as it should."""
    given |= {"alice": ALICE, "mallory": MALLORY}
    tasks = [[before + each.program, given] for each in attempts]
    answers = json.loads(run_as(MALLORY, TRIES, given=tasks, cwd=folder / "homes" / MALLORY))
    for attempt, said in zip(attempts, answers, strict=True):
        had = "HAD" if attempt.expected == REFUSED else attempt.expected
        print(f"  {attempt.title:40}{REFUSED if said else had:16}{said}".rstrip())
        if bool(said) is not (attempt.expected == REFUSED):
            yield attempt.title


def attacks_on_the_exchange(folder: Path) -> list[str]:
    from tests.classroom.course import NBGRADER, handed_in
    from tests.classroom.test_deploy import fake_tljh

    tljh, homes = folder / "tljh", folder / "homes"
    # Stand-ins of TLJH's commands only note their calls; accounts and folders are really made.
    variables = fake_tljh(tljh) | {"LOGIN": "firstuse", "TEACHER": "ada"}
    variables |= {"HOMES": str(homes), "PATH": os.environ["PATH"]}
    for each in (tljh, *tljh.rglob("*")):
        each.chmod(0o755)
    script = ROOT / "deploy" / "tljh" / "install.sh"
    subprocess.run([script], env=os.environ | variables, check=True, stderr=subprocess.DEVNULL)
    exchange, course = tljh / "exchange" / "minigrad", homes / TEACHER / "minigrad"
    os.environ["JUPYTER_CONFIG_PATH"] = str(tljh / "user" / "etc" / "jupyter")
    make = "import sys; from minigrad_lessons.grading import assignment as a; sys.exit(a.main())"
    run_as(TEACHER, make, ASSIGNMENT, "--lang", "en", "--course", str(course), cwd=course)
    release = (f"generate_assignment {ASSIGNMENT}", f"release_assignment {ASSIGNMENT}")
    run_as(TEACHER, NBGRADER, *release, cwd=course)
    run_as(ALICE, NBGRADER, f"fetch_assignment {ASSIGNMENT}", cwd=homes / ALICE)
    fetched = homes / ALICE / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    nbformat.write(handed_in(nbformat.read(fetched, 4), ASSIGNMENT, 0), fetched)
    run_as(ALICE, NBGRADER, f"submit {ASSIGNMENT}", cwd=homes / ALICE)
    (alices,) = (exchange / "inbound").glob(f"{ALICE}+*/{ASSIGNMENT}.ipynb")

    given = {"course": str(exchange), "solutions": str(course / SOLUTIONS)}
    print("The exchange")
    slips = list(tried(EXCHANGE, "", folder, **given))
    print("\nPut into the exchange")
    slips += tried(PUT_DOWN, HAND_IN, folder, **given)
    run_as(TEACHER, NBGRADER, f"collect {ASSIGNMENT}", cwd=course)
    collected = {path.parts[-3]: path for path in (course / "submitted").glob("*/*/*.ipynb")}
    good = collected.keys() == {ALICE} and collected[ALICE].read_bytes() == alices.read_bytes()
    print(f"  {'what of it the teacher collects':40}{'nothing' if good else 'SOMETHING'}")
    return slips if good else [*slips, "collected"]


def attacks_on_a_server(folder: Path) -> list[str]:
    state, homes = folder / "hub", folder / "homes"
    state.mkdir(mode=0o711)
    with running(state, ACCOUNTS_OF_ITS_OWN) as hub:
        students = [Student(hub, name) for name in (ALICE, MALLORY)]
        for student in students:
            student.log_in()
            student.start_server()
        students[0].open(CHAPTER)
        alices, mallorys = (server_of(student.name) for student in students)
        proxy = psutil.Process(hub.processes[0].pid).cmdline()
        (api,) = (a.removeprefix("--api-port=") for a in proxy if a.startswith("--api-port="))
        files = {
            "home": str(homes / ALICE),
            "mine": str(homes / MALLORY),
            "chapter": CHAPTER,
            "state": str(state),
            "course": str(homes / TEACHER / "minigrad"),
            "source": SOLUTIONS,
        }
        processes = {
            "pid": alices.pid,
            "own_pid": mallorys.pid,
            "hub_pid": hub.processes[-1].pid,
        }
        network = {
            "server": f"http://127.0.0.1:{port_of(alices)}/user/{ALICE}",
            "outside": f"{hub.url}/user/{ALICE}",
            "mine": f"{hub.url}/user/{MALLORY}",
            "hub": f"{hub.url}/hub/api",
            "proxy": f"http://127.0.0.1:{api}",
            "path": f"/user/{ALICE}",
            "target": json.dumps({"target": "http://127.0.0.1:1"}),
            "port": port_of(alices),
            "token": str(students[1].session.headers["Authorization"]).removeprefix("token "),
            "servers": mallorys.environ()["JUPYTERHUB_API_TOKEN"],
        }
        slips = []
        for title, attempts, before, given in (
            ("Files", FILES, "", files),
            ("Processes", PROCESSES, "", processes),
            ("Ports and tokens", NETWORK, ASK, network),
        ):
            print(f"\n{title}")
            slips += tried(attempts, before, folder, **given)
        return slips


def server_of(name: str) -> psutil.Process:
    number = ACCOUNTS[name]
    (server,) = [
        process
        for process in psutil.process_iter()
        if process.uids().real == number and "minigrad_lessons.lab.singleuser" in process.cmdline()
    ]
    return server


def port_of(server: psutil.Process) -> int:
    (listening,) = [c for c in server.net_connections("tcp") if c.status == "LISTEN"]
    return int(listening.laddr.port)


if __name__ == "__main__":
    sys.exit(main())
