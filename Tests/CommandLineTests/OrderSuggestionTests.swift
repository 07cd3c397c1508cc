import Support
import Testing

/// `explore --suggest` of programs with memory orders: the weakest that suffice.
@Suite struct OrderSuggestionTests {
    private static let storeBuffering = """
        scenario "x"
        atomic x = 0, y = 0
        shared r0 = 0, r1 = 0
        thread left { x.store(1, relaxed); r0 = y.load(relaxed) }
        thread right { y.store(1, relaxed); r1 = x.load(relaxed) }
        expect never r0 == 0 && r1 == 0

        """

    private static func messagePassing(store: String, load: String, fence: String = "") -> String {
        """
        scenario "x"
        shared data = 0
        atomic isReady = false
        thread writer { data = 1; \(fence)isReady.store(true\(store)) }
        thread reader { await isReady.load(\(load)); assert data == 1 }

        """
    }

    private func suggest(_ program: String, _ options: String...) throws -> Ended {
        let directory = try TemporaryDirectory()
        let file = try directory.write("x.lab", Array(program.utf8))
        return try Invocation(program: Programs.threadlab, arguments: ["explore", file, "--suggest"] + options).wide
            .run()
    }

    @Test(arguments: [
        ("tso", "y.load(relaxed)", "'seqcst' instead of 'relaxed', lines 4, 5."),
        ("rc11", "y.load(seqcst)", "'seqcst' instead of 'relaxed', lines 4, 5."),
    ])
    func `the fewest orders are strengthened that forbid what the model allows`(
        model: String, load: String, words: String
    ) throws {
        try suggest(Self.storeBuffering, "--model", model).exits(with: 1).prints("suggestion: \(words)")
            .prints("+thread left { x.store(1, seqcst); r0 = \(load) }")
            .prints("No smaller number of orders cures it, and none of these can be weaker.")
    }

    @Test func `a flag that orders nothing becomes one that does, no stronger than needed`() throws {
        try suggest(Self.messagePassing(store: ", relaxed", load: "relaxed")).exits(with: 1)
            .prints("suggestion: 'release' instead of 'relaxed', line 4; and 'acquire' instead of 'relaxed', line 5.")
            .prints("+thread writer { data = 1; isReady.store(true, release) }")
            .prints("+thread reader { await isReady.load(acquire); assert data == 1 }")
    }

    @Test func `orders that are stronger than needed can be weaker`() throws {
        try suggest(Self.messagePassing(store: "", load: ""), "--model", "rc11").succeeds()
            .prints("suggestion: 'release' instead of 'seqcst', line 4; and 'acquire' instead of 'seqcst', line 5.")
            .prints("+thread writer { data = 1; isReady.store(true, release) }")
            .prints("With any other order weaker, an execution fails.")
        // Beside the fence, the store may be relaxed.
        try suggest(Self.messagePassing(store: "", load: "acquire", fence: "fence(seqcst); "), "--model", "rc11")
            .succeeds()
            .prints("+thread writer { data = 1; fence(release); isReady.store(true, relaxed) }")
    }

    @Test func `orders that are all needed stay`() throws {
        let right = Self.messagePassing(store: ", release", load: "acquire")
        try suggest(right, "--model", "rc11").succeeds()
            .prints("suggestion: no memory order can be weaker: with each, an execution fails.")
        // Under sc, an order matters to races only.
        let quiet = try suggest(right, "--model", "sc").succeeds()
        #expect(!quiet.output.contains("suggestion"))
    }

    @Test func `a program that may end in a race under each model is to complete under each`() throws {
        let races = ["sc", "tso", "rc11"].map { "expect under \($0) race\n" }.joined()
        let relaxed = Self.messagePassing(store: ", relaxed", load: "relaxed") + races
        for model in ["sc", "rc11"] {
            try suggest(relaxed, "--model", model).succeeds()
                .prints(
                    "suggestion: 'release' instead of 'relaxed', line 4; and 'acquire' instead of 'relaxed', line 5."
                )
                .prints("-expect under sc race")
        }
    }

    @Test func `what no order cures is left to other changes`() throws {
        let lost = """
            scenario "x"
            atomic x = 0
            thread t[2] { let seen = x.load(relaxed); x.store(seen + 1, relaxed) }
            finally { assert x.load() == 2 }

            """
        try suggest(lost).exits(with: 1).prints("one update instead of a read and a write")
    }
}
