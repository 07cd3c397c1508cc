import Console
import Text

/// Joins the results of the parts of a check to the result that one machine would have found. Throws if parts are
/// missing, occur twice, are unfinished, or belong to another check.
enum ResultMerge {
    typealias Part = (path: String, result: CheckResult)

    static func joined(_ parts: [Part]) throws(Complaint) -> CheckResult {
        guard let first = parts.first else { throw Complaint("merge: name results") }
        for part in parts where part.result.isInterrupted {
            throw Complaint("\(part.path.printable) is of a check that was interrupted: repeat it")
        }
        guard let count = first.result.shard?.count else {
            guard parts.count == 1 else {
                throw Complaint("\(first.path.printable) is of a whole check, which nothing can be added to")
            }
            return first.result
        }
        for part in parts.dropFirst() { try require(part, matches: first) }
        let sorted = try inOrder(parts, count)
        for part in sorted { try requireWhole(part) }
        var joined = first.result
        joined.shard = nil
        joined.duration = sorted.reduce(0) { $0 + min($1.result.duration, .max - $0) }
        // In the order of the scenarios. All entries of a scenario are in one part, and keep their order.
        let entries = sorted.flatMap(\.result.entries).enumerated()
        joined.entries = entries.sorted { ($0.element.unit, $0.offset) < ($1.element.unit, $1.offset) }.map(\.element)
        return joined
    }

    /// Throws unless the part belongs to the same check.
    private static func require(_ part: Part, matches first: Part) throws(Complaint) {
        let (one, other) = (first.result, part.result)
        func refuse(_ difference: String) -> Complaint {
            Complaint("\(part.path.printable) and \(first.path.printable) are of different checks: \(difference)")
        }
        guard let shard = other.shard else {
            throw Complaint("\(part.path.printable) is of a whole check, which is no part of one")
        }
        guard shard.count == one.shard?.count else {
            throw refuse("parts \(shard.description) and \(one.shard?.description ?? "")")
        }
        for (setting, before) in zip(other.settings, one.settings) where setting != before {
            throw refuse("\(setting.name) \(setting.value.printable) and \(before.value.printable)")
        }
        guard other.settings == one.settings else { throw refuse("their options") }
        if other.names != one.names {
            let more = Set(other.names).subtracting(one.names).min().map { ($0, part.path) }
            let less = Set(one.names).subtracting(other.names).min().map { ($0, first.path) }
            guard let (name, path) = more ?? less else { throw refuse("the order of their scenarios") }
            throw refuse("only \(path.printable) has \(name.printable)")
        }
        guard other.scope == one.scope else { throw refuse("what their command lines name") }
        guard other.parts == one.parts else { throw refuse("how they are divided") }
    }

    /// The maximum number of missing parts that a message names.
    private static let mostNamed = 10

    /// The parts in their order. Throws unless each occurs once.
    private static func inOrder(_ parts: [Part], _ count: Int) throws(Complaint) -> [Part] {
        var known: [Int: Part] = [:]
        for part in parts {
            guard let number = part.result.shard?.number else { continue }
            if let other = known.updateValue(part, forKey: number) {
                throw Complaint(
                    "\(other.path.printable) and \(part.path.printable) are both part \(number)/\(count): name one")
            }
        }
        let missing = (1...count).filter { known[$0] == nil }
        guard missing.isEmpty else {
            let shown = missing.prefix(mostNamed).map { "\($0)/\(count)" }.joined(separator: ", ")
            let rest = missing.count > mostNamed ? " and \(missing.count - mostNamed) more" : ""
            throw Complaint("\(missing.count == 1 ? "a part is" : "parts are") missing: \(shown)\(rest)")
        }
        return (1...count).compactMap { known[$0] }
    }

    /// Throws unless the part has a result for each of its scenarios, and for no other.
    private static func requireWhole(_ part: Part) throws(Complaint) {
        let result = part.result
        let own = Set(result.parts.indices.filter { result.parts[$0] == result.shard?.number })
        guard Set(result.entries.map(\.unit)) == own else {
            throw Complaint("\(part.path.printable) is damaged: it does not have the scenarios of its part")
        }
    }
}
