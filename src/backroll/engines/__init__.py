"""Engines: what fills a table."""
