# SPDX-License-Identifier: BSD-3-Clause
"""The version of the package, which is also that of Warpscope."""

__version__ = "0.1.0"
