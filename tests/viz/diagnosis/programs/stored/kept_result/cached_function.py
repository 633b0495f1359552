# subject = "Loops that carry a state"

import functools
@functools.lru_cache
def features():
    return x * w
for turn in range(2):
    loss = features().sum()
    loss.backward()
