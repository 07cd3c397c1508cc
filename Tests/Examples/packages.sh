#!/usr/bin/env bash
# Builds and tests packages that depend on this one, from clean folders: a first test, the example of classes under the
# lab, and what `threadlab new --swift` writes. Their builds also give the symbols of the public modules, so the documentation is
# checked with them. Each part says how long it took.
set -euo pipefail
threadlab=$(realpath "$1")
checkout=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# One folder for both, so that what they have in common is built once.
options=(--scratch-path "$work/build" -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$work/graphs")
mkdir "$work/graphs"

part() {
    local name=$1 start=$SECONDS
    shift
    "$@" > "$work/log" 2>&1 || { cat "$work/log" >&2; echo "$name: failed" >&2; exit 1; }
    echo "$name: $((SECONDS - start)) s"
}

fail() {
    echo "$1" >&2
    exit 1
}

# A test is built without the command line, and so without ncurses; and what does not work is refused in words: closures with
# 'await', and the command line without its product.
cp -r "$checkout/Tests/Examples/FirstTest" "$work/"
cd "$work/FirstTest"
rm -rf .build
sed -i "s|path: \"../../..\"|path: \"$checkout\"|" Package.swift
part 'FirstTest, clean build' swift build --build-tests
part 'FirstTest, test' swift test --skip-build
binary=.build/debug/FirstTestPackageTests.xctest
echo "FirstTest, its program: $(($(stat --format %s "$binary") / 1000000)) MB"
nm "$binary" > "$work/log"
! grep -qE '\b(initscr|newterm)\b|ThreadLabCommandLine' "$work/log" || fail 'FirstTest: the command line is linked into a test'
cat > Tests/FirstTests/Refused.swift << 'SWIFT'
import Testing
import ThreadLab
import ThreadLabTesting

func program() { Lab.main([]) }

@Test func sleeps() async throws { try explore { try await Task.sleep(for: .seconds(1)) } }
SWIFT
! swift build --build-tests > "$work/log" 2>&1 || fail 'FirstTest: a closure with await is accepted'
grep -q 'the scheduler does not control tasks and actors yet' "$work/log" || fail 'FirstTest: a closure with await has no message'
grep -q "write 'import ThreadLabCommandLine' here" "$work/log" || fail 'FirstTest: Lab.main has no message'
rm -rf .build

cp -r "$checkout/Tests/Examples/SharedClasses" "$work/"
cd "$work/SharedClasses"
rm -rf .build
sed -i "s|path: \"../../..\"|path: \"$checkout\"|" Package.swift
part "SharedClasses, the system's types" swift test
part 'SharedClasses, under the lab' swift test --traits Lab "${options[@]}"
# What comes from outside the program is refused in words.
cat > Tests/SharedClassesTests/Refused.swift << 'SWIFT'
import ThreadLabTypes

func sources() {
    _ = Lab.DispatchSource.makeReadSource(fileDescriptor: 0)
    _ = Lab.DispatchSource.makeWriteSource(fileDescriptor: 1)
    _ = Lab.DispatchSource.makeSignalSource(signal: 2)
}
SWIFT
! swift build --build-tests --traits Lab "${options[@]}" > "$work/log" 2>&1 || fail 'SharedClasses: sources of files are accepted'
for words in 'when a file can be read' 'when a file can be written' 'when a signal comes from outside'; do
    grep -q "the scheduler does not decide $words" "$work/log" || fail "SharedClasses: no message says that it does not decide $words"
done

cd "$work"
part 'new --swift' "$threadlab" new --swift ticket-sale --checkout "$checkout"
cd ticket-sale
part 'ticket-sale, tests' swift test "${options[@]}"
part 'ticket-sale, check' "$work/build/debug/ticket-sale" check ticket-sale

# Exercises in Swift: the linter builds their starts, solutions and mistakes, and a learner's file is judged.
export XDG_CACHE_HOME=$work/cache
cd "$work"
"$threadlab" new --course --swift my-course > "$work/log"
swift=(--swift --checkout "$checkout")
part 'an exercise in Swift, lint' "$threadlab" learn lint --course my-course "${swift[@]}"
"$threadlab" learn init learner --course my-course > "$work/log"
cd learner
file=01-first-steps/count-together/Sources/count-together.swift
! "$threadlab" learn check 1.2 "${swift[@]}" > "$work/log" || fail 'the start of an exercise in Swift passes'
grep -q "count-together.swift:9" "$work/log" || fail 'the failure of an exercise in Swift has no place'
cp ../my-course/first-steps/count-together/solution.swift $file
part 'an exercise in Swift, check' "$threadlab" learn check 1.2 "${swift[@]}"
sed -i '1i import Glibc' $file
sed -i 's/public init() {}/public init() { exit(0) }/' $file
! "$threadlab" learn check 1.2 "${swift[@]}" > "$work/log" || fail 'tests that did not end have passed'
cd ..

part 'documentation' bash "$checkout/Tests/Documentation/docs.sh" swift "$work/graphs" "$work/site"
