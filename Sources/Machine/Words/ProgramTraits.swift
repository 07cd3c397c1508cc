/// What a machine has seen a program do, which decides which rules can make a difference to it. Not part of a state: it
/// describes all executions so far, and is never reset.
package struct ProgramTraits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A thread has waited on a condition.
    package static let waits = ProgramTraits(rawValue: 1)
    /// A compare-exchange may fail although it finds the expected value.
    package static let weakUpdates = ProgramTraits(rawValue: 2)
    /// An operation on an atomic has a memory order weaker than seqcst.
    package static let weakOrders = ProgramTraits(rawValue: 4)

    /// There are more threads than executions under a weaker memory model support.
    package static let manyThreads = ProgramTraits(rawValue: 8)

    /// Two accesses of a cell were unordered in some execution, whatever its end.
    package static let races = ProgramTraits(rawValue: 16)

    /// Whether something in the program may happen spuriously.
    package var maySpuriously: Bool { !isDisjoint(with: [.waits, .weakUpdates]) }
}

extension MachineState {
    /// What executions of this machine have shown of the program.
    package var traits: ProgramTraits { header.pointee.traits }
}
