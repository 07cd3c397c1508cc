import Synchronization

/// What a case's threads report, over any number of runs.
final class Sightings: Sendable {
    private let seen = Mutex((all: Set<String>(), isSilent: true))

    func saw(_ what: String) {
        seen.withLock {
            $0.all.insert(what)
            $0.isSilent = false
        }
    }

    var all: Set<String> { seen.withLock { $0.all } }

    /// Another run begins.
    func begin() { seen.withLock { $0.isSilent = true } }

    /// Whether the present run has reported nothing so far.
    var isSilent: Bool { seen.withLock { $0.isSilent } }
}
