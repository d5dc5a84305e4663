"""Benchmarks: they use `Memory` as a user would, so a figure measures what ships."""
