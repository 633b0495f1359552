import torch

torch.manual_seed(1)
layer = torch.nn.Linear(4, 2)
data, wanted = torch.randn(10, 4), torch.randn(10, 2)
losses = []
for round in range(8):
    layer.zero_grad()
    loss = (layer(data) - wanted).abs().mean()
    loss.backward()
    state = {name: value.clone() for name, value in layer.state_dict().items()}
    for name, parameter in layer.named_parameters():
        state[name] -= 0.1 * parameter.grad
    losses.append(loss.item())
