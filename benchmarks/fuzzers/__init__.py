"""Subjects of `benchmarks/fuzz.py`, one module each."""
