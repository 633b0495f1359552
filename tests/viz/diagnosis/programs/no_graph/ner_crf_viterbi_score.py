# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class CRF(T.nn.Module):
    def __init__(self, tags):
        super().__init__()
        self.trans = T.nn.Parameter(T.zeros(tags, tags))
    def viterbi(self, feats):
        score = feats[0]
        for f in feats[1:]:
            best, back = (score.unsqueeze(1) + self.trans).max(0)  # guilty
            score = best + f
        return back  # guilty
crf = CRF(3)
path = crf.viterbi(T.randn(4, 3))
loss = (path.float() - 1).abs().sum()
loss.backward()
