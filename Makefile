# Everything starts from Python >= 3.11, pip and make. The environment is made once, in $(VENV), and used again.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Which seventh of the heavier checks `make test-share` runs: the commit decides, so that a second run tries the same.
SHARE ?= $(shell echo $$((0x$$(git rev-parse --short=8 HEAD 2>/dev/null || echo 0) % 7)))

.PHONY: help demo paper playground choosing drift errata docs gallery notebooks test durations test-full test-share compatibility exactness golden bench bench-service lint release clean

help:
	@echo "make paper      reproduce the paper's experiments (results/); it says first how long that takes and how much it writes"
	@echo "make playground write results/playground.html, a page to play with the policies (a minute); the report links it"
	@echo "make choosing   measure policies on all suites and write docs/studies/choosing.md (long; goes on where it stopped)"
	@echo "make drift      measure what drift and delays cost, and write docs/studies/drift.md (minutes; goes on where it stopped)"
	@echo "make errata     write docs/errata.md from the errata of the report"
	@echo "make docs       build the site in docs/_build/html (minutes the first time; RISKBANDITS_DOCS=quick runs no examples)"
	@echo "make gallery    draw the pictures of README.md and examples/README.md (docs/figures/gallery/)"
	@echo "make notebooks  run the notebooks of examples/ and keep their output (minutes)"
	@echo "make demo       the decision service with a living bandit, to look at (Ctrl-C ends it)"
	@echo "make test       the tests that every change must pass"
	@echo "make durations  the same, and where their time goes"
	@echo "make test-full  the heavier checks too"
	@echo "make test-share a seventh of the heavier checks (SHARE=0 to 6; the commit chooses one)"
	@echo "make compatibility  the tests and README's examples with the lowest and with the newest versions of everything it needs"
	@echo "make exactness  lazy against plain sampling, 30 000 runs per side (minutes)"
	@echo "make golden     keep the numbers of today as those that tests/golden compares with (two minutes); it names those that differ"
	@echo "make bench      speed of the simulation methods (results/bench/)"
	@echo "make bench-service  decisions per second of the service (results/bench/)"
	@echo "make lint       ruff, mypy, import-linter"
	@echo "make release    build a wheel and an sdist in dist/ and try both in clean environments"
	@echo "make clean      remove the environment and what was built"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "riskbandits needs Python >= 3.11; call make with PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

# Several stamps: using the package needs less than testing it.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) install 'pip>=25.1' # it knows groups
	$(PIP) install --group dev --editable '.[service,playground,dask]'
	@touch $(VENV)/.installed $(VENV)/.installed-service $(VENV)/.installed-docs $@

$(VENV)/.installed-service: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[service]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(PIP) install 'pip>=25.1' # it knows groups
	$(PIP) install --group docs --editable '.[playground]'
	@touch $(VENV)/.installed $@

paper: $(VENV)/.installed
	$(BIN)/riskbandits reproduce

playground: $(VENV)/.installed-dev
	@mkdir -p results
	$(BIN)/riskbandits playground --out results/playground.html

demo: $(VENV)/.installed-service
	$(BIN)/riskbandits serve --demo

choosing: $(VENV)/.installed
	$(BIN)/python -m studies.choosing --measure

drift: $(VENV)/.installed
	$(BIN)/python -m studies.drift

errata: $(VENV)/.installed
	$(BIN)/python -c "from riskbandits.paper.report import errata; errata.write('docs/errata.md')"

docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet --jobs auto docs docs/_build/html
	@echo "The site: docs/_build/html/index.html"

gallery: $(VENV)/.installed
	@mkdir -p docs/figures/gallery
	cd docs/figures/gallery && for script in ../../../examples/gallery/*.py; do \
	  SOURCE_DATE_EPOCH=0 MATPLOTLIBRC=$(abspath examples/gallery/matplotlibrc) $(abspath $(BIN))/python $$script || exit 1; done

notebooks: $(VENV)/.installed-docs
	$(BIN)/python examples/execute.py

release: $(VENV)/.installed-dev
	.ci/release

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full"

durations: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full" --durations=40

test-full: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup

test-share: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist loadgroup --share=$(SHARE) --minutes=15

compatibility:
	PYTHON=$(PYTHON) .ci/compatibility

exactness: $(VENV)/.installed-dev
	$(BIN)/python -m pytest tests/simulation/test_exactness.py

golden: $(VENV)/.installed-dev
	$(BIN)/python -m tests.golden

bench: $(VENV)/.installed
	$(BIN)/python benchmarks/run.py

bench-service: $(VENV)/.installed-service
	$(BIN)/python benchmarks/service.py

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build dist docs/_build docs/gallery docs/notebooks docs/reference/api docs/project .pytest_cache .mypy_cache .ruff_cache .hypothesis
