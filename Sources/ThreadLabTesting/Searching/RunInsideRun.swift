import Execution

/// A closure that is being run cannot run another one: the threads of the inner run would be unknown to the outer one.
enum RunInsideRun {
    static func refuse(_ call: String) throws(TestingError) {
        guard ThreadContext.isInRun else { return }
        throw TestingError("'\(call)' is called by code that is being run or explored: call it from the test itself")
    }
}
