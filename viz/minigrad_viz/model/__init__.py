"""What is read from a program: the graph behind a tensor, and what happened in a pass.

Read names.py and graph_model.py first. Everything that is shown is made from what this folder
reads, of minigrad and of PyTorch alike; nothing else looks at a tensor.
"""
