# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#         state = T.tanh'''
# new = '''
#         state = state.detach()
#         state = T.tanh'''

def make():
    w = T.ones(2, requires_grad=True)
    state = T.zeros(2)
    def step(x):
        nonlocal state
        state = T.tanh(state + w * x)  # guilty
        return state.sum()
    return w, step
w, step = make()
for i in range(2):
    loss = step(T.ones(2))
    loss.backward()
