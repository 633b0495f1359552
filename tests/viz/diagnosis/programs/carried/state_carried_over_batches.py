# subject = "An earlier pass freed the graph"
# says_any = ["turn", "earlier"]
# cure_any = ["h = h.detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     h = T.tanh'''
# new = '''
#     h = h.detach()
#     h = T.tanh'''

rnn = T.nn.Linear(3, 2)
back = T.nn.Linear(2, 2)
optimizer = T.optim.SGD(rnn.parameters(), lr=0.1)
h = T.zeros(1, 2)
for batch in [T.ones(1, 3), T.ones(1, 3)]:
    h = T.tanh(rnn(batch) + back(h))  # guilty
    loss = h.pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
