# subject = "Loops that carry a state"

from collections import deque
past = deque([T.zeros(2)], maxlen=1)
for turn in range(2):
    h = past[-1] * w + x
    past.append(h)
    h.sum().backward()
