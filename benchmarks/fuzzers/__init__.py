"""What `benchmarks/fuzz.py` attacks: a module for each subject."""
