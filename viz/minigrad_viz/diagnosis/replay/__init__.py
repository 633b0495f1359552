"""Replays of a step function with a cure, after which everything is as before, to the bit.

reach.py finds everything that the function can change, or refuses it. snapshot.py keeps and
restores that. edits.py makes a cure an edit of state. trial.py replays the function and judges.
"""
