import CBench
import Glibc

/// How many nanoseconds the body takes.
@inline(__always)
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = cbench_now()
    try body()
    return cbench_now() - begin
}

/// How many nanoseconds of processor time the body takes: for work on one thread, whatever else the machine does.
func processorNanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    var begin = timespec()
    var end = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin)
    try body()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end)
    return UInt64((end.tv_sec - begin.tv_sec) * 1_000_000_000 + end.tv_nsec - begin.tv_nsec)
}
