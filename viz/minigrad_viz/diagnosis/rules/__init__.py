"""The rules of `explain` and `diagnose` for programs that raise no error and do not learn.

evidence.py collects the evidence once. Each other file has the rules of one cause, with their
sentences, a broken program for each, and a sound program that looks like it. programs.py has the
training loop from which most of these programs differ by a line. table.py orders the rules.
"""
