"""Availability of Apple's GPUs, which minigrad does not use."""


def is_available() -> bool:
    """Return False: minigrad uses the GPUs that CuPy supports."""
    return False


def is_built() -> bool:
    """Return False, for the same reason."""
    return False
