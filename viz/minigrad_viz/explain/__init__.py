"""`explain`: why a gradient is missing, why a backward pass fails, where a NaN came from.

evidence.py reads what is there, causes.py says what follows, nonfinite.py looks for NaN, explain.py
understands the question and shows the answer.
"""
