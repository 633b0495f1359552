"""Bytes that a program keeps for the backward pass: by which line, and until when.

Read ledger.py first. of_minigrad.py and of_pytorch.py observe the two libraries, saved_bytes.py
reads what one node saves.
"""
