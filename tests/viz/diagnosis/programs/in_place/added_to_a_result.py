# says_any = ["changed in place"]
# cure_any = ["write `out = out + x`"]

net = T.nn.Linear(2, 2)

def block(x):
    out = T.relu(net(x))
    out += x  # guilty
    return out

loss = block(T.ones(3, 2)).sum()
loss.backward()
