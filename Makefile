# SPDX-License-Identifier: MIT
# The front door. CMake does the work; `make help` lists the doors.
BUILD  ?= build
PREFIX ?= /usr/local
DIR    ?= ../shared/reference
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
ASAN    = build-asan
CLUSTER = build-petsc
# Warnings are errors where the compiler is known; elsewhere a newer one may warn of something new.
WERROR ?= $(if $(CI),ON)
# What is not given stays as the folder was last configured.
OPTIONS = $(if $(WERROR),-DGND_WERROR=$(WERROR))
# What is installed.
PRODUCT = gnd_cli gnd_shared gnd_static gnd_manual
CONFIGURE = cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(OPTIONS)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
.PHONY: all deps deps-test deps-cluster cluster run test reference asan bench check-long wheel wheel-test install docs \
	tables claims format help clean configure

all: configure ## build build/gnd and build/libgnd.so
	@cmake --build $(BUILD) -j$(JOBS) --target $(PRODUCT)

configure:
	@tools/install_deps.sh --check build
	@tools/quiet.sh $(BUILD)/configure.log $(CONFIGURE)

deps: ## install the Debian packages the build needs, if some are missing
	@tools/install_deps.sh build

deps-test:
	@tools/install_deps.sh build test

deps-cluster: ## install PETSc, Open MPI and METIS, for -DGND_PETSC=ON (docs/cluster.md)
	@tools/install_deps.sh build cluster

run: deps ## build, label the bundled Debian graph from 30 labels, write predictions.csv
	@$(MAKE) configure
	@echo "Building; the log is $(BUILD)/build.log"
	@tools/quiet.sh $(BUILD)/build.log cmake --build $(BUILD) -j$(JOBS) --target $(PRODUCT)
	@tools/first_run.sh $(BUILD)

test: deps-test ## build and run all tests; ends with "N passed, M failed"
	@$(MAKE) configure
	@echo "Building twice, or three times with PETSc; the logs are $(BUILD)/build.log and $(ASAN)/build.log"
	@tools/quiet.sh $(BUILD)/build.log cmake --build $(BUILD) -j$(JOBS) --target $(PRODUCT) benches \
		reference_float
	@tools/quiet.sh $(ASAN)/build.log $(MAKE) asan
	@if tools/install_deps.sh --check cluster 2> /dev/null; then \
		tools/quiet.sh $(CLUSTER)/build.log $(MAKE) cluster; fi
	@tools/run_tests.sh $(BUILD) $(ASAN) $(DIR)

reference: configure ## check against the golden vectors of DIR, in float and in double
	@cmake --build $(BUILD) -j$(JOBS) --target reference_float reference_double
	@tools/run_reference.sh $(BUILD) $(DIR)

cluster: ## build build-petsc/gnd, which mpirun spreads over machines (needs deps-cluster; docs/cluster.md)
	@cmake -S . -B $(CLUSTER) $(OPTIONS) -DGND_PETSC=ON
	@cmake --build $(CLUSTER) -j$(JOBS) --target gnd_cli bench_dist

asan: ## build the tests with the address and undefined-behaviour sanitizers
	@cmake -S . -B $(ASAN) $(OPTIONS) -DGND_SANITIZE=address,undefined
	@cmake --build $(ASAN) -j$(JOBS) --target unit_tests

bench: all ## time gnd beside its peers (ARGS="--quick epochs"): PyTorch, PyG, scipy, ... from PyPI
	@cmake --build $(BUILD) -j$(JOBS) --target benches
	@GND_BUILD=$(BUILD) bench/run.sh $(ARGS)

wheel: ## build dist/gnd-*.whl, one wheel for every Python (zig and libraries from PyPI and Debian)
	@tools/make_wheel.sh dist

wheel-test: all ## test the wheel in dist/ with every installed Python from 3.9 to 3.13
	@[ -e dist/gnd-*.whl ] || $(MAKE) wheel
	@tools/run_python_tests.sh $(BUILD) --all

check-long: ## clang, thread sanitizer, valgrind, fuzzing of each reader (half an hour)
	@tools/check_long.sh

install: ## install into PREFIX (default /usr/local), below DESTDIR if that is set
	@$(MAKE) all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD)

docs: all ## write docs/models.md from the settings of the methods, and the list of functions for Debian
	@tools/make_docs.py $(BUILD)/gnd > $(BUILD)/models.md && mv $(BUILD)/models.md docs/models.md
	@tools/make_symbols.sh

tables: all ## write docs/tables.md, the paper's tables, from results/
	@tools/make_tables.sh $(BUILD)/gnd > $(BUILD)/tables.md && mv $(BUILD)/tables.md docs/tables.md

claims: all ## write the tables and figures of docs/claims.md from results/
	@tools/make_claims.py $(BUILD)/gnd

format: ## rewrite the sources in the house format (clang-format 14)
	@git ls-files '*.c' '*.h' | xargs clang-format -i

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | while IFS='	' read -r t h; do \
		printf 'make %-11s %s\n' "$$t" "$$h"; done

clean: ## remove everything that was built
	@rm -rf build build-* dist predictions.csv
