net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.SGD(net.parameters(), lr=0.01)
loaders = {'val': [(x, classes)], 'train': [(x[:8], classes[:8]), (x[8:], classes[8:])]}
with viz.diagnose() as report:
    for epoch in range(3):
        for phase in ['val', 'train']:
            net.train() if phase == 'train' else net.eval()
            running_loss, corrects = (0.0, 0)
            for inputs, labels in loaders[phase]:
                opt.zero_grad()
                with T.set_grad_enabled(phase == 'train'):
                    outputs = net(inputs)
                    preds = outputs.argmax(1)
                    loss = F.cross_entropy(outputs, labels)
                    if phase == 'train':
                        loss.backward()
                        opt.step()
                running_loss += loss.item() * inputs.size(0)
                corrects += (preds == labels).sum().item()
