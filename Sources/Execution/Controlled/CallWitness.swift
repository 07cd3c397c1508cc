import Trace

/// Notes by which calls a program reaches its operations, in a run that is shown: it costs much more than a step.
package protocol CallWitness: AnyObject {
    /// Called by a thread that is about to take an operation.
    ///
    /// - Returns: the site for its events: of the same line, and of the calls in progress.
    func noteCalls(at site: SourceSite) -> SourceSite

    /// Called by a thread that has made an object to which the program gives no name.
    func noteCreation(of object: UInt32)
}
