# subject = "Loops that carry a state"
# ask = "viz.explain(loss)"

h, c = T.zeros(2), T.zeros(2)
state = (h, c)
for turn in range(2):
    state = (state[0] * w + x, state[1] * x)
    loss = (state[0] * state[1]).sum() + state[0].sum()
    try:
        loss.backward()
    except RuntimeError:
        pass
