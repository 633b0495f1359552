# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = '''
#     memory["h"] = T'''
# new = '''
#     memory["h"] = memory["h"].detach()
#     memory["h"] = T'''

enc = T.nn.Linear(2, 2)
memory = {"h": T.zeros(1, 2)}
for i in range(3):
    memory["h"] = T.tanh(enc(T.ones(1, 2)) + memory["h"])  # guilty
    loss = memory["h"].pow(2).sum()
    loss.backward()
