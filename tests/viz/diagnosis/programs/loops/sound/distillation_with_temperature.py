teacher = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3)).eval()
student = nn.Linear(4, 3)
opt = optim.SGD(student.parameters(), lr=0.1)
Tm = 2.0

def train_step():
    with T.no_grad():
        t = teacher(x)
    s = student(x)
    kd = F.kl_div(F.log_softmax(s / Tm, 1), F.softmax(t / Tm, 1), reduction='batchmean') * Tm ** 2
    loss = 0.5 * kd + 0.5 * F.cross_entropy(s, classes)
    opt.zero_grad()
    loss.backward()
    opt.step()
