# Everything a contributor needs: 'make help' lists it. The first target that needs it creates .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help test demo bench docs lint format types floors unit clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable '.[all]' --group dev
	@touch $@

test: lint types floors unit ## Run every check the project promises

lint: $(STAMP) ## Check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: $(STAMP) ## Rewrite the code into the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(STAMP) ## Check types, strictly
	$(BIN)/mypy

floors: $(STAMP) ## Check that imports go down only
	$(BIN)/lint-imports --cache-dir .cache/import-linter

unit: $(STAMP) ## Run the tests
	$(BIN)/pytest -q -n auto

clean: ## Remove what the targets above made
	rm -rf $(VENV) .cache site build dist
