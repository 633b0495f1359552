# subject = "The history ended before the loss"
# says_any = ["no_grad"]
# cure_any = ["in place", "-=", "requires_grad_()"]
# never = ["loss.requires_grad_()"]
# [repair]
# old = '''
#         return [p - lr * p.grad for p in params]'''
# new = '''
#         for p in params:
#             p -= lr * p.grad
#         return params'''

def update(params, lr):
    with T.no_grad():
        return [p - lr * p.grad for p in params]  # guilty

def model(params, x):
    w, b = params
    return x * w + b

params = [T.ones(1, requires_grad=True), T.zeros(1, requires_grad=True)]
x, y = T.ones(4), T.zeros(4)
for step in range(2):
    loss = ((model(params, x) - y) ** 2).mean()
    loss.backward()
    params = update(params, 0.1)
