# says_any = ["integers"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.tensor([0.2, 0.8], requires_grad=True)
b = (w * 255).to(T.uint8)  # guilty
loss = b.float().mean()
loss.backward()
