# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
class Regressor:
    def __init__(self):
        self.net = T.nn.Linear(2, 1)
    def predict(self, X):
        with T.no_grad():
            return self.net(X)  # guilty
    def fit(self, X, y, epochs=2):
        opt = T.optim.SGD(self.net.parameters(), lr=0.1)
        for _ in range(epochs):
            opt.zero_grad()
            loss = T.nn.functional.mse_loss(self.predict(X), y)
            loss.backward()
            opt.step()
        return self
Regressor().fit(T.ones(4, 2), T.zeros(4, 1))
