"""`explain`: why a gradient is missing, why a backward pass fails, where a NaN came from; and
`diagnose`: what is wrong with a training step.

evidence.py reads what is there, history.py asks the program's text where a history ended, causes.py
says what follows from both. The text is followed by variables.py, calls.py and expressions.py:
syntax.py asks a statement small questions, scope.py and objects.py know what its names stand for,
cuts.py which calls end a history, and fate.py is the answer. ended.py has the words for a history
that ended, earlier_pass.py for a loop whose earlier turn has freed the graph, refusals.py for what
else autograd refuses, silent.py for what fails without an error; nonfinite.py looks for NaN,
lessons.py knows the chapters. explain.py understands the question and shows the answer.

diagnose.py runs steps, observed.py sees them, by the names that reachable.py finds, and counts what
they keep (saved_memory.py); findings.py judges, diagnosis.py shows what was found.
"""
