# Everything is installed in .venv, and nothing needs root. The environment is made again only when
# pyproject.toml changes; the packages are editable.

PYTHON ?= python3
# One more than the cores of a small machine, since tests wait a fifth of their time.
WORKERS ?= 3
CORES ?= 2
N ?= 10000
SEED ?= 0

ifeq ($(OS),Windows_NT)
$(error On Windows use the pip lines of the README)
endif

BIN := .venv/bin
# mypy reads the stub of these files and not the file itself, so they are checked separately.
STUBBED := $(patsubst %.pyi,%.py,$(shell find minigrad -name '*.pyi'))
LESSONS := $(wildcard lessons/en lessons/zh)
NBVAL := -p tests.lessons.nbval_kernels -p tests.lessons.nbval_numbers --nbval-cell-timeout=300 \
	--nbval-kernel-startup-timeout=300 --nbval-sanitize-with=tests/lessons/nbval_sanitize.cfg

# `make nightly` runs these with each backward() stepped.
STEPPED := tests/core tests/ops tests/autograd tests/nn tests/optim tests/utils tests/programs

# `make test` runs a sample of these files, `make nightly` all: answers on PyTorch, marks, a class of forty.
COURSE := tests/lessons/test_exercises.py tests/classroom/test_marks.py tests/classroom/test_jupyterhub.py \
	tests/classroom/test_nbgrader.py tests/classroom/test_otter.py tests/classroom/test_intruder.py \
	tests/classroom/test_deploy.py tests/classroom/test_sandbox.py tests/lessons/test_pytorch.py \
	tests/lessons/test_predictions.py tests/lessons/test_remarks.py

# The same: pages at every size and in both themes, and all chapters.
PAGES := tests/browser tests/gpu/test_lessons.py tests/viz/stepper/test_export.py

# The folders that run on the compiled core, too.
ON_COMPILED := tests/core tests/ops tests/autograd tests/nn tests/programs

# The same: second derivatives by differences, broken programs and their repairs, the arithmetic of every number.
PROOFS := tests/autograd/test_gradcheck.py tests/autograd/test_forward_ad.py \
	tests/viz/diagnosis/test_programs.py tests/viz/diagnosis/test_posted.py tests/viz/diagnosis/test_replay.py tests/core/test_threads.py \
	tests/ops/test_watched.py tests/gpu/test_foreign_arrays.py tests/viz/stepper/test_untouched_minigrad.py \
	tests/viz/stepper/test_untouched_memory.py tests/core/test_scale.py tests/core/test_loops.py \
	tests/viz/diagnosis/test_scale.py tests/viz/diagnosis/test_headed.py tests/viz/model/test_folding.py \
	tests/browser/test_arithmetic.py tests/types/test_user_program.py tests/bench/test_rows.py \
	tests/viz/plots/test_forward_and_backward.py \
	tests/core/test_lifetimes.py tests/programs/test_written_programs.py \
	tests/viz/stepper/test_untouched_torch.py

# Tests of the lab in a browser tab, and the wheel that they need and no registry has.
LITE_TESTS ?= tests/lite
WASM := $(wildcard $(or $(MINIGRAD_WASM),../shared/wasm)/numpy-*.whl)

# JupyterLab needs a flag to run as root, and can open no browser without a screen.
ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
SCREEN := $(if $(filter Darwin,$(shell uname)),yes,$(DISPLAY)$(WAYLAND_DISPLAY))
BROWSER := $(if $(SCREEN),,--no-browser)
# JupyterLab writes to the home folder, which some accounts of services lack.
HOMELESS := $(shell [ -w ~ ] || echo "HOME='$(CURDIR)/build/home'")

# Several thread pools cost more than they gain on small arrays.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

# New random programs each day; the seed of a day repeats them.
fuzz nightly: SEED := $(shell date -u +%Y%m%d)

.PHONY: help compiled pure lab test quick nbval record test-gpu test-lite nightly check stubs lessons site book lite bench bench-gpu fuzz pytorch-tests mutants lock clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

compiled: .venv/compiled.stamp  ## Compile the core with Cython and a C compiler: the same code, faster
	@$(BIN)/python -m tools.compiled

pure:  ## Remove the compiled core: pure Python runs again
	rm -rf minigrad/_compiled

lab: .venv/lab.stamp  ## Open the lessons in JupyterLab (without a screen: print the URL)
	$(HOMELESS) $(BIN)/jupyter lab $(ROOT) $(BROWSER) --LabApp.default_url=/lab/tree/lessons/en/00_index.ipynb

# A hundred processes import minigrad, and each compiles it if bytecode may not be written.
test: .venv/test.stamp  ## Run all tests, and a part of tables of many cases
	$(ONE_THREAD) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --sampled $(NBVAL) \
		tests minigrad viz/minigrad_viz lessons/minigrad_lessons $(LESSONS)

# The rooms that are tested without a browser, a hub, a cluster or notebooks.
QUICK := $(addprefix tests/,arrays core ops tensors autograd nn optim utils viz lessons) tests/test_house.py

quick: .venv/test.stamp  ## Run the unit tests of every room, in two minutes
	$(ONE_THREAD) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --quick --sampled \
		$(QUICK) minigrad

nbval: .venv/test.stamp  ## Run the lessons alone and compare every stored output
	MINIGRAD_COURSE=all $(ONE_THREAD) $(BIN)/python -m pytest $(NBVAL) $(LESSONS)

# Tests that need a browser, a GPU or PyTorch's objects record no answers.
record: .venv/test.stamp  ## Ask PyTorch again and store its answers in tests/answers (extra parity)
	rm -rf tests/answers
	MINIGRAD_RECORD=1 $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder tests

# The checkout stays pure, so a copy is compiled.
test-compiled: .venv/test.stamp  ## Compile a copy in build/compiled and run the tests of the engine on it
	$(BIN)/python -m tools.compiled --copy build/compiled
	cd build/compiled && PYTHONPATH=$$PWD:$$PWD/viz:$$PWD/lessons $(ONE_THREAD) $(CURDIR)/$(BIN)/python -m pytest \
		-n $(WORKERS) --dist loadfile --no-loadscope-reorder --compiled --sampled $(ON_COMPILED)

test-gpu: .venv/test.stamp  ## Run the tests that need a GPU; install the extra gpu first
	@$(BIN)/python -c 'import sys, minigrad; minigrad.cuda.is_available() or \
		sys.exit("There is nothing to test: no GPU, no NVIDIA driver, or no CuPy.")'
	$(BIN)/python -m pytest -m gpu tests/gpu

# PLW1514: files are opened with an encoding, since the usual one differs between systems.
check: .venv/test.stamp  ## Check format, lint, types and plain words
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/ruff check --preview --select PLW1514 .
	$(BIN)/mypy
	$(BIN)/mypy --follow-imports=silent $(STUBBED)
	$(BIN)/python -m tools.plain_words

stubs: .venv/test.stamp  ## Write the index and the types of Tensor and its functions from their schemas
	$(BIN)/python -m tools.stubs

lessons: .venv/test.stamp  ## Run every lesson again and store its outputs
	$(BIN)/python -m minigrad_lessons.build
	$(BIN)/python -m minigrad_lessons.site.links

site: .venv/test.stamp  ## Build the web site: course, documents, reference (LITE=../lite: its cells run)
	$(BIN)/python -m minigrad_lessons.site $(if $(LITE),--lite $(LITE))

book: .venv/test.stamp  ## Build the same as an EPUB in each language, in build/book
	$(BIN)/python -m minigrad_lessons.site --book

lite: .venv/lite.stamp  ## Build the lab in a browser tab in build/lite (PYODIDE=folder: for use without internet)
	.venv/lite/bin/python -m tools.lite $(if $(PYODIDE),--pyodide $(PYODIDE))

# Without PYODIDE, the folder is made from npm, PyPI and $$MINIGRAD_WASM (../shared/wasm).
test-lite: .venv/test.stamp .venv/lite.stamp  ## Run the lessons in the lab in a browser tab (PYODIDE=folder)
	$(if $(PYODIDE),,.venv/lite/bin/python -m tools.lite.offline build/pyodide)
	MINIGRAD_PYODIDE=$(or $(PYODIDE),build/pyodide) $(ONE_THREAD) $(BIN)/python -m pytest -m lite $(LITE_TESTS)

bench: .venv/test.stamp  ## Measure against those of PyTorch, NumPy, HIPS autograd and micrograd that are installed
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.browser.measure

bench-gpu: .venv/test.stamp  ## Measure on a GPU against PyTorch; install the extras gpu and parity first
	$(BIN)/python -m tests.bench.gpu

fuzz: .venv/test.stamp  ## Compare N random programs with PyTorch (N=10000 SEED=the day)
	MINIGRAD_FUZZ=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_random_programs.py

mutants: N = 200
mutants: .venv/test.stamp  ## Plant N mistakes in copies of the project (N=200 SEED=0); the tests must notice 95 in 100
	$(BIN)/python -m tests.mutants --count $(N) --seed $(SEED) --workers $(CORES)

# PYTORCH_TESTS=folder: the tests of a checkout of PyTorch 2.6.0, where Debian's cannot be downloaded.
pytorch-tests: .venv/test.stamp  ## Run PyTorch's own tests on minigrad (extra parity; PYTORCH_TESTS=folder)
	$(BIN)/python -m tests.pytorch_suite

# Each line is a check that takes too long for `make test`, which runs a sample of it.
nightly: .venv/test.stamp  ## Run what takes too long for every change: complete sets, random programs, planted mistakes
	@echo "This night again: make nightly N=$(N) SEED=$(SEED)"
	MINIGRAD_TABLES=all $(MAKE) test
	MINIGRAD_STEPPED=all $(ONE_THREAD) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(STEPPED)
	MINIGRAD_INPUTS=all $(ONE_THREAD) $(BIN)/python -m pytest tests/ops/test_unusual_inputs.py -k every
	$(MAKE) nbval
	MINIGRAD_COURSE=all $(ONE_THREAD) $(BIN)/python -m pytest $(COURSE)
	MINIGRAD_PROOFS=all $(ONE_THREAD) $(BIN)/python -m pytest $(PROOFS)
	MINIGRAD_PAGES=all $(ONE_THREAD) $(BIN)/python -m pytest $(PAGES)
	MINIGRAD_KILLS=all $(ONE_THREAD) $(BIN)/python -m pytest tests/distributed/test_team.py
	MINIGRAD_COMPILED=all MINIGRAD_TABLES=all $(MAKE) test-compiled
	MINIGRAD_COMPILED=all $(ONE_THREAD) $(BIN)/python -m pytest tests/test_compiled.py
	MINIGRAD_SAMPLES=all $(ONE_THREAD) $(BIN)/python -m pytest tests/ops/test_samples.py tests/ops/test_error_inputs.py
	MINIGRAD_FUZZ=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_random_programs.py
	MINIGRAD_WRITTEN=$(N) $(ONE_THREAD) $(BIN)/python -m pytest --hypothesis-seed=$(SEED) tests/programs/test_written_programs.py
	$(if $(WASM),MINIGRAD_LITE=all $(MAKE) test-lite,@echo "The lab in a browser tab is not tested: no wheel of NumPy.")
	$(BIN)/python -m tests.pytorch_suite
	$(BIN)/python -m tests.uncapped
	$(BIN)/python -m tests.mutants --seed $(SEED) --workers $(CORES)

.PHONY: architecture colab publish rehearse
architecture: .venv/test.stamp  ## Count lines of code for docs/architecture.md and the READMEs
	$(BIN)/python -m tools.architecture

colab: .venv/test.stamp  ## Write the lessons for Google Colab, with their wheel, into build/colab
	$(BIN)/python -m minigrad_lessons.site.colab

publish: .venv/test.stamp  ## Write the owner of the repository into all files (OWNER=name), and print the next steps
	@$(BIN)/python -m tools.publish "$(OWNER)"

rehearse: .venv/test.stamp  ## Rehearse a release on a copy: build, install from a folder, run (into build/release)
	@$(BIN)/python -m tools.rehearse

# Pinned versions must support the oldest Python that minigrad supports.
LOCK = $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --no-strip-extras --no-annotate \
	--python-version 3.11 --custom-compile-command 'make lock'

lock: .venv/test.stamp  ## Pin all versions again, with their hashes, for developers and for Binder
	$(LOCK) --extra lab --extra dist --extra test --constraint constraints.txt --output-file requirements-dev.txt \
		pyproject.toml binder/build.in
	$(LOCK) --extra lab --extra dist --constraint requirements-dev.txt --output-file binder/requirements.txt \
		pyproject.toml binder/build.in

# The installed extensions of JupyterLab become part of the site, so the environment is a separate one.
.venv/lite.stamp: pyproject.toml tools/lite/package-lock.json
	$(PYTHON) -m venv .venv/lite
	.venv/lite/bin/python -m pip install --quiet --disable-pip-version-check -e '.[lite]'
	npm ci --prefix tools/lite --ignore-scripts --no-audit --no-fund --silent
	@touch $@

clean:  ## Remove the environment, all built files and all caches
	rm -rf build .venv .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# The stamp is made last, so an interrupted environment, which may have no pip, is made again.
.venv/made.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "minigrad needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import locale, os, sys; old = sys.version_info < (3, 13); \
		encoding = locale.getencoding() if old else sys.getfilesystemencoding(); \
		sys.exit(not os.getcwd().isascii() and encoding.lower() != "utf-8")' || \
		{ echo "Python cannot start from a folder with such a name here; try: LC_ALL=C.UTF-8 make ..."; exit 1; }
	$(PYTHON) -m venv --clear .venv
	@touch $@

# With LOCKED=1, all packages are files of requirements-dev.txt, checked by their hashes.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
AS_LOCKED := $(if $(LOCKED),--no-deps --no-build-isolation,--constraint constraints.txt)

# The announcements extension shows a popup that covers the first page.
.venv/lab.stamp: pyproject.toml constraints.txt | .venv/made.stamp
	$(if $(LOCKED),$(INSTALL) --no-deps --require-hashes -r requirements-dev.txt)
	$(INSTALL) $(AS_LOCKED) -e '.[lab,dist]'
	$(BIN)/jupyter labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements
	@touch $@

.venv/compiled.stamp: pyproject.toml .venv/lab.stamp
	$(INSTALL) $(AS_LOCKED) -e '.[lab,dist,compiled]'
	@touch $@

.venv/test.stamp: pyproject.toml .venv/lab.stamp
	$(INSTALL) $(AS_LOCKED) -e '.[lab,dist,test]'
	@touch $@
