import Trace

/// A path from a write to a later step, by program order and by what threads have read.
struct WeakPath {
    /// A thread reads what another thread has written.
    struct Link {
        var write: WeakReasons.Step
        var read: WeakReasons.Step
        /// The step of the reader with which the path continues.
        var next: WeakReasons.Step
    }

    /// The first link at which the order is lost: its writer has seen the first write, its reader has not.
    let lost: Link

    /// Nil: there is no such path.
    init?(from first: WeakReasons.Step, to last: WeakReasons.Step, _ reasons: WeakReasons) {
        guard var links = Self.shortest(from: first, to: last, reasons) else { return nil }
        // The message of an update passes on what the update has read, even if the update itself has not seen that.
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

    /// Searches backwards from the last step, by the number of links.
    private static func shortest(
        from first: WeakReasons.Step, to last: WeakReasons.Step, _ reasons: WeakReasons
    ) -> [Link]? {
        // Steps from which a path leads to the last step, with the links of that path.
        var frontier: [(step: WeakReasons.Step, links: [Link])] = [(last, [])]
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
