cell = T.nn.Linear(2, 2)
states = [T.zeros(1, 2)]
for t in range(3):
    states.append(T.tanh(cell(states[-1])))
loss = T.stack(states[1:]).pow(2).mean()
loss.backward()
