import CBench

/// How many nanoseconds the body takes.
@inline(__always)
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = cbench_now()
    try body()
    return cbench_now() - begin
}
