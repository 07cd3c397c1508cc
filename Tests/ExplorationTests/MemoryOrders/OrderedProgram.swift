import Testing

/// A program that hands a message over through an atomic, and whether its memory orders order the two threads.
struct OrderedProgram: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let hasRace: Bool

    private init(_ description: String, _ threads: String, race hasRace: Bool) {
        testDescription = description
        text = "atomic x = 0, y = 0\nshared message = 0, seen = 0\n" + threads
        self.hasRace = hasRace
    }

    /// One thread writes the message, and another reads it where it has seen what the first did last.
    private init(_ writer: String, to reader: String, race hasRace: Bool) {
        self.init(
            "\(writer) | \(reader)",
            "thread writer { message = 1; \(writer) }\nthread reader { \(reader.replacing("…", with: "seen = message")) }",
            race: hasRace)
    }

    static let all: [OrderedProgram] =
        messages + sequences + [
            OrderedProgram(
                "the end of a thread", "thread a { message = 1; x.store(1, relaxed) }\nfinally { seen = message }",
                race: false),
            OrderedProgram(
                "the start of a thread",
                "thread a { message = 1; spawn b; join b }\nthread b { x.store(message, relaxed) }", race: false),
            OrderedProgram(
                "a fence is of its thread alone",
                "thread a { message = 1; fence(release); spawn b; join b }\nthread b { x.store(1, relaxed) }\n"
                    + "thread c { if x.load(acquire) == 1 { seen = message } }", race: true),
        ]

    private static let messages = [
        OrderedProgram("x.store(1, relaxed)", to: "if x.load(relaxed) == 1 { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "if x.load(relaxed) == 1 { … }", race: true),
        OrderedProgram("x.store(1, relaxed)", to: "if x.load(acquire) == 1 { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "if x.load(acquire) == 1 { … }", race: false),
        OrderedProgram("x.store(1)", to: "if x.load() == 1 { … }", race: false),
        OrderedProgram("x.store(1)", to: "if x.load(relaxed) == 1 { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "await x.load(relaxed) == 1; …", race: true),
        OrderedProgram("x.store(1, release)", to: "await x.load(acquire) == 1; …", race: false),
        OrderedProgram("x.store(1, relaxed)", to: "await x.load(acquire) == 1; …", race: true),
        // Fences
        OrderedProgram("fence(release); x.store(1, relaxed)", to: "if x.load(acquire) == 1 { … }", race: false),
        OrderedProgram("fence(acquire); x.store(1, relaxed)", to: "if x.load(acquire) == 1 { … }", race: true),
        OrderedProgram("x.store(1, relaxed); fence(release)", to: "if x.load(acquire) == 1 { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "if x.load(relaxed) == 1 { fence(acquire); … }", race: false),
        OrderedProgram("x.store(1, release)", to: "if x.load(relaxed) == 1 { fence(release); … }", race: true),
        OrderedProgram("x.store(1, release)", to: "fence(acquire); if x.load(relaxed) == 1 { … }", race: true),
        OrderedProgram(
            "fence(acqRel); x.store(1, relaxed)", to: "if x.load(relaxed) == 1 { fence(acqRel); … }", race: false),
        OrderedProgram(
            "fence(seqcst); x.store(1, relaxed)", to: "await x.load(relaxed) == 1; fence(seqcst); …", race: false),
        OrderedProgram("x.store(1, relaxed)", to: "await x.load(relaxed) == 1; fence(seqcst); …", race: true),
        OrderedProgram(
            "fence(release); y.store(1, relaxed); x.store(1, relaxed)", to: "if x.load(acquire) == 1 { … }", race: false
        ),
        OrderedProgram(
            "x.store(1, release)", to: "if x.load(relaxed) == 1 { y.load(relaxed); fence(acquire); … }", race: false),
        // Updates
        OrderedProgram("x.add(1, release)", to: "if x.add(0, acquire) == 1 { … }", race: false),
        OrderedProgram("x.add(1, acquire)", to: "if x.add(0, acquire) == 1 { … }", race: true),
        OrderedProgram("x.add(1, acqRel)", to: "if x.exchange(2, release) == 1 { … }", race: true),
        OrderedProgram("fence(release); x.add(1, relaxed)", to: "if x.load(acquire) == 1 { … }", race: false),
        // Compare-exchanges, and those that fail
        OrderedProgram("x.store(1, release)", to: "if x.compareExchange(1, 2, acquire) { … }", race: false),
        OrderedProgram("x.store(1, release)", to: "if x.compareExchange(1, 2, release) { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "if !x.compareExchange(0, 2, acqRel, relaxed) { … }", race: true),
        OrderedProgram("x.store(1, release)", to: "if !x.compareExchange(0, 2, relaxed, acquire) { … }", race: false),
        OrderedProgram("x.store(1, release)", to: "if !x.compareExchange(0, 2, acqRel) { … }", race: false),
        OrderedProgram("x.store(1, release)", to: "if !x.compareExchange(0, 2, release) { … }", race: true),
    ]

    private static func relay(_ first: String, _ second: String, _ last: String, race: Bool) -> OrderedProgram {
        OrderedProgram(
            "\(first) | \(second) | \(last)",
            "thread first { message = 1; \(first) }\nthread second { \(second) }\n"
                + "thread last { if \(last) { seen = message } }", race: race)
    }

    /// Release sequences: updates continue one, and every other write ends it (C++20).
    private static let sequences = [
        relay("x.store(1, release)", "x.add(1, relaxed)", "x.load(acquire) == 2", race: false),
        relay("x.store(1, release)", "if x.compareExchange(1, 2, relaxed) { }", "x.load(acquire) == 2", race: false),
        relay("x.store(1, relaxed)", "x.add(1, release)", "x.load(acquire) == 2", race: true),
        relay("x.store(1, relaxed)", "x.add(1, acqRel)", "x.load(acquire) == 2", race: true),
        relay("x.store(1, release)", "x.add(1, release)", "x.load(acquire) == 2", race: false),
        relay(
            "x.store(1, release)", "if x.load(relaxed) == 1 { x.store(2, relaxed) }", "x.load(acquire) == 2", race: true
        ),
        relay(
            "x.store(1, release)", "if x.load(relaxed) == 1 { x.store(2, release) }", "x.load(acquire) == 2", race: true
        ),
        relay(
            "x.store(1, release)", "if x.load(acquire) == 1 { x.store(2, release) }", "x.load(acquire) == 2",
            race: false),
        relay(
            "x.store(1, release)", "if x.load(relaxed) == 1 { fence(acqRel); x.store(2, relaxed) }",
            "x.load(acquire) == 2", race: false),
        relay("x.store(1, release); x.store(2, relaxed)", "", "x.load(acquire) == 2", race: true),
        relay("x.store(1, release); x.add(1, relaxed)", "", "x.load(acquire) == 2", race: false),
        relay("fence(release); x.store(1, relaxed); x.store(2, relaxed)", "", "x.load(acquire) == 2", race: false),
        relay(
            "x.store(1, release)", "if x.load(acquire) == 1 { y.store(1, relaxed) }", "y.load(acquire) == 1", race: true
        ),
    ]
}
