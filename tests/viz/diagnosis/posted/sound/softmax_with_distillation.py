import torch
import torch.nn.functional as F

torch.manual_seed(0)
teacher = torch.nn.Linear(6, 4)
student = torch.nn.Linear(6, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.5)
batch = torch.randn(20, 6)
losses = []


def train_step():
    optimizer.zero_grad()
    with torch.no_grad():
        wanted = F.softmax(teacher(batch), dim=1)
    guess = F.log_softmax(student(batch), dim=1)
    loss = F.kl_div(guess, wanted, reduction="batchmean")
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    return loss


for _ in range(12):
    loss = train_step()
