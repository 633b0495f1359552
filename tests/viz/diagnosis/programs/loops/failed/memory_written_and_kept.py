# says_all = ["`memory`", "detach"]

writer, reader = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = optim.Adam([*writer.parameters(), *reader.parameters()])
memory = T.zeros(16, 8)

def train_step():
    global memory
    optimizer.zero_grad()
    memory = T.sigmoid(writer(x)) * memory + T.tanh(writer(x))
    loss = F.mse_loss(reader(memory), y)
    loss.backward()
    optimizer.step()
