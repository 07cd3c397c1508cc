import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Support
import Testing
import Trace

@testable import Reports

/// A page of a program as its scripts see it: rows of numbers, looked up in tables of words.
struct ReadProgramPage {
    struct Move: Equatable {
        let thread: Int
        let way: Int
        let target: Int
    }

    let html: String
    let data: JSON
    let threads: [String]
    let objects: [String]
    let moves: [[Move]]
    private let rows: [Int]
    private let threadWords: [(kind: String, step: String, holds: String, line: Int)]
    private let objectWords: [(value: String, holders: String)]
    /// By state: its end's kind; what is wrong in it.
    let ends: [Int: String]
    let races: Set<Int>
    let cycles: Set<Int>

    init(_ html: String) throws {
        let page = try #require(ReadPage(html, id: "program"))
        self.html = html
        data = page.data
        threads = data["threads"].items.compactMap(\.text)
        objects = data["objects"].items.compactMap { $0.items[0].text }
        rows = data["rows"].items.map(\.number)
        threadWords = data["threadStates"].items.map { words in
            let words = words.items
            return (words[0].text ?? "", words[1].text ?? "", words[3].text ?? "", words[4].number)
        }
        objectWords = data["objectStates"].items.map { ($0.items[0].text ?? "", $0.items[1].text ?? "") }
        moves = data["moves"].items.map { list in
            let numbers = list.items.map(\.number)
            var ways: [Int: Int] = [:]
            return stride(from: 0, to: numbers.count, by: 2).map { place in
                defer { ways[numbers[place], default: 0] += 1 }
                return Move(
                    thread: numbers[place], way: ways[numbers[place], default: 0], target: numbers[place + 1])
            }
        }
        let pairs = { (name: String) in
            let numbers = page.data[name].items.map(\.number)
            return stride(from: 0, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        }
        let kinds = data["ends"].items.compactMap { $0.items[0].text }
        ends = Dictionary(uniqueKeysWithValues: pairs("endAt").map { ($0, kinds[$1]) })
        races = Set(pairs("raceAt").map(\.0))
        cycles = Set(pairs("cycleAt").map(\.0))
    }

    private var width: Int { threads.count + objects.count }

    func thread(_ number: Int, in state: Int) -> (kind: String, step: String, holds: String, line: Int) {
        threadWords[rows[state * width + number]]
    }

    func object(_ number: Int, in state: Int) -> (value: String, holders: String) {
        objectWords[rows[state * width + threads.count + number]]
    }

    /// The threads that the page lets step.
    func ready(in state: Int) -> [Int] { threads.indices.filter { thread($0, in: state).kind == "ready" } }
}

extension JSON {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}

/// A `.lab` program of a test, and its page.
struct PagedTestProgram {
    let bytecode: Bytecode
    let program: Program
    let rules: Rules

    /// - Parameter text: with its first line.
    init(_ text: String, _ rules: Rules = Rules()) throws {
        let reading = SourceText(name: "test.lab", text).read()
        program = try #require(reading.program, "\(reading.diagnostics.map(\.message))")
        bytecode = try program.compiled()
        self.rules = rules
    }

    func engine() -> Engine { Engine(bytecode, rules: rules) }

    /// - Parameter most: the maximum number of states.
    func map(most: Int = 5000) throws -> StateMap { try StateMap(engine(), rules, most: { _, _ in most }) }

    func page(_ map: StateMap) -> ProgramPage {
        ProgramPage(
            map, title: program.title,
            file: PageFile(name: program.source.name, text: String(decoding: program.source.bytes, as: UTF8.self)),
            command: "threadlab replay test.lab --schedule")
    }

    func read() throws -> ReadProgramPage {
        let page = page(try map())
        return try ReadProgramPage(ByteSink.collect { page.write(to: &$0) })
    }
}
