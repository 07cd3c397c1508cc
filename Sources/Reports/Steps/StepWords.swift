import Diagnosis
import Text
import Trace
import Views

/// A step in words, as a teacher would write it: the verb of the event's kind or remark, with its placeholders replaced
/// by names.
struct StepWords {
    let cast: Cast
    /// By event number: the steps that do not read or write the newest value, which a weaker memory model allows.
    private let outOfOrder: [Int: WeakStep]
    private let permits: PermitCounts

    init(cast: Cast) {
        self.cast = cast
        outOfOrder = WeakSteps.outOfOrder(in: cast.trace)
        permits = PermitCounts(cast.trace)
    }

    /// The step, without words about other steps.
    func brief(_ event: Event) -> String { filled(cast.verb(of: event), event).text }

    /// Whether the step with this number does not read or write the newest value, so that its words mention another
    /// step.
    func isOutOfOrder(_ index: Int) -> Bool { outOfOrder[index] != nil }

    /// The step in words.
    ///
    /// - Parameters:
    ///   - index: the event's number in the trace, from 0. Nil: the event is not in the trace.
    ///   - limit: the time limit of the wait that the event begins.
    func label(_ event: Event, at index: Int?, limit: Int64? = nil) -> Label {
        if let index, let step = outOfOrder[index] { return label(event, step) }
        var words = filled(cast.verb(of: event), event)
        if let left = index.flatMap(permitsLeft) { words = words + Label(" (") + left + Label(")") }
        guard let limit else { return words }
        return words + cast.label(", at most \(ReadableDuration.text(nanoseconds: limit))")
    }

    /// For a step that takes a permit or gives one, the number that is left: `1 left`. Nil: it is not known.
    func permitsLeft(after index: Int) -> Label? { permits[index].map { Label("\($0) left") } }

    /// The words of the verb with their placeholders replaced. Words that become empty are left out.
    private func filled(_ verb: String, _ event: Event) -> Label {
        let words = verb.split(separator: " ").map { filled($0, event) }.filter { $0.width > 0 }
        return words.reduce(.empty) { line, word in line.width == 0 ? word : line + Label(" ") + word }
    }

    /// A word of the verb, with its placeholder replaced by a name, if it has one.
    private func filled(_ word: Substring, _ event: Event) -> Label {
        guard let open = word.firstIndex(of: "{"), let close = word[open...].firstIndex(of: "}") else {
            return cast.label(String(word))
        }
        let end = word.index(after: close)
        let part = part(word[open..<end], event)
        return cast.label(String(word[..<open])) + part + cast.label(String(word[end...]))
    }

    private func part(_ placeholder: Substring, _ event: Event) -> Label {
        switch placeholder {
        case "{object}": event.object == .none ? .empty : cast.object(event.object)
        case "{value}": cast.value(of: event)
        case "{result}": result(event)
        case "{order}": event.order == .seqcst ? .empty : Label("(\(event.order.word))")
        case "{thread}": cast.thread(event.thread)
        default: cast.label(String(placeholder))
        }
    }

    // MARK: - Under a weaker memory model

    /// The words for a step that does not read or write the newest value.
    private func label(_ event: Event, _ step: WeakStep) -> Label {
        let effect = event.kind.effect
        let verb =
            if effect == .update {
                "updates an older value of {object}: now {value} {order}"
            } else if effect == .mismatch {
                "finds an older value of {object}: {value} {order}"
            } else if effect.isWrite {
                "write {object} {result} {order}"
            } else {
                "reads an older value of {object}: {value} {order}"
            }
        return filled(verb, event) + Label(", ") + remark(event, step)
    }

    /// For a step that does not read or write the newest value, words that name a newer write:
    /// `although left wrote 1 at line 5`.
    func remark(at index: Int) -> Label? { outOfOrder[index].map { remark(cast.trace.events[index], $0) } }

    private func remark(_ event: Event, _ step: WeakStep) -> Label {
        // A write goes directly before the oldest of the newer writes. A read misses them all, up to the newest.
        let isWrite = event.kind.effect == .write(.atomic)
        guard let number = isWrite ? step.newer.first : step.newer.last else { return .empty }
        let write = cast.trace.events[number]
        let (thread, value) = (cast.thread(write.thread), cast.value(of: write))
        let words =
            isWrite
            ? Label("which goes before ") + thread + Label("'s write of ") + value
            : Label("although ") + thread + Label(" wrote ") + value
        return words + cast.words(at: write.site)
    }

    /// The result, such as `= 3`.
    private func result(_ event: Event) -> Label {
        let value = cast.value(of: event)
        return value.width == 0 ? .empty : Label("= ") + value
    }
}

/// The events of a trace in words, each on one line and safe to show.
package struct EventWords {
    private let trace: TraceDocument
    private let cast: Cast
    private let words: StepWords

    package init(_ trace: TraceDocument, ascii: Bool = false) {
        self.trace = trace
        cast = Cast(trace, ReportOptions(ascii: ascii))
        words = StepWords(cast: cast)
    }

    /// For example `lock a`.
    ///
    /// - Parameter index: the event's number in the trace, from 0. Nil: the event is not in the trace.
    package func step(_ event: Event, at index: Int? = nil, limit: Int64? = nil) -> String {
        words.label(event, at: index, limit: limit).text
    }

    package func name(_ thread: ThreadID) -> String { cast.thread(thread).text }

    package func name(_ object: ObjectID) -> String { cast.object(object).text }
}
