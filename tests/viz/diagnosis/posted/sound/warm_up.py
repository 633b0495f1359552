import torch

torch.manual_seed(0)
warmup = 10
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-2)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / warmup))
tokens = torch.randn(16, 4)
classes = torch.randint(0, 2, (16,))
losses = []
for step in range(20):
    loss = torch.nn.functional.cross_entropy(model(tokens), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    losses.append(loss.item())
