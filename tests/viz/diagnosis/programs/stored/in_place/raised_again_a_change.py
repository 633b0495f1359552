# subject = "Refused calls"

y = x * 1
z = (y * y).sum()
y += 1
try:
    z.backward()

except Exception as problem:
    raise type(problem)(str(problem))
