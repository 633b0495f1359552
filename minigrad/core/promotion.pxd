# C types of promotion.py.

cimport cython

from .node cimport TensorBase

@cython.locals(p=TensorBase, q=TensorBase)
cpdef object binary(object op, object a, object b, object param=*)
