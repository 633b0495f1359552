# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

model = T.nn.Linear(2, 1)
def train(model, data):
    total = 0
    for x, y in data:
        out = model(x)
        loss = (out - y).pow(2).mean()
        loss.backward()
        total += loss.item()
    return total
data = [(T.ones(3, 2), T.ones(3, 1))]
with T.no_grad():
    train(model, data)  # guilty
