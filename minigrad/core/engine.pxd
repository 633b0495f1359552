# C types of engine.py.

cimport cython

from .node cimport Node

cdef class Walk:
    cdef public dict waiting
    cdef public dict incoming
    cdef public object needed
    cdef public object arrived
    cdef public object wanted_nodes
    cdef public object current
    cdef public object keep_graph
    cdef public bint with_tensors
    cdef public object recorded
    cdef public object saved_hooks
    cdef public object wanted
    cdef public object accumulate
    cdef public object trace
    cdef public object thread
    cdef public object depth
    cdef public object is_deep
    cdef public list callbacks
    cdef public object roots
    cdef object __weakref__

    @cython.locals(node=Node, target=Node, follower=Node, slot=Py_ssize_t, index=Py_ssize_t,
                   waiting=dict, incoming=dict, ready=list, slots=list,
                   with_tensors=bint)
    cpdef list run(self, object roots, object seeds)

    cpdef bint reaches(self, object edge)

@cython.locals(uses=dict, to_visit=list, user=Node)
cpdef dict count_uses(object roots)
