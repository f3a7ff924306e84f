# Two commands: `make run` does the main job, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check test-slow clean

# What a user installs, and what a developer does.
$(VENV)/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "botpsy needs Python 3.11, 3.12 or 3.13; set PYTHON=python3.12 or the like")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/dev: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,train]'
	touch $@

run: $(VENV)/ready
	$(BIN)/botpsy model pull default
	$(BIN)/botpsy ask --home demo-home --yes "Put dentist on my calendar next Friday at 15:00"
	@echo; echo "The calendar file: demo-home/calendar.ics"
	@grep -E '^(SUMMARY|DTSTART|DTEND)' demo-home/calendar.ics
	@echo; echo "The ledger (botpsy audit show --home demo-home):"
	@$(BIN)/botpsy audit show --home demo-home

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	$(BIN)/python -m pytest -n auto -m 'not slow'

test-slow: $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,train,scale]'
	$(BIN)/python -m pytest -m slow

clean:
	rm -rf $(VENV) demo-home
