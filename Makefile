# The front door. `make demo` and `make test` are all a newcomer needs; both install missing system
# packages first (see scripts/install-packages).

CARGO ?= cargo
# The csmith programs `make fuzz` runs, and the seed of the first one.
FUZZ_COUNT ?= 5000
# The random temporal formulas it runs.
LTL_FUZZ_COUNT ?= 100000
AVR_FUZZ_COUNT ?= 10000000
# The steps of each AVR firmware for which the model goes beside simavr (and of random instructions beside the core), and the csmith programs that run on the AVR's core.
AVR_STEPS ?= 500000
AVR_CSMITH_COUNT ?= 1000
# The random firmware whose verdicts under all abstractions are compared with each other.
FIRMWARE_COUNT ?= 300
# The programs of each sort that are compared with enumeration.
ENUMERATION_COUNT ?= 500
# The random programs with endless loops of which every reachable state is visited.
ENDLESS_COUNT ?= 2000
INTERRUPTS_COUNT ?= 200
# The random programs that are checked as C and as firmware.
SAME_COUNT ?= 300
# The random programs with threads of which every schedule is run.
THREADS_COUNT ?= 200
# The random programs about memory that run with sanitizers.
MEMORY_COUNT ?= 5000
# The random programs with loop invariants; three times as many with contracts of functions.
CONTRACT_COUNT ?= 200
# The mutants of C programs that hold, and of firmware, whose runs are compared with the verdicts.
MUTATION_COUNT ?= 4000
FIRMWARE_MUTATION_COUNT ?= 400
# The calls of the host's C library whose results the bounded models must allow.
LIBRARY_CALLS ?= 100000
FUZZ_SEED ?= 1
# How long each fuzz target is fed.
FUZZ_SECONDS ?= 60
# `make bench` runs this often and keeps the best; SUITE picks one of: empty floats programs endless arrays real explicit temporal avr reductions serve threads.
BENCH_RUNS ?= 3
SUITE ?=

# Where `make install` puts things: below DESTDIR, for a program that is going to be at PREFIX.
PREFIX ?= /usr/local
DESTDIR ?=
BINARY ?= target/release/kripke
SHARE = $(DESTDIR)$(PREFIX)/share

.PHONY: help demo build install uninstall deb guide extension test fuzz bench lint page install-deps

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 16

demo: ## Build kripke and check example programs
	@scripts/install-packages build
	$(CARGO) build --release --package kripke-cli
	@scripts/demo

build: ## Build kripke in release mode: target/release/kripke
	@scripts/install-packages build
	$(CARGO) build --release --package kripke-cli

# Not `build`: whoever installs, root as a rule, may have no Rust.
target/release/kripke:
	$(MAKE) build

install: $(BINARY) ## Install kripke, its manual pages and completions: PREFIX=/usr/local, DESTDIR=
	install -D -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/kripke"
	install -d "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" \
		"$(SHARE)/fish/vendor_completions.d"
	$(BINARY) man "$(SHARE)/man/man1"
	$(BINARY) completions bash > "$(SHARE)/bash-completion/completions/kripke"
	$(BINARY) completions zsh > "$(SHARE)/zsh/site-functions/_kripke"
	$(BINARY) completions fish > "$(SHARE)/fish/vendor_completions.d/kripke.fish"

uninstall: ## Remove what `make install` installed
	rm -f "$(DESTDIR)$(PREFIX)/bin/kripke" "$(SHARE)"/man/man1/kripke.1 "$(SHARE)"/man/man1/kripke-*.1 \
		"$(SHARE)/bash-completion/completions/kripke" "$(SHARE)/zsh/site-functions/_kripke" \
		"$(SHARE)/fish/vendor_completions.d/kripke.fish"

deb: $(BINARY) ## Make a Debian package: target/debian/kripke_VERSION_ARCHITECTURE.deb
	@$(CARGO) deb --version >/dev/null 2>&1 || \
		{ echo "cargo-deb is missing: cargo install cargo-deb --locked" >&2; exit 1; }
	@scripts/install-packages deb
	rm -rf target/package
	$(MAKE) install BINARY=$(BINARY) DESTDIR=target/package PREFIX=/usr
	$(CARGO) deb --package kripke-cli --no-build --no-strip

guide: ## Make a book of docs/: target/guide/index.html
	@command -v mdbook >/dev/null || \
		{ echo "mdBook is missing: cargo install mdbook --locked" >&2; exit 1; }
	mdbook build
	@echo "open target/guide/index.html"

test: ## Install what the tests need and run them all
	@scripts/install-packages build test
	$(CARGO) fetch --locked
	CARGO="$(CARGO)" scripts/run-tests

fuzz: ## Compare with gcc (csmith), automata with LTL_FUZZ_COUNT formulas, AVR_FUZZ_COUNT instructions with simavr
	@scripts/install-packages build test
	KRIPKE_FUZZ_SECONDS=$(FUZZ_SECONDS) KRIPKE_FUZZ_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-fuzz -- --nocapture
	KRIPKE_CSMITH_COUNT=$(FUZZ_COUNT) KRIPKE_CSMITH_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test csmith -- --nocapture
	KRIPKE_LIBRARY_CALLS=$(LIBRARY_CALLS) \
		$(CARGO) test --release --package kripke-llvm --test library_native -- --nocapture
	KRIPKE_FUZZ_COUNT=$(LTL_FUZZ_COUNT) KRIPKE_FUZZ_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-logic -- --nocapture
	KRIPKE_ENUMERATION_COUNT=$(ENUMERATION_COUNT) KRIPKE_ENUMERATION_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test enumeration --test temporal_enumeration -- --nocapture
	KRIPKE_ENDLESS_COUNT=$(ENDLESS_COUNT) KRIPKE_ENDLESS_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test endless_enumeration --test certificates -- --nocapture
	KRIPKE_INTERRUPTS_COUNT=$(INTERRUPTS_COUNT) KRIPKE_INTERRUPTS_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test interrupt_enumeration -- --nocapture
	KRIPKE_SAME_COUNT=$(SAME_COUNT) KRIPKE_SAME_SEED=$(FUZZ_SEED) KRIPKE_SAME_SECONDS=5 \
		$(CARGO) test --release --package kripke-cli --test same_firmware -- --nocapture
	KRIPKE_THREADS_COUNT=$(THREADS_COUNT) KRIPKE_THREADS_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test thread_enumeration --test thread_temporal -- --nocapture
	KRIPKE_MEMORY_COUNT=$(MEMORY_COUNT) KRIPKE_MEMORY_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test memory_oracle -- --nocapture
	KRIPKE_CONTRACT_COUNT=$(CONTRACT_COUNT) KRIPKE_CONTRACT_SEED=$(FUZZ_SEED) KRIPKE_ALL_SOLVERS=1 \
		$(CARGO) test --release --package kripke-cli --test contracts --test filetests -- --nocapture
	KRIPKE_MUTATION_COUNT=$(MUTATION_COUNT) KRIPKE_FIRMWARE_MUTATION_COUNT=$(FIRMWARE_MUTATION_COUNT) \
		KRIPKE_MUTATION_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-cli --test mutation --test firmware_mutation -- --nocapture
	KRIPKE_AVR_COUNT=$(AVR_FUZZ_COUNT) KRIPKE_AVR_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-avr --test simavr -- --nocapture
	KRIPKE_FIRMWARE_COUNT=$(FIRMWARE_COUNT) KRIPKE_FIRMWARE_SEED=$(FUZZ_SEED) KRIPKE_FIRMWARE_STATES=30000 \
		$(CARGO) test --release --package kripke-cli --test firmware_differential -- --nocapture
	KRIPKE_AVR_CSMITH_COUNT=$(AVR_CSMITH_COUNT) KRIPKE_CSMITH_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-avr --test csmith -- --nocapture
	KRIPKE_AVR_ABSTRACT_COUNT=$(AVR_STEPS) KRIPKE_AVR_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-avr --test abstraction -- --nocapture
	KRIPKE_AVR_STEPS=$(AVR_STEPS) KRIPKE_AVR_SEED=$(FUZZ_SEED) \
		$(CARGO) test --release --package kripke-avr --test inclusion -- --nocapture

bench: ## Time and memory of kripke and of the peer, side by side
	@scripts/install-packages build bench
	$(CARGO) build --release --package kripke-cli
	python3 benches/bench.py --runs $(BENCH_RUNS) $(SUITE)

lint: ## Formatting and clippy
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

extension: ## Build and test the extension for VS Code (needs Node): editors/vscode/kripke-0.1.0.vsix
	cd editors/vscode && npm ci && npm test && npm run package

page: ## Build the page of kripke serve anew (needs Node 20 and npm)
	cd crates/serve/page && npm ci --no-audit --no-fund && npm run build

install-deps: ## Install the packages that building and testing need
	@scripts/install-packages build test
