import Diagnosis
import Machine
import Trace
import Views

/// The ways in which a step can go under a weaker memory model, in words: which write a read sees, or before which
/// writes of other threads a write is placed in the modification order.
extension PlaySession {
    /// The lines that ask for one of the ways of the thread's step, the newest write first.
    func memoryLines(_ thread: Int, _ ways: Ways) -> [String] {
        guard let descriptions = memoryWays(thread, ways.newer) else { return ways.lines(name) }
        return descriptions.enumerated().map { "  \($0): it \($1)." } + [ways.request]
    }

    /// What the thread's step does in each of its ways. Nil: the step is not on an atomic, or not in the known run.
    ///
    /// - Parameter newer: by way, the number of writes that are newer than the one that is read or made.
    func memoryWays(_ thread: Int, _ newer: [Int]) -> [String]? {
        guard let event = run.next(thread, after: position), event.kind.isOfAtomic else { return nil }
        var steps = WeakSteps()
        for event in run.trace.events[..<eventCount] { steps.consume(event) }
        let writes = steps.writes(of: event.object)
        let isWrite = event.kind == .atomicStore
        return newer.enumerated().map { way, count in
            let what = isWrite ? destination(count, writes, event.object) : source(count, writes, event.object)
            // The ways in which a weak compare-exchange fails spuriously follow the others, and read the same writes.
            let isRepeated = !isWrite && newer[..<way].contains(count)
            return what + (isRepeated ? ", and fails without a reason" : "")
        }
    }

    /// For example `reads an older value of x, 1, which left wrote at line 7`.
    private func source(_ newer: Int, _ writes: [Int], _ object: ObjectID) -> String {
        let start = "reads \(newer == 0 ? "the newest" : "an older") value of \(words.name(object))"
        guard newer < writes.count else {
            let value = run.value(of: object)
            return start + (value.map { ", \(run.trace.words(Int64($0), in: object))" } ?? "") + ", the initial one"
        }
        let write = run.trace.events[writes[writes.count - 1 - newer]]
        return "\(start), \(run.trace.words(write.value, in: object)), which \(words.name(write.thread)) wrote"
            + at(write.site)
    }

    /// For example `goes before left's write of 1 at line 6`.
    private func destination(_ newer: Int, _ writes: [Int], _ object: ObjectID) -> String {
        guard newer > 0, newer <= writes.count else { return "writes the newest value of \(words.name(object))" }
        let write = run.trace.events[writes[writes.count - newer]]
        return "goes before \(words.name(write.thread))'s write of \(run.trace.words(write.value, in: object))"
            + at(write.site)
    }
}

extension PlayedRun {
    /// The value of an object at the start. Nil: it did not exist, or the order was recorded.
    fileprivate func value(of object: ObjectID) -> Int? {
        let values = values(at: 0)
        return values.indices.contains(Int(object.index)) ? values[Int(object.index)] : nil
    }
}
