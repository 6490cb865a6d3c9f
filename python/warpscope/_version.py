# SPDX-License-Identifier: BSD-3-Clause
"""The version of the package, that of the project it belongs to."""

__version__ = "0.1.0"
