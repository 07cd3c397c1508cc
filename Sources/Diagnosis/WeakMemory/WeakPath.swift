import Trace

/// Finds where an order is lost between a newer write and a later step that does not see it. A path may lead from the
/// write to the step: a thread reads what the writer wrote then or later, then writes something that the next thread
/// reads, and so on. If all these reads synchronized, the step would see the write. So one of them does not.
struct WeakPath {
    /// A thread reads what another thread has written, then takes the step with which the path continues.
    struct Link {
        var write: WeakReasons.Step
        var read: WeakReasons.Step
        /// The step of the reader with which the path continues: its next write, or the last step.
        var next: WeakReasons.Step
    }

    /// The link at which the order is lost: the last one whose writer has seen the newer write.
    let lost: Link

    /// Returns nil if no path leads from the write to the step.
    init?(from first: WeakReasons.Step, to last: WeakReasons.Step, _ reasons: WeakReasons) {
        guard var links = Self.shortest(from: first, to: last, reasons) else { return nil }
        // A thread that reads the value of an update also acquires what the update has read, even if the update itself
        // does not acquire that: such a pair of links is joined.
        var index = 0
        while index + 1 < links.count {
            let (link, next) = (links[index], links[index + 1])
            if link.read.number == next.write.number && !reasons.has(link.read, seen: first) {
                links[index] = Link(write: link.write, read: next.read, next: next.next)
                links.remove(at: index + 1)
            } else {
                index += 1
            }
        }
        guard let lost = links.last(where: { $0.write.number == first.number || reasons.has($0.write, seen: first) })
        else { return nil }
        self.lost = lost
    }

    /// Searches backwards from the last step, breadth first, for a path with the fewest links.
    private static func shortest(
        from first: WeakReasons.Step, to last: WeakReasons.Step, _ reasons: WeakReasons
    ) -> [Link]? {
        // Steps from which a path leads to the last step, with the links of that path.
        var frontier: [(step: WeakReasons.Step, links: [Link])] = [(last, [])]
        // For each thread, the greatest number of its steps from which a path is known.
        var reached: [ThreadID: Int] = [last.thread: last.number]
        while !frontier.isEmpty {
            var further: [(step: WeakReasons.Step, links: [Link])] = []
            for (end, links) in frontier {
                for read in reasons.steps where read.thread == end.thread && read.number <= end.number {
                    guard read.number < last.number, let source = read.weak?.source.flatMap(reasons.step),
                        source.thread != read.thread, source.number > reached[source.thread] ?? -1
                    else { continue }
                    let all = [Link(write: source, read: read, next: end)] + links
                    if source.thread == first.thread && source.number >= first.number { return all }
                    reached[source.thread] = source.number
                    further.append((source, all))
                }
            }
            frontier = further
        }
        return nil
    }
}
