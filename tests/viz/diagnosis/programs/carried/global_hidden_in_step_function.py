# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries", "before"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     opt.zero_grad()'''
# new = '''
#     hidden = hidden.detach()
#     opt.zero_grad()'''

cell = T.nn.Linear(3, 3)
hidden = T.zeros(1, 3)
opt = T.optim.SGD(cell.parameters(), lr=0.1)
def step(x):
    global hidden
    opt.zero_grad()
    hidden = T.tanh(cell(x) + hidden)  # guilty
    loss = hidden.pow(2).sum()
    loss.backward()
    opt.step()
for i in range(3):
    step(T.ones(1, 3))
