/// What an object should do if its operations are called one at a time.
package protocol SequentialModel<Operation, State, Answer> {
    associatedtype Operation
    associatedtype State: Hashable
    associatedtype Answer: Equatable

    var initial: State { get }

    /// Carries out an operation.
    ///
    /// - Returns: its answer. Nil: in this state it has to wait, and the state is not changed.
    func answer(_ operation: Operation, in state: inout State) -> Answer?
}
