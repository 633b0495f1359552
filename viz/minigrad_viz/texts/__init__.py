"""The ground: what is said, in every language, and how numbers and names are written.

language.py says which language, english.py and chinese.py have the sentences, sentences.py finds
them by their keys. Nothing here knows a graph.
"""
