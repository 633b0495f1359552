# subject = "Refused calls"

try:
    T.autograd.grad((x * w).sum(), [T.ones(2)])

except Exception as problem:
    raise type(problem)(str(problem))
