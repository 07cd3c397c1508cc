/// What a program has been seen to do in any execution so far, or what the code of a `.lab` program contains. It shows
/// which rules can make a difference to the program: for example, spurious wake-ups do not if no thread ever waits. Not
/// part of a state, and never reset.
package struct ProgramTraits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A thread has waited on a condition.
    package static let waits = ProgramTraits(rawValue: 1)
    /// The program has a weak compare-exchange, which may fail although it finds the expected value.
    package static let weakUpdates = ProgramTraits(rawValue: 2)
    /// An operation on an atomic has a memory order weaker than seqcst.
    package static let weakOrders = ProgramTraits(rawValue: 4)

    /// There have been more threads than a run under a weaker memory model can have.
    package static let manyThreads = ProgramTraits(rawValue: 8)

    /// An execution, however it ended, had a data race.
    package static let races = ProgramTraits(rawValue: 16)

    /// Whether something in the program may happen spuriously.
    package var maySpuriously: Bool { !isDisjoint(with: [.waits, .weakUpdates]) }
}

extension MachineState {
    /// What executions of this machine have shown of the program.
    package var traits: ProgramTraits { header.pointee.traits }
}
