import Trace

/// The reasons in words: a paragraph for each step that does not read or write the newest value.
extension WeakReasons {
    /// The maximum number of steps for which reasons are given. Further steps are counted.
    private static let most = 3

    /// Why the run's steps that do not read or write the newest value are allowed, a paragraph for each.
    package func paragraphs(in names: Names) -> [String] {
        let numbers = shownNumbers(in: names)
        let shown = numbers.prefix(Self.most).compactMap { paragraph($0, in: names) }
        let rest = numbers.count - Self.most
        return rest > 0 ? shown + ["\(Names.count(rest, "more step")) did not read or write the newest value."] : shown
    }

    /// The steps that are reported, by number. Steps on the inner parts of objects by which threadlab itself observes a
    /// run are left out.
    func shownNumbers(in names: Names) -> [Int] {
        numbers.filter { number in
            guard let object = step(number).flatMap({ names.trace.object($0.event.object) }) else { return true }
            return object.kind != .part || object.owner != .none
        }
    }

    /// Why the step with this number is allowed, in two or three sentences. Nil if it reads or writes the newest value.
    package func paragraph(_ number: Int, in names: Names) -> String? {
        guard let step = step(number), let newer = newest(step) else { return nil }
        let thread = names.name(step.thread)
        let object = names.name(step.event.object)
        let writer = names.name(newer.thread)
        let place = names.at(step.event.site)
        let what =
            step.event.kind.effect == .write(.atomic)
            ? "\(thread)'s write of \(object)\(place) goes before \(writer)'s\(names.at(newer.event.site))"
            : "\(thread) sees an older value of \(object)\(place)"
        return "\(what): nothing orders \(writer)'s write\(names.at(newer.event.site)) before it. "
            + reason(step, newer, names)
    }

    /// The newer write to name: the newest one or, if the step is a write, the next one in modification order.
    private func newest(_ step: Step) -> Step? {
        let number = step.event.kind.effect == .write(.atomic) ? step.weak?.newer.first : step.weak?.newer.last
        return number.flatMap(self.step)
    }

    /// The end of a paragraph: why nothing orders the newer write before the step.
    private func reason(_ step: Step, _ newer: Step, _ names: Names) -> String {
        if let path = WeakPath(from: newer, to: step, self) { return reason(path.lost, newer, step, names) }
        let (thread, writer) = (names.name(step.thread), names.name(newer.thread))
        if hasStoreBuffers { return bufferReason(step, newer, names) }
        let nothing = "\(thread) has read nothing that \(writer) wrote then or later"
        let orders = [newer.event.order, step.event.order].filter { $0 != .seqcst }.map(\.word)
        guard let first = orders.first else { return nothing + "." }
        let words = orders.last == first ? first : Names.list(orders)
        return "\(nothing), and \(words) operations are not part of the one order of all seqcst operations."
    }

    // MARK: - Store buffers

    /// The reason under tso: the newer write, or an earlier write of the step's own thread, can be in a store buffer.
    private func bufferReason(_ step: Step, _ newer: Step, _ names: Names) -> String {
        let (thread, writer) = (names.name(step.thread), names.name(newer.thread))
        if !isDrained(newer, before: step) {
            return "It can wait in \(writer)'s store buffer, where \(thread) does not see it."
        }
        let own = steps.last {
            $0.thread == step.thread && $0.number < step.number && $0.event.kind.effect == .write(.atomic)
        }
        guard let own, !isDrained(own, before: step) else {
            return "\(thread) has read nothing that \(writer) wrote then or later."
        }
        return "\(thread)'s own write of \(names.name(own.event.object))\(names.at(own.event.site)) can wait in its "
            + "store buffer until then."
    }

    /// Whether the thread of the write empties its store buffer between the write and the step.
    private func isDrained(_ write: Step, before step: Step) -> Bool {
        steps.contains { other in
            other.thread == write.thread && (write.number..<step.number).contains(other.number) && other.drains
        }
    }

    // MARK: - Orders that are too weak

    /// The reason if a path of reads loses the order at a link: which memory order of the link is too weak.
    private func reason(_ link: WeakPath.Link, _ newer: Step, _ step: Step, _ names: Names) -> String {
        let releases =
            link.write.event.order.releases
            || hasFence(of: link.write.thread, in: 0..<link.write.number) {
                $1.releases && self.has($0, seen: newer)
            }
        let acquires =
            link.read.event.order.acquires
            || hasFence(of: link.read.thread, in: link.read.number..<link.next.number) { $1.acquires }
        return "\(sight(link, newer, step, names)), but \(lack(link, releases, acquires))"
    }

    /// What the reader of the link has seen, as the first half of a sentence.
    private func sight(_ link: WeakPath.Link, _ newer: Step, _ step: Step, _ names: Names) -> String {
        let (reader, writer) = (names.name(link.read.thread), names.name(link.write.thread))
        let (read, write) = (names.at(link.read.event.site), names.at(link.write.event.site))
        if link.write.number == newer.number {
            return "\(reader) has read it\(read), and \(names.name(step.thread)) what \(reader) wrote then"
        }
        let object = names.name(link.write.event.object)
        let later = link.write.thread == newer.thread ? "later" : "after it had seen that write"
        return "\(reader) has read \(object)\(read), which \(writer) wrote \(later)\(write)"
    }

    /// Which memory order is missing, as the second half of the sentence.
    private func lack(_ link: WeakPath.Link, _ releases: Bool, _ acquires: Bool) -> String {
        let (write, read) = (link.write.event.order, link.read.event.order)
        if releases && !acquires {
            return "that read is \(read.word): it does not order what the reader does later. acquire would."
        }
        if acquires && !releases {
            return "that write is \(write.word): it passes on nothing that came before it. release would."
        }
        let both = write == read ? "both are \(write.word)" : "the write is \(write.word) and the read \(read.word)"
        return "\(both): the read orders nothing. release and acquire would."
    }
}
