# subject = "Refused calls"

def loss_of(v):
    loss = (v * 2).sum()
loss = loss_of(x)
loss.backward()
