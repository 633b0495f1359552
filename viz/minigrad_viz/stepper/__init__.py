"""`step`: a recorded backward pass to go through, in a notebook or as a page of its own.

frames.py turns a graph and a recording into a payload (payload.py), which is all that the front end
gets: the sources of that are in viz/frontend, what was built from them is in static/.
"""
