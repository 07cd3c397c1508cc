#!/usr/bin/env python3
"""Prints what a release contains, and what it needs, as an SPDX 2.3 document (JSON).

Usage: sbom.py VERSION LINKED STRIPPED, where LINKED is the program as the linker wrote it, and STRIPPED the same program
as it is released. Nothing is listed by hand but licenses: libraries that are part of the program are those that
Package.swift names (`.linkedLibrary`) and Swift's; those that it needs, those of its dynamic section. The versions are those of the Debian packages that own
the files. SOURCE_DATE_EPOCH is the time of the document, so that the same program gives the same bytes.
"""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# By the source package of Debian, and what its own 'copyright' says of the library.
LICENSES = {
    "boost1.74": "BSL-1.0",
    "ncurses": "X11-distribute-modifications-variant",
    "glibc": "LGPL-2.1-or-later",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def component(name, version, license, supplier, **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name),
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": license,
        "licenseDeclared": license,
        "copyrightText": "NOASSERTION",
        **more,
    }


def debian(path):
    """The Debian package that owns a file of this machine."""
    # A file that is found under /lib may be installed under /usr/lib, or the other way round.
    owners = [p for p in (path, os.path.realpath(path), path.removeprefix("/usr"), os.path.realpath(path).removeprefix("/usr"))]
    for candidate in owners:
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0].split(",")[0]
            break
    else:
        sys.exit(f"sbom.py: no Debian package owns {path}")
    fields = "${Package} ${Version} ${source:Package} ${source:Version} ${Architecture}"
    name, version, source, source_version, architecture = output("dpkg-query", "-W", f"-f={fields}", package).split()
    if source not in LICENSES:
        sys.exit(f"sbom.py: which license has {source}, of which {path} is? Add it to LICENSES")
    url = f"pkg:deb/debian/{name}@{version}?arch={architecture}"
    return component(
        name, version, LICENSES[source], "Organization: Debian", sourceInfo=f"built from {source} {source_version}",
        externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": url}])


def linked_libraries():
    """The paths of the archives that Package.swift links."""
    with open(os.path.join(ROOT, "Package.swift"), encoding="utf-8") as file:
        names = re.findall(r'\.linkedLibrary\(":(lib[^"]+\.a)"\)', file.read())
    return [output("gcc", f"-print-file-name={name}").strip() for name in names]


def needed_libraries(program):
    names = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", program))
    return [output("gcc", f"-print-file-name={name}").strip() for name in names]


def swift(linked):
    """Swift's runtime. The program's own note says which compiler wrote it."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    comment = output("readelf", "-p", ".comment", linked)
    compiler = re.search(r"clang version .*", comment)
    return component(
        "swift-runtime", version, "Apache-2.0 WITH Swift-exception", "Organization: Swift.org",
        sourceInfo=f"static libraries of the toolchain; {compiler.group(0)}" if compiler else "")


def unique(components):
    return list({c["SPDXID"]: c for c in components}.values())


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: sbom.py VERSION LINKED STRIPPED")
    version, linked, stripped = sys.argv[1:]
    with open(stripped, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    parts = unique([swift(linked)] + [debian(path) for path in linked_libraries()])
    needs = unique(debian(path) for path in needed_libraries(stripped))
    tool = component(
        "threadlab", version, "Apache-2.0", "Organization: threadlab", primaryPackagePurpose="APPLICATION",
        packageFileName="bin/threadlab", checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", tool)]
    relations += [(tool["SPDXID"], "STATIC_LINK", part) for part in parts]
    relations += [(tool["SPDXID"], "DYNAMIC_LINK", need) for need in needs]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"threadlab-{version}",
        "documentNamespace": f"urn:threadlab:{version}:{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: threadlab-sbom"],
        },
        "packages": [tool] + parts + needs,
        "relationships": [
            {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target["SPDXID"]}
            for source, kind, target in relations
        ],
    }
    json.dump(document, sys.stdout, indent=2)
    print()


main()
