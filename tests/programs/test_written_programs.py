"""Backward passes written down as programs: the text gives the same gradients, to the bit.

Of random programs, of those that students write, of the lessons, and of every operation in the
tables; a sample each time. MINIGRAD_WRITTEN=10000 asks for that many random programs, and for all
variants of the operations.
"""

from __future__ import annotations

import linecache
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings

import minigrad as mg
from tests.ops.tables.families import TABLES
from tests.parity import Case, differentiable, make_inputs, variants, weights_like
from tests.programs.module_programs import ModuleInterpreter, module_programs
from tests.programs.random_programs import Interpreter, Step, programs, run
from tests.programs.test_course_programs import PROGRAMS as COURSE
from tests.programs.test_network_programs import PROGRAMS as NETWORKS
from tests.written import Seen, every_pass_written

ASKED = os.environ.get("MINIGRAD_WRITTEN", "")
SETTINGS = settings(max_examples=int(ASKED or 60), suppress_health_check=[HealthCheck.too_slow])
MOST = None if ASKED else 8
"""Passes of one program that are compared: a training loop does the same again and again."""

LESSONS = sorted((Path(__file__).parents[2] / "lessons/en").glob("[01][0-9]_*.ipynb"))[3:]


def written(program: list[Step], kind: type[Interpreter], T: Any = mg) -> Seen:
    """Run a program on the library `T`, each of its passes compared."""
    interpreters: list[Interpreter] = []

    class Kept(kind):  # type: ignore[misc, valid-type]
        def __init__(self, T: Any) -> None:
            super().__init__(T)
            interpreters.append(self)

    def variables() -> dict[str, Any]:
        found = {id(x): x for x in interpreters[0].variables if x.requires_grad}
        return {f"v{place}": x for place, x in enumerate(found.values())}

    with every_pass_written(variables, T=T) as seen:
        run(T, program, Kept)
    assert T is not mg or not seen.called
    return seen


@SETTINGS
@given(program=programs)
def test_random_program(program: list[Step]) -> None:
    written(program, Interpreter)


@SETTINGS
@given(program=module_programs)
def test_random_program_of_another_kind(program: list[Step]) -> None:
    written(program, ModuleInterpreter)


@settings(SETTINGS, max_examples=int(ASKED or 60) // 2)
@given(program=programs)
def test_random_program_on_pytorch(pytorch: Any, program: list[Step]) -> None:
    written(program, Interpreter, pytorch)


CASES = [
    pytest.param(case, id=f"{family}: {case}")
    for family, cases in TABLES.items()
    for case in cases
    if not case.forward_only
]


@pytest.mark.parametrize("case", CASES)
def test_every_operation(case: Case) -> None:
    """All of a node's text is NumPy's words: nothing is called."""
    every = list(variants(case))
    for inputs, dtype, strided in every if ASKED else every[:1]:
        made = make_inputs(mg, case, inputs, dtype, strided)
        leaves = [t for t in made if isinstance(t, mg.Tensor) and t.is_floating_point()]
        for leaf in leaves:
            leaf.requires_grad_()
        outputs = differentiable(mg, case.function(mg, *made))
        seeds = [weights_like(mg, out, salt, strided) for salt, out in enumerate(outputs)]
        roots = [(out, g) for out, g in zip(outputs, seeds, strict=True) if out.grad_fn]
        named = {f"x{place}": leaf for place, leaf in enumerate(leaves)}
        if roots:
            with every_pass_written(lambda named=named: named) as seen:
                mg.autograd.backward([out for out, _ in roots], [g for _, g in roots])
            assert seen.passes == 1
            assert not seen.called


@pytest.mark.sampled("PROOFS", 15)
@pytest.mark.parametrize("program", [*COURSE, *NETWORKS], ids=lambda program: program.__name__)
@pytest.mark.usefixtures("capsys")
def test_programs_of_students(program: Any) -> None:
    with every_pass_written(dict, MOST) as seen, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mg.manual_seed(0)
        program(mg)
    assert not seen.called


@pytest.mark.sampled("PROOFS", 5)
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
@pytest.mark.usefixtures("capsys")
def test_lessons(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells of a chapter, one after the other; those that show a pass that fails, fail."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    with every_pass_written(dict, MOST) as seen, warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        for place, cell in enumerate(cells):
            name = f"<{path.stem} {place}>"
            linecache.cache[name] = (0, None, cell.source.splitlines(keepends=True), name)
            tags = cell.metadata.get("tags", [])
            if "hole" in tags or cell.source.startswith(("check(", "%")):
                continue
            try:
                exec(compile(cell.source, name, "exec"), scope)
            except Exception as error:
                # An answer that is left open leaves a name undefined.
                assert "raises-exception" in tags or isinstance(error, NameError)
                monkeypatch.setattr(sys, "last_value", error, raising=False)
    assert seen.passes
    assert not seen.called


def test_no_module_keeps_the_replaced_pass() -> None:
    """One that is loaded within the block would, and then write down its own work as well."""
    x = mg.ones(2, requires_grad=True)
    with every_pass_written(dict) as seen:
        (x * x).sum().backward()
    assert seen.passes == 1
    kept = [name for name, module in [*sys.modules.items()] if of_tests(vars(module))]
    assert kept == []


def of_tests(names: dict[str, Any]) -> bool:
    return getattr(names.get("backward"), "__module__", "") == every_pass_written.__module__
