"""Models that keep the promises of `ports.EmbeddingModel`. Only `assemble` imports this package."""
