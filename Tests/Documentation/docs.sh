#!/usr/bin/env bash
# Builds the site of the public modules and the articles. Warnings are errors.
#     docs.sh [SWIFT [GRAPHS SITE]]
# GRAPHS: a folder with the modules' symbol graphs; without it they are built, in .build-docs. SITE: where the site goes;
# without it, .build-docs/site.
set -euo pipefail
swift=${1:-swift}
cd "$(dirname "$0")/../.."
build=.build-docs
graphs=${2:-$build/graphs}
site=${3:-$build/site}
if [ $# -lt 2 ]; then
    # A module that has not changed is not compiled again, and leaves its graph as it is.
    [ -d "$graphs" ] || rm -rf "$build"
    mkdir -p "$graphs"
    for target in ThreadLab ThreadLabCommandLine ThreadLabTesting ThreadLabTypes ThreadLabPthread; do
        "$swift" build --scratch-path "$build" --target "$target" \
            -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"
    done
fi
rm -rf "$graphs/public" "$site"
# Only what a package can import or gets with it; the other rooms have nothing public that a user needs.
mkdir -p "$graphs/public"
for module in ThreadLab ThreadLabCommandLine ThreadLabTesting ThreadLabTypes ThreadLabPthread Primitives Authoring; do
    cp "$graphs/$module.symbols.json" "$graphs/public/"
    find "$graphs" -maxdepth 1 -name "$module@*.symbols.json" -exec cp {} "$graphs/public/" \;
done
"$(dirname "$(readlink -f "$(command -v "$swift")")")/docc" convert docs/ThreadLab.docc \
    --additional-symbol-graph-dir "$graphs/public" --output-path "$site" --transform-for-static-hosting \
    --fallback-display-name ThreadLab --fallback-bundle-identifier threadlab \
    --diagnostics-file "$graphs/diagnostics.json" > "$graphs/docc.log" 2>&1 || { cat "$graphs/docc.log" >&2; exit 1; }
# The line of a call, which most functions have as a default argument, needs no documentation; and where one argument
# needs some, the others may speak for themselves.
python3 - "$graphs/diagnostics.json" <<'CHECK'
import json, re, sys
found = [each["summary"] for each in json.load(open(sys.argv[1]))["diagnostics"]]
serious = [text for text in found if not re.fullmatch(r"Parameter '\w+' is missing documentation", text)]
for text in serious:
    print(text, file=sys.stderr)
sys.exit(bool(serious))
CHECK
echo "the site is in $site"
