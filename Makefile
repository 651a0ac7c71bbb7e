# Two commands do everything: `make solve` and `make test`. Both make the environment if it is missing.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: solve test slow check cover bench papers lock clean

solve: $(READY)  ## Solve two-player Can't Stop (3,1), (3,2) and (3,3) and keep the tables.
	$(BIN)/backroll solve cantstop:sides=3,shortest=1 --out tables/cantstop-3-1
	$(BIN)/backroll solve cantstop:sides=3,shortest=2 --out tables/cantstop-3-2
	$(BIN)/backroll solve cantstop:sides=3,shortest=3 --out tables/cantstop-3-3

test: $(READY)  ## The tests, without the slow ones.
	$(BIN)/python -m pytest

slow: $(READY)  ## The slow tests only.
	$(BIN)/python -m pytest -m slow

check: $(READY)  ## Style, types, the direction of imports.
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest tests/test_architecture.py

cover: $(READY)  ## Branch coverage with the kernels run as plain Python.
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m "not slow and not compiled"
	$(BIN)/coverage combine
	$(BIN)/coverage report

bench: $(READY)  ## Ratios, each measured in one run.
	$(BIN)/python -m benchmarks

papers: $(READY)  ## The papers' figures, measured beside published.
	$(BIN)/python -m papers

lock:  ## Choose the versions anew; needs pip-tools.
	pip-compile -q --allow-unsafe --generate-hashes --strip-extras --no-emit-index-url \
	  --no-emit-find-links --no-emit-trusted-host --no-header \
	  --extra policy --extra archive --extra evolve --extra plots --extra web --extra dev -o requirements.lock pyproject.toml

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Backroll wants Python 3.11 or newer, found %d.%d" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(READY)

clean:  ## Remove the environment and what was made in it.
	rm -rf .venv tables build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
