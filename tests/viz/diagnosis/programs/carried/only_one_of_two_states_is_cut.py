# subject = "States that are carried over"
# says_any = ["c is computed from its own value"]
# cure_any = ["`c = c.detach()`"]
# never = ["retain_graph"]

lstm = T.nn.LSTM(2, 3)
h, c = T.zeros(1, 4, 3), T.zeros(1, 4, 3)
for i in range(3):
    h = h.detach()
    out, (h, c) = lstm(T.randn(5, 4, 2), (h, c))  # guilty
    loss = out.pow(2).mean()
    loss.backward()
