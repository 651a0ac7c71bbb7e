"""The benchmarks run; what they measure is not tested, as machines are busy or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.compiled
def test_the_quick_benchmarks_run_to_their_end() -> None:
    command = [sys.executable, "-m", "benchmarks", "--quick"]
    found = subprocess.run(
        command, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert "## Probing a table of" in found.stdout
