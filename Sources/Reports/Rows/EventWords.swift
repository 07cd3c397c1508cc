import Trace

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
    package func step(_ event: Event) -> String { words.label(event).text }

    package func name(_ thread: ThreadID) -> String { cast.thread(thread).text }

    package func name(_ object: ObjectID) -> String { cast.object(object).text }
}
