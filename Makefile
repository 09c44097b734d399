# Two commands on a fresh machine: make demo, make test.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
SEED := $(or $(SEED),$(shell date +%s))
REFERENCES := threads mcp invocation tasks tuitbot@session-05 tuitbot@convergence
READY := $(VENV)/.ready

# Where Python may not keep what it compiled, each of the suite's many processes compiles all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test prove quick whole parts proxy hostile controls seeds sdks nightly lint types imports check bench peers reports schemas lock wheel browser clean
.DEFAULT_GOAL := help

help: ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

$(READY): pyproject.toml requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

setup: $(READY) ## the environment, from the lock

demo: $(READY) ## certify the reference over HTTP, ending with a report
	@$(BIN)/conformance run --target reference:threads --transport http \
	  --transcript reports/run/threads.jsonl --output reports/run/threads.html --output reports/run/threads.json
	@echo "report: reports/run/threads.html   transcript: reports/run/threads.jsonl"

test: $(READY) browser ## all tests
	@$(BIN)/python -m pytest -q -n 4 --dist worksteal

prove: $(READY) ## every deviation, muted tool and mutant of the sample caught or explained, to reports/
	@$(BIN)/conformance prove

quick: $(READY) ## every deviation caught, to reports/run
	@$(BIN)/conformance prove --trial deviations --jobs 4 --output reports/run

whole: $(READY) ## the same as prove, each against all stimuli at once, to reports/run
	@$(BIN)/conformance prove --whole --output reports/run

parts: $(READY) ## what each part of the suite adds to the mutants that are noticed, to reports/
	@$(BIN)/conformance prove --trial parts

proxy: $(READY) ## every change on the wire noticed or explained, to reports/ (CONTRACT=threads)
	@$(BIN)/conformance prove --trial proxy --contract $(or $(CONTRACT),threads)

hostile: $(READY) ## the whole catalogue of servers that misbehave
	@HOSTILE=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal tests/e2e/test_catalogue.py
	@HOSTILE_EXAMPLES=2000 SPOILED_RUNS=5 $(BIN)/python -m pytest -q -n 2 --dist worksteal \
	  tests/quality/test_fuzzed.py tests/quality/test_spoiled.py
	@SIGNAL_MOMENTS=20 $(BIN)/python -m pytest -q -n 2 --dist worksteal tests/e2e/test_files.py

sdks: $(READY) ## the example servers of the SDKs, compiled where they have to be
	@SDKS=1 $(BIN)/python -m pytest -q tests/e2e/test_sdk_servers.py

controls: $(READY) ## all codes: nothing passes where all is refused with it; every row selected alone; a model beside
	@CODES=all SELECTED=all BESIDE=all $(BIN)/python -m pytest -q -n 2 --dist worksteal \
	  tests/quality/test_controls.py tests/quality/test_selected.py tests/e2e/test_beside.py

seeds: $(READY) ## a new seed for every reference, over every transport and with random histories (SEED=N CALLS=N)
	@for reference in $(REFERENCES); do \
	  for way in "in-process --fuzz $(or $(CALLS),100000)" stdio http; do \
	    run="$(BIN)/conformance run --target reference:$$reference --transport $$way --strict --seed $(SEED)"; \
	    echo "$$run"; $$run || failed=1; \
	  done; \
	done; exit $${failed:-0}

nightly: prove whole parts proxy hostile controls seeds sdks ## what takes longer than CI allows

lint: $(READY)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

imports: $(READY)
	@$(BIN)/lint-imports --no-cache

check: lint types imports ## lint, types, import contracts

bench: $(READY) ## the numbers to hold, as ratios
	@$(BIN)/python tests/bench/run.py

peers: $(READY) ## the official suite and ours on the same servers, to reports/
	@$(BIN)/python -m tests.peers

schemas: $(READY) ## what is generated into schemas/
	@$(BIN)/python -m conformance.report.schemas

reports: $(READY) ## the published reports of the reference
	@for contract in threads invocation; do \
	  $(BIN)/conformance run --target reference:$$contract --transport http --seed 1 \
	    --output reports/reference-$$contract.html --output reports/reference-$$contract.json \
	    --output reports/reference-$$contract.md || exit; \
	done
	@$(BIN)/conformance run --target reference:threads+TH-IDEM-01 --only TH-IDEM-01 --seed 1 --output reports/terminal.svg || true

wheel: $(READY) ## build, install elsewhere, run there
	@$(BIN)/python -m pytest -q tests/e2e/test_wheel.py

browser: # the report is looked at in a browser where one can be had
	@command -v chromium >/dev/null 2>&1 || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 && \
	    apt-get update -qq >/dev/null 2>&1 && apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1; } || \
	  echo "no chromium here: the test that looks at the HTML report will be skipped"

lock: ## renew requirements.lock from pyproject.toml
	@rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check ".[dev]" hatchling editables
	@.venv-lock/bin/python -m pip freeze --exclude mcp-contract-conformance > requirements.lock
	@rm -rf .venv-lock

clean: ## forget what was made
	@rm -rf $(VENV) reports/run dist build
