# says_all = ["`model.backbone.weight`"]

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        with T.no_grad():
            features = self.backbone(x)
        return self.head(F.relu(features))

model = Model()
optimizer = optim.AdamW(model.parameters(), lr=1e-2)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
