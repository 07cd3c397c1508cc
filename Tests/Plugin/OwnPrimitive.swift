import ThreadLab

extension Remark {
    fileprivate static let visitorEntered = Remark(
        "turnstile.enter", "go through {object} as number {value}", value: .number, counts: .level)
    fileprivate static let turnstileClosed = Remark("turnstile.close", "close {object}: {value}", value: .text)
}

/// A primitive that threadlab does not know: it lets a number of threads through, and is closed then.
private final class Turnstile: Sendable {
    private let shown: TracedObject
    private let count = Atomic("count", 0)

    init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        shown = TracedObject(name, file: file, line: line)
    }

    func enter(file: StaticString = #fileID, line: UInt = #line) throws {
        let number = try count.add(1, file: file, line: line) + 1
        shown.record(.visitorEntered, number, file: file, line: line)
    }

    func close(_ reason: String, file: StaticString = #fileID, line: UInt = #line) {
        shown.record(.turnstileClosed, text: reason, file: file, line: line)
    }
}

/// A scenario with a primitive of its own, which has words of its own.
struct OwnPrimitive: Scenario {
    static let name = "own-primitive"
    static let summary = "Two threads go through a turnstile."
    static let lesson = "What a program builds itself has words in traces, too."
    static let source = #filePath

    enum Variant: String, ScenarioVariant {
        case only
        var summary: String { "both get through" }
        var expectation: Expectation { .completes }
    }

    @Parameter("what it does") var variant = Variant.only

    func run() throws {
        let turnstile = Turnstile("entrance")
        let visitor = try Thread("visitor") { try turnstile.enter() }
        try turnstile.enter()
        try visitor.join()
        turnstile.close("it is evening")
    }
}
