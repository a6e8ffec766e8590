# Needs Python 3.11 or newer and make; everything else is fetched on first use.
PYTHON ?= python3
ARGS ?=

# A uv on the path is used as it is; otherwise one is put into a private environment, once.
UV := $(shell command -v uv 2>/dev/null)
ifeq ($(UV),)
UV := .uv/bin/uv
BOOTSTRAP := .uv/bin/uv
endif

# What one test process has compiled is there for the next, its children included.
unexport PYTHONDONTWRITEBYTECODE

# Hostile code tries to kill its neighbours, and others count the children or the memory of their
# process: these run in processes of their own, beside the checks, which need one core.
HOSTILE := tests/security/sandbox tests/security/bombs tests/contract/test_code_runner.py
POOLED := tests/contract/infra/document_parser
# Thousands of small tests: in one process without the workers of a pool, which would each collect
# all of them and tell of each.
SMALL := tests/unit
# Three parts of them that are done at about the same time; the first waits for its database a third
# of its time.
UNIT_FIRST := tests/unit/application
UNIT_SECOND := tests/unit/domain tests/unit/infra

# What makes the client libraries is pinned: the same document gives the same sources everywhere.
SDK := sdk
GENERATE := $(UV) run --quiet --no-project --with datamodel-code-generator==0.89.0 --with pyyaml==6.0.3 python
NPM := $(UV) run --quiet --no-project python sdk/node.py npm
CONSOLE := $(UV) run --quiet --no-project python console/build.py

# What is left, for a pool. Integration comes last: it has many files that are soon done, so that no
# core idles at the end.
LAST := tests/integration
SHARED := $(filter-out $(SMALL) $(LAST),$(sort $(patsubst %/,%,$(wildcard tests/[a-z]*/)))) $(LAST) \
  $(patsubst %,--ignore=%,$(HOSTILE) $(POOLED))

PYTEST := $(UV) run pytest
# File by file, in the order of collection.
SPREAD := --dist loadfile --no-loadscope-reorder
ALL_CORES := --numprocesses auto $(SPREAD)
CROWDED = --numprocesses $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) $(SPREAD)
# Arguments that choose tests, by place or by -k or -m, get one pytest for exactly these.
CHOICE := $(filter tests tests/% -k% -m%,$(ARGS))
# Whatever bears the name of a context: folders, and files that begin with it.
CONTEXT = $(shell find tests/unit tests/contract tests/integration \
  -type d -name '$(CTX)' -prune -print -o \
  -type f \( -name 'test_$(CTX).py' -o -name 'test_$(CTX)_*.py' -o -name 'test_$(CTX)s*.py' \) -print)

.DEFAULT_GOAL := help
.PHONY: help serve test unit unit-first unit-second unit-rest context servers check apart shown proven fmt bench idl examples sdk sdk-check sdk-python sdk-typescript \
  console console-dev console-check console-test console-scenes console-pictures console-figures sbom audit wheel clean

help:
	@echo "make serve   install and start on 127.0.0.1:8000 (ARGS='--port 9000')"
	@echo "make test    install, all checks and tests; ARGS='tests/unit -x' runs exactly these"
	@echo "make unit    the rules of single classes and functions, in a minute"
	@echo "make context unit, contract and integration tests of a context (CTX=agent)"
	@echo "make servers all contracts, faults and long tests against the real servers"
	@echo "make check   the checks without the tests"
	@echo "make fmt     format and fix"
	@echo "make bench   benchmarks against their baselines"
	@echo "make idl     export the interface definitions into idl/"
	@echo "make examples  what the document shows of each operation, recorded anew"
	@echo "make sdk     generate and build the client libraries, into dist/"
	@echo "make console build the console, which make serve does beside the server"
	@echo "make console-check  its types, lint, sizes and unit tests; make console-test: in a browser"
	@echo "make console-figures  its speed beside the targets; wants an idle machine"
	@echo "make console-scenes  pictures of its screens, into dist/scenes (ARGS=canvas: of these)"
	@echo "make console-pictures  those of docs/ anew, into docs/pictures"
	@echo "make console-dev  the console with hot reload on port 5173, in front of a running server"
	@echo "make sdk-check  compile clients that generators of others make (ARGS=go)"
	@echo "make sbom    list what a release consists of, in dist/coterie.cdx.json (CycloneDX)"
	@echo "make audit   compare what a release consists of with known vulnerabilities"
	@echo "make wheel   build the wheel twice and compare"

.uv/bin/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=...")'
	$(PYTHON) -m venv .uv
	.uv/bin/python -m pip --quiet --disable-pip-version-check install uv

# The console is built behind everything else: the server does not wait for it.
serve: $(BOOTSTRAP)
	@$(CONSOLE) --background & $(UV) run --quiet --no-dev coterie serve $(ARGS)

console: $(BOOTSTRAP)
	@$(CONSOLE)

# Types, lint, unused code, sizes of what is loaded, unit tests.
console-check: console
	$(NPM) --prefix console run --silent check

# In a real browser in front of real servers.
console-test: console
	CONSOLE_BROWSER="$$($(UV) run --quiet --no-project python console/browser.py)" \
	  $(UV) run --quiet python sdk/node.py npm --prefix console run --silent browser

# Every screen on a desktop and a phone, in both themes and languages: to be looked at. Twelve are
# compared with console/tests/scenes/references; after a look that is meant to be another,
# SCENES_FLAGS=--update-snapshots takes the new pictures.
console-scenes: console
	SCENES='$(ARGS)' CONSOLE_BROWSER="$$($(UV) run --quiet --no-project python console/browser.py)" \
	  $(UV) run --quiet python sdk/node.py npm --prefix console run --silent scenes -- $(SCENES_FLAGS)

# Pictures of the documentation: scenes in English and light, as wide as a desktop.
PICTURES := home workbench-answer canvas-run trace document-pdf base-test usage audit \
  settings-tokens chat-answer embed-open
empty :=
console-pictures:
	$(MAKE) console-scenes ARGS='^($(subst $(empty) ,|,$(strip $(PICTURES))))\.desktop\.light\.en'
	mkdir -p docs/pictures
	for name in $(PICTURES); do \
	  cp dist/scenes/$$name.desktop.light.en.png docs/pictures/$$name.png || exit 1; done

# How fast it is; wants an idle machine. FIGURES_ALLOWANCE is what a figure may be over its target.
console-figures: console
	CONSOLE_BROWSER="$$($(UV) run --quiet --no-project python console/browser.py)" \
	  $(UV) run --quiet python sdk/node.py npm --prefix console run --silent figures

console-dev: $(BOOTSTRAP)
	@$(CONSOLE) --prepare
	$(NPM) --prefix console run --silent dev

check: $(BOOTSTRAP)
	$(UV) run ruff format --check
	$(UV) run ruff check
	$(UV) run mypy
	$(UV) run lint-imports
	-@$(UV) run python -m tests.measures
	$(MAKE) console-check

apart: $(BOOTSTRAP)
	$(PYTEST) $(POOLED) $(ARGS)
	$(PYTEST) $(HOSTILE) $(ARGS)
	$(PYTEST) $(SMALL) $(ARGS)
# All files once, so that those who share them below find them compiled: each compiles for itself.
	-@$(PYTEST) --collect-only -qq $(SHARED) >/dev/null 2>&1

# What needs node, one after the other.
shown: check
	$(MAKE) console-test

# All else, beside it, in one process more than there are cores: tests wait for servers and clocks
# half of their time.
proven: apart
	$(PYTEST) $(CROWDED) $(SHARED) $(ARGS)

test: $(BOOTSTRAP)
	$(UV) sync --quiet
ifeq ($(CHOICE),)
	$(MAKE) --jobs=2 shown proven
else
	$(PYTEST) $(ARGS)
endif

# Processes of their own, for the same reason.
unit: $(BOOTSTRAP)
ifeq ($(CHOICE),)
	$(MAKE) --jobs=3 --keep-going --output-sync unit-first unit-second unit-rest
else
	$(PYTEST) $(SMALL) $(ARGS)
endif

unit-first:
	$(PYTEST) $(UNIT_FIRST) $(ARGS)

unit-second:
	$(PYTEST) $(UNIT_SECOND) $(ARGS)

unit-rest:
	$(PYTEST) $(SMALL) $(patsubst %,--ignore=%,$(UNIT_FIRST) $(UNIT_SECOND)) $(ARGS)

context: $(BOOTSTRAP)
	$(if $(and $(CTX),$(CONTEXT)),,$(error Name a context, as in CTX=agent: $(notdir $(patsubst %/,%,$(wildcard src/domain/[a-z]*/)))))
	$(PYTEST) $(ALL_CORES) $(CONTEXT) $(ARGS)

# All long tests too; prints what it ran against, before and after.
servers: console
	$(UV) run python -m tests.servers $(ARGS)
	$(if $(ARGS),,CONSOLE_LONG=1 $(MAKE) console-check console-test)

fmt: $(BOOTSTRAP)
	$(UV) run ruff format
	$(UV) run ruff check --fix

# A relay to compare with needs FastAPI, which dependency-injector would load in every process.
bench: $(BOOTSTRAP)
	$(UV) run $(if $(or $(findstring relay,$(ARGS)),$(findstring targets,$(ARGS)),$(if $(ARGS),,all)),--with 'fastapi>=0.115') python -m bench $(ARGS)

idl: $(BOOTSTRAP)
	$(UV) run coterie idl export

# What the document shows of each operation: a request, and what a server answers to it.
examples: $(BOOTSTRAP)
	COTERIE_RECORD=1 $(PYTEST) -q tests/integration/security/test_examples.py -k server_answers
	$(UV) run coterie idl export

sdk: sdk-python sdk-typescript
	$(UV) build --quiet --wheel --out-dir dist sdk/python
	$(NPM) pack --silent --pack-destination dist ./sdk/typescript
	$(UV) run --quiet --no-project python $(SDK)/methods.py --write

# Validators of others say nothing about the document, and what their generators make compiles.
sdk-check: $(BOOTSTRAP)
	UV=$(abspath $(UV)) $(UV) run --quiet --no-project python $(SDK)/check/check.py $(ARGS)

# Sources that are made from the document; SDK may be a copy elsewhere, with idl/ beside it.
sdk-python: $(BOOTSTRAP)
	$(GENERATE) $(SDK)/python/generate.py
	$(UV) run ruff format --quiet --config pyproject.toml $(SDK)/python/src

sdk-typescript: $(BOOTSTRAP)
	$(NPM) --prefix $(SDK)/typescript ci --silent
	$(NPM) --prefix $(SDK)/typescript run --silent types
	$(GENERATE) $(SDK)/typescript/generate.py
	$(NPM) --prefix $(SDK)/typescript run --silent build

# What runs in production, with every extra and without the tools of development.
sbom: $(BOOTSTRAP)
	UV_PROJECT_ENVIRONMENT=dist/release $(UV) sync --quiet --no-dev --all-extras
	$(UV) tool run --from cyclonedx-bom cyclonedx-py environment --pyproject pyproject.toml \
	  --mc-type application --spec-version 1.6 --output-reproducible \
	  --output-file dist/coterie.cdx.json dist/release/bin/python

audit: $(BOOTSTRAP)
	mkdir -p dist
	$(UV) export --quiet --no-dev --all-extras --no-emit-project --no-hashes --output-file dist/release.txt
	$(UV) tool run pip-audit --strict --no-deps --disable-pip --requirement dist/release.txt

wheel: $(BOOTSTRAP)
	$(UV) run python -m pytest tests/security/supply/test_wheel.py -m long $(ARGS)

clean:
	rm -rf .uv .venv .browser .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist \
	  console/node_modules console/dist src/api/console/bundle
