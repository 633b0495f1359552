q = T.tensor(0.1, requires_grad=True)
mean, var = T.tensor(0.0), T.tensor(1.0)
terms = []
for z in [1.0, 1.2]:
    var = var + q * q
    gain = var / (var + 1)
    mean = mean + gain * (z - mean)
    var = (1 - gain) * var
    terms.append((mean - z) ** 2)
loss = T.stack(terms).sum()
loss.backward()
