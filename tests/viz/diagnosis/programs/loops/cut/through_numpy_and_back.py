# subject = "A history that is cut"
# says_all = ["`encoder.weight`"]

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.1)

def train_step():
    opt.zero_grad()
    code = encoder(x).detach().numpy()
    code = T.tensor(code / abs(code).max())
    loss = F.mse_loss(head(code), y)
    loss.backward()
    opt.step()
