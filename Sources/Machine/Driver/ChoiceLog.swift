import Synchronization

/// Records the choices of the present execution, which make up its `Schedule`. The memory either belongs to the log,
/// which grows and reuses it, or is shared with another process.
struct ChoiceLog: ~Copyable {
    private let ownHeader: Owned<ChoiceMemory.Header>?
    private var ownChoices: OwnedBuffer<Schedule.Choice>?
    private(set) var memory: ChoiceMemory

    /// - Parameter shared: memory that the caller keeps for as long as the log is used; choices that do not fit are not
    ///   logged. Nil: the log has its own memory.
    init(_ shared: ChoiceMemory?) {
        if let shared {
            ownHeader = nil
            ownChoices = nil
            memory = shared
            return
        }
        let header = Owned(ChoiceMemory.Header())
        let choices = OwnedBuffer<Schedule.Choice>(capacity: 256)
        memory = ChoiceMemory(header: header.pointer, choices: choices.base, capacity: choices.capacity)
        ownHeader = consume header
        ownChoices = consume choices
    }

    @inline(always) mutating func append(_ choice: Schedule.Choice) {
        let length = length
        if length == memory.capacity && !grow() { return }
        memory.choices[length] = choice
        memory.header.pointee.length.store(length &+ 1, ordering: .releasing)
    }

    var length: Int { memory.header.pointee.length.load(ordering: .relaxed) }

    /// Keeps only the first `length` choices.
    func cut(to length: Int) {
        isOver = false
        memory.header.pointee.length.store(length, ordering: .releasing)
    }

    /// See `ChoiceMemory.isOver`.
    var isOver: Bool {
        get { memory.header.pointee.isOver.load(ordering: .relaxed) }
        nonmutating set { memory.header.pointee.isOver.store(newValue, ordering: .releasing) }
    }

    /// Returns false if the memory is shared, which cannot grow.
    @inline(never) private mutating func grow() -> Bool {
        guard var choices = ownChoices.take() else { return false }
        choices.reserve(memory.capacity + 1, keeping: memory.capacity)
        memory = ChoiceMemory(header: memory.header, choices: choices.base, capacity: choices.capacity)
        ownChoices = consume choices
        return true
    }
}
