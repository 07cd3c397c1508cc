# Packages, included by the Makefile: docs/packaging.md says what is in them.

.PHONY: dist deb test-deb test-dist test-image release release-prepare release-tag test-release checksums

VERSION_FILE = Sources/Console/Session/Session.swift
CURRENT      = $(shell sed -n 's/.*static let version = "\(.*\)"$$/\1/p' $(VERSION_FILE))
RELEASED     = threadlab-$(CURRENT)-linux-$(shell uname -m)
# Everything that carries a date carries that of the commit.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
export SOURCE_DATE_EPOCH

DIST   = dist
STAGED = .build/dist/$(RELEASED)
DEBIAN = .build/deb/threadlab-$(CURRENT)
# The same bytes from the same files.
TAR    = tar --sort=name --format=ustar --mtime=@$(SOURCE_DATE_EPOCH) --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX'

# Of several targets only the first one's packages would be installed by 'setup'.
NEEDS = @$(MAKE) --no-print-directory setup PACKAGES="$(1)" WANTED="$(2)"

# strip and objcopy.
dist: compiled ## the release as a tarball, with its debug symbols, an SBOM and checksums, in dist/
	$(call NEEDS,binutils)
	rm -rf .build/dist
	mkdir -p .build/dist $(DIST)
	$(MAKE) --no-print-directory install-built LTO=$(LTO) DESTDIR=.build/dist PREFIX=/$(RELEASED)
	objcopy --only-keep-debug --compress-debug-sections $(THREADLAB) $(DIST)/$(RELEASED).debug
	cd $(DIST) && strip --strip-all --remove-section=.comment ../$(STAGED)/bin/threadlab && \
	    objcopy --add-gnu-debuglink=$(RELEASED).debug ../$(STAGED)/bin/threadlab
	strip --strip-debug $(addprefix $(STAGED)/lib/threadlab/,$(COMPILED))
	python3 packaging/sbom.py $(CURRENT) $(THREADLAB) $(STAGED)/bin/threadlab > $(DIST)/$(RELEASED).spdx.json.new
	mv $(DIST)/$(RELEASED).spdx.json.new $(DIST)/$(RELEASED).spdx.json
	$(TAR) -C .build/dist -c $(RELEASED) | gzip -9n > $(DIST)/$(RELEASED).tar.gz.new
	mv $(DIST)/$(RELEASED).tar.gz.new $(DIST)/$(RELEASED).tar.gz
	$(MAKE) --no-print-directory checksums

# debhelper works in a copy: 'debian' is no folder of this repository's top level.
deb: compiled ## a Debian package, checked by lintian, in dist/
	$(call NEEDS,debhelper lintian)
	rm -rf .build/deb
	mkdir -p $(DEBIAN) $(DIST)
	cp -R packaging/debian $(DEBIAN)
	packaging/debian-changelog $(CURRENT) > $(DEBIAN)/debian/changelog
	cd $(DEBIAN) && THREADLAB_ROOT=$(CURDIR) dpkg-buildpackage --build=binary --no-sign
	lintian --allow-root --fail-on error,warning --tag-display-limit 0 .build/deb/threadlab_$(CURRENT)*.changes
	rm -f $(DIST)/*.deb
	mv .build/deb/*.deb $(DIST)
	$(MAKE) --no-print-directory checksums

checksums:
	cd $(DIST) && sha256sum $$(ls | grep -v '^SHA256SUMS') > SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS
	@ls -l $(DIST)

test-deb: ## install, use and purge the package of 'make deb' on a fresh Debian, where a mirror can be reached
	$(call NEEDS,mmdebstrap)
	sh Tests/Packaging/deb.sh $(DIST)

test-dist: ## unpack what 'make dist' wrote, and compare it with its checksums and its SBOM
	python3 Tests/Packaging/dist.py $(DIST)

test-image: ## build and use the container image with the package of 'make deb', where buildah can be installed
	$(call NEEDS,mmdebstrap,buildah)
	sh Tests/Packaging/image.sh $(DIST)

test-release: ## what 'make release' refuses, and what it writes, in a small repository
	python3 Tests/Packaging/release.py

# What fails a test gets no tag. Nothing is pushed.
release: release-prepare ## changelog, version, tarball, Debian package and tag of a release: make release VERSION=1.2.3
	rm -rf $(DIST)
	$(MAKE) dist deb test-dist test-deb test-image
	$(MAKE) --no-print-directory release-tag

release-prepare:
	python3 packaging/release.py prepare "$(VERSION)" $(VERSION_FILE) CHANGELOG.md

release-tag:
	python3 packaging/release.py tag "$(VERSION)"
