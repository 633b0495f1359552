# C types of saved.py.

from .node cimport Node

cdef class SavingNode(Node):
    cdef public tuple _saved
    cdef public tuple _expected
