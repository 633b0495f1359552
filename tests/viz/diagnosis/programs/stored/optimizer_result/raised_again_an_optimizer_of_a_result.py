# subject = "Refused calls"

try:
    T.optim.SGD([x * 2], lr=0.1)

except Exception as problem:
    raise type(problem)(str(problem))
