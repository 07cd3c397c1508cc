import Text

/// A command of `play`, typed as a line (`step 1`) or given by a key.
package enum PlayCommand: Equatable, Sendable {
    /// Where `goto` leads.
    package enum Target: Equatable, Sendable {
        case position(Int)
        case bookmark(String)
    }

    /// How the next thread is chosen while the run continues by itself.
    package enum Strategy: Equatable, Sendable {
        /// The thread of the last step while it can step, otherwise the one with the lowest number that can.
        case byDefault
        case random(seed: UInt64)
    }

    /// Where a run that continues by itself stops.
    package enum Stop: Equatable, Sendable {
        case end, finding
        /// The next event whose name contains this word.
        case event(String)
        /// The next event at this line of the source.
        case line(Int)
    }

    /// A step of a thread, which is given by number or name. `way`: which way the step goes, if it can go several ways.
    case step(thread: String, way: Int?)
    /// The answer to the open question.
    case answer([Int])
    /// Withdraws the open question.
    case cancel
    case forward(Int)
    case back(Int)
    case goTo(Target)
    case start, end
    case run(Strategy, until: Stop)
    case why(thread: String)
    case hint
    /// Switches predict mode on or off. Nil: to the other.
    case predict(Bool?)
    /// Sets a bookmark. Nil: it is named after the step.
    case bookmark(String?)
    case bookmarks
    case schedule, state, source, lanes, trace, help, quit
}

extension PlayCommand {
    /// Why a line is not a command: one sentence.
    package struct ParseError: Error, Equatable, CustomStringConvertible {
        package let message: String
        package var description: String { message }

        init(_ message: String) { self.message = message }
    }

    /// Reads a typed line. Nil: the line is empty, or a comment that begins with `#`.
    ///
    /// - Parameter isAsked: whether a question is open, so that numbers answer it.
    package static func read(_ line: String, isAsked: Bool) throws(ParseError) -> PlayCommand? {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        let rest = Array(words.dropFirst())
        let numbers = words.map { Int($0) }
        if isAsked, numbers.allSatisfy({ $0 != nil }) { return .answer(numbers.compactMap(\.self)) }
        if isAsked, rest.isEmpty, let answer = answers[first] { return .answer(answer) }
        if numbers[0] != nil { return try step(words) }
        switch first {
        case "step", "s": return try step(rest)
        case "forward", "f", "next": return .forward(try count(rest, first))
        case "back", "b": return .back(try count(rest, first))
        case "goto", "g": return try target(rest)
        case "run", "r": return try run(rest)
        case "why", "?": return .why(thread: try only(rest, first, "a thread, by number or by name"))
        case "predict", "p": return try predict(rest)
        case "bookmark": return .bookmark(try atMostOne(rest, first))
        default: break
        }
        guard let command = plain[first] else { throw unknown(first) }
        guard rest.isEmpty else { throw ParseError("'\(first)' takes nothing after it.") }
        return command
    }

    /// Words that answer a question, and the numbers that they stand for.
    private static let answers: [String: [Int]] = ["none": [], "false": [0], "true": [1]]

    /// Commands without arguments.
    private static let plain: [String: PlayCommand] = [
        "start": .start, "end": .end, "hint": .hint, "h": .hint, "bookmarks": .bookmarks, "schedule": .schedule,
        "state": .state, "source": .source, "lanes": .lanes, "trace": .trace, "help": .help, "cancel": .cancel,
        "quit": .quit, "q": .quit,
    ]

    /// All command words, for suggestions.
    package static let words =
        ["step", "forward", "back", "goto", "run", "why", "predict", "bookmark"]
        + plain.keys.filter { $0.count > 1 }.sorted()

    private static func unknown(_ word: String) -> ParseError {
        let close = closest(to: word, among: words).map { " Did you mean '\($0)'?" } ?? ""
        return ParseError("'\(word.printable)' is not a command.\(close) 'help' lists the commands.")
    }

    private static func step(_ words: [String]) throws(ParseError) -> PlayCommand {
        guard let thread = words.first, words.count <= 2 else {
            throw ParseError(
                "'step' takes a thread, and a number if its step can go several ways: 'step 1 0'.")
        }
        guard words.count == 2 else { return .step(thread: thread, way: nil) }
        return .step(thread: thread, way: try number(words[1], "a way"))
    }

    private static func count(_ words: [String], _ command: String) throws(ParseError) -> Int {
        guard let word = try atMostOne(words, command) else { return 1 }
        return try number(word, "a number of steps")
    }

    private static func target(_ words: [String]) throws(ParseError) -> PlayCommand {
        let word = try only(words, "goto", "the number of a step, or a bookmark")
        return .goTo(Int(word).map { .position(max(0, $0)) } ?? .bookmark(word))
    }

    private static func predict(_ words: [String]) throws(ParseError) -> PlayCommand {
        switch try atMostOne(words, "predict") {
        case nil: return .predict(nil)
        case "on": return .predict(true)
        case "off": return .predict(false)
        case let other?: throw ParseError("'predict' takes 'on' or 'off', not '\(other.printable)'.")
        }
    }

    /// For example `run`, `run random 3`, `run until end`, `run random 3 until line 7`.
    private static func run(_ words: [String]) throws(ParseError) -> PlayCommand {
        var words = words[...]
        var strategy = Strategy.byDefault
        if words.first == "random" {
            words = words.dropFirst()
            var seed = 1
            if let word = words.first, word != "until" {
                seed = try number(word, "a seed")
                words = words.dropFirst()
            }
            strategy = .random(seed: UInt64(seed))
        }
        if words.isEmpty { return .run(strategy, until: .finding) }
        guard words.first == "until" else {
            throw ParseError("'\(words[words.startIndex].printable)' is not 'random' or 'until'.")
        }
        return .run(strategy, until: try stop(Array(words.dropFirst())))
    }

    private static func stop(_ words: [String]) throws(ParseError) -> Stop {
        switch (words.first, words.count) {
        case ("end", 1): return .end
        case ("finding", 1): return .finding
        case ("line", 2): return .line(try number(words[1], "a line"))
        case ("event", 2): return .event(words[1])
        default: throw ParseError("'until' takes 'end', 'finding', 'line N' or 'event NAME'.")
        }
    }

    private static func only(_ words: [String], _ command: String, _ what: String) throws(ParseError) -> String {
        guard words.count == 1 else { throw ParseError("'\(command)' takes \(what).") }
        return words[0]
    }

    private static func atMostOne(_ words: [String], _ command: String) throws(ParseError) -> String? {
        guard words.count <= 1 else { throw ParseError("'\(command)' takes one word.") }
        return words.first
    }

    private static func number(_ word: String, _ what: String) throws(ParseError) -> Int {
        guard let number = Int(word), number >= 0 else {
            throw ParseError("'\(word.printable)' is not \(what): use a number from 0 on.")
        }
        return number
    }
}
