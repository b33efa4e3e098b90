# `make play` shows a game, `make test` checks everything. Both set up what they need first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup play test lint bench lock clean

play: setup  ## watch a game of Colorfight to its end
	$(BIN)/marchland play colorfight --bots greedy,greedy,greedy,random --watch

test: setup  ## everything
	$(BIN)/marchland warmup
	$(BIN)/pytest -n auto --dist loadgroup

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup
	$(BIN)/marchland bench

setup: $(READY)  ## a virtual environment with the locked dependencies

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $(READY)

lock:  ## renew requirements.lock: names, versions and hashes, never an address
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--upgrade --all-extras --python-version 3.11 pyproject.toml --output-file requirements.lock

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
