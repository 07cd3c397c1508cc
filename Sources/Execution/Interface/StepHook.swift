/// What a thread does before each of its operations: it looks whether another thread wants it to end, or to run a
/// handler. It takes steps for that, so only a thread that can be interrupted has one.
///
/// While a hook runs, the thread is not interrupted again.
package protocol StepHook: AnyObject, Sendable {
    func beforeOperation() throws
}
