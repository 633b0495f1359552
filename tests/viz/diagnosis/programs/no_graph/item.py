# subject = "The history ended before the loss"
# says_any = ["item()"]
# cure_any = ["without .item()", "leave out .item()", "leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
# .mean().item())
# loss = T.tensor(losses)'''
# new = '''
# .mean())
# loss = T.stack(losses)'''

model = T.nn.Linear(3, 1)
losses = []
for i in range(3):
    out = model(T.ones(2, 3) * i)
    losses.append((out ** 2).mean().item())  # guilty
loss = T.tensor(losses).mean()
loss.backward()
