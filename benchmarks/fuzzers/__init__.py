"""Subjects of `benchmarks/fuzz.py`, one per module."""
