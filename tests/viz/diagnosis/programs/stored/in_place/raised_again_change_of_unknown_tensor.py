# subject = "Refused calls"

def run():
    y = x * 1
    z = (y * y).sum()
    y += 1
    z.backward()
try:
    run()

except Exception as problem:
    raise type(problem)(str(problem))
