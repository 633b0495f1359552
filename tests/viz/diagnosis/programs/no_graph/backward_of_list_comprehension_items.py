# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["item"]
# cure_any = ["t.stack"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
# .mean().item() for i in range(3)]
# loss = T.tensor(losses)'''
# new = '''
# .mean() for i in range(3)]
# loss = T.stack(losses)'''

net = T.nn.Linear(2, 1)
losses = [net(T.ones(1, 2) * i).pow(2).mean().item() for i in range(3)]  # guilty
loss = T.tensor(losses).mean()
loss.backward()
