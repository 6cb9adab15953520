"""Sections of the replication report, with functions that compute their tables and figures."""
