"""Where minigrad says something else than PyTorch: its own words, and how PyTorch's begin there.

All other errors that a program of the tests catches (`caught` in tests/parity.py) have PyTorch's
first line. Its own words are compared as they stand here.
"""

from __future__ import annotations

import re

OWN_WORDS = {
    # minigrad has less, and says what there is.
    "TypeError: can't convert np.ndarray of type numpy.str_. The only supported types are: "
    "float16, float32, float64, int8, uint8, int16, int32, int64, bool.": (
        "TypeError: can't convert np.ndarray of type numpy.str_. The only supported types are: "
        "float64, float32, float16, complex64,"
    ),
    "RuntimeError: Expected one of cpu, cuda device type at start of device string: foo": (
        "RuntimeError: Expected one of cpu, cuda, ipu, .* device type at start of device string"
    ),
    "RuntimeError: No CUDA GPUs are available: this needs an NVIDIA driver and CuPy "
    "(pip install 'minigrad-lab[gpu]')": (
        "RuntimeError: (Cannot initialize CUDA without ATen_cuda|Found no NVIDIA driver)"
    ),
    "RuntimeError: There is no MPS backend: minigrad's GPUs are those that CuPy knows.": (
        r"RuntimeError: Cannot execute \w+\(\) without MPS backend."
    ),
    "RuntimeError: attempting to assign a gradient with dtype 'double' to a tensor with grad_dtype "
    "'Float'. The gradient must match the tensor's dtype": (
        "RuntimeError: attempting to assign a gradient with dtype 'double' to a tensor with "
        "grad_dtype 'Float'. The gradient must match the tensor's grad_dtype"
    ),
    "GradcheckError: Backward is not reentrant, i.e., running backward with same input and "
    "grad_output multiple times gives different values, although analytical gradient matches "
    "numerical gradient. The tolerance was 0.0.": (
        "GradcheckError: Backward is not reentrant, i.e., running backward with same input and "
        "grad_output multiple times gives different values, although analytical gradient matches "
        "numerical gradient.The tolerance for nondeterminism was 0.0."
    ),
    "GradcheckError: Expected all input grads to be undefined or zero when all output grads are "
    "undefined or zero.": (
        "GradcheckError: Expected all input grads to be undefined or zero when all output grads "
        "are undefined or zero. Please look at"
    ),
    "IndexError: invalid index of a 0-dim tensor. Use `tensor.item()` in Python": (
        r"IndexError: invalid index of a 0-dim tensor. Use `tensor.item\(\)` in Python or"
    ),
    # Names of the inside, addresses of pages, and what to set where.
    "AssertionError: A DataLoader with num_workers=0 requires timeout == 0": (
        "AssertionError: _SingleProcessDataLoaderIter requires timeout == 0"
    ),
    "AttributeError: property 'grad_fn' of 'Tensor' object has no setter": (
        "AttributeError: attribute 'grad_fn' of '_C.TensorBase' objects is not writable"
    ),
    "AttributeError: property 'is_leaf' of 'Tensor' object has no setter": (
        "AttributeError: attribute 'is_leaf' of '_C.TensorBase' objects is not writable"
    ),
    "KeyError: \"param 'initial_lr' is not specified in param_groups[0] when resuming scheduler "
    'with last_epoch >= 0."': (
        "KeyError: \"param 'initial_lr' is not specified in param_groups.0. when resuming "
        r"scheduler with last_epoch >= 0.\\nThis typically happens when"
    ),
    "RuntimeError: Legacy autograd function with non-static forward method is deprecated. Please "
    "use new-style autograd function with static forward method. (Square)": (
        "RuntimeError: Legacy autograd function with non-static forward method is deprecated. "
        r"Please use new-style autograd function with static forward method. \(Example"
    ),
    "RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, so "
    "it cannot be clipped.": (
        "RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, "
        "so it cannot be clipped. To disable this"
    ),
    "TypeError: expected a tensor of the type LongTensor, but got a FloatTensor": (
        r"TypeError: expected TensorOptions\(dtype=long int"
    ),
    "TypeError: multiple values for argument 'k'": (
        r"TypeError: forward\(\) got multiple values for argument 'k'"
    ),
    "TypeError: register_hooks(): incompatible function arguments: two functions": (
        r"TypeError: register_hooks\(\): incompatible function arguments. The following"
    ),
    "TypeError: vector_to_parameters(): argument 'vec' (position 1) must be Tensor, not int": (
        "TypeError: expected Tensor, but got: int"
    ),
    "ValueError: Attempted to use an uninitialized parameter. This error happens when you are "
    "using a `LazyModule` or explicitly manipulating `nn.parameter.UninitializedParameter` "
    "objects. When using LazyModules Call `forward` with a dummy batch to initialize the "
    "parameters before calling torch functions": (
        "ValueError: Attempted to use an uninitialized parameter in <"
    ),
    "ValueError: Got in_dim=0 for grad_output[0], which has no dimension": (
        r"ValueError: vmap\(vjp, in_dims=0, ...\)\(<inputs>\): Got in_dim=0 for some input"
    ),
    "RuntimeError: If your Function modifies inplace an input that is a view of another Tensor, "
    "your Function cannot return more than one Tensor. Clone the input, or let the Function return "
    "one only.": (
        "RuntimeError: If your Function modifies inplace an input that is a view of another "
        "Tensor, your Function cannot return more than one Tensor. This is not supported"
    ),
    "TypeError: got an unexpected keyword argument 'nosuch'": (
        r"TypeError: forward\(\) got an unexpected keyword argument 'nosuch'"
    ),
    "TypeError: saved_tensors_hooks takes two functions, not (1, 2)": (
        r"TypeError: push_saved_tensors_default_hooks\(\): incompatible function arguments"
    ),
    "RuntimeError: there are no hooks for saved tensors to remove: a backward pass that entered "
    "this context has ended, or it was left before": (
        r"RuntimeError: is_initialized && !tls.stack.empty\(\) INTERNAL ASSERT FAILED"
    ),
    "UserWarning: The epoch parameter in `scheduler.step()` was not necessary and is being "
    "deprecated where possible. Please use `scheduler.step()` to step the scheduler. During the "
    "deprecation, if epoch is different from None, the closed form is used instead of the new "
    "chainable form, where available.": (
        r"UserWarning: The epoch parameter in `scheduler.step\(\)` was not necessary"
    ),
    "UserWarning: Full backward hook is firing when gradients are computed with respect to module "
    "outputs since no inputs require gradients.": (
        "UserWarning: Full backward hook is firing when gradients are computed with respect to "
        "module outputs since no inputs require gradients. See"
    ),
    "UserWarning: optimizer contains a parameter group with duplicate parameters; in future, this "
    "will cause an error": (
        "UserWarning: optimizer contains a parameter group with duplicate parameters; in future, "
        "this will cause an error; see"
    ),
    "NotImplementedError: No KL(p || q) is implemented for Normal and Bernoulli": (
        "NotImplementedError: The cross KL-divergence between different exponential families"
    ),
    "RuntimeError: In-place leakyReLu backward calculation is triggered with a negative slope "
    "which is not supported. Use the out-of-place version.": (
        "RuntimeError: In-place leakyReLu backward calculation is triggered with a negative slope "
        "which is not supported. This is caused"
    ),
    # PyTorch says "saved variables" here, and "saved tensors" elsewhere.
    "RuntimeError: Calling register_hooks on a saved tensor after it has been freed. Saved "
    "intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
    "Specify retain_graph=True if you need to backward through the graph a second time or if you "
    "need to access saved tensors after calling backward.": (
        "RuntimeError: Calling register_hooks on a saved tensor after it has been freed. .* "
        "saved variables after calling backward."
    ),
    # PyTorch's sentence goes on with a wrong shape.
    "RuntimeError: If `is_grads_batched=True`, we interpret the first dimension of each "
    "grad_output as the batch dimension. The sizes of the remaining dimensions are expected to "
    "match the shape of corresponding output, but a mismatch was detected: grad_output[0] has a "
    "shape of Size([2]) and output[0] has a shape of Size([3]). If you only want some tensors in "
    "`grad_output` to be considered batched, consider using vmap.": (
        r"RuntimeError: If `is_grads_batched=True`, .* grad_output\[0\] has a shape of "
        r"Size\(\[\]\) and output\[0\] has a shape of Size\(\[3\]\)"
    ),
}


def in_our_words(line: str) -> str:
    """The line of either library, in minigrad's own words if it has such for it."""
    for own, theirs in OWN_WORDS.items():
        if re.match(theirs, line):
            return own
    return line
