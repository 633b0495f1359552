# subject = "Results of recurrent layers"
# says_any = ["is a tuple"]
# cure_any = ["`lstm(x)[0]`"]
# [repair]
# old = "head(lstm(x))"
# new = "head(lstm(x)[0])"

lstm, head = T.nn.LSTM(2, 3), T.nn.Linear(3, 1)
x = T.randn(5, 4, 2)
loss = head(lstm(x)).pow(2).mean()  # guilty
loss.backward()
