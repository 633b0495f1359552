"""Public functions that take no tensor, with their rows: how types go together.

What they compute stands below, in arrays/dtypes.py, where rows are not known yet.
"""

from ..arrays import dtypes
from ..ops.public import signed

can_cast = signed("can_cast(dtype from_, dtype to)")(dtypes.can_cast)
promote_types = signed("promote_types(dtype type1, dtype type2)")(dtypes.promote_types)
get_default_dtype = signed("get_default_dtype()")(dtypes.get_default_dtype)
