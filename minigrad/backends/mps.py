"""Whether Apple's GPUs can be used: not by minigrad."""


def is_available() -> bool:
    """False: minigrad's GPUs are those that CuPy knows."""
    return False


def is_built() -> bool:
    """False, for the same reason."""
    return False
