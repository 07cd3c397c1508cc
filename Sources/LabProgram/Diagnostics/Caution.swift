import LabSyntax
import Text

/// Warnings about code that is allowed but probably not intended.
enum Caution: Problem {
    case neverRead(String, isShared: Bool)
    case neverUsed(String, kind: String)
    case resultIgnored(String)
    case neverReached
    case cannotEnd(String)
    case neverUnlocked(String, by: String)
    case notUnlockedEverywhere(String, by: String)
    case relock(String)
    case unlockOfFree(String)
    case leaked(String)
    case joinCycle([String])
    case nothingToRun
    /// A task's limit that no solution can keep, with the reason.
    case neverMet(because: String)

    package var message: String {
        switch self {
        case .neverRead(let name, _): "\(quoted(name)) is never read"
        case .neverUsed(let name, let kind): "\(kind) \(quoted(name)) is never used"
        case .resultIgnored(let name): "the result of \(quoted(name)), whether it succeeded, is ignored"
        case .neverReached: "this is never reached"
        case .cannotEnd(let name): "\(quoted(name)) cannot end: nothing leaves this loop"
        case .neverUnlocked(let lock, let owner):
            "\(quoted(lock)) is locked here, but \(quoted(owner)) never unlocks it"
        case .notUnlockedEverywhere(let lock, let owner):
            "\(quoted(lock)) is locked here, but \(quoted(owner)) does not unlock it on every path"
        case .relock(let lock):
            "\(quoted(lock)) is locked here by a thread that already holds it, which then waits for itself"
        case .unlockOfFree(let lock): "\(quoted(lock)) is unlocked here by a thread that does not hold it"
        case .leaked(let name): "\(quoted(name)) is spawned but never joined or detached"
        case .joinCycle(let threads):
            threads.count == 1
                ? "\(quoted(threads[0])) joins itself"
                : "\(threads.map(quoted).joined(separator: ", ")) join each other in a cycle, so none can end"
        case .nothingToRun: "the scenario has no thread"
        case .neverMet(let reason): "no solution can keep this limit: \(reason)"
        }
    }

    package var help: String? {
        switch self {
        case .notUnlockedEverywhere(let lock, _): "'lock \(lock.printable) { … }' unlocks on every path"
        case .resultIgnored: "test it with 'if'"
        default: nil
        }
    }
}
