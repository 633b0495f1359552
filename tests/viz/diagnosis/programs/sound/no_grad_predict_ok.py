class R:
    def __init__(self):
        self.net = T.nn.Linear(2, 1)
    def predict(self, X):
        with T.no_grad():
            return self.net(X)
r = R()
pred = r.predict(T.ones(1, 2))
loss = (r.net(T.ones(1, 2)) - pred).pow(2).mean()
loss.backward()
