import Machine

/// Where plans for executions are tried out.
package protocol Stage: AnyObject {
    /// Nil: no more attempts are allowed.
    func rehearse(_ plan: Schedule) -> Rehearsal?
}
