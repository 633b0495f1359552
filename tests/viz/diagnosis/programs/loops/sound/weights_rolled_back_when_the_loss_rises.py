net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
last = 1000000000.0
import copy
with viz.diagnose() as report:
    for i in range(5):
        saved = copy.deepcopy(net.state_dict())
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if loss.item() > last:
            net.load_state_dict(saved)
        last = loss.item()
