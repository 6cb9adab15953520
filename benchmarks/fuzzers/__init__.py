"""Subjects of the fuzzer `benchmarks/fuzz.py`, one module per subject."""
