# subject = "Something was changed in place"
# says_any = ["in place", "changed"]
# cure_any = ["before that step"]
# [repair]
# old = '''
# optimizer.step()
# loss.backward()'''
# new = "loss.backward()"

model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 1))
optimizer = T.optim.SGD(model.parameters(), lr=0.1)
loss = model(T.ones(2, 3)).pow(2).mean()
loss.backward(retain_graph=True)
optimizer.step()  # guilty
loss.backward()
