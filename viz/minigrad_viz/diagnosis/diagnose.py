"""diagnose(train_step): what is wrong with a training step, or with the loop that it watches.

observed.py sees the steps, findings.py judges them, diagnosis.py shows what was found.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, overload

from minigrad.autograd.events import said_by

from ..model.names import made_by
from ..model.pytorch_modes import unseen
from ..model.readable import check_callable
from ..plots.grad_flow import Layer
from ..texts.language import Language, chosen
from ..texts.sentences import filled
from .diagnosis import Diagnosis
from .evidence import arguments_in
from .explain import explain
from .findings import KINDS, Ailment, Examination, keeper
from .observed import Observed, Watched, graph_behind
from .reachable import Thing, things_among, things_in, things_of

TURNS = 2
"""So often a function is run: what one step leaves behind shows in the next."""


@overload
def diagnose(step: None = None, *, language: str | None = None) -> Observation: ...
@overload
def diagnose(step: Callable[[], Any], *, language: str | None = None) -> Diagnosis: ...
def diagnose(
    step: Callable[[], Any] | None = None, *, language: str | None = None
) -> Diagnosis | Observation:
    """What is wrong with a training step: parameters without a gradient, and why; parameters that
    the optimizer does not hold, or holds for nothing; gradients that vanish, explode, are NaN, are
    not cleared, cleared too early or taken twice; graphs that grow; modes left on by mistake.

        viz.diagnose(train_step)    runs train_step() twice, and says what it saw
        with viz.diagnose():        watches the first turns of the loop in the block, and says so
            for x, y in batches: ...
        %%diagnose                  the same of a notebook's cell, after %load_ext minigrad_viz

    The two steps are real ones, and nothing of them is undone: the parameters move as they do
    without the doctor, to the last bit. `step` takes no arguments; wrap a call that needs some in a
    `lambda`. Modules, optimizers and tensors are of minigrad or PyTorch. An error of autograd's is
    explained, any other is raised. Of a healthy step one line says so. `language` is "en" or "zh".

    >>> import minigrad as mg
    >>> import minigrad_viz as viz
    >>> net = mg.nn.Linear(2, 1)
    >>> opt = mg.optim.SGD(net.parameters(), lr=0.1)
    >>> def train_step():
    ...     net(mg.ones(3, 2)).pow(2).mean().backward()
    ...     opt.step()
    >>> viz.diagnose(train_step).kinds
    ('not_cleared',)
    """
    spoken, caller = chosen(language), sys._getframe(1)
    if step is None:
        return Observation(spoken, caller)
    if not callable(step):
        raise TypeError(f"diagnose() needs a function to run, not a {type(step).__name__}")
    check_callable(step, "diagnose")
    here = list(things_among(things_of(step)))
    known = {id(thing) for _, thing in here}
    here += [(n, t) for n, t in things_in([(caller, caller.f_lineno)]) if id(t) not in known]
    report = Diagnosis(spoken)
    seen = Observed(here, caller, TURNS, spoken)
    failure = None
    seen.start()
    try:
        for turn in range(1, TURNS + 1):
            seen.begin(turn)
            step()
    except Exception as error:
        failure = explained(error, seen)
        if failure is None:
            raise
    finally:
        seen.stop()
    judge(report, seen, spoken, failure)
    return report


class Observation:
    """`with viz.diagnose() as report:` around a loop. At the end of the block the report is shown,
    or printed where nothing can be shown; an error goes on its way.
    """

    def __init__(
        self, language: Language, caller: FrameType, variables: dict[str, Any] | None = None
    ) -> None:
        self._language = language
        self._caller = caller
        self._variables = variables
        self._seen: Observed | None = None
        self.report = Diagnosis(language)

    def __enter__(self) -> Diagnosis:
        here: list[Thing] = list(things_in([(self._caller, self._caller.f_lineno)]))
        if self._variables is not None:
            here = list(things_among(self._variables))
        self._seen = Observed(here, self._caller, None, self._language)
        self._seen.start()
        return self.report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end(error)

    def end(self, error: BaseException | None) -> None:
        """Say what was seen, unless an error ended it that is not autograd's."""
        seen = self._seen
        if seen is None:
            raise RuntimeError("diagnose() was told to end before it began: use it in a `with`")
        seen.stop()
        failure = explained(error, seen) if isinstance(error, Exception) else None
        if error is None or failure is not None:
            judge(self.report, seen, self._language, failure)
            show(self.report)


def judge(report: Diagnosis, seen: Observed, language: Language, failure: Ailment | None) -> None:
    """Write into the report what is to be said of what was seen."""
    case = Examination(seen, language)
    found: list[Ailment] = [] if failure is None else [failure]
    if failure is None and seen.trouble is None:
        with unseen():
            for looking in KINDS.values():
                found += looking(case)
    report.findings = tuple(found)
    report.layers = tuple(layers(case, found))
    for identity, size in seen.saved.bytes.items():
        name = case.name(seen.called[identity].module)
        report.memory[name] = report.memory.get(name, 0) + size
    turns = max(seen.turn, 1)
    if seen.trouble is not None:
        report.line = case.say("trouble", error=f"{type(seen.trouble).__name__}: {seen.trouble}")
    elif found:
        report.line = case.say("found", count=len(found), turns=turns)
    elif not seen.passes:
        report.line = case.say("nothing_seen")
    else:
        count = sum(bool(w.passes or w.sizes) for w in seen.watched.values())
        report.line = case.say("healthy", turns=turns, count=count)


def layers(case: Examination, found: list[Ailment]) -> list[Layer]:
    """The gradients of the parameters, flagged as the findings say."""
    flags: dict[str, str] = {}
    for ailment in found:
        for name in ailment.names:
            if ailment.kind in ("zero", "vanishing", "exploding"):
                flags[name] = ailment.kind
    made, silent = [], {*case.silent()}
    for watched in case.seen.watched.values():
        if not watched.tensor.requires_grad:
            continue
        name = case.name(watched.tensor)
        shape = tuple(int(n) for n in watched.tensor.shape)
        if watched in silent:
            made.append(Layer(name, shape, math.nan, math.nan, math.nan, "missing"))
        elif watched.sizes:
            made.append(layer(name, shape, watched, flags.get(name, "")))
    return made


def layer(name: str, shape: tuple[int, ...], watched: Watched, flag: str) -> Layer:
    last = watched.sizes[-1]
    if not math.isfinite(last.mean):
        flag = "not_finite"
    elif all(each.largest == 0 for each in watched.sizes):
        flag = "zero"
    return Layer(name, shape, last.mean, last.largest, math.nan, flag)


def explained(error: BaseException, seen: Observed) -> Ailment | None:
    """What there is to say of an error; nothing of one that is not autograd's."""
    answer = explain(error, language=seen.language)
    if answer.cause == "unknown_error":
        return None
    said = f"{type(error).__name__}: {said_by(error).partition('. ')[0].partition(chr(10))[0]}"
    parts: dict[str, object] = {"error": said.rstrip("."), "text": answer.text}
    key, keeper = "failed", carried(error, seen)
    if keeper and answer.cause.startswith("freed"):
        key, parts["keeper"] = "failed_carried", keeper
    elif answer.cause == "no_graph" and seen.turned_off():
        key = "failed_off"
    return Ailment("failed", (), filled(seen.language, "doctor", key, parts))


def carried(error: BaseException, seen: Observed) -> str:
    """The variable that carries the graph of an earlier turn into that of the pass that failed."""
    before = seen.before()
    for root in arguments_in(error.__traceback__, "tensors", "self"):
        if before is not None and (node := made_by(root)[0]) is not None:
            nodes, used = graph_behind(node, max(before.nodes))
            return keeper(before, used) if nodes & before.nodes else ""
    return ""


# --- In a notebook


def show(report: Diagnosis) -> None:
    """Display the report in a notebook, print it elsewhere."""
    shell = running_shell()
    if shell is None:
        print(report)
    else:
        shell.display_pub.publish({"text/html": report.html, "text/plain": report.text})


def running_shell() -> Any:
    """IPython's, if the program runs in one."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def register(shell: Any) -> None:
    """Give IPython the cell magic `%%diagnose`; what stands behind it is the language."""

    def magic(line: str, cell: str) -> None:
        watch = Observation(chosen(line.strip() or None), sys._getframe(), shell.user_ns)
        watch.__enter__()
        done = shell.run_cell(cell)  # which shows an error itself
        watch.end(done.error_before_exec or done.error_in_exec)

    shell.register_magic_function(magic, "cell", "diagnose")
