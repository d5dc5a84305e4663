"""Stores that keep the promises of `ports.Store`. Only `assemble` imports this package."""
