"""`explain`: why a gradient is missing, why a backward pass fails, where a NaN came from; and
`diagnose`: what is wrong with a training step.

evidence.py reads what is there, history.py follows the program's text, causes.py says what follows
from both. ended.py has the words for a history that ended, earlier_pass.py for a loop whose earlier
turn has freed the graph, refusals.py for what else autograd refuses, silent.py for what fails
without an error; nonfinite.py looks for NaN, lessons.py knows the chapters. explain.py understands
the question and shows the answer.

diagnose.py runs steps, observed.py sees them, by the names that reachable.py finds, and counts what
they keep (saved_memory.py); findings.py judges, diagnosis.py shows what was found.
"""
