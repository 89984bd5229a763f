# The task runner. CI calls these recipes unchanged; `make help` lists them.
PYTHON ?= python3
CLANG ?= clang++-16
ROUNDS := 3
TSAN_CXX := $(CXX)
VENV := .venv
BIN := $(VENV)/bin
PACKAGE := $(VENV)/.package
LINTERS := $(VENV)/.linters
DOCS := $(VENV)/.docs
CORPUS := .venv-corpus
CLIENTS := $(CORPUS)/.clients
TRANSFORMERS := .venv-transformers
SPLITTERS := .venv-clients
SOURCES := $(shell git ls-files src native CMakeLists.txt pyproject.toml 2>/dev/null)
JS := js/dist/index.js
JS_SOURCES := $(shell git ls-files js/src js/native js/scripts js/package.json js/tsconfig.json native/include src/wordsplit/vocabs/data src/wordsplit/engine/word_tables.bin LICENSE NOTICE 2>/dev/null)
PAGE := build/playground/index.html
PAGE_SOURCES := $(shell git ls-files js/playground 2>/dev/null)
RUNTIMES := build/runtimes
# uv takes seconds where pip takes a minute; pip knows the indexes that are configured for it alone.
install = $(BIN)/uv pip install -q --system-certs --python $(BIN)/python $(1) || $(BIN)/python -m pip install -q $(1)
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadgroup

.PHONY: help test test-all test-long corpus-test transformers-test clients-test newcomer every-python lint format types docs docs-serve native-test clang-test cross wheel wheels tsan qemu-test asan-test stubs bench js-build js-test js-runtimes-test js-native-test playground playground-test clean

help: ## List the recipes
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

# A virtual environment with the package, editable, and what its tests need; the package is built again when a source
# changes.
$(PACKAGE): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade 'pip>=25.1' uv
	$(call install,--group test scikit-build-core nanobind hatchling cmake ninja)
	$(BIN)/python -m pip install -q --no-build-isolation -e .
	touch $@

$(LINTERS): $(PACKAGE) pyproject.toml
	$(call install,--group lint)
	touch $@

$(DOCS): $(PACKAGE) pyproject.toml | $(LINTERS)
	$(call install,--group docs)
	touch $@

test: $(PACKAGE) ## Run the tests (under five minutes on two idle cores, the build included)
	$(PYTEST)

test-all: $(PACKAGE) ## Run the tests in full depth, as CI does (about twenty minutes)
	WORDSPLIT_TESTS=full $(PYTEST)

test-long: $(PACKAGE) ## Run the long campaigns too (hours)
	WORDSPLIT_TESTS=long $(PYTEST)

# An environment of its own, since these packages are large and decide the versions of others. Torch comes first and by
# pip, which takes a build without CUDA from where it is configured to look.
$(CLIENTS): BIN := $(CORPUS)/bin
$(CLIENTS): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(CORPUS)
	$(BIN)/python -m pip install -q --upgrade 'pip>=25.1' uv
	$(BIN)/python -m pip install -q --group corpus-torch
	$(call install,--group test --group corpus --group corpus-engines scikit-build-core nanobind cmake ninja)
	$(call install,--no-deps --group corpus-bare)
	$(BIN)/python -m pip install -q --no-build-isolation -C build-dir=build/corpus/{wheel_tag} -e .
	touch $@

corpus-test: $(CLIENTS) ## Run Ray, Spark and the libraries that read corpora (needs Java and 4 GB of disk; CONTRIBUTING.md says when)
	@command -v java >/dev/null || { echo "Spark needs Java: apt-get install default-jre-headless"; exit 1; }
	$(CORPUS)/bin/python -m pytest -q tests/corpus_clients tests/features/test_columns_of_texts.py

# One environment for each major version; torch as above.
$(TRANSFORMERS)-%/.installed: BIN = $(TRANSFORMERS)-$*/bin
$(TRANSFORMERS)-%/.installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(TRANSFORMERS)-$*
	$(BIN)/python -m pip install -q --upgrade 'pip>=25.1' uv
	$(BIN)/python -m pip install -q --group corpus-torch
	$(call install,--group transformers-$* scikit-build-core nanobind cmake ninja)
	$(BIN)/python -m pip install -q --no-build-isolation -C build-dir=build/transformers-$*/{wheel_tag} -e .
	touch $@

transformers-test: $(TRANSFORMERS)-4/.installed $(TRANSFORMERS)-5/.installed ## Run tokenizers of transformers 4 and 5 on wordsplit, and compare (1 GB of disk)
	$(TRANSFORMERS)-4/bin/python -m pytest -q tests/compat/test_transformers.py
	$(TRANSFORMERS)-5/bin/python -m pytest -q tests/compat/test_transformers.py

# Also an environment of its own. Copies, since llama-index refuses its own files where they are hard links.
$(SPLITTERS)/.package: BIN := $(SPLITTERS)/bin
$(SPLITTERS)/.package: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(SPLITTERS)
	$(BIN)/python -m pip install -q --upgrade 'pip>=25.1' uv
	$(BIN)/python -m pip install -q --group corpus-torch
	export UV_LINK_MODE=copy; $(call install,--group clients scikit-build-core nanobind cmake ninja)
	$(call install,--no-deps --group clients-bare)
	$(BIN)/python -m pip install -q --no-build-isolation -C build-dir=build/clients/{wheel_tag} -e .
	touch $@

clients-test: $(SPLITTERS)/.package ## Run libraries that import tiktoken or tokenizers themselves with their stand-ins (2 GB of disk)
	WORDSPLIT_TESTS=full $(SPLITTERS)/bin/python -m pytest -q tests/clients

newcomer: ## Follow the README in a fresh clone, in an empty home, on the oldest and the newest Python installed
	sh tests/newcomer.sh $(NEWCOMER)

every-python: ## The same on every supported Python that is installed (about five minutes each)
	sh tests/newcomer.sh --every

lint: $(LINTERS) ## Check style, formatting, and the layers that imports obey
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	git ls-files 'native/*.hpp' 'native/*.cpp' 'js/native/*.cpp' | grep -v unicode_data | xargs $(BIN)/clang-format --dry-run --Werror
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/python tools/generate_patterns.py --check

format: $(LINTERS) ## Format everything
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	git ls-files 'native/*.hpp' 'native/*.cpp' 'js/native/*.cpp' | grep -v unicode_data | xargs $(BIN)/clang-format -i

types: $(LINTERS) $(DOCS) ## Check types, those of the public names and of the examples too, and the native module's stub
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/pyright --pythonpath $(BIN)/python --verifytypes wordsplit --ignoreexternal
	$(BIN)/python tools/check_example_types.py
	$(BIN)/python -m nanobind.stubgen -q -m wordsplit._native -o build/_native.pyi
	diff -u src/wordsplit/_native.pyi build/_native.pyi

# Without -q, which would silence the warnings that --strict counts.
docs: $(DOCS) ## Build the documentation as a site, in build/site; fail on broken links and undocumented names
	$(BIN)/python tools/check_api_reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: $(DOCS) ## Serve the documentation at http://127.0.0.1:8000, rebuilt when a page changes
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

stubs: $(PACKAGE) ## Write the stub of the native module anew
	$(BIN)/python -m nanobind.stubgen -q -m wordsplit._native -o src/wordsplit/_native.pyi

native-test: $(PACKAGE) ## Run the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(BIN)/cmake -S . -B build/native -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DWORDSPLIT_NATIVE_TESTS=ON -DWORDSPLIT_SANITIZE=ON
	$(BIN)/cmake --build build/native
	cd build/native && $(CURDIR)/$(BIN)/ctest -j2 --output-on-failure

clang-test: $(PACKAGE) ## Run the C++ tests, built by clang without sanitizers (CLANG=clang++ for another than clang++-16)
	$(BIN)/cmake -S . -B build/clang -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	  -DWORDSPLIT_NATIVE_TESTS=ON -DCMAKE_CXX_COMPILER=$(CLANG)
	$(BIN)/cmake --build build/clang
	cd build/clang && $(CURDIR)/$(BIN)/ctest -j2 --output-on-failure

cross: $(PACKAGE) ## Compile the module for Linux, macOS and Windows on x86-64 and ARM (CROSS=--no-link takes a third of the time)
	$(call install,--group cross)
	$(BIN)/python tools/cross_compile.py $(CROSS)

wheel: ## Build the sdist and a manylinux wheel for $(PYTHON) into dist, check them, and try them in a clean environment
	sh tools/build_wheels.sh $(PYTHON)

wheels: ## The same for every supported Python installed, the free-threaded ones too (two minutes each)
	sh tools/build_wheels.sh --every

tsan: ## Run one engine on many threads under ThreadSanitizer
	CXX=$(TSAN_CXX) sh native/tests/tsan.sh $(ROUNDS)

qemu-test: ## Run the C++ tests on an emulated AArch64, and compare the ids (needs qemu-user-static and g++-aarch64-linux-gnu)
	sh native/tests/qemu.sh

asan-test: $(PACKAGE) ## Run the Python tests on an extension with AddressSanitizer and UndefinedBehaviorSanitizer
	sh tests/asan.sh $(VENV)

bench: $(PACKAGE) ## Measure against every peer (an hour or two; benches/run.py --help has shorter ways)
	$(call install,--group bench)
	$(BIN)/python benches/run.py

js/node_modules: js/package-lock.json
	cd js && npm ci --silent
	touch $@

$(JS): js/node_modules $(JS_SOURCES)
	cd js && npm run --silent build
	touch $@

js-build: $(JS) ## Build the JavaScript package into js/dist (Emscripten is installed from Debian's packages)

js-test: $(JS) $(PACKAGE) ## Run the tests of the JavaScript package, with the ids of the Python package
	$(BIN)/python js/tests/expected.py build/expected $(STRINGS)
	cd js && WORDSPLIT_EXPECTED=$(CURDIR)/build/expected npm test --silent

js-runtimes-test: js-test ## Test the packed JavaScript package in other runtimes and tools (500 MB)
	mkdir -p $(RUNTIMES)
	cp js/tests/runtimes/* js/tests/expected.mjs js/tests/consumer.ts $(RUNTIMES)
	cd js && npm pack --silent --ignore-scripts --pack-destination $(CURDIR)/$(RUNTIMES)
	cd $(RUNTIMES) && npm install --silent --no-package-lock ./wordsplit-*.tgz
	cd $(RUNTIMES) && WORDSPLIT_EXPECTED=$(CURDIR)/build/expected WORDSPLIT_RUNTIMES=. node --test $(CURDIR)/js/tests/runtimes.test.mjs

js-native-test: ## Run the C++ tests as WebAssembly
	node js/scripts/native-tests.mjs

$(PAGE): $(JS) $(PAGE_SOURCES)
	node js/scripts/build-playground.mjs

playground: $(PAGE) ## Build the playground, a static page, into build/playground (needs Node and Emscripten)

playground-test: $(PAGE) ## Use the playground in Chromium
	cd js && node --test playground/tests/*.test.mjs

clean: ## Remove everything that was built
	rm -rf build dist $(VENV) $(CORPUS) $(TRANSFORMERS)-* $(SPLITTERS)
