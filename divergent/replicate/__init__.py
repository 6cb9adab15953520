"""The paper: its numbers, its experiments run again, and a report of ours beside its own."""
