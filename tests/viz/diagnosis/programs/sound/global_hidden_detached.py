cell = T.nn.Linear(3, 3)
hidden = T.zeros(1, 3)
def step(x):
    global hidden
    hidden = T.tanh(cell(x) + hidden.detach())
    loss = hidden.pow(2).sum()
    loss.backward()
    return loss
for i in range(3):
    loss = step(T.ones(1, 3))
