/// What fixes the choices of a chooser at a moment of an execution. It decides what the driver does if the execution
/// reaches a state again.
package enum ChoosersPlan: Sendable {
    /// Nothing: the chooser has no plan.
    case none
    /// The chooser looks for a shortest execution with a certain end, so one that repeats states without need is
    /// dropped.
    case shortest
    /// The chooser follows a plan, such as a schedule, through states that may repeat.
    case followed
    /// The chooser follows a plan to the state from which it searches. States before that point are not part of the
    /// search, so repeating one of them does not make the execution redundant.
    case led
    /// The whole plan has been followed. From now on, choices depend only on the state and the thread that stepped
    /// last.
    case over
}
