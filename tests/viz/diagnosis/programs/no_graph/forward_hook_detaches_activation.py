# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

acts = {}
def keep(name):
    def hook(module, inputs, output):
        acts[name] = output.detach()  # guilty
    return hook

model = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
model[0].register_forward_hook(keep("first"))
model(T.ones(4, 2))
sparsity = acts["first"].abs().mean()
sparsity.backward()
