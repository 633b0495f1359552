"""Plots of numbers: `explore`, `grad_flow`, `loss_curve`, `derivatives`; and `style`."""
