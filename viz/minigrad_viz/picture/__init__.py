"""Pictures and texts of a graph: `draw` and `tree`.

dot.py turns a model into DOT text, placement.py and graphviz.py have Graphviz place its nodes, and
svg.py draws the result in the colours of theme.py.
"""
