"""Measure every table and figure again, and write the README's results from what was found."""

from __future__ import annotations

import argparse
import sys

from papers import (
    endgames,
    figure1,
    judgement,
    model,
    past,
    pig,
    population,
    shut_the_box,
    solitaire,
    table1,
    table2,
    thumb,
)
from papers.readme import rewrite
from papers.settled import disagrees, settled
from papers.sheet import Script, perform, warm_up

SCRIPTS: dict[str, Script] = {
    "figure1": figure1.findings,
    "table1": table1.findings,
    "table2": table2.findings,
    "solitaire": solitaire.findings,
    "past": past.findings,
    "endgames": endgames.findings,
    "model": model.findings,
    "pig": pig.findings,
    "shut_the_box": shut_the_box.findings,
    "thumb": thumb.findings,
    "population": population.findings,
    "judgement": judgement.findings,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m papers")
    parser.add_argument("--all", action="store_true", help="also what takes minutes")
    everything = parser.parse_args().all
    warm_up()
    found = [perform(name, script, everything=everything) for name, script in SCRIPTS.items()]
    solved = [each for findings in found for each in findings.solved]
    wrong = [each.report for each in solved if disagrees(each.report.spec, each.report.value)]
    for report in wrong:
        print(f"{report.spec}: expected {settled(report.spec)}, found {report.value!r}")
    if wrong:
        sys.exit(1)
    rewrite(solved)


if __name__ == "__main__":
    main()
