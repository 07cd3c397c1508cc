import Text
import Trace

/// A step in words, as a teacher would write it: the verb of the event's kind or remark, with names in place of its
/// placeholders.
struct StepWords {
    let cast: Cast

    /// The words of the verb of which something is left, with blanks between them.
    ///
    /// - Parameter limit: the time limit of the wait that the event begins.
    func label(_ event: Event, limit: Int64? = nil) -> Label {
        let words = label(event)
        guard let limit else { return words }
        return words + cast.label(", at most \(ReadableDuration.text(nanoseconds: limit))")
    }

    private func label(_ event: Event) -> Label {
        let words = cast.verb(of: event).split(separator: " ").map { filled($0, event) }.filter { $0.width > 0 }
        return words.reduce(.empty) { line, word in line.width == 0 ? word : line + Label(" ") + word }
    }

    /// A word with a name in place of its placeholder, if it has one.
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

    /// For example `= 3`.
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
    package func step(_ event: Event, limit: Int64? = nil) -> String { words.label(event, limit: limit).text }

    package func name(_ thread: ThreadID) -> String { cast.thread(thread).text }

    package func name(_ object: ObjectID) -> String { cast.object(object).text }
}
