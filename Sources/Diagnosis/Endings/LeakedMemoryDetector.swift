import Trace

/// Finds memory of a compiled program that was never freed, and to which nothing points at the end of the program.
package struct LeakedMemoryDetector: Detector {
    private var lost: [Event] = []
    /// The events that summarize further blocks, which have no events of their own.
    private var more: [Event] = []

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        if event.kind == .blockLost { lost.append(event) }
        if event.kind == .moreLost { more.append(event) }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        guard !lost.isEmpty else { return [] }
        return [
            Finding(
                .leakedMemory, summary: "Memory was lost: it was never freed, and nothing points to it any more.",
                story: lost.map { line($0, names) } + more.compactMap(names.trace.text),
                advice: "Free it before the last pointer to it is overwritten or goes out of scope.",
                threads: lost.map(\.thread), sites: lost.map(\.site))
        ]
    }

    private func line(_ event: Event, _ names: Names) -> String {
        "\(names.name(event.thread)) \(names.trace.text(of: event) ?? "")\(names.at(event.site))."
    }
}
