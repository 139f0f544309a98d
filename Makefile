# Builds libplan and planc, and runs the tests. `make help` lists the targets.
#
#   make                        build/planc
#   make VARIANT=asan check     the tests under AddressSanitizer
#   make CC=clang WERROR=0 V=1  another compiler, warnings allowed, commands shown
#
# Everything generated lands in build/: objects of one variant and compiler in a folder of their own.

VARIANT ?= release
WERROR  ?= 1
MAKEFLAGS += --no-builtin-rules --no-builtin-variables
ifeq ($(origin CC),default)
CC := cc
endif
ifeq ($(origin AR),default)
AR := ar
endif
CC   ?= cc
AR   ?= ar
FLEX ?= flex
BISON ?= bison
PKG_CONFIG ?= pkg-config
SHELL := /bin/sh
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

# ---- what has to be installed -------------------------------------------------------------------

GOALS := $(or $(MAKECMDGOALS),all)
BUILDING := $(filter-out help clean,$(GOALS))
TESTING := $(filter check check-% bless bench coverage tests tests-threads,$(GOALS))

ifneq ($(BUILDING),)
have = $(shell command -v $(firstword $(1)) >/dev/null 2>&1 && echo yes)
has_package = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo yes)
MISSING :=
MISSING += $(if $(call have,$(CC)),,gcc)
MISSING += $(if $(call have,$(FLEX)),,flex)
MISSING += $(if $(call have,$(BISON)),,bison)
ifeq ($(call have,$(PKG_CONFIG)),)
MISSING += pkg-config
else
MISSING += $(if $(call has_package,libcjson),,libcjson-dev)
MISSING += $(if $(call has_package,gmp),,libgmp-dev)
MISSING += $(if $(call has_package,yaml-0.1),,libyaml-dev)
MISSING += $(if $(TESTING),$(if $(call has_package,check),,check))
MISSING += $(if $(filter 1,$(MPI)),$(if $(call has_package,$(or $(MPI_PACKAGE),ompi-c)),,libopenmpi-dev openmpi-bin))
endif
MISSING := $(strip $(MISSING))
ifneq ($(MISSING),)
$(info planc cannot be built here yet, missing: $(MISSING))
$(info On Debian or Ubuntu install it with:)
$(info $()    apt-get install -y $(MISSING))
$(info $(if $(filter 1,$(MPI)),or build without MPI=1.,or let ./bootstrap do that.))
$(error missing packages)
endif
BISON_OLD := $(shell $(BISON) --version | awk 'NR == 1 { split($$NF, v, "."); print (v[1] * 100 + v[2] < 308) ? "yes" : "" }')
ifneq ($(BISON_OLD),)
$(error bison 3.8 or newer is needed; $(shell $(BISON) --version | head -n 1) is installed)
endif
endif

# ---- variants and flags -------------------------------------------------------------------------

COMPILER := $(if $(findstring clang,$(notdir $(CC))),-clang)
BUILD := build/$(VARIANT)$(COMPILER)
GEN := $(BUILD)/gen

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wwrite-strings -Wpointer-arith -Wcast-qual \
	-Wswitch-enum -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough -Wnull-dereference \
	-Wdouble-promotion $(if $(filter 1,$(WERROR)),-Werror)

OPTIMISE_release := -O2
OPTIMISE_debug := -O0
OPTIMISE_asan := -O1 -fsanitize=address -fno-omit-frame-pointer
OPTIMISE_ubsan := -O1 -fsanitize=undefined -fno-sanitize-recover=all
OPTIMISE_sanitize := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
OPTIMISE_tsan := -O1 -fsanitize=thread
OPTIMISE_fuzz := -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -fno-omit-frame-pointer
OPTIMISE_cov := -O0 --coverage
ifeq ($(OPTIMISE_$(VARIANT)),)
$(error VARIANT is one of release, debug, asan, ubsan, sanitize, tsan, fuzz, cov; not $(VARIANT))
endif

# One set of objects serves the program, the archive and the shared library; what is hidden costs
# nothing in position-independent code.
BASE_FLAGS := -std=c17 -D_POSIX_C_SOURCE=200809L -g -fno-common -ffp-contract=off -fPIC \
	-fvisibility=hidden $(OPTIMISE_$(VARIANT))
INCLUDES := -I. -I$(GEN) -I$(GEN)/grammar
ifneq ($(BUILDING),)
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags libcjson gmp yaml-0.1)
PACKAGE_LIBS := $(shell $(PKG_CONFIG) --libs libcjson gmp yaml-0.1)
CHECK_CFLAGS := $(if $(TESTING),$(shell $(PKG_CONFIG) --cflags check))
CHECK_LIBS := $(if $(TESTING),$(shell $(PKG_CONFIG) --libs check))
endif
# Line editing of `planc repl`: libedit where it is installed. `make LINE_EDITING=readline` takes GNU readline
# instead, whose licence then covers the program; `LINE_EDITING=no` takes neither.
LINE_EDITING ?= $(if $(BUILDING),$(if $(shell $(PKG_CONFIG) --exists libedit 2>/dev/null && echo yes),libedit,no),no)
EDIT_CFLAGS_libedit := -DPLAN_LIBEDIT
EDIT_CFLAGS_readline := -DPLAN_READLINE
EDIT_CFLAGS := $(EDIT_CFLAGS_$(LINE_EDITING))
EDIT_LIBS := $(if $(EDIT_CFLAGS),$(shell $(PKG_CONFIG) --libs $(LINE_EDITING)))
# planc-mpi, for sweeps over many machines: needs Open MPI, or the MPI that MPI_PACKAGE names to pkg-config. `make MPI=1`
# builds and installs it; the tests build it where they can.
MPI_PACKAGE ?= ompi-c
ifneq ($(BUILDING),)
HAVE_MPI := $(call has_package,$(MPI_PACKAGE))
MPI_CFLAGS := $(if $(HAVE_MPI),$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(MPI_PACKAGE))))
MPI_LIBS := $(if $(HAVE_MPI),$(shell $(PKG_CONFIG) --libs $(MPI_PACKAGE)))
endif
COMPILE = $(CC) $(BASE_FLAGS) $(INCLUDES) $(PACKAGE_CFLAGS) $(WARNINGS) -MMD -MP
LINK = $(CC) $(OPTIMISE_$(VARIANT)) -g
# Sanitizers make gcc see null pointers that are not there.
ifneq ($(filter asan ubsan sanitize tsan fuzz cov,$(VARIANT)),)
COMPILE += -Wno-null-dereference -Wno-maybe-uninitialized -Wno-format-truncation $(if $(COMPILER),-Wno-unknown-warning-option)
endif

# bison and flex write code of their own style; the actions in it are still compiled strictly.
GENERATED_FLAGS := -DPLAN_GENERATED_CODE -Wno-conversion -Wno-switch-enum -Wno-null-dereference \
	-Wno-undef -Wno-unused-function -Wno-unused-but-set-variable -Wno-sign-compare -Wno-cast-qual \
	-Wno-missing-prototypes $(if $(COMPILER),-Wno-unknown-warning-option)

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$(1)' '$(2)')

# ---- files --------------------------------------------------------------------------------------

LIB_SRC := $(sort $(wildcard compiler/*/*.c compiler/*/*/*.c grammar/*.c runtime/*/*.c runtime/*/*/*.c))
CLI_SRC := $(sort $(wildcard cli/*.c))
MPI_SRC := $(sort $(wildcard cli/mpi/*.c))
GEN_SRC := $(GEN)/grammar/plan.tab.c $(GEN)/grammar/plan.lex.c $(GEN)/stdlib_files.c $(GEN)/diag_page_files.c
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(GEN_SRC:.c=.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
COMMANDS_OBJ := $(filter-out $(BUILD)/cli/planc.o,$(CLI_OBJ))
MPI_OBJ := $(MPI_SRC:%.c=$(BUILD)/%.o)
LIBPLAN := $(BUILD)/libplan.a
PLANC := $(BUILD)/planc
PLANC_MPI := $(BUILD)/planc-mpi

# What is installed: see install.mk.
VERSION := $(shell sed -n 's/^.define PLAN_VERSION "\(.*\)"$$/\1/p' include/plan.h)
SONAME := libplan.so.0
SHARED := $(BUILD)/$(SONAME)

UNIT_SRC := $(sort $(wildcard tests/unit/*_test.c tests/unit/*/*_test.c))
FUZZ_SHARED := tests/fuzz/fuzz.c tests/fuzz/replay.c
FUZZ_SRC := $(filter-out $(FUZZ_SHARED),$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_PROGRAMS := $(FUZZ_SRC:%.c=$(BUILD)/%)
PROPERTY_SRC := $(sort $(wildcard tests/property/*.c))
# More files of X_property.c are tests/property/X/*.c.
PROPERTY_PARTS := $(sort $(wildcard tests/property/*/*.c))
parts_of = $(filter $(1:_property.c=)/%,$(PROPERTY_PARTS))
SUPPORT_SRC := $(sort $(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c)))
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(BUILD)/%.o)
# Fixtures a test includes the header of are linked with it: "TEST.c|FIXTURE" for each such include.
ifneq ($(TESTING),)
FIXTURES := $(shell grep -oH '^.include "tests/unit/[a-z_]*\.h"' $(UNIT_SRC) $(PROPERTY_SRC) $(PROPERTY_PARTS) | sed 's/:.*"tests/|tests/; s/\.h"$$//')
endif
fixtures_of = $(filter $(SUPPORT_OBJ),$(patsubst $(1)|%,$(BUILD)/%.o,$(filter $(1)|%,$(FIXTURES))))
# Tests of whole commands are linked with them.
ifneq ($(TESTING),)
COMMAND_TESTS := $(shell grep -l '^.include "cli/' $(UNIT_SRC) $(PROPERTY_SRC))
endif
commands_of = $(if $(filter $(1),$(COMMAND_TESTS)),$(COMMANDS_OBJ))
TEST_PROGRAMS := $(UNIT_SRC:%.c=$(BUILD)/%) $(PROPERTY_SRC:%.c=$(BUILD)/%)
TOOL_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/tools/*.c)))
BENCH_PROGRAMS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard bench/*_bench.c)))

STDLIB := $(sort $(filter-out stdlib/tests/%,$(wildcard stdlib/*.plan stdlib/*.csv stdlib/*/*.plan \
	stdlib/*/*.csv stdlib/*/*/*.plan stdlib/*/*/*.csv)))
PAGES := $(sort $(wildcard compiler/diag/pages/*.md))

# ---- building -----------------------------------------------------------------------------------

.PHONY: all demo fuzz fuzz-programs tests tests-threads check check-asan check-ubsan check-tsan check-faults check-valgrind lint bless bench coverage format \
	clean help FORCE
FORCE:

all: build/planc $(if $(filter 1,$(MPI)),build/planc-mpi) ## build build/planc; with MPI=1 build/planc-mpi, too

# The binaries people run. Only release builds are copied here.
build/planc build/planc-mpi: build/%: $(BUILD)/% FORCE
	@$(if $(filter release,$(VARIANT)),cmp -s $< $@ || { cp $< $@.new && mv $@.new $@; },:)

$(PLANC): $(CLI_OBJ) $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(CLI_OBJ) $(LIBPLAN) $(PACKAGE_LIBS) $(EDIT_LIBS) -lm -pthread $(LDFLAGS)

$(PLANC_MPI): $(COMMANDS_OBJ) $(MPI_OBJ) $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(COMMANDS_OBJ) $(MPI_OBJ) $(LIBPLAN) $(PACKAGE_LIBS) $(EDIT_LIBS) $(MPI_LIBS) -lm -pthread $(LDFLAGS)

$(LIBPLAN): $(LIB_OBJ) $(BUILD)/stamps/objects
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $(LIB_OBJ)

$(BUILD)/%.o: %.c $(BUILD)/stamps/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(EXTRA_$(firstword $(subst /, ,$<))) $(CFLAGS) -c -o $@ $<

$(GEN)/%.o: $(GEN)/%.c $(BUILD)/stamps/flags
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(GENERATED_FLAGS) $(CFLAGS) -c -o $@ $<

$(MPI_OBJ): EXTRA_cli += $(MPI_CFLAGS)
$(BUILD)/cli/line_edit.o: EXTRA_cli += $(EDIT_CFLAGS)

# A test dereferences what it just asserted; gcc cannot see that through Check.
EXTRA_tests := $(CHECK_CFLAGS) -Wno-null-dereference

# Only grammar/ may include what bison and flex write.
$(filter $(BUILD)/grammar/%,$(LIB_OBJ)) $(filter $(GEN)/grammar/%,$(LIB_OBJ)): | $(GEN)/grammar/plan.tab.h $(GEN)/grammar/plan.lex.h

$(GEN)/grammar/plan.tab.c $(GEN)/grammar/plan.tab.h &: grammar/plan.y
	$(call say,BISON,$<)
	@mkdir -p $(GEN)/grammar
	$(Q)$(BISON) -Wall -Wcounterexamples -Werror -o $(GEN)/grammar/plan.tab.c \
		--header=$(GEN)/grammar/plan.tab.h $<

# flex has no -Werror: anything it says is fatal. -Cfa: tables for speed, reading the library is most of
# the time a report takes.
$(GEN)/grammar/plan.lex.c $(GEN)/grammar/plan.lex.h &: grammar/plan.l
	$(call say,FLEX,$<)
	@mkdir -p $(GEN)/grammar
	$(Q)$(FLEX) -Cf -o $(GEN)/grammar/plan.lex.c --header-file=$(GEN)/grammar/plan.lex.h $< \
		2>$(GEN)/grammar/flex.log; status=$$?; cat $(GEN)/grammar/flex.log >&2; \
		test $$status -eq 0 -a ! -s $(GEN)/grammar/flex.log

$(BUILD)/tools/embed: tools/embed.c $(BUILD)/stamps/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(CFLAGS) -MF $@.d -o $@ $<

$(GEN)/stdlib_files.c: $(STDLIB) $(BUILD)/tools/embed $(BUILD)/stamps/stdlib
	$(call say,EMBED,stdlib)
	$(Q)$(BUILD)/tools/embed stdlib_files stdlib $(STDLIB) >$@

$(GEN)/diag_page_files.c: $(PAGES) $(BUILD)/tools/embed $(BUILD)/stamps/pages
	$(call say,EMBED,compiler/diag/pages)
	$(Q)$(BUILD)/tools/embed diag_page_files compiler/diag/pages $(PAGES) >$@

# Stamps change only when the text in them does: other flags or other files rebuild what they must.
stamp = @mkdir -p $(@D); printf '%s\n' '$(1)' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/stamps/flags: FORCE
	$(call stamp,$(COMPILE) $(GENERATED_FLAGS) $(CFLAGS) $(LINE_EDITING))
$(BUILD)/stamps/objects: FORCE
	$(call stamp,$(LIB_OBJ))
$(BUILD)/stamps/stdlib: FORCE
	$(call stamp,$(STDLIB))
$(BUILD)/stamps/pages: FORCE
	$(call stamp,$(PAGES))

include install.mk

demo: build/planc ## build and print the report of the first example
	@build/planc report examples/llama3_8b_a100.plan

# ---- tests --------------------------------------------------------------------------------------

.SECONDEXPANSION:
$(BUILD)/tests/unit/%_test: $(BUILD)/tests/unit/%_test.o $$(call fixtures_of,tests/unit/$$*_test.c) $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBPLAN) $(PACKAGE_LIBS) $(CHECK_LIBS) -lm -pthread $(LDFLAGS)

property_objects = $(patsubst %.c,$(BUILD)/%.o,$(call parts_of,$(1))) \
	$(sort $(foreach file,$(1) $(call parts_of,$(1)),$(call fixtures_of,$(file))))
$(BUILD)/tests/property/%: $(BUILD)/tests/property/%.o $$(call property_objects,tests/property/$$*.c) \
		$$(call commands_of,tests/property/$$*.c) $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBPLAN) $(PACKAGE_LIBS) $(CHECK_LIBS) $(EDIT_LIBS) -lm -pthread $(LDFLAGS)

$(BUILD)/tests/tools/%: $(BUILD)/tests/tools/%.o $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $< $(LIBPLAN) $(PACKAGE_LIBS) -lm -pthread $(LDFLAGS)

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $< $(LIBPLAN) $(PACKAGE_LIBS) -lm -pthread $(LDFLAGS)

# With libFuzzer's main where that is built, else with one that replays files.
FUZZ_MAIN := $(if $(filter fuzz,$(VARIANT)),,$(BUILD)/tests/fuzz/replay.o)
$(FUZZ_PROGRAMS): %: %.o $(BUILD)/tests/fuzz/fuzz.o $(FUZZ_MAIN) $(LIBPLAN)
	$(call say,LINK,$@)
	$(Q)$(LINK) $(if $(FUZZ_MAIN),,-fsanitize=fuzzer) -o $@ $(filter %.o,$^) $(LIBPLAN) $(PACKAGE_LIBS) -lm -pthread $(LDFLAGS)

tests: $(PLANC) $(if $(HAVE_MPI),$(PLANC_MPI)) $(TEST_PROGRAMS) $(TOOL_PROGRAMS) $(FUZZ_PROGRAMS)
	@:

check: build/planc tests $(if $(filter release debug,$(VARIANT)),$(SHIPPED)) ## run every test; the last line is `N passed, N failed`
	@CC='$(CC)' MAKE='$(MAKE)' sh tests/tools/check.sh $(BUILD) $(TEST_PROGRAMS)

check-asan: ## the tests under AddressSanitizer and LeakSanitizer
	@$(MAKE) --no-print-directory VARIANT=asan check

check-ubsan: ## the tests under UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory VARIANT=ubsan check

check-tsan: ## two contexts in two threads under ThreadSanitizer
	@$(MAKE) --no-print-directory VARIANT=tsan tests-threads
	@CK_DEFAULT_TIMEOUT=600 build/tsan$(COMPILER)/tests/unit/api_test

tests-threads: $(BUILD)/tests/unit/api_test
	@:

check-faults: tests ## libplan and the commands with a failure at every allocation; takes minutes
	@PLAN_FAULTS=all $(BUILD)/tests/unit/fault_test
	@PLAN_FAULTS=all $(BUILD)/tests/property/command_faults

check-valgrind: tests ## under valgrind: PARTS="unit property fuzz golden commands", or some of them
	@sh tests/tools/valgrind.sh $(BUILD) $(PARTS)

T ?= parse
S ?= 60
fuzz: ## libFuzzer (clang): T=parse check fmt json csv eval simumax import or all, S=60 seconds each
	@$(MAKE) --no-print-directory CC=clang VARIANT=fuzz fuzz-programs
	@sh tests/tools/fuzz.sh build/fuzz-clang $(S) $(if $(filter all,$(T)),$(notdir $(FUZZ_SRC:.c=)),$(T))

fuzz-programs: $(FUZZ_PROGRAMS)
	@:

lint: ## include arrows, banned words, file sizes, diagnostics without page or case
	@sh tests/tools/lint.sh

bless: build/planc tests ## rewrite the expectations in tests/golden; review the diff
	@sh tests/tools/golden.sh --bless $(PLANC)

bench: build/planc $(BENCH_PROGRAMS) ## speed of the engine, of a whole report and of the parser
	@sh bench/run.sh $(BUILD)

coverage: ## line coverage of the tests, per folder
	@$(MAKE) --no-print-directory VARIANT=cov check || true
	@sh tests/tools/coverage.sh build/cov

format: ## format all C files with clang-format
	clang-format -i $$(git ls-files '*.c' '*.h')

clean: ## remove everything that was built
	rm -rf build

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(MPI_OBJ:.o=.d) $(SUPPORT_OBJ:.o=.d) $(TEST_PROGRAMS:=.d) \
	$(PROPERTY_PARTS:%.c=$(BUILD)/%.d) \
	$(TOOL_PROGRAMS:=.d) $(FUZZ_PROGRAMS:=.d) $(BENCH_PROGRAMS:=.d) $(BUILD)/tools/embed.d
