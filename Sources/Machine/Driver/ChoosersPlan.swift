/// Whether a chooser follows a plan.
package enum ChoosersPlan: Sendable {
    case none
    /// It tries executions that might be the shortest with a certain end, and drops longer ones.
    case shortest
    case followed
    /// It leads to the state from which the chooser searches. Repeating a state from before that point repeats nothing
    /// that is searched.
    case led
    /// All of it has been followed. From now on, choices depend only on the state and the thread that stepped last.
    case over
}
