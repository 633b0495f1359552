# says_all = ["`student.weight`"]

teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
optimizer = optim.SGD(student.parameters(), lr=0.1)

def train_step():
    teacher.zero_grad()
    with T.no_grad():
        target = teacher(x)
    loss = F.mse_loss(student(x), target)
    loss.backward()
    optimizer.step()
