import Testing

@testable import Play

/// Commands as they are typed.
@Suite struct PlayCommandTests {
    @Test(arguments: [
        ("1", PlayCommand.step(thread: "1", way: nil)), ("step first", .step(thread: "first", way: nil)),
        ("  2   1 ", .step(thread: "2", way: 1)), ("forward", .forward(1)), ("b 12", .back(12)),
        ("goto 7", .goTo(.position(7))), ("goto here", .goTo(.bookmark("here"))),
        ("run", .run(.byDefault, until: .finding)),
        ("run random until end", .run(.random(seed: 1), until: .end)),
        ("run random 3 until line 7", .run(.random(seed: 3), until: .line(7))),
        ("run until event signal", .run(.byDefault, until: .event("signal"))), ("why 2", .why(thread: "2")),
        ("predict", .predict(nil)), ("predict off", .predict(false)), ("bookmark", .bookmark(nil)), ("quit", .quit),
        ("cancel", .cancel),
    ])
    func `a line is read`(line: String, command: PlayCommand) throws {
        #expect(try PlayCommand.read(line, isAsked: false) == command)
    }

    @Test func `numbers answer an open question, and words do not`() throws {
        #expect(try PlayCommand.read("1 2", isAsked: true) == .answer([1, 2]))
        #expect(try PlayCommand.read("none", isAsked: true) == .answer([]))
        #expect(try PlayCommand.read("true", isAsked: true) == .answer([1]))
        #expect(try PlayCommand.read("back", isAsked: true) == .back(1))
    }

    @Test(arguments: [
        ([1, 2], "1 or 2"), ([3, 1, 2], "1, 2, 3"), ([0, 1, 2, 3], "a number from 0 to 3"), ([4], "4"),
    ])
    func `what to type is said in few words`(numbers: [Int], words: String) {
        #expect(Ways.request(numbers) == "Type \(words).")
    }

    @Test func `neighboring threads at a line are a range`() {
        #expect(PlaySession.ranges([5, 1, 2, 3]) == "1-3,5")
        #expect(PlaySession.ranges([0, 1]) == "0,1")
    }

    @Test(arguments: ["", "   ", "# a remark"]) func `some lines say nothing`(line: String) throws {
        #expect(try PlayCommand.read(line, isAsked: false) == nil)
    }

    @Test(arguments: [
        "stp", "step", "1 2 3", "1 x", "forward -1", "run fast", "run until", "run until line x", "goto", "why",
        "predict maybe", "state now", "\u{1B}[2J",
    ])
    func `what cannot be read is explained without control characters`(line: String) {
        let error = #expect(throws: PlayCommand.ParseError.self) { try PlayCommand.read(line, isAsked: false) }
        let message = error?.message ?? ""
        #expect(message.hasSuffix(".") && !message.unicodeScalars.contains { $0.value < 32 })
    }
}
