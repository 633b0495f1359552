# says_any = ["integers"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def quantize(x, bits):
    scale = 2 ** bits - 1
    return (x * scale).to(T.int32).float() / scale  # guilty
w = T.tensor([0.2, 0.9], requires_grad=True)
loss = (quantize(w, 4) - 1).pow(2).sum()
loss.backward()
