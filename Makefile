# Everything lives in .venv: nothing is installed outside this folder and nothing needs root.
# An environment is made anew only when pyproject.toml changes; the packages are editable.

PYTHON ?= python3
# One more than the cores of a small machine: tests wait for servers and pages a fifth of their time.
WORKERS ?= 3
CORES ?= 2
N ?= 10000
SEED ?= 0

ifeq ($(OS),Windows_NT)
$(error On Windows use the pip lines of the README)
endif

BIN := .venv/bin
# What mypy would not look at, as a stub stands beside it.
STUBBED := $(patsubst %.pyi,%.py,$(shell find minigrad -name '*.pyi'))
LESSONS := $(wildcard lessons/en lessons/zh)
NBVAL := -p tests.lessons.nbval_kernels -p tests.lessons.nbval_numbers --nbval-cell-timeout=300 \
	--nbval-kernel-startup-timeout=300 --nbval-sanitize-with=tests/lessons/nbval_sanitize.cfg

# Folders whose programs `make nightly` runs with each backward() stepped.
STEPPED := tests/core tests/ops tests/autograd tests/nn tests/optim tests/utils tests/programs

# Files of which `make nightly` runs all: every answer on PyTorch, every chapter marked, a class of forty.
COURSE := tests/lessons/test_exercises.py tests/classroom/test_marks.py tests/classroom/test_jupyterhub.py \
	tests/classroom/test_nbgrader.py tests/classroom/test_otter.py tests/classroom/test_intruder.py

# The same: every page at every size, in both themes, every chapter where a test runs a few.
PAGES := tests/browser/test_jupyterlab.py tests/browser/test_accessibility.py tests/gpu/test_lessons.py

# The same: every second derivative by differences, every cure of a broken program carried out, every number's arithmetic.
PROOFS := tests/autograd/test_gradcheck.py tests/viz/explain/test_programs.py tests/core/test_threads.py \
	tests/viz/stepper/test_untouched_memory.py tests/core/test_scale.py tests/core/test_loops.py \
	tests/viz/explain/test_scale.py tests/browser/test_arithmetic.py

# Which tests of the lab in a browser tab run, and what it needs that no registry has.
LITE_TESTS ?= tests/lite
WASM := $(wildcard $(or $(MINIGRAD_WASM),../shared/wasm)/numpy-*.whl)

# JupyterLab refuses root without being told so, and there is no browser to open without a screen.
ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
SCREEN := $(if $(filter Darwin,$(shell uname)),yes,$(DISPLAY)$(WAYLAND_DISPLAY))
BROWSER := $(if $(SCREEN),,--no-browser)

# Thread pools that spin beside each other cost more than they bring on small arrays.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

# New random programs each day, and the same ones again for whoever asks for a day's seed.
fuzz nightly: SEED := $(shell date -u +%Y%m%d)

.PHONY: help lab test nbval record test-gpu test-lite nightly check stubs lessons site lite bench bench-gpu fuzz mutants docs lock clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

lab: .venv/lab.stamp  ## Open the lessons in JupyterLab (prints the URL where there is no screen)
	$(BIN)/jupyter lab $(ROOT) $(BROWSER) --LabApp.default_url=/lab/tree/lessons/en/00_index.ipynb

# A hundred processes import minigrad: where no bytecode may be kept, each of them compiles all of it.
test: .venv/test.stamp  ## Run all tests; what PyTorch says is recorded for where it is not installed
	$(ONE_THREAD) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(NBVAL) \
		tests minigrad viz/minigrad_viz lessons/minigrad_lessons $(LESSONS)

nbval: .venv/test.stamp  ## Run the lessons alone and compare every stored output
	$(ONE_THREAD) $(BIN)/python -m pytest $(NBVAL) $(LESSONS)

# Tests that need a browser, a GPU or PyTorch's own objects have no answers to write down.
record: .venv/test.stamp  ## Write down PyTorch's answers anew, in tests/answers (extra parity)
	rm -rf tests/answers
	MINIGRAD_RECORD=1 $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder tests

test-gpu: .venv/test.stamp  ## Run everything that needs a GPU; install the extra gpu first
	@$(BIN)/python -c 'import sys, minigrad; minigrad.cuda.is_available() or \
		sys.exit("There is nothing to test: no GPU, no NVIDIA driver, or no CuPy.")'
	$(BIN)/python -m pytest -m gpu tests/gpu

check: .venv/test.stamp  ## Check format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --follow-imports=silent $(STUBBED)

stubs: .venv/test.stamp  ## Write the index and the types of Tensor and its functions from their rows
	$(BIN)/python -m tools.stubs

lessons: .venv/test.stamp  ## Run every lesson again and store its outputs
	$(BIN)/python -m minigrad_lessons.build
	$(BIN)/python -m minigrad_lessons.links

site: .venv/test.stamp  ## Build the lessons as a web site in build/site, which needs no kernel and no network (LITE=../lite: cells run)
	$(BIN)/python -m minigrad_lessons.website $(if $(LITE),--lite $(LITE))

lite: .venv/lite.stamp  ## Build the lab in a browser tab in build/lite (PYODIDE=folder: with all that it needs; extra lite)
	.venv/lite/bin/python -m tools.lite $(if $(PYODIDE),--pyodide $(PYODIDE))

# Without a folder, one is made of what npm, PyPI and the folder $$MINIGRAD_WASM (../shared/wasm) have.
test-lite: .venv/test.stamp .venv/lite.stamp  ## Run the lessons in the lab in a browser tab (PYODIDE=folder)
	$(if $(PYODIDE),,.venv/lite/bin/python -m tools.lite.offline build/pyodide)
	MINIGRAD_PYODIDE=$(or $(PYODIDE),build/pyodide) $(ONE_THREAD) $(BIN)/python -m pytest -m lite $(LITE_TESTS)

bench: .venv/test.stamp  ## Measure against PyTorch, NumPy, HIPS autograd and micrograd, as far as installed
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.browser.measure

bench-gpu: .venv/test.stamp  ## Measure on a GPU against PyTorch; install the extras gpu and parity first
	$(BIN)/python -m tests.bench.gpu

fuzz: .venv/test.stamp  ## Run N random programs (N=10000 SEED=the day) on PyTorch and here; they must agree
	MINIGRAD_FUZZ=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_random_programs.py

mutants: N = 200
mutants: .venv/test.stamp  ## Plant N small slips in copies of the project (N=200 SEED=0); the tests must notice 95 in 100
	$(BIN)/python -m tests.mutants --count $(N) --seed $(SEED) --workers $(CORES)

# Each line is one check that is too long for `make test`, which runs a sample of it; more may join.
nightly: .venv/test.stamp  ## Run what is too long for every change: passes stepped, passes as programs, PyTorch's samples, N random programs, slips
	@echo "This night again: make nightly N=$(N) SEED=$(SEED)"
	MINIGRAD_STEPPED=all $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(STEPPED)
	MINIGRAD_ODD=all $(ONE_THREAD) $(BIN)/python -m pytest tests/ops/test_odd_inputs.py -k every
	MINIGRAD_COURSE=all $(ONE_THREAD) $(BIN)/python -m pytest $(COURSE)
	MINIGRAD_PROOFS=all $(ONE_THREAD) $(BIN)/python -m pytest $(PROOFS)
	MINIGRAD_PAGES=all $(ONE_THREAD) $(BIN)/python -m pytest $(PAGES)
	MINIGRAD_KILLS=all $(ONE_THREAD) $(BIN)/python -m pytest tests/distributed/test_team.py
	MINIGRAD_SAMPLES=all $(ONE_THREAD) $(BIN)/python -m pytest tests/ops/test_samples.py
	MINIGRAD_FUZZ=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_random_programs.py
	MINIGRAD_WRITTEN=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_written_programs.py
	$(if $(WASM),MINIGRAD_LITE=all $(MAKE) test-lite,@echo "The lab in a browser tab is not tested: no wheel of NumPy.")
	$(BIN)/python -m tests.uncapped
	$(BIN)/python -m tests.mutants --seed $(SEED) --workers $(CORES)

.PHONY: colab publish
colab: .venv/test.stamp  ## Write the lessons for Google's Colab, with the wheel that they install, into build/colab
	$(BIN)/python -m minigrad_lessons.colab

publish: .venv/test.stamp  ## Say everywhere whose repository this is (OWNER=name), and what to do next
	@$(BIN)/python -m tools.publish "$(OWNER)"

# What pdoc cannot read is a type that names a class of its own; it then shows the type as written.
docs: .venv/test.stamp  ## Build the API reference from the docstrings into build/docs
	$(BIN)/python -W 'ignore:Error parsing type annotation' docs/reference.py --template-directory docs/theme --no-show-source \
		--output-directory build/docs minigrad minigrad_viz minigrad_lessons.exercises

# From the oldest Python on, so that the pinned versions can be tried wherever minigrad runs.
LOCK = $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --no-strip-extras --no-annotate \
	--python-version 3.11 --custom-compile-command 'make lock'

lock: .venv/test.stamp  ## Pin anew every version, with its hashes: of developers, and of Binder
	$(LOCK) --extra lab --extra test --output-file requirements-dev.txt pyproject.toml binder/build.in
	$(LOCK) --extra lab --constraint requirements-dev.txt --output-file binder/requirements.txt pyproject.toml binder/build.in

# The extensions of JupyterLab that are installed here become part of the site, so it has none but these.
.venv/lite.stamp: pyproject.toml tools/lite/package-lock.json
	$(PYTHON) -m venv .venv/lite
	.venv/lite/bin/python -m pip install --quiet --disable-pip-version-check -e '.[lite]'
	npm ci --prefix tools/lite --ignore-scripts --no-audit --no-fund --silent
	@touch $@

clean:  ## Remove the environment, what was built and every cache
	rm -rf build .venv .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# The stamp comes last, and what an interruption has left is thrown away: half an environment has no pip.
.venv/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "minigrad needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv --clear .venv
	@touch $@

# With LOCKED=1 every package is the one that requirements-dev.txt names by its hash, none is looked for.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
AS_LOCKED := $(if $(LOCKED),--no-deps --no-build-isolation)

# The announcements extension asks a question in a popup that covers the first page a newcomer sees.
.venv/lab.stamp: pyproject.toml | .venv/made.stamp
	$(if $(LOCKED),$(INSTALL) --no-deps --require-hashes -r requirements-dev.txt)
	$(INSTALL) $(AS_LOCKED) -e '.[lab]'
	$(BIN)/jupyter labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements
	@touch $@

.venv/test.stamp: pyproject.toml .venv/lab.stamp
	$(INSTALL) $(AS_LOCKED) -e '.[lab,test]'
	@touch $@
