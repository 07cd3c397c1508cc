/// Whether a chooser follows a plan.
package enum ChoosersPlan: Sendable {
    case none
    /// It tries executions that might be the shortest with a certain end. Longer ones do not interest it.
    case shortest
    case followed
    /// It leads to the moment from which it searches. What is searched begins there: an execution that comes back to an earlier
    /// state repeats nothing of it.
    case led
    /// All of it has been followed: from now on its choices depend only on the state and the thread that stepped last.
    case over
}
