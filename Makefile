# Two commands: `make run` does the main job, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check test-slow bench clean

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "botpsy needs Python 3.11, 3.12 or 3.13; set PYTHON=python3.12 or the like")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

check: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest -n auto -m 'not slow'

test-slow: $(VENV)/ready
	$(BIN)/python -m pytest -m slow

clean:
	rm -rf $(VENV) demo-home
