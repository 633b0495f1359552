"""Pictures and texts of a graph: `draw` and `tree`.

A model becomes DOT text (dot.py), an engine lays it out (placement.py, engines.py), and the drawing
is written again in our own colours (svg.py, theme.py).
"""
