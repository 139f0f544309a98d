# What leaves the build folder: the libraries as other programs link them, manual page, completions of
# three shells, and where all of it goes. Included by the Makefile.
#
#   make install DESTDIR=/tmp/stage PREFIX=/usr
#
# libplan.a and libplan.so show the functions of include/plan.h and nothing else.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
INSTALL ?= install
OBJCOPY ?= objcopy

SHIP := $(BUILD)/ship
SHIPPED_LIBRARIES := $(SHIP)/libplan.a $(SHARED)
SHIPPED_TEXTS := $(SHIP)/planc.1 $(SHIP)/planc.bash $(SHIP)/_planc $(SHIP)/planc.fish $(SHIP)/plan.pc
# planc-mpi comes along once it was built.
SHIPPED_MPI := $(if $(HAVE_MPI),$(if $(filter 1,$(MPI))$(wildcard $(PLANC_MPI)),$(PLANC_MPI)))
SHIPPED := $(PLANC) $(SHIPPED_MPI) $(SHIPPED_LIBRARIES) $(SHIPPED_TEXTS)
DOCUMENTS := README.md $(filter-out docs/README.md,$(wildcard docs/*.md docs/*.json))
EXAMPLES := $(wildcard examples/*.plan examples/*.csv)
C_EXAMPLES := $(wildcard examples/c/*)

.PHONY: install uninstall libraries

libraries: $(SHIPPED_LIBRARIES) ## libplan.a and libplan.so, as they are installed

# All objects as one, in which only what is visible is left global: a program that links the archive
# keeps its own names.
$(SHIP)/libplan.o: $(LIB_OBJ) $(BUILD)/stamps/objects
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib -o $@.all $(LIB_OBJ) && $(OBJCOPY) --localize-hidden $@.all $@ && rm -f $@.all

$(SHIP)/libplan.a: $(SHIP)/libplan.o
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $<

$(SHARED): $(LIB_OBJ) include/plan.map $(BUILD)/stamps/objects
	$(call say,LINK,$@)
	$(Q)$(LINK) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=include/plan.map \
		$(if $(filter release debug,$(VARIANT)),-Wl$(comma)--no-undefined) \
		-o $@ $(LIB_OBJ) $(PACKAGE_LIBS) -lm -pthread $(LDFLAGS)
comma := ,

$(SHIP)/planc.1: tools/manpage.sh docs/planc.1.in $(PLANC)
	@mkdir -p $(@D)
	$(Q)sh tools/manpage.sh $(PLANC) docs/planc.1.in >$@

$(SHIP)/planc.bash $(SHIP)/_planc $(SHIP)/planc.fish: $(SHIP)/%: tools/completions.sh $(PLANC)
	@mkdir -p $(@D)
	$(Q)sh tools/completions.sh $(PLANC) $* >$@

$(SHIP)/plan.pc: include/plan.pc.in include/plan.h $(BUILD)/stamps/places
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|' \
		-e 's|@INCLUDEDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(INCLUDEDIR))|' \
		-e 's|@VERSION@|$(VERSION)|' $< >$@
$(BUILD)/stamps/places: FORCE
	$(call stamp,$(PREFIX) $(LIBDIR) $(INCLUDEDIR) $(VERSION))

install: $(SHIPPED) ## install below DESTDIR and PREFIX (/usr/local)
	$(Q)$(INSTALL) -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR) \
		$(DESTDIR)$(DATADIR)/man/man1 $(DESTDIR)$(DATADIR)/bash-completion/completions \
		$(DESTDIR)$(DATADIR)/zsh/site-functions $(DESTDIR)$(DATADIR)/fish/vendor_completions.d \
		$(DESTDIR)$(DATADIR)/doc/planc/examples/c
	$(Q)$(INSTALL) -m 755 $(PLANC) $(DESTDIR)$(BINDIR)/planc
	$(Q)$(if $(SHIPPED_MPI),$(INSTALL) -m 755 $(PLANC_MPI) $(DESTDIR)$(BINDIR)/planc-mpi)
	$(Q)$(INSTALL) -m 644 $(SHIP)/libplan.a $(DESTDIR)$(LIBDIR)/libplan.a
	$(Q)$(INSTALL) -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/libplan.so.$(VERSION)
	$(Q)ln -sf libplan.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libplan.so
	$(Q)$(INSTALL) -m 644 $(SHIP)/plan.pc $(DESTDIR)$(LIBDIR)/pkgconfig/plan.pc
	$(Q)$(INSTALL) -m 644 include/plan.h $(DESTDIR)$(INCLUDEDIR)/plan.h
	$(Q)$(INSTALL) -m 644 $(SHIP)/planc.1 $(DESTDIR)$(DATADIR)/man/man1/planc.1
	$(Q)$(INSTALL) -m 644 $(SHIP)/planc.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/planc
	$(Q)$(INSTALL) -m 644 $(SHIP)/_planc $(DESTDIR)$(DATADIR)/zsh/site-functions/_planc
	$(Q)$(INSTALL) -m 644 $(SHIP)/planc.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/planc.fish
	$(Q)$(INSTALL) -m 644 $(DOCUMENTS) $(DESTDIR)$(DATADIR)/doc/planc
	$(Q)$(INSTALL) -m 644 $(EXAMPLES) $(DESTDIR)$(DATADIR)/doc/planc/examples
	$(Q)$(INSTALL) -m 644 $(C_EXAMPLES) $(DESTDIR)$(DATADIR)/doc/planc/examples/c

uninstall: ## remove what `make install` put there
	$(Q)rm -f $(DESTDIR)$(BINDIR)/planc $(DESTDIR)$(BINDIR)/planc-mpi $(DESTDIR)$(LIBDIR)/libplan.a $(DESTDIR)$(LIBDIR)/libplan.so \
		$(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/libplan.so.$(VERSION) \
		$(DESTDIR)$(LIBDIR)/pkgconfig/plan.pc $(DESTDIR)$(INCLUDEDIR)/plan.h \
		$(DESTDIR)$(DATADIR)/man/man1/planc.1 $(DESTDIR)$(DATADIR)/bash-completion/completions/planc \
		$(DESTDIR)$(DATADIR)/zsh/site-functions/_planc \
		$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/planc.fish
	$(Q)rm -rf $(DESTDIR)$(DATADIR)/doc/planc
