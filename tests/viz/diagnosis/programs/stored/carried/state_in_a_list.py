# subject = "Loops that carry a state"

h = [T.zeros(2)]
for turn in range(2):
    h[0] = h[0] * w + x
    loss = h[0].sum()
    loss.backward()
