import torch

torch.manual_seed(0)
warmup = 100
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.Linear(8, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, step // warmup))
tokens = torch.randn(16, 4)
classes = torch.randint(0, 2, (16,))
losses = []
for step in range(12):
    loss = torch.nn.functional.cross_entropy(model(tokens), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    losses.append(loss.item())
