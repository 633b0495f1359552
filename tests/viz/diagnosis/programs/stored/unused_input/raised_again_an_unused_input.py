# subject = "Refused calls"
# ask = "viz.explain(loss, error)"

loss = (x * 2).sum()
try:
    T.autograd.grad(loss, [x, w])

except Exception as problem:
    raise type(problem)(str(problem))
