/// Takes a lock, runs the body, and releases the lock on every return path.
@inlinable @inline(__always)
func holding<Result>(
    _ take: () throws -> Void, _ give: () throws -> Void, _ body: () throws -> Result
) throws -> Result {
    try take()
    let result: Result
    do { result = try body() } catch {
        try give()
        throw error
    }
    try give()
    return result
}
