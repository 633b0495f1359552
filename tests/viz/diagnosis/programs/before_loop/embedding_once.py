# says_any = ["before the loop"]
# cure_any = ["loop"]

table = T.nn.Embedding(4, 2)
vec = table(T.tensor([0, 1])).exp()  # guilty
lin = T.nn.Linear(2, 1)
for i in range(2):
    loss = lin(vec).pow(2).mean()
    loss.backward()
