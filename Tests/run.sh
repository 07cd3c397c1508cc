#!/usr/bin/env bash
# Runs tests: prints how far they have come, and in the end what failed. All that they print, thousands of lines, goes to
# a file.
#
#   run.sh LOG COMMAND [ARGUMENT …]
#   run.sh --apart PATTERN LOG COMMAND [ARGUMENT …]
#
# With --apart, the tests whose names match and the others run at the same time in two processes. A process has as many
# threads as there are processors, and a test that waits for a command that it has started keeps one of them.
set -uo pipefail
pattern=""
if [ "$1" = --apart ]; then
    pattern=$2
    shift 2
fi
log=$1
shift

# run LOG WHOSE COMMAND …: WHOSE begins each line, if two run at the same time.
run() {
    local log=$1 whose=$2
    shift 2
    echo "$* > $log"
    "$@" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g' | tee "$log" | awk -v whose="$whose" '
        function say(what) { print whose what; fflush() }
        /^(✔|━|✘) Test run with/ { say($0); next }
        /^◇ Test case / { if (++begun % 1000 == 0) say(begun " cases of tests have begun") }
        /^✔ Test /     { if (++passed % 100 == 0) say(passed " tests have passed") }
        /^✘ Test .* recorded an issue/ { if (++issues <= 20) say(substr($0, 1, 300)) }'
}

if [ -n "$pattern" ]; then
    # A process in the background ignores Ctrl-C.
    trap 'trap - INT TERM; kill 0' INT TERM
    run "$log.other" "others: " "$@" --skip "$pattern" &
    other=$!
    run "$log" "$pattern: " "$@" --filter "$pattern"
    status=$?
    wait $other || status=$?
    cat "$log.other" >> "$log"
else
    run "$log" "" "$@"
    status=$?
fi
[ $status = 0 ] && exit 0

echo
echo "What failed ($log has the rest):"
if grep -a -q '^✘.* recorded an issue' "$log"; then
    grep -a -A 40 '^✘.* recorded an issue' "$log" | grep -a -v -E '^(◇|✔|⎙|━)' | cut -c 1-400 | head -n 300
else
    # Not a test: a crash, or the command itself.
    tail -n 60 "$log" | cut -c 1-400
fi
grep -a -E '^error: |Fatal error|unexpected signal' "$log" | cut -c 1-400 | tail -n 10
tail -n 1 "$log"
exit $status
