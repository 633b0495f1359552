# subject = "Loops that carry a state"

shared = []
shared.append(x * w)
for turn in range(2):
    h = shared[0] * 2
    loss = h.sum()

    h = h.detach()
    shared.append(h)
    loss.backward()
