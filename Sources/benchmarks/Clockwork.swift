import CBench
import Glibc

/// The time that the body takes, in nanoseconds.
@inline(__always)
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = cbench_now()
    try body()
    return cbench_now() - begin
}

/// The processor time that the body takes, in nanoseconds. For work on one thread: it depends little on other load on
/// the machine.
func processorNanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    var begin = timespec()
    var end = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin)
    try body()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
    return UInt64((end.tv_sec - begin.tv_sec) * 1_000_000_000 + end.tv_nsec - begin.tv_nsec)
}
