"""A backward pass written as code: `program`.

program.py shows and runs a program, and code_page.py colours it. minigrad_pass.py and
pytorch_pass.py write the statements of a pass (statements.py). For a node of minigrad, formulas.py
runs the backward formula on stand-ins (stand_ins.py), and a tape (tape.py) turns the operations
into code. For a node of PyTorch, pytorch_formulas.py has the code.
"""
