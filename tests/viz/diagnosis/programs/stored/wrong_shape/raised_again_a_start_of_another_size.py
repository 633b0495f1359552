# subject = "Refused calls"

try:
    (x * 2).backward(T.ones(3))

except Exception as problem:
    raise type(problem)(str(problem))
