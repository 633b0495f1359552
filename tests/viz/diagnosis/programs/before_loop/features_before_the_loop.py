# subject = "An earlier pass freed the graph"
# says_any = ["before the loop"]
# cure_any = ["features.detach()", "into the loop"]
# [repair]
# old = "head(features)"
# new = "head(features.detach())"

encoder = T.nn.Linear(3, 4)
head = T.nn.Linear(4, 1)
optimizer = T.optim.SGD(head.parameters(), lr=0.1)
x = T.ones(5, 3)
features = T.tanh(encoder(x))  # guilty
for epoch in range(3):
    optimizer.zero_grad()
    loss = (T.sigmoid(head(features)) - 1).pow(2).mean()
    loss.backward()
    optimizer.step()
