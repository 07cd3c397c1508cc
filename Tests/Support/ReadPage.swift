import Diagnosis
import Text
import Trace
import Views

/// A page as its script sees it: the data in it, and the state after each step.
package struct ReadPage {
    package let html: String
    package let data: JSON

    /// - Parameter id: the element that holds the data.
    package init?(_ html: String, id: String = "run") {
        self.html = html
        guard let begin = html.firstRange(of: "<script type=\"application/json\" id=\"\(id)\">")?.upperBound,
            let end = html[begin...].firstRange(of: "</script>")?.lowerBound
        else { return nil }
        let bytes = Array(html[begin..<end].utf8)
        guard let data = try? JSONReader.read(bytes, bytes.indices) else { return nil }
        self.data = data
    }

    /// The differences between the page's states and the model's, in words; at most ten.
    package func differences(from trace: TraceDocument) -> [String] {
        let model = RunModel(trace)
        let names = Names(trace)
        let roles = trace.roles().all
        let shown = trace.events.indices.filter { roles[$0] == .step && trace.events[$0].kind != .runComplete }
        var found: [String] = []
        guard data["changes"].items.count == shown.count else { return ["\(shown.count) steps expected"] }
        var row = data["start"].items.map(\.number)
        for step in 0...shown.count {
            if step > 0 { apply(data["changes"].items[step - 1].items.map(\.number), to: &row) }
            let state = model.state(after: step == 0 ? 0 : shown[step - 1] + 1)
            for thread in trace.threads.indices {
                let now = state.thread(ThreadID(thread))
                let words = data["threadStates"].items[row[3 * thread]].items.map(\.text)
                let held = names.known(now.holds).map { names.name($0.object) }
                compare(words[1], state.words(now, in: names), "\(step): thread \(thread)", &found)
                for name in held where !words[2].contains(name) { found.append("\(step): \(thread) holds \(name)") }
                if held.isEmpty { compare(words[2], "", "\(step): locks of \(thread)", &found) }
                let site = trace.site(now.site) == nil ? 0 : Int(now.site.index)
                compare("\(row[3 * thread + 1])", "\(site)", "\(step): line of \(thread)", &found)
                if case .waiting = now.activity {
                    let since = shown.count { $0 < now.since }
                    compare("\(row[3 * thread + 2])", "\(since)", "\(step): \(thread) since", &found)
                }
            }
            for (place, object) in data["objects"].items.enumerated() {
                guard let id = id(of: object.items[0].text, in: trace) else { continue }
                let now = state.object(id)
                let words = data["objectStates"].items[row[3 * trace.threads.count + place]].items.map(\.text)
                let free = trace.object(id)?.kind.isLock == true && now.holders.isEmpty ? "free" : ""
                let permits = now.permits.map { "\($0) permit\($0 == 1 ? "" : "s")" }
                let value = now.value.map { trace.words($0, in: id) } ?? permits ?? free
                let holders = now.holders.map(names.name).joined(separator: ", ") + (now.isShared ? " (reading)" : "")
                let waiters = now.waiters.map(names.name).joined(separator: ", ")
                compare(words.joined(separator: "|"), "\(value)|\(holders)|\(waiters)", "\(step): \(object)", &found)
            }
            if found.count > 10 { break }
        }
        return found
    }

    private func apply(_ change: [Int], to row: inout [Int]) {
        for index in stride(from: 0, to: change.count, by: 2) { row[change[index]] = change[index + 1] }
    }

    private func compare(_ seen: String, _ expected: String, _ what: String, _ found: inout [String]) {
        if seen != expected { found.append("\(what): '\(seen)', but the model says '\(expected)'") }
    }

    /// Names are unique within a trace.
    private func id(of name: String, in trace: TraceDocument) -> ObjectID? {
        trace.objects.indices.first { trace.objects[$0]?.name == name }.map { ObjectID($0) }
    }
}

extension JSON {
    /// A member of an object; null if there is none.
    package subscript(_ key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.key == key }?.value ?? .null
    }

    package var items: [JSON] { if case .array(let items) = self { items } else { [] } }
    package var text: String { if case .string(let text) = self { text } else { "" } }
    package var number: Int { if case .integer(let number) = self { Int(number) } else { .min } }
}
