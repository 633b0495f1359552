"""`make mutants`: plant 200 small slips, one at a time, and count those that the tests notice.

A test suite is worth what it notices. Each change (plant.py) is made in a copy of the project, in
`build/mutants`; then the tests that run its line (reach.py) are run until one fails, nearest first:
those of which the changed file is the largest part. Of many tests, two minutes' worth. A
test that hangs or takes all memory has noticed. At the end those that noticed are run without any
change: what fails then, too, has noticed nothing, and its change is tried again without it.

mutmut puts a wrapper around each function, which hides the argument names that minigrad reads, and
cosmic-ray runs one command for every change; so this is our own.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import itertools
import json
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from .plant import Change, changes, sample
from .reach import LOADING, SOURCES, Reach, carry, kept, read
from .tree import Tree, failed

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutants"
UNNOTICED = BUILD / "unnoticed.json"
WANTED = 0.95

# They start servers and browsers, or read sources and texts in place of running them.
ELSEWHERE = ("answers", "bench", "browser", "classroom", "lessons", "mutants", "types")
READERS = ("binder", "contributing", "docs", "house", "packaging", "record", "stepped", "stubs")

READ_DEFAULTS = ("tests/test_signatures.py::", "tests/viz/test_options.py::test_the_defaults")
"""These read the defaults of functions that they do not run."""

WITH_GPU = ("minigrad/accelerator.py", "minigrad/cuda/__init__.py")
"""`make test-gpu` tests these."""
SOON, LATER, LAST = 4.0, 25.0, 120.0
"""How much of the tests' own time, as it was measured, one change is worth: at first, then, and in
all. Each time all tests of the files in question must be collected."""
SLOW = 1.0
"""Tests that take longer come last."""
STARTING = 60.0
"""Seconds that a change may take in addition to four times its tests' own time."""


# --- The project


def project_files() -> list[str]:
    """The project's files as git knows them, and those that are not added yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return sorted({name for name in done.stdout.split("\0") if (ROOT / name).is_file()})


# --- What the tests run


def measured(tree: Tree, files: Sequence[str]) -> Reach:
    """Which lines each test runs. A test file is measured anew if it or what it may share with
    others is not as it was. Where the packages have changed, what is known moves with their lines;
    too little known can only count against the tests."""
    folder = BUILD / "reach"
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / "index.json"
    known = json.loads(index.read_text()) if index.exists() else {}
    texts = {name: (tree.path / name).read_text("utf-8") for name in files if name.endswith(".py")}
    sources = {name: text for name, text in texts.items() if name.startswith(SOURCES)}
    tests = [name for name in files if is_tests(name)]
    shared = {name: imported(texts[name]) for name in files if is_shared(name)}
    keys = {LOADING: sys.version}
    for name in tests:
        used = "".join(texts[each] for each in [name, *users(name, texts[name], shared)])
        keys[name] = hashlib.sha256((sys.version + used).encode()).hexdigest()
    stale = [name for name in keys if known.get(name) != keys[name]]
    for name in stale:
        kept(folder, name).unlink(missing_ok=True)
    carry(folder, [name for name in keys if name not in stale], sources)
    if new := [name for name in stale if name != LOADING]:
        print(f"measuring what the tests of {len(new)} files run", flush=True)
        tree.run(["--continue-on-collection-errors", *new], MINIGRAD_REACH=str(folder))
        index.write_text(json.dumps(keys))
    reach: Reach = {}
    for name in keys:
        reach |= read(folder, name)
    return reach


def imported(text: str) -> set[str]:
    """The words of what a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(re.findall(r"\w+", ast.unparse(node)))
    return found


def users(name: str, text: str, shared: Mapping[str, set[str]]) -> list[str]:
    """The shared files that a test file may use: those of its folder, and those that it or one of
    them imports."""
    folder = str(Path(name).parent) + "/"
    said, found = imported(text), {each for each in shared if each.startswith(folder)}
    found |= {each for each in shared if name.startswith(each.removesuffix("conftest.py"))}
    while True:
        said = said.union(*(shared[each] for each in found))
        more = {each for each in shared if called(each) in said} - found
        if not more:
            return sorted(found)
        found |= more


def called(name: str) -> str:
    """The last word of a module's name."""
    path = Path(name)
    return path.parent.name if path.stem == "__init__" else path.stem


def is_shared(name: str) -> bool:
    """Whether a file says what several test files do."""
    parts = Path(name).parts
    return (
        name.endswith(".py")
        and parts[0] in ("conftest.py", "tests")
        and not parts[-1].startswith("test_")
        and parts[1:2] not in [(folder,) for folder in ELSEWHERE]
    )


def is_tests(name: str) -> bool:
    """Whether a file has tests or doctests that run the packages in this process."""
    parts = Path(name).with_suffix("").parts
    if not name.endswith(".py"):
        return False
    if name.startswith(SOURCES):
        return ">>> " in (ROOT / name).read_text(encoding="utf-8")
    return (
        parts[0] == "tests"
        and parts[1] not in ELSEWHERE
        and parts[-1].startswith("test_")
        and parts[-1].removeprefix("test_") not in READERS
    )


def nearest(reach: Reach, change: Change) -> list[str]:
    """The tests that run a line of the change, as many as have time.

    One of each parametrized test comes first, then two, four and so on: they are much alike. What
    runs when a file is loaded is noticed by those that run the rest of it, too. What no
    test runs here may run in a process that the tests of the file's own name start, or where
    nothing can be traced, such as in a profiler's callback, while a test runs the rest of the file;
    of a file without functions the tests of its folder know.
    """
    wanted = bits_of(change)
    by_test = {test: lines.get(change.path, 0) for test, (_, lines) in reach.items()}
    loading = by_test.pop(LOADING, 0)
    first = wanted
    if loading & wanted or not any(lines & wanted for lines in by_test.values()):
        own = f"/test_{Path(change.path).stem}.py::"
        if not loading & wanted and (named := [test for test in by_test if own in test]):
            return named
        wanted = -1
        if not any(by_test.values()):
            room = f"/{Path(change.path).parent.name}/test_"
            by_test = {test: int(room in test) for test in by_test}
    found = []
    for test, own_lines in by_test.items():
        if own_lines & wanted:
            everything = sum(map(int.bit_count, reach[test][1].values())) or 1
            found.append((bool(own_lines & first), own_lines.bit_count() / everything, test))
    seen: Counter[str] = Counter()
    ranked = []
    for runs_it, share, test in sorted(found, reverse=True):
        function = test.partition("[")[0]
        seen[function] += 1
        turn = reach[test][0] > SLOW, seen[function].bit_length()
        ranked.append((not runs_it, *turn, -share, test))
    chosen: list[str] = []
    spent = 0.0
    for *_, test in sorted(ranked):
        spent += reach[test][0]
        if spent > LAST and chosen:
            break
        chosen.append(test)
    if change.kind == "default":
        chosen += [test for test in reach if test.startswith(READ_DEFAULTS)]
    return chosen


def bits_of(change: Change) -> int:
    return sum(1 << line for line in change.lines)


def in_turn(tests: Sequence[str], reach: Reach) -> Iterator[Sequence[str]]:
    """The tests that are run at once, those that are run if these notice nothing, and the rest."""
    spent = list(itertools.accumulate(reach[test][0] for test in tests))
    ends = [max(sum(seconds < limit for seconds in spent), 1) for limit in (SOON, LATER)]
    return filter(None, (tests[: ends[0]], tests[ends[0] : ends[1]], tests[ends[1] :]))


# --- One change


@dataclass
class Result:
    change: Change
    noticed: bool
    by: str  # a test, or what happened


def tried(change: Change, tests: Sequence[str], reach: Reach, tree: Tree) -> Result:
    """Plant a change in the tree, run the tests, and take it out again."""
    if not tests:
        return Result(change, False, "no test runs this line")
    with tree.planted(change):
        for part in in_turn(tests, reach):
            limit = STARTING + 4 * sum(reach[test][0] for test in part)
            if said := tree.run_tests(part, "-x", limit):
                return Result(change, True, (failed(said) or [said.strip().splitlines()[-1]])[0])
    wanted = bits_of(change)
    count = sum(bool(reach[test][1].get(change.path, 0) & wanted) for test in tests)
    told = f"{count} tests run this line" if count else "no test runs this line"
    return Result(change, False, told)


def judged(planted: Sequence[Change], reach: Reach, trees: Sequence[Tree]) -> list[Result]:
    """Try each change. What was noticed by a test that fails anyway is tried once more without it;
    such tests are taken out of `reach`."""
    free: Queue[Tree] = Queue()
    for tree in trees:
        free.put(tree)

    def one(change: Change) -> Result:
        tree = free.get()
        try:
            result = tried(change, nearest(reach, change), reach, tree)
        finally:
            free.put(tree)
        if not result.noticed:
            print(shown(result), flush=True)
        return result

    results: dict[Change, Result] = {}
    waiting = planted
    while waiting:
        with ThreadPoolExecutor(len(trees)) as pool:
            results |= zip(waiting, pool.map(one, waiting), strict=True)
        noticed = {result.by for result in results.values()} & reach.keys()
        anyway = failed(trees[0].run_tests(sorted(noticed), "--maxfail=0")) if noticed else []
        for test in anyway:
            del reach[test]
        waiting = [change for change in planted if results[change].by in anyway]
    return list(results.values())


def shown(result: Result) -> str:
    """The change as lines before and after, with what is known of it."""
    change = result.change
    source = (ROOT / change.path).read_text(encoding="utf-8")
    before, after = source.splitlines(), change.planted(source).splitlines()
    last = len(before) - next(
        (n for n, (a, b) in enumerate(zip(before[::-1], after[::-1], strict=False)) if a != b), 0
    )
    first = next(n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
    rows = [f"- {row}" for row in before[first : max(last, first + 1)]]
    rows += [f"+ {row}" for row in after[first : max(last, first + 1) + len(after) - len(before)]]
    return "\n".join([f"{change.path}:{change.line} ({change.kind}; {result.by})", *rows, ""])


# --- All of them


def every_change(files: Iterable[str]) -> list[Change]:
    """All changes to all files of the packages."""
    found = []
    for name in files:
        if name.startswith(SOURCES) and name.endswith(".py") and name not in WITH_GPU:
            found += changes((ROOT / name).read_text(encoding="utf-8"), name)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many changes (200)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (0)")
    parser.add_argument("--under", default="", help="only in files whose path begins so")
    parser.add_argument("--workers", type=int, default=1, help="how many at the same time (1)")
    parser.add_argument("--again", action="store_true", help="only what went unnoticed last time")
    options = parser.parse_args()

    begin = time.perf_counter()
    files = project_files()
    found = [each for each in every_change(files) if each.path.startswith(options.under)]
    planted = sample(found, options.count, options.seed)
    if options.again:
        places = json.loads(UNNOTICED.read_text())
        planted = [each for each in planted if [each.path, each.start, each.after] in places]
    trees = [Tree(ROOT, files, BUILD / f"tree{number}") for number in range(options.workers)]
    reach = measured(trees[0], files)
    print(f"{len(reach) - 1} tests measured after {time.perf_counter() - begin:.0f} s", flush=True)

    results = judged(planted, reach, trees)
    for tree in trees:
        tree.close()
    unnoticed = [result.change for result in results if not result.noticed]
    UNNOTICED.write_text(json.dumps([[each.path, each.start, each.after] for each in unnoticed]))
    for title, name in (("kind", lambda c: c.kind), ("folder", lambda c: str(Path(c.path).parent))):
        table: dict[str, list[bool]] = defaultdict(list)
        for result in results:
            table[name(result.change)].append(result.noticed)
        print(f"{title:30} noticed  planted")
        for row, noticed in sorted(table.items()):
            print(f"{row:30} {sum(noticed):7}  {len(noticed):7}")
    share = 1 - len(unnoticed) / max(len(results), 1)
    minutes = (time.perf_counter() - begin) / 60
    print(f"{share:.1%} of {len(results)} changes were noticed; it took {minutes:.1f} minutes")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
