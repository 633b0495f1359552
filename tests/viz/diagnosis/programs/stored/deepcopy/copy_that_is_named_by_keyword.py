# subject = "Refused calls"

import copy
copy.deepcopy(x=x * 2)
