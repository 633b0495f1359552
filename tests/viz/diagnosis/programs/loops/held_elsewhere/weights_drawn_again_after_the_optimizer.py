# says_all = ["`optimizer`"]

model = nn.Linear(4, 3)
optimizer = optim.Adam(model.parameters(), lr=1e-2)
model.weight = nn.Parameter(T.randn(3, 4))
model.bias = nn.Parameter(T.zeros(3))
criterion = nn.CrossEntropyLoss()

def train_step():
    optimizer.zero_grad()
    loss = criterion(model(x), classes)
    loss.backward()
    optimizer.step()
