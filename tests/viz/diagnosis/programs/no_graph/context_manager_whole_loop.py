# says_any = ["set_grad_enabled"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)
def run(train):
    with T.set_grad_enabled(train):
        out = model(T.ones(3, 2))  # guilty
        loss = out.mean()
    return loss
loss = run(False)
loss.backward()
