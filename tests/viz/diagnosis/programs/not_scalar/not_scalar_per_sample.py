# says_any = ["one number"]
# cure_any = ["l.sum()"]

net = T.nn.Linear(2, 1)
def losses(x, y):
    return (net(x) - y).pow(2)
l = losses(T.ones(4, 2), T.zeros(4, 1))
l.backward()  # guilty
