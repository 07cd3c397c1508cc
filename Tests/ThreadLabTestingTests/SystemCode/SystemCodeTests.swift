import Support
import Testing
import ThreadLabTesting

@Suite struct SystemCodeTests {
    @Test func `code for the system's types that is compiled for the lab's is the same`() throws {
        let texts = try ["CodeOfSystem", "CodeOfLab"].map { name in
            let text = try #require(Repository.text(of: "Tests/ThreadLabTestingTests/SystemCode/\(name).swift"))
            return text[try #require(text.firstRange(of: "// MARK: - The same in both files")).lowerBound...]
        }
        #expect(texts[0] == texts[1])
    }

    @Test(arguments: CodeOfSystem.parts.indices)
    func `code for the system's types says the same under the lab as with the system`(part: Int) throws {
        let expected = CodeOfSystem.parts[part]()
        #expect(!expected.isEmpty)
        var seen: Set<[String]> = []
        try explore(.random(executions: 20), time: .seconds(600)) { seen.insert(CodeOfLab.parts[part]()) }
        #expect(seen == [expected])
        #expect(CodeOfLab.parts[part]() == expected)
    }
}
