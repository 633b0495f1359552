# subject = "Numbers that an object keeps"
# ask = "viz.explain(n)"

import numpy
n = T.from_numpy(numpy.arange(3))
