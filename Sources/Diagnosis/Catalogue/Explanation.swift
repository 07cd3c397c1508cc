/// What there is to say about a code to a person who never heard the word.
package struct Explanation: Sendable {
    package let code: FindingCode
    /// What it is, in one sentence.
    package let meaning: String
    /// How it comes about: a tiny story.
    package let story: String
    /// Why it is wrong, in the guide's terms. Of a note: why it matters.
    package let reason: String
    /// Where that stands: sections of the guide, POSIX, papers.
    package let sources: [String]
    /// What usually fixes it, each a thing to do.
    package let remedies: [String]
    /// What it is often taken for.
    package let confusion: String
    package let example: ExamplePrograms

    /// Line ends in the texts are the source's, and mean nothing.
    init(
        _ code: FindingCode, meaning: String, story: String, reason: String, sources: [String], remedies: [String],
        confusion: String, example: ExamplePrograms
    ) {
        self.code = code
        self.meaning = meaning.onOneLine
        self.story = story.onOneLine
        self.reason = reason.onOneLine
        self.sources = sources.map { $0.onOneLine }
        self.remedies = remedies.map { $0.onOneLine }
        self.confusion = confusion.onOneLine
        self.example = example
    }
}

extension FindingCode {
    package var explanation: Explanation {
        switch self {
        case .deadlock: .deadlock
        case .endlessWait: .endlessWait
        case .lockOrder: .lockOrder
        case .race: .race
        case .lostWakeUp: .lostWakeUp
        case .waitWithoutLoop: .waitWithoutLoop
        case .livelock: .livelock
        case .starvation: .starvation
        case .priorityInversion: .priorityInversion
        case .heldWhileBlocked: .heldWhileBlocked
        case .heldTooLong: .heldTooLong
        case .contention: .contention
        case .leakedThread: .leakedThread
        case .cutOffThread: .cutOffThread
        case .misuse: .misuse
        case .uncaughtError: .uncaughtError
        case .wrongThread: .wrongThread
        case .assertion: .assertion
        case .timeout: .timeout
        case .crash: .crash
        }
    }
}
