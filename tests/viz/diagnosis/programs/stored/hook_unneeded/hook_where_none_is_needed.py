# subject = "Refused calls"

T.ones(2).register_hook(print)
