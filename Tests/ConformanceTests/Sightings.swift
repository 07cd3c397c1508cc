import Synchronization

/// What a case's threads say that they saw, over any number of runs.
final class Sightings: Sendable {
    private let seen = Mutex(Set<String>())

    func saw(_ what: String) { seen.withLock { _ = $0.insert(what) } }

    var all: Set<String> { seen.withLock { $0 } }
}
