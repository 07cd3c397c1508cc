import Text
import Trace

/// Turns the numbers in events into the names and phrases of explanations: threads, objects, source lines, holds and
/// waits.
package struct Names {
    package let trace: TraceDocument

    /// Whether places are shown as lines of the only file: `line 31`.
    package var omitsFile = false

    package init(_ trace: TraceDocument) { self.trace = trace }

    package func name(_ thread: ThreadID) -> String { Self.visible(trace.name(of: thread)) }

    /// The name of the object, or of the built object to which it belongs.
    package func name(_ object: ObjectID) -> String {
        Self.visible(trace.object(trace.known(object))?.name ?? "object \(object.index)")
    }

    /// The text with this number in the trace; empty if there is none.
    private func text(_ number: Int64) -> String {
        Int(exactly: number).flatMap { trace.texts.indices.contains($0) ? Self.visible(trace.texts[$0]) : nil } ?? ""
    }

    /// What a thread waits for inside a built object: `buffer at HAS_DATA`. Nil if it waits for something else.
    func need(_ wait: Wait) -> String? {
        if let said = wait.said {
            return [name(said.object), text(said.need)].filter { !$0.isEmpty }.joined(separator: " ")
        }
        return wait.condition.flatMap { isPart($0) ? name($0) : nil }
    }

    /// For how many threads the thread's barrier waits. Nil: it does not wait at a barrier, or the number is not known.
    func parties(_ wait: Wait) -> Int? { wait.said.flatMap { BarrierNeed(text: text($0.need))?.parties } }

    /// What the built object said about its state: `at NO_DATA`. Nil if that is unknown.
    func state(_ wait: Wait) -> String? { wait.said?.state.map(text).flatMap { $0.isEmpty ? nil : $0 } }

    /// The holds without those of locks inside built objects, which the program does not know.
    package func known(_ holds: [Hold]) -> [Hold] { holds.filter { !trace.isInside($0.object) } }

    /// Shows an empty name as quotation marks, because it would leave a gap in its sentence, and shortens a very long
    /// one.
    package static func visible(_ name: String) -> String { name.isEmpty ? "\"\"" : name.shortened() }

    /// For example ` at Deadlock.swift:31`, or nothing if the place is unknown.
    package func at(_ site: SiteID) -> String { place(site).map { " at \($0)" } ?? "" }

    /// For example `Deadlock.swift:31`. Nil if the place is unknown.
    package func place(_ site: SiteID) -> String? {
        trace.site(site).map { omitsFile ? "line \($0.line)" : $0.shortDescription }
    }

    /// For example ` (taken at Deadlock.swift:31)`, or nothing if the place is unknown.
    private func taken(at site: SiteID) -> String {
        let place = at(site)
        return place.isEmpty ? "" : " (taken\(place))"
    }

    /// For example `first, second and third`.
    package func list(_ threads: [ThreadID]) -> String { Self.list(threads.map(name)) }

    /// A list in words: `a, b and c`. Of very many names, only the first ones are shown.
    package static func list(_ names: [String]) -> String {
        guard names.count <= mostInList else {
            return list(names.prefix(mostInList / 2) + ["\(names.count - mostInList / 2) others"])
        }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The maximum number of names that are listed in full.
    private static let mostInList = 40

    /// For example `1 step` or `3 steps`.
    package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// What the thread holds, with a verb. For a lock: `holds a (taken at Deadlock.swift:31)`. For a queue:
    /// `runs a block of q (from Delegates.swift:31)`.
    package func holding(_ hold: Hold) -> String {
        guard isQueue(hold.object) else { return "holds \(words(hold))" }
        let place = trace.site(hold.site).map { " (from \($0.shortDescription))" } ?? ""
        return "runs a block of \(name(hold.object))\(place)"
    }

    /// Whether the object is a queue. A thread that runs a block of a queue is treated as the queue's holder.
    func isQueue(_ object: ObjectID) -> Bool { trace.object(object)?.kind == .workQueue }

    /// The lock that the thread holds: `a (taken at Deadlock.swift:31)`.
    package func words(_ hold: Hold) -> String {
        name(hold.object) + (hold.mode == .shared ? " for reading" : "") + taken(at: hold.site)
    }

    /// What the thread waits for, and why it has to: `waits for b at Deadlock.swift:33, which second holds`.
    ///
    /// - Parameters:
    ///   - holders: the threads that hold the lock; after a signal, the mutex. If empty, they are not mentioned.
    ///   - verb: the verb for the holders. Nil for the usual one: `holds`, or `is using` for a part of a built object.
    package func words(_ wait: Wait, heldBy holders: [ThreadID], verb: String? = nil) -> String {
        guard !holders.isEmpty else { return words(wait) }
        let isUsed = wait.object.map(trace.isInside) == true
        let present = isUsed ? (holders.count == 1 ? "is using" : "are using") : holders.count == 1 ? "holds" : "hold"
        return "\(words(wait)), which \(list(holders)) \(verb ?? present)"
    }

    /// Whether the object is part of a built object, so that the program itself does not signal it.
    func isPart(_ object: ObjectID) -> Bool { trace.object(object)?.kind == .part }

    /// Whether the waiters of the condition test their predicate under a mutex of the program. That is not so inside a
    /// built object, or for a futex.
    func hasMutex(condition: ObjectID) -> Bool { !isPart(condition) && !isFutex(condition) }

    func isFutex(_ object: ObjectID) -> Bool { trace.object(object)?.kind == .futex }

    /// What the thread does: `waits for b at Deadlock.swift:33`.
    package func words(_ wait: Wait) -> String {
        let place = at(wait.site)
        if let need = need(wait) { return wait.said == nil ? "waits for \(need)\(place)" : "waits\(place) for \(need)" }
        return switch wait.target {
        case .mutex(let mutex): "waits for \(name(mutex))\(place)"
        case .reading(let lock): "waits to read \(name(lock))\(place)"
        case .writing(let lock): "waits to write \(name(lock))\(place)"
        case .semaphore(let semaphore): "waits for semaphore \(name(semaphore))\(place)"
        case .condition(let condition, let mutex?) where wait.isSignaled:
            "was woken from \(name(condition))\(place) and waits to lock \(name(mutex)) again"
        case .condition(let condition, _): "waits for a signal of \(name(condition))\(place)"
        case .memory(let object): "awaits a change of \(name(object))\(place)"
        case .spin(let object): "spins on \(name(object))\(place)"
        case .thread(let thread): "waits\(place) for \(name(thread)) to end"
        }
    }
}
