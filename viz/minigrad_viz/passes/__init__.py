"""Recordings of a pass: which nodes ran, with which values, and what they changed.

record.py runs a pass and returns its events. minigrad's engine emits them itself;
pytorch_passes.py makes the same events from PyTorch's node hooks, and own_passes.py from an engine
of the reader's own. watch.py and pytorch_forward.py note lines and modules of PyTorch's operations.
tangents.py and balance.py compare forward mode with the backward pass.
"""
