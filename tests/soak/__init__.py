"""Memory under kill -9: whatever was acknowledged is there, once, and the store is sound."""
