import Diagnosis
import Testing

/// `threadlab explain`
@Suite struct ExplainTests {
    private func explain(_ words: String...) -> Invocation {
        Invocation(program: Programs.threadlab, arguments: ["explain"] + words)
    }

    @Test func `without a word all codes and terms are listed`() throws {
        let list = try explain().with("COLUMNS", "100").run().succeeds()
        for code in FindingCode.allCases { list.prints("  \(code.rawValue)  \(code.name)").prints(code.title) }
        for term in Term.all { list.prints(term.name) }
    }

    @Test func `a code, its name and capital letters lead to the same page`() throws {
        let page = try explain("TL201").run().succeeds().prints("TL201 race: data race").prints("expect race")
        for word in ["tl201", "race", "RACE"] {
            #expect(try explain(word).run().succeeds().output == page.output)
        }
    }

    @Test func `several words are one term, with or without quotation marks`() throws {
        let page = try explain("lost wake-up").run().succeeds().prints("lost wake-up").prints("TL301")
        for words in [["lost", "wake", "up"], ["Lost", "wake-up"], ["lost-wake-up"]] {
            let asked = Invocation(program: Programs.threadlab, arguments: ["explain"] + words)
            #expect(try asked.run().succeeds().output == page.output)
        }
        try explain("condtion", "variable").run().exits(with: 2)
            .complains("no finding or term is called 'condtion variable': did you mean 'condition variable'?")
    }

    @Test func `a word of several titles lists them`() throws {
        try explain("lock").run().succeeds().prints("TL103").prints("TL404").doesNotPrint("TL602")
        try explain("lock", "--example").run().exits(with: 2).printsNothing()
            .complainsInOneLine(about: "TL103 (lock-order)")
    }

    @Test(arguments: [
        ("TL110", "no finding or term is called 'TL110': did you mean 'TL101'?"),
        ("deadlok", "no finding or term is called 'deadlok': did you mean 'deadlock'?"),
        ("mutx", "no finding or term is called 'mutx': did you mean 'mutex'?"),
        ("hapens-before", "no finding or term is called 'hapens-before': did you mean 'happens-before'?"),
        ("xyz", "no finding or term is called 'xyz': 'threadlab explain' lists them"),
        ("", "no finding or term is called '': 'threadlab explain' lists them"),
        ("\u{1B}[31m", "no finding or term is called '\\u{1B}[31m': 'threadlab explain' lists them"),
    ])
    func `what is not known is refused, with the closest that is`(word: String, complaint: String) throws {
        try explain(word).run().exits(with: 2).printsNothing().complains(complaint)
    }

    @Test func `a program is asked for with a code, in one form`() throws {
        try explain("--example").run().exits(with: 2).printsNothing().complainsInOneLine(about: "WHAT is missing")
        try explain("TL101", "--example", "--fixed").run().exits(with: 2).complainsInOneLine(
            about: "cannot be used together")
    }

    @Test func `JSON has all of it`() throws {
        let list = try explain("--format", "json").run().succeeds().output
        #expect(isJSON(list))
        for code in FindingCode.allCases {
            #expect(list.contains("{\"code\":\"\(code.rawValue)\",\"name\":\"\(code.name)\""))
        }
        let one = try explain("TL603", "--format", "json").run().succeeds().output
        #expect(isJSON(one) && one.contains("\"outcome\":\"misuse\"") && one.contains("\"exampleShows\":\"TL701\""))
    }

    @Test(arguments: FindingCode.allCases) func `a page keeps to the width, but for what is pasted`(_ code: FindingCode)
        throws
    {
        let page = try explain(code.rawValue).with("COLUMNS", "60").run().succeeds().isSafeToShow()
        let own = page.lines.filter { !$0.hasPrefix("    ") && !$0.hasPrefix("  threadlab ") }
        #expect(own.allSatisfy { $0.count <= 60 || $0.contains("https://") })
    }
}
