# C types of operation.py.

cimport cython

from .node cimport TensorBase
from .saved cimport SavingNode

cdef class Context(SavingNode):
    cdef public tuple args

@cython.locals(tensor=TensorBase, with_tensors=bint, found=list)
cpdef list saved_values(Context ctx)

@cython.locals(out=TensorBase, node=Context)
cpdef object attach(object op, tuple edges, object args, object value)

@cython.locals(edges=tuple, place=Py_ssize_t, reader=Py_ssize_t, kept=list, tensor=TensorBase)
cpdef object save(Context node, object args, object outs)

cpdef object record(object op, object inputs, tuple params, object value)
