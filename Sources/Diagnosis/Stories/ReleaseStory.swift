import Trace

/// Words about a data race in which a thread frees memory that another thread uses.
struct ReleaseStory {
    let names: Names
    /// The release; if both threads free the memory, the later one.
    private let free: CellAccess
    private let other: CellAccess

    /// Nil: neither access frees the memory.
    init?(names: Names, earlier: CellAccess, later: CellAccess) {
        guard earlier.isFree || later.isFree else { return nil }
        self.names = names
        (free, other) = later.isFree ? (later, earlier) : (earlier, later)
    }

    /// What an access is to: the whole memory if it is freed, otherwise the cell.
    static func memory(_ access: CellAccess, _ names: Names) -> String {
        let whole = access.isFree ? names.trace.text(of: access.event) : nil
        return whole.map(Names.visible) ?? names.name(access.event.object)
    }

    /// For example `main frees block from ref.c:17 while worker writes it`.
    var summary: String {
        let (owner, user) = (names.name(free.thread), names.name(other.thread))
        let memory = Self.memory(free, names)
        if other.isFree { return "\(user) and \(owner) both free \(memory)" }
        let cell = names.name(free.event.object)
        let used = cell == memory ? "it" : cell
        return "\(owner) frees \(memory) while \(user) \(other.isWrite ? "writes" : "reads") \(used)"
    }

    /// - Parameter sight: the read of an atomic that would have ordered the release, had its memory orders been
    ///   stronger.
    func advice(sight: WeakSights.Sight?) -> String {
        let user = names.name(other.thread)
        if other.isFree { return Self.adviceOfSecondFree }
        if let sight, sight.read.thread == free.thread {
            let atomic = names.name(sight.object)
            let isCount = sight.write.kind == .atomicUpdate && sight.read.kind == .atomicUpdate
            let cure =
                isCount
                ? "decrement \(atomic) with acq_rel" : "write \(atomic) with release, and read it with acquire"
            return "free is not ordered after \(user)'s use: \(cure)."
        }
        return Self.advice(user: other.thread, names)
    }

    /// How to free memory only after the last use.
    ///
    /// - Parameter user: the thread that uses it too late. No thread joins the main thread.
    static func advice(user: ThreadID, _ names: Names) -> String {
        let cure =
            user == .main ? "let main free it, or count" : "join \(names.name(user)) first, or count"
        return "Free it after the last use: \(cure) references."
    }

    static let adviceOfSecondFree = "Free it once: let the last of the threads that use it do that."
}
