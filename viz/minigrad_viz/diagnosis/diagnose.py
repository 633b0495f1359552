"""diagnose(train_step): report what is wrong with a training step, or with a watched loop.

observed.py records the steps, the rules judge them, and report.py shows the report.
"""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, overload

from minigrad.autograd.events import message_of

from ..model.either_library import outside_modes
from ..model.names import is_tensor, made_by
from ..model.readable import check_callable
from ..plots.grad_flow import Layer
from ..texts.language import Language, current_language
from ..texts.sentences import filled, reason
from .causes import FREED, Context
from .errors.unknown import QUOTED
from .evidence import arguments_in
from .examination import Examination, Problem
from .explain import explain
from .observed import Observed, Watched, graph_behind
from .reachable import Thing, things_among, things_in, things_of
from .replay.trial import repeat, try_cures
from .report import Diagnosis
from .rules import not_learned
from .rules.evidence import END, Evidence
from .rules.kept import keeper
from .rules.outcome import curve_of, outcome, told
from .rules.table import matches

ITERATIONS = 2
"""Calls of a step function: effects of one step are visible in the next."""


@overload
def diagnose(step: None = None) -> Observation: ...
@overload
def diagnose(step: Callable[[], Any]) -> Diagnosis: ...
def diagnose(step: Callable[[], Any] | None = None) -> Diagnosis | Observation:
    """Report what is wrong with a training step.

    The report names parameters without a gradient, with the reason, and parameters that the
    optimizer does not hold or holds for nothing. It names gradients that vanish, explode, are NaN,
    are not cleared, are cleared too early or are used twice. It names growing graphs and modes left
    on by mistake.

        viz.diagnose(train_step)    runs train_step() twice and reports
        with viz.diagnose():        watches the loop's first iterations, and reports
            for x, y in batches: ...
        %%diagnose                  the same for a notebook's cell, after %load_ext minigrad_viz

    The two steps are real: the parameters move as they do without `diagnose`, to the last bit.
    Where a change of state would cure a finding, such as zero_grad(), `step` then runs up to three
    times more with that change, and everything is restored. The report says what came of it, or
    why the cure was not tried: a function that reads a file or an iterator does not run again.
    `step` takes no arguments; wrap a call that needs some in a `lambda`. Modules, optimizers and
    tensors are minigrad's or PyTorch's. A known error is explained, any other is raised.
    The report on a healthy step is one line. If it may run again, it runs twenty times on one
    batch, everything is restored, and the line says where the loss goes.

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
    language, caller = current_language(), sys._getframe(1)
    if step is None:
        return Observation(language, caller)
    if not callable(step):
        raise TypeError(f"diagnose() needs a function to run, not a {type(step).__name__}")
    check_callable(step, "diagnose")
    here = list(things_among(things_of(step)))
    known = {id(thing) for _, thing in here}
    here += [(n, t) for n, t in things_in([(caller, caller.f_lineno)]) if id(t) not in known]
    report = Diagnosis(language)
    seen = Observed(here, caller, ITERATIONS, language)
    failure = None
    began, last = time.perf_counter(), time.process_time()
    seen.start()
    try:
        for iteration in range(1, ITERATIONS + 1):
            seen.begin(iteration)
            last = time.process_time()  # without waits, so that a busy machine says the same
            step()
    except Exception as error:
        failure = explain_failure(error, seen)
        if failure is None:
            raise
    finally:
        seen.stop()
    took, each = time.perf_counter() - began, time.process_time() - last
    trying = functools.partial(try_cures, step=step, took=took)
    judge(report, seen, language, failure, trying, lambda exam: repeat(exam, step, each))
    return report


class Observation:
    """`with viz.diagnose() as report:` around a loop.

    The end of the block shows the report, or prints it outside of notebooks. Errors propagate.
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
        """Show the report, unless the block ended with an unknown error."""
        seen = self._seen
        if seen is None:
            raise RuntimeError("diagnose() was told to end before it began: use it in a `with`")
        seen.stop()
        failure = explain_failure(error, seen) if isinstance(error, Exception) else None
        if error is None or failure is not None:
            judge(self.report, seen, self._language, failure)
            show(self.report)
        else:
            self.report.line = self.report.say("raised", text=ended_by(error))


def judge(
    report: Diagnosis,
    seen: Observed,
    language: Language,
    failure: Problem | None,
    trying: Callable[..., list[Problem]] | None = None,
    repeating: Callable[[Examination], str] = lambda exam: "",
) -> None:
    """Write the findings about the observed steps into the report, with cures that were tried.

    Healthy steps run again and again on one batch if `repeating` may.
    """
    exam = Examination(seen, language)
    found: list[Problem] = [] if failure is None else [failure]
    if failure is None and seen.trouble is None:
        with outside_modes():
            found += problems_of(exam)
        if trying is not None:
            found = trying(exam, found, judge=problems_of)
    report.findings = tuple(found)
    report.layers = tuple(layers(exam, found))
    for identity, size in seen.saved.bytes.items():
        name = exam.name(seen.called[identity].module)
        report.memory[name] = report.memory.get(name, 0) + size
    iterations = max(seen.iteration, 1)
    if seen.trouble is not None:
        report.line = exam.say("trouble", error=f"{type(seen.trouble).__name__}: {seen.trouble}")
    elif found:
        report.line = exam.say("found", count=len(found), iterations=iterations)
    elif not seen.passes:
        report.line = exam.say("nothing_seen")
    else:
        count = sum(bool(w.passes or w.sizes) for w in seen.watched.values())
        report.line = exam.say("healthy", iterations=iterations, count=count)
        with outside_modes():
            said = describe_outcome(exam)
        said = [each for each in (*said, repeating(exam)) if each]
        report.line = exam.context.say("space").join([report.line, *said])


def describe_outcome(exam: Examination) -> list[str]:
    """Return sentences about the loss over the iterations, and against a guess."""
    evidence = Evidence(
        exam.context, exam.seen.root, tuple(exam.things), exam.seen, exam.names, exam
    )
    curve = curve_of(evidence)
    ends = {"first": f"{curve[0]:.4g}", "last": f"{curve[-1]:.4g}"} if curve else {}
    said = [exam.say("curve", count=len(curve), **ends)] if len(curve) > SHORT else []
    found = outcome(evidence) if said else None
    return said if found is None else [*said, *told(evidence, found)]


SHORT = 9
"""Losses of which nothing can be said yet."""


def problems_of(exam: Examination) -> list[Problem]:
    """Return the problems that the rules find, without those said better."""
    things, space = tuple(exam.things), reason(exam.language, "space")
    evidence = Evidence(exam.context, exam.seen.root, things, exam.seen, exam.names, exam)
    found = []
    told = [(rule, match) for rule, match in matches(evidence)]
    if any(rule is not_learned.RULE for rule, _ in told):
        left = told if len(told) > 1 else matches(left_behind(exam))
        told = [(rule, match) for rule, match in left if rule is not not_learned.RULE] or told
    for rule, match in told:
        wrong, cure = rule.wrong(match, exam.language), rule.cure(match, exam.language)
        title = rule.title(exam.language)
        said = Problem(rule.key, match.names, wrong, title, cure, more=match.more, space=space)
        found.append(said)
    return found


def left_behind(exam: Examination) -> Evidence:
    """Return what `explain` sees of the last loss: later steps may have brought the cause."""
    seen = exam.seen
    context = Context(exam.language, None, [(seen.caller, END)])
    last = context.variables.get(seen.passes[-1].text)
    walked = is_tensor(last) and last.grad_fn is not None
    return Evidence.afterwards(context, last if walked else seen.root)


def layers(exam: Examination, found: list[Problem]) -> list[Layer]:
    """Return the gradients of the parameters, flagged as the findings say."""
    flags: dict[str, str] = {}
    for problem in found:
        for name in problem.names:
            if problem.kind in ("zero", "vanishing", "exploding"):
                flags[name] = problem.kind
    made, silent = [], {*exam.without_gradient()}
    for watched in exam.seen.watched.values():
        if not watched.tensor.requires_grad:
            continue
        name = exam.name(watched.tensor)
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


def explain_failure(error: BaseException, seen: Observed) -> Problem | None:
    """Return the problem for an error of autograd, or None for another error."""
    answer = explain(error)
    if answer.cause in QUOTED:
        return None
    text = f"{type(error).__name__}: {message_of(error).partition('. ')[0].partition(chr(10))[0]}"
    parts: dict[str, object] = {
        "error": text.rstrip("."),
        "text": answer.short,
    }
    key, keeper = "failed", find_carrier(error, seen)
    if keeper and answer.cause in FREED:
        key, parts["keeper"] = "failed_carried", keeper
    elif answer.cause == "no_graph" and seen.recording_stopped():
        key = "failed_off"
    title = filled(seen.language, "doctor", "title_failed", {})
    return Problem("failed", (), filled(seen.language, "doctor", key, parts), title)


def ended_by(error: BaseException) -> str:
    """Return what ended a watched block: an error with its line, or such as KeyboardInterrupt."""
    if isinstance(error, Exception):
        return " ".join(explain(error).text.split("\n\n"))
    return f"{type(error).__name__}."


def find_carrier(error: BaseException, seen: Observed) -> str:
    """Return the variable that carries an earlier iteration's graph into the failed pass."""
    before = seen.before()
    for root in arguments_in(error.__traceback__, "tensors", "self"):
        if before is not None and (node := made_by(root)[0]) is not None:
            nodes, used = graph_behind(node, max(before.nodes))
            return keeper(before, used) if nodes & before.nodes else ""
    return ""


# --- In a notebook


def show(report: Diagnosis) -> None:
    """Display the report in a notebook, or print it elsewhere."""
    shell = running_shell()
    if shell is None:
        print(report)
    else:
        shell.display_pub.publish({"text/html": report.html, "text/plain": report.text})


def running_shell() -> Any:
    """Return IPython's shell if the program runs in one."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def register(shell: Any) -> None:
    """Register the cell magic `%%diagnose` in IPython."""

    def magic(line: str, cell: str) -> None:
        if line.strip():
            raise TypeError(f"%%diagnose takes no arguments, and got {line.strip()!r}")
        watch = Observation(current_language(), sys._getframe(), shell.user_ns)
        watch.__enter__()
        done = shell.run_cell(cell)  # run_cell shows errors itself
        watch.end(done.error_before_exec or done.error_in_exec)

    shell.register_magic_function(magic, "cell", "diagnose")
