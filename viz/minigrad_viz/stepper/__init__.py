"""`step`: a recorded backward pass to go through, in a notebook or as a page of its own.

record.py runs the pass and returns a `Recording`. payload_builder.py turns it into a payload
(payload.py), which is all that the front end receives. The front end's sources are in viz/frontend,
and its build is in static/.
"""
