# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Encoder(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.e = T.nn.Linear(3, 4)
    def forward(self, xs):
        h = T.zeros(1, 4)
        for x in xs:
            h = T.tanh(self.e(x) + h)
        return h

class Decoder(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.d = T.nn.Linear(4, 3)
    def forward(self, h, n):
        outs = []
        for i in range(n):
            o = self.d(h)
            outs.append(o.argmax(1))  # guilty
            h = h * 0.5
        return T.stack(outs)

enc, dec = Encoder(), Decoder()
opt = T.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
for epoch in range(2):
    xs = [T.ones(1, 3) for _ in range(3)]
    h = enc(xs)
    out = dec(h, 3)
    loss = out.float().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
