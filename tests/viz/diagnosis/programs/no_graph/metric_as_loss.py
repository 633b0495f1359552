# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def iou(pred, target):
    p = pred > 0.5  # guilty
    inter = (p & target).sum()
    union = (p | target).sum()
    return inter / union

net = T.nn.Linear(4, 4)
pred = T.sigmoid(net(T.ones(2, 4)))
target = T.ones(2, 4) > 0
loss = 1 - iou(pred, target)
loss.backward()
