"""Run every benchmark and print what it measured."""

from __future__ import annotations

import argparse

from papers.sheet import machine, show, today, warm_up

from benchmarks import backwards, exploring, inside, kernels, methods, playing, probing, turns


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--quick", action="store_true", help="small games, one round")
    quick = parser.parse_args().quick
    print(f"{today()}: {machine()}\n")
    warm_up()
    for benchmark in (methods, exploring, backwards, kernels, probing, turns, inside, playing):
        show(benchmark.sheets(quick=quick))


if __name__ == "__main__":
    main()
