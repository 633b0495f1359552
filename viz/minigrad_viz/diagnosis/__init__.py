"""`explain` says why a gradient is missing; `diagnose` says what is wrong with a training step.

The rooms of `explain`, from the facts to the answer:

- evidence.py reads graphs, tensors and tracebacks.
- history.py follows the program's text to the step that ended a history. variables.py, calls.py
  and expressions.py are its parts. syntax.py answers questions about one statement. scope.py and
  objects.py know what names stand for. cuts.py lists the calls that end a history. fate.py is
  the result.
- causes.py draws the conclusions. ended.py describes a history that ended. earlier_pass.py finds
  the earlier iteration that freed a graph, for the rules in passes.py. refined.py has the rules
  about one gradient, and silent.py other faults without an error. nonfinite.py looks for NaN,
  domains.py for the numbers that made it, and lessons.py knows the chapters.
- errors/ has the rules about errors outside of a backward pass.
- rules/ has the rules for programs that raise nothing and do not learn, for `explain` and
  `diagnose`. finished.py describes a loss with which nothing is wrong.
- learners.py knows which tensors are meant to learn. harm.py drops cures that could do harm.
- answers.py tries the answers about a tensor in order. explain.py reads the question and shows
  the answer, whose sentences answer.py arranges.

diagnose.py runs training steps and observed.py records them. reachable.py finds the program's
objects, and saved_memory.py counts saved bytes. examination.py names what was seen, and report.py
shows the report.
replay/ tries cures on a replay of the step, and restores everything.
"""
