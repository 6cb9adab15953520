"""Sections of the report: each module computes the tables of one section and has a function `section`."""
