teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
teacher.eval()
opt = optim.Adam(student.parameters())

def train_step():
    with T.no_grad():
        target = F.softmax(teacher(x), dim=1)
    loss = -(target * F.log_softmax(student(x), dim=1)).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
