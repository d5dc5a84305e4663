# Two commands do all the set-up: `make demo` runs the main job, `make test` the tests.
PYTHON ?= python3
BIN := .venv/bin
SEED ?= 1
COUNT ?= 200
DATA ?= data/locomo10.json
CORRECTIONS ?= $(wildcard $(DATA:.json=_corrections.json))

.PHONY: demo test test-all check soak bench clean

demo: .venv/runs
	@$(BIN)/inscape demo

test: .venv/develops
	$(BIN)/python -m pytest -n 2

test-all: .venv/develops
	$(BIN)/python -m pytest -n 2 -m ""

check: .venv/develops
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports --no-cache

soak: .venv/develops
	$(BIN)/python -m tests.soak --seed $(SEED) --count $(COUNT)

# Every figure of docs/benchmarks.md. DATA names a file in LoCoMo's format.
bench: .venv/develops
	mkdir -p bench-out
	$(BIN)/inscape bench locomo --data $(DATA) $(if $(CORRECTIONS),--corrections $(CORRECTIONS)) \
		--json bench-out/locomo.json --chart bench-out/locomo.png
	$(BIN)/inscape bench stages --data $(DATA) --json bench-out/stages.json
	$(BIN)/inscape bench floor --data $(DATA) --json bench-out/floor.json
	$(BIN)/inscape bench chinese --json bench-out/chinese.json
	$(BIN)/inscape bench speed --data $(DATA) --json bench-out/speed.json

clean:
	rm -rf .venv bench-out dist

.venv/runs: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/develops: .venv/runs
	$(BIN)/python -m pip install --quiet --editable '.[bench]' --group dev
	@touch $@
