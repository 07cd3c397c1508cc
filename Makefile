# threadlab: 'make' says what there is. Two commands do everything: 'make demo' and 'make test'.

PACKAGES  = libpthread-stubs0-dev libboost-context-dev libncurses-dev
# For the tests alone: it reads the manual page.
test: PACKAGES += mandoc
# Without them, what needs them is skipped, and says so.
test-views: WANTED = chromium tmux neovim nodejs
PREFIX   ?= /usr/local
SWIFT    ?= swift
EMBEDDED  = plugins/outputs/$(shell basename '$(CURDIR)' | tr A-Z a-z)
# Without a path that depends on the machine, and exporting no symbols (docs/packaging.md).
PLAIN     = -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
            -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)/.build/$(EMBEDDED)=. \
            -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
            -Xswiftc -file-compilation-dir -Xswiftc . -Xcc -ffile-compilation-dir=. \
            -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
# 'make TARGET LTO=full' optimizes at link time, across the rooms: 19 to 27 % more executions a second, for two links of
# 160 s. What is released or measured is built so, in a folder of its own. Each of a thousand files names the libraries
# that it needs, and the linker would map them as often: it would show 17 GB in place of 2.
LTO      ?=
LINKED    = --scratch-path .build-lto --experimental-lto-mode $(LTO) -Xswiftc -num-threads -Xswiftc 1 \
            -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)/.build-lto/$(EMBEDDED)=. -Xlinker --no-dependent-libraries \
            $(foreach library,swiftCore swift_Concurrency swift_StringProcessing swift_RegexParser swiftSynchronization swiftGlibc \
                swiftDispatch dispatch BlocksRuntime,-Xlinker -l$(library))
RELEASE   = $(PLAIN) $(if $(LTO),$(LINKED))
OUT       = $(if $(LTO),.build-lto,.build)
dist deb bench bench-scale peers: LTO = full
THREADLAB = $(OUT)/release/threadlab
# Not optimized, and so built in half of the time: to look at, not to install or measure.
QUICK     = --static-swift-stdlib --scratch-path .build-demo
DEMO      = .build-demo/debug/threadlab
# What compiled programs are linked with, and load (docs/compiled.md). The first two are not optimized at link time: any compiler links them.
RUNTIME   = libtsan.a libthreadlab_runtime.so
COMPILED  = $(RUNTIME) libthreadlab_engine.so
# Tests run optimized, with every assertion: the exhaustive suites take a fifth of the time.
CHECKED   = -c release --scratch-path .build-tests -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug
# The tests of all rooms, which 'swift test' would run in one process.
TESTS     = .build-tests/release/threadlabPackageTests.xctest --testing-library swift-testing
# The suites that 'make goldens' runs; in any other target they compare.
GOLDENS   = CardTests|GoldenTraceTests|GoldenTableTests|ExploredVariantTests|SearchedVariantTests|StateCountTests|SuggestedChangeTests|CaseTableTests
unexport THREADLAB_GOLDENS
SECONDS  ?= 60
BUSY     ?= 24
PROGRAMS ?= 5000
ROUNDS   ?= 1000
SHELL      := /bin/bash
.SHELLFLAGS = -o pipefail -c

# What 'make install' writes.
SHARE           = $(DESTDIR)$(PREFIX)/share
BIN             = $(DESTDIR)$(PREFIX)/bin/threadlab
MANPAGE         = $(SHARE)/man/man1/threadlab.1
BASH_COMPLETION = $(SHARE)/bash-completion/completions/threadlab
ZSH_FUNCTIONS   = site-functions
ZSH_COMPLETION  = $(SHARE)/zsh/$(ZSH_FUNCTIONS)/_threadlab
FISH_COMPLETION = $(SHARE)/fish/vendor_completions.d/threadlab.fish
EDITOR_FILES    = $(foreach kind,syntax ftdetect,$(SHARE)/vim/vimfiles/$(kind)/lab.vim $(SHARE)/nvim/site/$(kind)/lab.vim) \
                  $(SHARE)/nvim/site/ftplugin/lab.lua
# Folders of its own: the programs and all editor files; the documentation; what compiled programs need, if it was built.
LIBRARIES       = $(DESTDIR)$(PREFIX)/lib/threadlab
PROGRAMS        = $(SHARE)/threadlab
DOCUMENTATION   = $(SHARE)/doc/threadlab
INSTALLED       = $(BIN) $(MANPAGE) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION) $(EDITOR_FILES)

.DEFAULT_GOAL := help
.PHONY: help demo build compiled run test test-all test-scale test-views test-stalled test-packages docs goldens fuzz agreement stress overhead check lint bench bench-scale peers install install-built uninstall clean setup

help: ## this list
	@echo "make TARGET, where TARGET is one of:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: setup ## set up, build, and show a deadlock, the search that finds it, and the proof that its fix works
	$(SWIFT) build $(QUICK) --product threadlab
	@echo; echo '1. Two threads that each wait for the other'; echo
	@$(DEMO) --no-pager run deadlock --seed 1 --format lanes --width 80
	@echo; echo '2. A search for a schedule in which an update is lost'; echo
	@$(DEMO) --no-pager explore lost-update --width 80
	@echo; echo '3. The fixed program: a proof over all schedules'; echo
	@$(DEMO) --no-pager explore lost-update-fixed --width 80
	@echo; echo 'Next (this build is not optimized, and searches ten times as slowly as what "make install" installs):'
	@echo '  $(DEMO) show                        the scenarios'
	@echo '  $(DEMO) show deadlock               what one shows, and its variants'
	@echo '  $(DEMO) run lost-update --seed 3 --format lanes'
	@echo '  $(DEMO) explain TL101               what a deadlock is'
	@echo '  $(DEMO) new mine.lab                a program of your own'

build: setup ## a release build of threadlab, in .build/release; with LTO=full as it is released, in .build-lto/release
	$(SWIFT) build $(RELEASE) --product threadlab

compiled: build ## build what 'threadlab cc' links programs in C with: then 'make install' installs it too
	$(SWIFT) build $(RELEASE) --product threadlab_engine
	$(SWIFT) build $(PLAIN) --product tsan
	$(SWIFT) build $(PLAIN) --product threadlab_runtime
	$(if $(LTO),cp $(addprefix .build/release/,$(RUNTIME)) $(OUT)/release/)

run: build ## run a scenario: make run ARGS="deadlock --format lanes"
	@$(THREADLAB) run $(or $(ARGS),deadlock)

test: setup ## build and run every test, and check scenarios/
	$(SWIFT) build --build-tests $(CHECKED)
	@bash Tests/run.sh --apart CommandLineTests .build-tests/tests.log $(TESTS)
	.build-tests/release/threadlab check scenarios

test-all: ## the same with everything that 'test' takes a part of: gcc too, more seeds, every variant
	THREADLAB_TESTS=all $(MAKE) --no-print-directory test

test-scale: build ## one search under GNU parallel and Slurm, for real on this machine, where they are installed
	for engine in parallel slurm schemas; do THREADLAB=$(CURDIR)/$(THREADLAB) Tests/Scale/$$engine.sh || exit 1; done

test-stalled: setup ## run every test while processors are taken away for up to 60 ms at a time (as root), then beside 24 busy processes: BUSY=N
	@python3 Tests/stalls.py true
	$(SWIFT) build --build-tests $(CHECKED)
	@python3 Tests/stalls.py bash Tests/run.sh --apart CommandLineTests .build-tests/tests.log $(TESTS)
	@python3 Tests/stalls.py --busy $(BUSY) bash Tests/run.sh --apart CommandLineTests .build-tests/tests.log $(TESTS)

test-views: setup ## use pages in Chromium and screens in tmux; pictures are in .build/views
	$(SWIFT) build $(CHECKED) --product threadlab
	$(SWIFT) build $(CHECKED) --product lab-plugin
	export PYTHONDONTWRITEBYTECODE=1; \
	python3 Tests/Views/views.py .build-tests/release/threadlab .build/views && \
	python3 Tests/Views/programs.py .build-tests/release/threadlab .build/views && \
	python3 Tests/Views/site.py .build-tests/release/threadlab .build/views && \
	python3 Tests/Views/grades.py .build-tests/release/threadlab .build/views && \
	for test in Views/exports Screen/play Screen/follow Screen/learn Screen/editors; do \
	    python3 Tests/$$test.py .build-tests/release/threadlab || exit 1; \
	done

test-packages: setup ## build and test packages outside this one, and check the documentation
	$(SWIFT) build $(CHECKED) --product threadlab
	bash Tests/Examples/packages.sh .build-tests/release/threadlab

docs: setup ## the site of public symbols and articles, in .build-docs/site
	bash Tests/Documentation/docs.sh "$(SWIFT)"

goldens: setup ## write again what the tests compare with: schedules, counts, traces, and the tables of them in docs
	$(SWIFT) build --build-tests $(CHECKED)
	@# The tables after the data that they show.
	@for suites in '$(GOLDENS)' CountTableTests; do \
	    THREADLAB_TESTS=all THREADLAB_GOLDENS=write bash Tests/run.sh .build-tests/goldens.log \
	        $(SWIFT) test --skip-build --parallel --filter "$$suites" $(CHECKED) || exit 1; \
	done
	@echo; echo 'Written, not compared. What has changed, to be reviewed:'
	@git --no-pager diff --stat -- Tests/Goldens docs; git status --short -- Tests/Goldens docs | grep '^??' || true

fuzz: setup ## random .lab programs: read and run them for a minute, and judge 5,000; as many damaged files of compilers: make fuzz SECONDS=600 PROGRAMS=50000
	$(SWIFT) build --build-tests $(CHECKED)
	THREADLAB_FUZZ_SECONDS=$(SECONDS) THREADLAB_FUZZ_PROGRAMS=$(PROGRAMS) $(SWIFT) test --skip-build --filter FuzzTests $(CHECKED)

agreement: setup ## compare verdicts with ThreadSanitizer's and Helgrind's (needs valgrind), for some minutes
	@command -v valgrind >/dev/null || { echo "threadlab: no valgrind: install it with 'apt-get install valgrind'" >&2; exit 1; }
	$(SWIFT) build -c release --sanitize=thread --scratch-path .build-tsan --product threadlab
	$(SWIFT) build $(PLAIN) --product threadlab
	python3 Tests/Agreement/agreement.py --tsan .build-tsan/release/threadlab --helgrind .build/release/threadlab

stress: build ## hold the primitives' promises on real threads, again and again, for some minutes: make stress ROUNDS=5000
	$(SWIFT) build --build-tests $(CHECKED)
	THREADLAB_STRESS_ROUNDS=$(ROUNDS) $(SWIFT) test --skip-build --filter NativeConformanceTests $(CHECKED)
	@# Programs that only atomics keep apart: all must complete, with no race.
	@for round in $$(seq $$(($(ROUNDS) / 30 + 1))); do for file in Tests/Stress/*.lab; do \
	    $(THREADLAB) run $$file --native --format none > .build/stress.txt 2>&1 || \
	        { echo "$$file did not complete:" >&2; cat .build/stress.txt >&2; exit 1; }; \
	done; done

overhead: ## what Helgrind and ThreadSanitizer cost on producer-consumer in C, beside 'benchmarks detection'
	python3 Tests/Agreement/overhead.py

check: build ## hold every variant of every scenario, and every file in scenarios/, to what it expects
	$(THREADLAB) check --builtin scenarios

lint: setup ## formatting, strictly; warnings are errors in every build
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

bench: compiled ## measure, against raw pthreads and others, in one run; and compiled programs
	$(SWIFT) build $(RELEASE) --product benchmarks
	$(OUT)/release/benchmarks
	THREADLAB="$(THREADLAB)" python3 Tests/Benchmarks/compiled.py

bench-scale: build ## what two processes gain on two quiet processors, for each search that can be divided
	THREADLAB="$(THREADLAB)" python3 Tests/Benchmarks/processors.py

peers: build ## measure beside Relacy, SPIN and GenMC, where they are installed: see Tests/Benchmarks/Peers/README.md
	python3 Tests/Benchmarks/Peers/peers.py --threadlab $(THREADLAB)

install: build install-built ## install the program, its manual page, completions, editor files, programs and documentation under PREFIX (/usr/local)

# Without a build: packages install what is built.
install-built:
	install -d $(sort $(dir $(INSTALLED))) $(PROGRAMS) $(DOCUMENTATION)
	install -m 755 $(THREADLAB) $(BIN)
	for file in $(COMPILED); do if [ -f $(OUT)/release/$$file ]; then \
	    install -d $(LIBRARIES) && install -m 644 $(OUT)/release/$$file $(LIBRARIES)/$$file || exit 1; fi; done
	$(THREADLAB) __man > $(MANPAGE)
	$(THREADLAB) --completion bash > $(BASH_COMPLETION)
	$(THREADLAB) --completion zsh > $(ZSH_COMPLETION)
	$(THREADLAB) --completion fish > $(FISH_COMPLETION)
	for editor in vim/vimfiles nvim/site; do for kind in syntax ftdetect; do \
	    install -m 644 editors/vim/$$kind/lab.vim $(SHARE)/$$editor/$$kind/lab.vim; done; done
	install -m 644 editors/vim/ftplugin/lab.lua $(SHARE)/nvim/site/ftplugin/lab.lua
	cp -R scenarios editors $(PROGRAMS)
	cp -R README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs $(DOCUMENTATION)
	chmod -R u=rwX,go=rX $(PROGRAMS) $(DOCUMENTATION)

uninstall: ## remove what 'install' put there
	rm -f $(INSTALLED)
	rm -rf $(PROGRAMS) $(DOCUMENTATION) $(LIBRARIES)

clean: ## remove what was built
	rm -rf .build .build-lto .build-tests .build-tsan .build-demo .build-docs dist

setup: ## install the system packages that are missing
	@command -v $(SWIFT) >/dev/null || { echo "threadlab: no Swift toolchain: install one from https://swift.org/install" >&2; exit 1; }
	@missing=""; for package in $(PACKAGES); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	    as=""; [ "$$(id -u)" = 0 ] || as=sudo; \
	    echo "threadlab: missing packages:$$missing; installing them with '$${as:+$$as }apt-get install'"; \
	    { $$as apt-get update -q; $$as apt-get install -y -q $$missing; } >/dev/null || \
	        { echo "threadlab: could not install:$$missing" >&2; exit 1; }; \
	fi
	@for package in $(WANTED); do \
	    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' && continue; \
	    as=""; [ "$$(id -u)" = 0 ] || as="sudo -n"; \
	    echo "threadlab: installing $$package with '$${as:+$$as }apt-get install'"; \
	    { $$as apt-get update -q; $$as apt-get install -y -q --no-install-recommends $$package; } >/dev/null 2>&1 || \
	        echo "threadlab: could not install $$package: what needs it is skipped" >&2; \
	done

include packaging/packages.mk
