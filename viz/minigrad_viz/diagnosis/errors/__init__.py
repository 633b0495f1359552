"""The rules about errors: what raised them, in the reader's own line, and what to write instead.

raised.py is the evidence. Each other file has the rules of one cause, with their sentences, a
program that raises the error, and a sound program that looks like it. table.py orders them.
"""
