"""mypy and pyright on a user's program: the type of each line, and the wrong lines.

`program.py` says behind its lines what its writer expects; mypy in strict mode and pyright as an
editor runs it say what they find, and the two are compared line by line. The program is run as
well: its types are to be those of the values.

Pyright comes as `basedpyright`, which is pyright in a wheel with a Node.js of its own. The package
`pyright` fetches it from npm the first time that it runs, which no test should.

`python -m tests.types.test_user_program` prints every line whose expectation is not met.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.speaking import speaking

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("program.py")
PACKAGES = [str(ROOT), str(ROOT / "viz"), str(ROOT / "lessons")]

# Lines that a checker does not see as their writer does, yet. A line that is met must leave this
# list, so that it says what is left to do.
UNMET = {"both": "", "mypy": "", "pyright": ""}

Findings = dict[int, str]
"""By line number: the type that was revealed, or "error"."""


def mypy(folder: Path) -> Findings:
    """Return mypy's messages in strict mode, without this project's configuration."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    command += [f"--cache-dir={folder / 'mypy'}", "--hide-error-context", str(PROGRAM)]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "MYPYPATH": os.pathsep.join(PACKAGES)},
        capture_output=True,
        text=True,
    )
    assert not done.stderr, done.stderr
    found: Findings = {}
    for line in done.stdout.splitlines():
        said = re.match(rf"{re.escape(str(PROGRAM))}:(\d+): (error|note): (.*)", line)
        if said is None:
            continue
        number, kind, text = int(said[1]), said[2], said[3]
        revealed = re.match(r'Revealed type is "(.*)"', text)
        if kind == "error":
            found[number] = "error"
        elif revealed is not None:
            found.setdefault(number, short(revealed[1]))
    return found


def pyright(folder: Path) -> Findings:
    """Return pyright's messages in its standard mode, as editors use it."""
    config = folder / "pyrightconfig.json"
    settings = {"include": [str(PROGRAM)], "extraPaths": PACKAGES, "typeCheckingMode": "standard"}
    config.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--project", str(config)]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found: Findings = {}
    for said in json.loads(done.stdout)["generalDiagnostics"]:
        number = said["range"]["start"]["line"] + 1
        revealed = re.match(r'Type of ".*" is "(.*)"$', said["message"], re.DOTALL)
        if said["severity"] == "error":
            found[number] = "error"
        elif revealed is not None:
            found.setdefault(number, short(revealed[1]))
    return found


def short(name: str) -> str:
    """A type as one writes it: without modules, and a named tuple by its name alone."""
    name = re.sub(r"tuple\[[^\[\]]*, fallback=([\w.]+(?:\[[^\[\]]*\])?)\]", r"\1", name)
    return re.sub(r"\b\w+\.(?=\w)", "", name)


CHECKERS = {"mypy": mypy, "pyright": pyright}


def expected() -> dict[int, tuple[str, str]]:
    """By line number: the code of each line of the program, and what is expected of it."""
    lines = PROGRAM.read_text().splitlines()
    found = {}
    for number, line in enumerate(lines, 1):
        code, _, comment = line.partition("  # ")
        if comment or code.strip():
            found[number] = code.strip(), comment
    return found


@cache
def unmet(checker: str, folder: Path) -> dict[str, str]:
    """The lines that `checker` sees otherwise than expected, with what was expected and found."""
    findings = CHECKERS[checker](folder)
    return {
        code: f"expected {wanted or 'nothing'}, found {findings.get(number, 'nothing')}"
        for number, (code, wanted) in expected().items()
        if findings.get(number, "") != wanted
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("checkers")


@pytest.mark.sampled("PROOFS", 1)
@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_infer_expected_types(checker: str, folder: Path) -> None:
    """Every line outside the list is met, and every line in it is not."""
    if checker == "pyright":
        pytest.importorskip("basedpyright", reason="basedpyright is not installed")
    found = unmet(checker, folder)
    known = {line.strip() for name in ("both", checker) for line in UNMET[name].splitlines()} - {""}
    wrong = [f"{code}: {said}" for code, said in found.items() if code not in known]
    assert not wrong, "\n".join(wrong)
    assert known <= set(found), f"met by now: {sorted(known - set(found))}"


def test_each_line_is_there_once() -> None:
    """The lists above name a line by its code."""
    codes = [code for code, wanted in expected().values() if wanted]
    assert len(codes) > 200
    assert not {code for code in codes if codes.count(code) > 1}


@pytest.mark.parametrize(
    "module", ["minigrad.nn", "minigrad.nn.functional", "minigrad.optim", "minigrad_viz"]
)
def test_every_public_name_is_in_the_program(module: str) -> None:
    text = PROGRAM.read_text()
    names = importlib.import_module(module).__all__
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled:UserWarning")
def test_program_types_match_its_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # the program saves a picture
    program = importlib.import_module("tests.types.program")
    lines, count = expected(), 0

    def reveal(value: object) -> None:
        nonlocal count
        code, wanted = lines[sys._getframe(1).f_lineno]
        names = {"None"} if value is None else {kind.__name__ for kind in type(value).__mro__}
        assert names & {kind.partition("[")[0] for kind in wanted.split(" | ")}, code
        count += 1

    monkeypatch.setattr(program, "reveal_type", reveal)
    with speaking(None):
        for name, part in inspect.getmembers(program, inspect.isfunction):
            ours = part.__module__ == program.__name__ and not inspect.signature(part).parameters
            if ours and name != "mistakes":
                part()
    assert count > 200


@pytest.mark.parametrize("package", ["minigrad", "viz/minigrad_viz", "lessons/minigrad_lessons"])
def test_a_package_says_that_it_has_types(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        for name in CHECKERS:
            for code, said in unmet(name, Path(scratch)).items():
                print(f"{name}: {code}\n    {said}")
