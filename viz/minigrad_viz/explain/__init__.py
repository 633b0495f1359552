"""`explain`: why a gradient is missing, why a backward pass fails, where a NaN came from.

causes.py finds out, nonfinite.py looks for NaN, explain.py understands the question and shows the
answer.
"""
