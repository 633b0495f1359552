# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Bandit:
    def __init__(self):
        self.logits = T.zeros(3, requires_grad=True)
        self.opt = T.optim.SGD([self.logits], lr=0.1)
    def choose(self):
        probs = T.softmax(self.logits, 0)
        return T.multinomial(probs, 1)  # guilty
    def learn(self, reward):
        action = self.choose()
        loss = -(action.float() * reward).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
b = Bandit()
b.learn(1.0)
