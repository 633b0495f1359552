# subject = "Kept graphs and cleared gradients"
# also = ["no_step"]
# says_all = ["`h`", "detach"]
# example = true

cell, head = nn.Linear(8, 8), nn.Linear(8, 1)
opt = optim.SGD([*head.parameters()], lr=0.01)
h = T.zeros(16, 8)
cell_opt = optim.SGD(cell.parameters(), lr=0.0)

with viz.diagnose() as report:
    for i in range(4):
        h = T.tanh(cell(h) + 1.0)
        loss = h.sum()
        cell_opt.zero_grad()
        loss.backward(retain_graph=True)
