# subject = "The history ended before the loss"
# says_any = ["float("]
# cure_any = ["without float()", "leave out float", "leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def penalty(weights):
    return float((weights * weights).sum())  # guilty

w = T.ones(3, requires_grad=True)
loss = T.tensor(penalty(w))
loss.backward()
