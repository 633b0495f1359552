enc, dec = (nn.Linear(4, 3), nn.Linear(3, 4))
book = nn.Embedding(5, 3)
book.weight.data.uniform_(-0.2, 0.2)
opt = optim.Adam([*enc.parameters(), *dec.parameters(), *book.parameters()], lr=0.001)

def train_step():
    z = enc(x)
    d = z.pow(2).sum(1, keepdim=True) + book.weight.pow(2).sum(1) - 2 * z @ book.weight.t()
    idx = d.argmin(1)
    e = book(idx)
    vq = F.mse_loss(e, z.detach()) + 0.25 * F.mse_loss(z, e.detach())
    st = z + (e - z).detach()
    loss = F.mse_loss(dec(st), x) + vq
    opt.zero_grad()
    loss.backward()
    opt.step()
