# C types of node.py. Its Python text stays the only one: tools/compiled.py reads both files.

cdef class Node:
    cdef public tuple _edges
    cdef public tuple _outputs
    cdef public object _sequence
    cdef public object _place
    cdef public object _call
    cdef public object _hooks
    cdef public bint _with_tensors
    cdef public object _metadata
    cdef public object _stack
    cdef public object _induced_by

cdef class TensorBase:
    cdef public object _array
    cdef public object _edge
    cdef public bint _requires_grad
    cdef public object _grad
    cdef public object _counter
    cdef public object _view
    cdef public object _tangent
    cdef public object _relaid
    cdef public object _accumulator
    cdef public object _hooks
    cdef public object _post_hooks
    cdef public object _changed_at

cpdef object new_node(object kind, tuple edges, object value)

cpdef object new_tensor(object array, object edge=*)

cpdef object gradient_edge(TensorBase tensor)
