/// A signal asked the process that gathers evidence to end.
struct Interrupted: Error {
    let signal: Int32
}
