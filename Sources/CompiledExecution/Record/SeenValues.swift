import Machine

/// What the threads of an execution that is shown have last seen of each object of memory: to say which pointer a thread
/// has used, and which values decided an assertion.
struct SeenValues {
    /// A value that a thread has read, or written.
    struct Seen {
        let object: UInt32
        let address: UInt64
        let size: UInt8
        fileprivate(set) var value: Int
        /// Whether the value was read.
        fileprivate(set) var isRead: Bool
        /// The place in the source, and its function. Nil: it is not known.
        fileprivate(set) var call: ProgramStacks.Call?
        /// Which of the thread's accesses it is, from 1 on.
        fileprivate(set) var number: Int
    }

    /// By thread and object.
    private var seen: [[UInt32: Seen]] = []
    /// By thread, the number of accesses.
    private var counts: [Int] = []

    mutating func note(_ value: Int, of piece: MemoryPiece, isRead: Bool, by thread: Int, at call: ProgramStacks.Call?)
    {
        while seen.count <= thread {
            seen.append([:])
            counts.append(0)
        }
        counts[thread] += 1
        seen[thread][piece.object] = Seen(
            object: piece.object, address: piece.address, size: piece.size, value: value, isRead: isRead, call: call,
            number: counts[thread])
    }

    /// What the thread has seen, the last first.
    func all(by thread: Int) -> [Seen] {
        seen.indices.contains(thread) ? seen[thread].values.sorted { $0.number > $1.number } : []
    }

    /// The objects that any thread has seen, in the order of their numbers.
    var objects: [Seen] {
        var known: [UInt32: Seen] = [:]
        for seen in seen.joined() { known[seen.key] = seen.value }
        return known.values.sorted { $0.object < $1.object }
    }

    // MARK: - Pointers

    /// How far behind a pointer's target an address may be that was made from it, in bytes: the offset of a member.
    static let reach: UInt64 = 1 << 12

    /// The pointer that the thread has last read, if it leads to the address where the thread has crashed. Nil: none is
    /// known, or perhaps the address comes from another one.
    ///
    /// - Parameters:
    ///   - calls: the calls in progress. The pointer was read in one of their functions, or is the last thing that the
    ///     thread has read: then a function has returned it.
    ///   - isPointer: whether an object is a pointer. Other numbers are 0, too.
    func pointer(
        to address: UInt64, by thread: Int, in calls: [ProgramStacks.Call], isPointer: (UInt32) -> Bool
    ) -> Seen? {
        let all = all(by: thread)
        let found = all.first {
            $0.isRead && $0.size == 8 && isPointer($0.object)
                && address &- UInt64(bitPattern: Int64($0.value)) < Self.reach
        }
        guard let found else { return nil }
        let isOfCall = found.call.map { place in calls.contains { $0.function == place.function } } ?? false
        return isOfCall || found.number == all.first?.number ? found : nil
    }
}
