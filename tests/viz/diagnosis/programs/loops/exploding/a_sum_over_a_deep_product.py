# says_all = ["`w`"]

w = (T.eye(4) * 3.0).requires_grad_()
optimizer = optim.SGD([w], lr=0.1)

def train_step():
    h = x
    for _ in range(8):
        h = h @ w
    loss = h.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
