import Trace

/// Finds objects with reference counts that are not zero at the end of the run.
package struct LeakedObjectDetector: Detector {
    /// The last event that changed the number of references. The event's value is the new number.
    private var changes = PerObject<Event?>(nil)
    private var hasReachedEnd = false

    package init() {}

    package mutating func consume(_ event: Event, _ run: RunState) {
        let effect = event.kind.effect
        if run.isOver {
            if effect.isOwnEnd { hasReachedEnd = true }
        } else if effect == .update {
            changes[event.object] = event
        }
    }

    package func findings(in names: Names, _ run: RunState) -> [Finding] {
        guard hasReachedEnd else { return [] }
        let leaked = names.trace.objects.indices.map { ObjectID($0) }.filter { isLeaked($0, names) }
        guard !leaked.isEmpty else { return [] }
        let verb = leaked.count == 1 ? "was" : "were"
        return [
            Finding(
                .leakedObject, summary: "\(Names.list(leaked.map(names.name))) \(verb) never released completely.",
                story: leaked.map { line($0, names) },
                advice: "Each reference needs one release, on every return path; what is autoreleased needs a pool.",
                threads: leaked.compactMap { changes[$0]?.thread }, objects: leaked,
                sites: leaked.compactMap { changes[$0]?.site })
        ]
    }

    private func isLeaked(_ object: ObjectID, _ names: Names) -> Bool {
        names.trace.object(object)?.kind == .managedObject && references(to: object) > 0
    }

    /// A new object has one reference: that of its maker.
    private func references(to object: ObjectID) -> Int { changes[object].map { Int($0.value) } ?? 1 }

    private func line(_ object: ObjectID, _ names: Names) -> String {
        let count = Names.count(references(to: object), "reference")
        guard let last = changes[object] else { return "\(names.name(object)) has \(count), its maker's." }
        return "\(names.name(object)) has \(count), last changed by \(names.name(last.thread))\(names.at(last.site))."
    }
}
