"""Inputs for the fuzzer `benchmarks/fuzz.py`, with one module for each tested part of the package."""
