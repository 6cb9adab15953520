"""Sections of the report; the function `section` of each module computes the tables of one section."""
