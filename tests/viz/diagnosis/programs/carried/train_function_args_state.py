# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     h = T.tanh'''
# new = '''
#     h = h.detach()
#     h = T.tanh'''

net = T.nn.Linear(2, 2)
opt = T.optim.SGD(net.parameters(), lr=0.1)
def train(x, h):
    h = T.tanh(net(x) + h)  # guilty
    loss = h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return h
h = T.zeros(1, 2)
for x in [T.ones(1, 2)] * 3:
    h = train(x, h)
