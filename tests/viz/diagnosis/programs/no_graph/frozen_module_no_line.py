# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

def make():
    m = T.nn.Linear(2, 1)
    for p in m.parameters():
        p.requires_grad = False  # guilty
    return m
m = make()
loss = m(T.ones(1, 2)).sum()
loss.backward()
