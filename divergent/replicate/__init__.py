"""Replication of the paper: its numbers, its experiments, and a report that compares our numbers with the paper's.

Modules
-------
paper, paper_comparison
    The numbers of the paper, and comparisons of ours with them.
experiments, deceptive
    The experiments, and the choice of deceptive mazes.
results, schema
    Compact results of experiments, and the columns of their files.
replication, sections, page, report, documents
    Tables computed once, the sections of the report, and the blocks of README and docs.
claims, claim_tests, claim_tables, perfect_replication, update_source
    Claims of the paper with the rules that decide them.
"""
