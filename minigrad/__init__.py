"""minigrad: automatic differentiation as PyTorch does it, in Python that can be read.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> y.backward()
    >>> x.grad
    tensor(6.)

To read the machinery, begin with graph.py, then operation.py, engine.py.
"""

import warnings as _warnings

from . import autograd, nn
from .creation import (
    arange,
    as_tensor,
    from_numpy,
    full,
    ones,
    ones_like,
    rand,
    randn,
    randn_like,
    tensor,
    zeros,
    zeros_like,
)
from .devices import device
from .dtypes import (
    bool_ as bool,
)
from .dtypes import (
    double,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from .dtypes import (
    float_ as float,
)
from .dtypes import (
    int_ as int,
)
from .modes import (
    enable_grad,
    inference_mode,
    is_anomaly_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .ops.arithmetic import add, div, mul, neg, pow, reciprocal, rsub, sub
from .ops.comparison import (
    allclose,
    eq,
    equal,
    ge,
    gt,
    isfinite,
    isinf,
    isnan,
    le,
    logical_not,
    lt,
    ne,
)
from .ops.copying import clone
from .ops.elementwise import abs, cos, exp, log, relu, sigmoid, sign, sin, sqrt, tanh, where
from .ops.matrix import bmm, dot, matmul, mm, mv
from .ops.reductions import mean, norm, sum
from .ops.shapes import flatten, permute, reshape, select, squeeze, t, transpose, unsqueeze
from .printing import set_printoptions
from .random import Generator, manual_seed
from .suggestions import missing_attribute as _missing_attribute
from .tensor import Size, Tensor

__version__ = "0.1.0"

# 1/0 is inf and 0/0 is nan, without a word, as in PyTorch. Only warnings that come from this
# package are silenced.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")


def __getattr__(name: str) -> object:
    raise _missing_attribute(f"module {__name__!r}", name, globals())
