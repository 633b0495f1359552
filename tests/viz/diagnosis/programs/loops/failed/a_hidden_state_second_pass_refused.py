# subject = "Kept graphs and cleared gradients"
# says_all = ["`h`"]

cell = nn.Linear(8, 8)
opt = optim.SGD(cell.parameters(), lr=0.01)
h = T.zeros(16, 8)

def train_step():
    global h
    h = T.tanh(cell(h))
    loss = h.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
