# ask = "viz.explain(w)"
# says_any = ["no_grad"]
# cure_any = ["decorator"]
# never = ["did not require grad yet", "run it again"]

w = T.ones(2, requires_grad=True)

@T.no_grad()
def loss_of(w):
    return (w * w).sum()  # guilty

loss = loss_of(w)
