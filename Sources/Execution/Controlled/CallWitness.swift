import Trace

/// Records the calls by which a program reaches its operations, such as `deposit` called by `transfer`. It is used only
/// in a run that is shown, because it costs much more than a step.
package protocol CallWitness: AnyObject {
    /// Called by a thread that is about to take an operation.
    ///
    /// - Returns: the site for its events: the same line, with the calls in progress.
    func noteCalls(at site: SourceSite) -> SourceSite

    /// Called by a thread that has made an object without a name. The calls in progress can give it one.
    func noteCreation(of object: UInt32)
}
