import torch
import torch.nn.functional as F

torch.manual_seed(0)
teacher = torch.nn.Linear(6, 4)
student = torch.nn.Linear(6, 4)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
batch = torch.randn(20, 6)


def train_step():
    optimizer.zero_grad()
    with torch.no_grad():
        wanted = F.softmax(teacher(batch), dim=1)
    guess = F.log_softmax(teacher(batch), dim=1)
    loss = F.kl_div(guess, wanted, reduction="batchmean")
    loss.backward()
    optimizer.step()
    return loss


for _ in range(5):
    loss = train_step()
