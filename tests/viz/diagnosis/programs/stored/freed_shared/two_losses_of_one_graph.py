# subject = "Loops that carry a state"

shared = x * w
one = shared.sum()
two = (shared * shared).sum()
one.backward()
two.backward()
