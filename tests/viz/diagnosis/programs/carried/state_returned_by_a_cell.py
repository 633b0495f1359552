# subject = "An earlier pass freed the graph"
# says_any = ["turn", "earlier"]
# cure_any = ["state = state.detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     state = cell'''
# new = '''
#     state = state.detach()
#     state = cell'''

def cell(params, x, state):
    w, u = params
    return T.tanh(x @ w + state @ u)

w = T.ones(3, 2, requires_grad=True)
u = T.ones(2, 2, requires_grad=True)
state = T.zeros(1, 2)
for t in range(4):
    state = cell((w, u), T.ones(1, 3), state)  # guilty
    loss = (state - t).pow(2).sum()
    loss.backward()
    with T.no_grad():
        for p in (w, u):
            p -= 0.1 * p.grad
            p.grad = None
