# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: images are NHWC, Conv2d wants NCHW.
# line: images = torch.rand(16, 20, 20, 3)
# cure: `images.permute(0, 3, 1, 2)`.
# harmful: `view/reshape(16, 3, 20, 20)` (scrambles the pixels); Conv2d(20, ...).
import torch
import torch.nn as nn

torch.manual_seed(23)
images = torch.rand(16, 20, 20, 3)        # as they come from the image reader
labels = torch.randint(0, 4, (16,))
cnn = nn.Sequential(
    nn.Conv2d(3, 8, kernel_size=3, padding=1), nn.ReLU(),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
optimizer = torch.optim.Adam(cnn.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(3):
    optimizer.zero_grad()
    outputs = cnn(images)
    loss = criterion(outputs, labels)
    loss.backward()
    optimizer.step()
