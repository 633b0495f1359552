# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["l.requires_grad_()"]

model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)
def epoch(batches):
    avg = 0
    for b in batches:
        loss = model(b).pow(2).mean()
        avg += loss.item() / len(batches)  # guilty
    return avg
opt.zero_grad()
l = T.tensor(epoch([T.ones(2, 2)] * 2))
l.backward()
opt.step()
