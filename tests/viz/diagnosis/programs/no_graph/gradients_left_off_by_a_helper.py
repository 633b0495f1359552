# subject = "The history ended before the loss"
# says_any = ["set_grad_enabled(false)"]
# cure_any = ["set_grad_enabled(true)", "with t.no_grad()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
#     T.set_grad_enabled(False)
#     value'''
# new = '''
#     with T.no_grad():
#         value'''

def evaluate(model, x):
    model.eval()
    T.set_grad_enabled(False)  # guilty
    value = model(x).mean().item()
    model.train()
    return value

model = T.nn.Linear(3, 1)
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
x = T.ones(4, 3)
for epoch in range(3):
    optimizer.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(evaluate(model, x))
