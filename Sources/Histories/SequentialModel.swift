/// What an object should do if its operations are called one at a time: the specification with which histories are
/// compared.
package protocol SequentialModel<Operation, State, Answer> {
    associatedtype Operation
    associatedtype State: Hashable
    associatedtype Answer: Equatable

    var initial: State { get }

    /// Carries out an operation, and returns its answer. Nil: the operation has to wait in this state, which is not
    /// changed.
    func answer(_ operation: Operation, in state: inout State) -> Answer?
}
