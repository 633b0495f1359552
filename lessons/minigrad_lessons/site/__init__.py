"""The parts of the web site that website.py puts together: a page's frame, its style and programs,
and what is computed for it when it is built (frames.py, search.py, glossary.py, exercises.py).
"""
