# Everything runs in .venv, which is made on first use and refreshed when pyproject.toml changes.
# Needed beforehand: Python 3.11 or newer with pip and venv, make, and gcc for the benchmarks.
#
#   make demo                   see what parapick does
#   make test                   every check
#   make PYTHON=python3.12 ...  make .venv with another Python

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Quiet twice: errors still show, warnings about the package index of one machine do not.
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Modules are compiled when they are first imported: two thirds of ten thousand never are.
INSTALL := $(PIP) install --no-compile --editable
# Requirements of dependency groups as a file: the pip that a new environment has may know no groups.
groups = $(BIN)/python tools/groups.py $(1) >$(VENV)/requirements.txt
# Four stamps: the demo needs neither test tools nor documentation tools, only the benchmarks need the peers, and only
# hooks, packages and reviews what they take.
USER_STAMP := $(VENV)/installed-user
DEV_STAMP := $(VENV)/installed-dev
BENCH_STAMP := $(VENV)/installed-bench
PROJECT_STAMP := $(VENV)/installed-project
DOCS_OUT := docs/_build/html
# Kernels that the tests compile; the documentation, whose pictures need many of them, is built with these.
KERNELS := $(CURDIR)/build/kernels

# Python keeps what it compiles: the tests start more than fifty processes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint types layers unit chromium foreign soak mutants coverage docs outputs pictures bench versions format \
	package hooks review clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(USER_STAMP) ## see what parapick does: par4 on the Adept cycle, with a report to open
	@$(call show,robots)
	@$(call heading,can par4 do the Adept cycle with a kilogram in its tool?)
	@$(call show,evaluate par4 --payload 1kg --out build)
	@$(call heading,too fast with that load: which motor and when and by how much)
	@$(call show_refused,evaluate par4 --task adept-13g --payload 1kg --no-report)
	@$(call heading,side by side)
	@$(call show,compare par4 delta-4 delta-r4)
	@$(call heading,a pose out of reach: the command says which leg is too short and by how much)
	@$(call show_refused,pose par4 0.9 0 -0.7 0)
	@$(call heading,where it can go)
	@$(call show,workspace par4 --out build/workspace.png)
	@printf '\nOpen build/par4-adept.html in a browser: the report with the robot in motion.\n'
	@printf 'Look at build/workspace.png. parapick --help lists all commands.\n'

test: lint types layers unit docs ## every check: style, types, layers, tests, documentation
	@$(call heading,all checks passed)

lint: $(DEV_STAMP) ## style only
	@$(call heading,style: ruff)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(DEV_STAMP) ## types only
	@$(call heading,types: basedpyright)
	@$(BIN)/basedpyright

layers: $(DEV_STAMP) ## layers only
	@$(call heading,layers: import-linter)
	@$(BIN)/lint-imports --no-logo

unit: $(DEV_STAMP) chromium ## tests only
	@$(call heading,tests: pytest)
	@PARAPICK_TESTS_CACHE=$(KERNELS) $(BIN)/python -m pytest -q -n auto --dist worksteal

# Browser tests are skipped without Chromium, but not where the variable CI is set: there it is installed.
chromium: $(DEV_STAMP)
	@test -z "$$CI" || $(BIN)/python tools/chromium.py

# Tests that run foreign programs are skipped without them, and name the package; nothing installs them on the way.
foreign: ## install the programs of others that tests run: a machine controller, compilers, an emulator; superuser only
	@$(PYTHON) tools/foreign.py

soak: $(DEV_STAMP) ## the long tests, which the others leave out
	@$(call heading,long tests: pytest)
	@$(BIN)/python -m pytest -q -n auto --dist worksteal -m soak

mutants: $(DEV_STAMP) ## change single lines at random and see whether tests find it; COUNT=20 SEED=1 ROOMS=
	@$(call heading,changes of single lines)
	@$(BIN)/python tools/mutants.py --count $(or $(COUNT),20) --seed $(or $(SEED),1) --rooms "$(ROOMS)"

coverage: $(DEV_STAMP) ## branch coverage of every room by its own tests, at least 85 % each; ROOMS=study,tuning for some
	@$(call heading,branch coverage by room)
	@$(BIN)/python tools/branches.py --rooms "$(ROOMS)"

docs: $(DEV_STAMP) ## build the documentation; a warning is an error
	@$(call heading,documentation: sphinx)
	@PARAPICK_CACHE=$(KERNELS) $(BIN)/sphinx-build -q -W --keep-going -b html docs $(DOCS_OUT)
	@echo "documentation: $(DOCS_OUT)/index.html"

pictures: $(DEV_STAMP) ## take the picture of the README again, with Chromium
	@$(BIN)/python tools/pictures.py

outputs: $(DEV_STAMP) ## write again what commands print on the pages; PAGES="cli.md"
	@$(BIN)/python tools/outputs.py $(PAGES)

bench: $(BENCH_STAMP) ## run the benchmarks and write their table, benchmarks/table.md
	@$(BIN)/python benchmarks/together.py

versions: ## a quick part of the tests with every Python found, and with the oldest dependencies allowed
	@$(PYTHON) tools/versions.py

format: $(DEV_STAMP) ## put the source into the common style
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

package: $(PROJECT_STAMP) ## build wheel and source archive into dist/, and use the wheel in an environment of its own
	@$(call heading,package: build)
	@rm -rf dist build/package && mkdir -p build
	@$(BIN)/python -m build --outdir dist . >build/package.log 2>&1 || { cat build/package.log; exit 1; }
	@$(PYTHON) -m venv build/package
	@build/package/bin/python -m pip --disable-pip-version-check -qq install dist/*.whl
	@cd build && PARAPICK_CACHE=$(KERNELS) package/bin/parapick pose par4 0 0 -0.75 0 >package.log || { cat package.log; exit 1; }
	@ls dist

hooks: $(PROJECT_STAMP) ## let git run style and layers before every commit
	@$(BIN)/pre-commit install

review: $(PROJECT_STAMP) ## workflows against their schema, and the project against common habits
	@$(call heading,habits: check-jsonschema and repo-review)
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/repo-review .

clean: ## remove .venv and everything that was built
	rm -rf $(VENV) $(VENV)-* build dist docs/_build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    found=$$($(PYTHON) --version 2>/dev/null) || found="not there"; \
	    echo "parapick needs Python 3.11 or newer, and '$(PYTHON)' is $$found." >&2; \
	    echo "Name another one: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; \
	    exit 1; }
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { \
	    rm -rf $(VENV); \
	    echo "'$(PYTHON) -m venv' failed; Debian and Ubuntu have it in the package python3-venv." >&2; \
	    exit 1; }

$(USER_STAMP): pyproject.toml | $(BIN)/python
	@echo "installing parapick into $(VENV)"
	@$(INSTALL) '.[all]'
	@touch $@

$(DEV_STAMP): pyproject.toml | $(BIN)/python
	@echo "installing parapick and its tools into $(VENV)"
	@$(call groups,dev)
	@$(INSTALL) '.[all]' --requirement $(VENV)/requirements.txt
	@touch $(USER_STAMP) $@

$(BENCH_STAMP): $(DEV_STAMP)
	@echo "installing the peers of the benchmarks into $(VENV)"
	@$(call groups,bench)
	@$(PIP) install --no-compile --requirement $(VENV)/requirements.txt
	@touch $@

$(PROJECT_STAMP): $(DEV_STAMP)
	@echo "installing what packs, hooks and reviews the project into $(VENV)"
	@$(call groups,project)
	@$(PIP) install --no-compile --requirement $(VENV)/requirements.txt
	@touch $@

# A heading on the terminal.
heading = printf '\n== %s ==\n' "$(1)"
# Print a parapick command, then run it.
show = printf '\n$$ parapick %s\n' "$(1)"; $(BIN)/parapick $(1)
# The same for a command whose pose or input is refused: exit codes 1 and 2 are the expected answer, others are not.
show_refused = $(show); code=$$?; test $$code -eq 1 -o $$code -eq 2
