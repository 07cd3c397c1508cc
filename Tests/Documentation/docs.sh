#!/usr/bin/env bash
# Builds the site of the public modules and the articles: .build-docs/site. Warnings are errors.
set -euo pipefail
swift=${1:-swift}
cd "$(dirname "$0")/../.."
build=.build-docs
graphs=$build/graphs
rm -rf "$graphs/public" "$build/site"
# A module that has not changed is not compiled again, and leaves its graph as it is.
[ -d "$graphs" ] || rm -rf "$build"
mkdir -p "$graphs"
for target in ThreadLab ThreadLabTesting ThreadLabTypes; do
    "$swift" build --scratch-path "$build" --target "$target" \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"
done
# Only what a package can import or gets with it; the other rooms have nothing public that a user needs.
mkdir -p "$graphs/public"
for module in ThreadLab ThreadLabTesting ThreadLabTypes Primitives Authoring; do
    cp "$graphs/$module"*.symbols.json "$graphs/public/"
done
"$(dirname "$(readlink -f "$(command -v "$swift")")")/docc" convert docs/ThreadLab.docc \
    --additional-symbol-graph-dir "$graphs/public" --output-path "$build/site" --transform-for-static-hosting \
    --fallback-display-name ThreadLab --fallback-bundle-identifier threadlab --warnings-as-errors
echo "the site is in $build/site"
