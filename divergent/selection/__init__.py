"""The searches: strategies that turn what a population did into one score for each individual."""
