import Trace

/// A step as a sentence: a thread, and what it does.
struct StepSentence {
    /// Verbs with which steps are written, and which need their ending in a sentence.
    private static let verbs: Set = [
        "append", "break", "broadcast", "cancel", "choose", "create", "destroy", "detach", "end", "exit", "finish",
        "fire",
        "get", "join", "kill", "leave", "lock", "make", "measure", "notify", "perform", "put", "queue", "read",
        "read-lock",
        "receive", "resume", "schedule", "send", "set", "signal", "sleep", "start", "suspend", "take", "unlock",
        "update",
        "use", "wake", "write", "write-lock", "yield",
    ]

    private let cast: Cast
    private let words: StepWords

    init(_ cast: Cast) {
        self.cast = cast
        words = StepWords(cast: cast)
    }

    /// For example `first locks a`.
    func text(_ event: Event) -> String {
        let step = words.label(event).text
        if event.kind.concernsRun { return "the run: \(step)" }
        let thread = cast.thread(event.thread).text
        let verb = step.prefix { $0 != " " }
        guard Self.verbs.contains(String(verb)) else { return "\(thread) \(step)" }
        let ending = verb.hasSuffix("h") ? "es" : "s"
        return "\(thread) \(verb)\(ending)\(step.dropFirst(verb.count))"
    }
}
