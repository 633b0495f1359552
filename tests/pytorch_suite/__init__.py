"""PyTorch's own tests, run on PyTorch and on minigrad, which stands for `torch` in them.

    python -m tests.pytorch_suite [FILE ...]    run the selected tests and compare
    python -m tests.pytorch_suite --write       measure again what is selected and what fails

The tests are those of PyTorch 2.6.0: a folder in $PYTORCH_TESTS, or Debian's source package, which
`sources.py` downloads into build/. They are no part of this project.
"""
