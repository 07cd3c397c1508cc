import Machine

/// What a search learns of the components of states: each of them once.
///
/// Known by its address, so that a use of it counts no reference.
struct SpaceTables: ~Copyable {
    /// The components that threads share, and those of single threads.
    var sharedComponents = ComponentTable()
    var ownComponents = ComponentTable()
    /// By component of a thread: its place among threads that can be exchanged. Those that have been joined come first, then
    /// those that can be.
    var ranks = OwnedBuffer<UInt8>(capacity: 256)
    /// By component of a thread: what follows from it.
    var standings = OwnedBuffer<Standing>(capacity: 256)
    var steps = StepMemory()
    var independence = IndependenceTable()
    let locks: LockBits

    init(_ machine: MachineState) { locks = LockBits(machine) }

    /// In bytes.
    var memory: Int { sharedComponents.memory + ownComponents.memory + independence.memory + steps.memory }
}
