"""What takes how long, as ratios within one run: `python -m benchmarks`, `--quick` for a taste."""
