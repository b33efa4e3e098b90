# `make serve` hosts games, `make test` checks everything. Both set up what they need first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WEB := web/.built
# Two more than there are processors: many tests wait for a server.
WORKERS := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 2)))
WEB_PACKAGES := web/node_modules/.ready
WEB_SOURCES := $(shell find web docs examples/bots src/marchland/messages src/marchland/player_colours.py -type f -not -path 'web/node_modules/*' -not -path 'web/test*' -not -name .built -not -path '*/__pycache__/*')

# Some containers forbid bytecode files. Each of the many Python processes of a test run would then compile every module.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup web serve play test acceptance soak lint bench dist lock clean

serve: setup  ## a server with a demo room of each game, at the address it prints
	@# The first time, the games compile while the packages of the page arrive.
	@[ -e $(WEB) ] || nice $(BIN)/marchland warmup >/dev/null 2>&1 &
	@$(MAKE) --no-print-directory web || echo "The page could not be built; the server runs without it."
	$(BIN)/marchland serve --demo

play: setup  ## watch a game of Colorfight to its end
	$(BIN)/marchland play colorfight --bots greedy,greedy,greedy,random --watch

test: setup  ## everything, with Debian's chromium and PostgreSQL, which it installs where it may
	tests/programs.sh
	@$(MAKE) --no-print-directory web || echo "The page could not be built; its tests will be skipped."
	$(BIN)/marchland warmup
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not alone"
	$(BIN)/pytest -m alone

acceptance: setup web  ## what takes hours on two cores: start-up, turns, bots, killed nodes, 10,000 requests, 100,000 random programs
	$(BIN)/marchland warmup
	$(BIN)/pytest -s $(addprefix tests/acceptance/,start.py turns.py bots.py nodes.py crashes.py growth.py openapi.py food.py ratings.py pairing.py tournament.py sandbox.py pages.py)
	$(BIN)/python -m tests.kernels.fuzz --programs 100000 --processes 2

soak: setup  ## twenty minutes of rooms, people, spectators and kills: what a server holds must level off
	$(BIN)/marchland warmup
	$(BIN)/pytest -s tests/acceptance/soak.py

lint: setup $(WEB_PACKAGES)  ## style, types and imports of Python, types of TypeScript and Svelte
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	web/npm.sh $(BIN) run --silent check

web: $(WEB)  ## the browser's app, rebuilt when something in it has changed

$(WEB): $(WEB_PACKAGES) $(WEB_SOURCES)
	$(BIN)/python web/generate.py
	web/npm.sh $(BIN) run --silent build
	touch $(WEB)

$(WEB_PACKAGES): $(READY) web/package.json web/package-lock.json
	web/npm.sh $(BIN) ci --no-audit --no-fund --loglevel=error
	touch $(WEB_PACKAGES)

bench: setup
	$(BIN)/marchland bench

dist: setup web  ## sdist and wheel in dist/, with the browser page inside
	rm -rf dist
	$(BIN)/hatchling build

setup: $(READY)  ## a virtual environment with the locked dependencies

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $(READY)

lock:  ## renew requirements.lock: names, versions and hashes, never an address
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--upgrade --all-extras --python-version 3.11 pyproject.toml --output-file requirements.lock

clean:
	rm -rf web/node_modules src/marchland/web $(WEB)
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
