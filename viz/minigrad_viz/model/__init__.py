"""Read a graph of minigrad, of PyTorch or of the reader's own engine, and its program's text.

Read in this order:

    either_library.py, autograd_nodes.py, values.py     one node and one tensor of either library
    own_engines.py                                      the same of the reader's own engine
    names.py, frame_locals.py                           the names of tensors
    graph_model.py                                      a graph as plain data
    hooks.py, lines.py, rules.py, scalars.py, ...       details of nodes: hooks, lines, formulas
    modules.py, module_calls.py                         the module of each operation
    boxes.py, folding.py, outline.py                    large graphs
    sources.py, program_text.py, last_line.py           the text of the reader's program
"""
