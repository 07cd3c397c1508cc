import LabEditing
import LabProgram
import LabSyntax
import Support
import Testing

/// What an editor asks about a program: names, renaming, completion.
@Suite struct EditedProgramTests {
    private static let text = """
        scenario "queue"
        parameter size = 2
        shared items = [0]
        atomic ready = false
        mutex m
        func put(value: Int) { items.append(value) }
        thread producer {
            let value = size
            lock m { put(value) }
            ready.store(true)
            note "put \\(value) of \\(size)"
        }
        thread consumer {
            let value = ready.compareExchange(expected: true, desired: false)
            if value { note "taken" }
        }
        expect possible ready
        """

    private let program = EditedProgram(SourceText(name: "queue.lab", text))

    /// The place of the n-th occurrence of a text.
    private func place(_ wanted: String, _ number: Int = 0) throws -> Int {
        let ranges = Self.text.ranges(of: wanted)
        try #require(ranges.indices.contains(number))
        return Self.text.utf8.distance(from: Self.text.startIndex, to: ranges[number].lowerBound)
    }

    private func lines(_ spans: [Span]) -> [Int] { spans.map { program.source.site(of: $0.start).line } }

    @Test func `a name means the declaration whose scope it is in`() throws {
        let producers = try #require(program.name(at: try place("value) }", 1)))
        #expect(lines([producers.name.span]) == [8])
        let consumers = try #require(program.name(at: try place("value { note")))
        #expect(lines([consumers.name.span]) == [14])
        let argument = try #require(program.name(at: try place("value) }")))
        #expect(lines([argument.name.span]) == [6])
        #expect(program.name(at: try place("size", 0))?.noun == "a parameter")
    }

    @Test func `uses are found in texts, and members and labels are none`() throws {
        let size = try #require(program.name(at: try place("size")))
        #expect(lines(program.uses(of: size)) == [2, 8, 11])
        let value = try #require(program.name(at: try place("value = size")))
        #expect(lines(program.uses(of: value)) == [8, 9, 11])
        #expect(program.name(at: try place("append")) == nil)
        #expect(program.name(at: try place("expected:")) == nil)
        #expect(program.name(at: try place("mutex")) == nil)
        let ready = try #require(program.name(at: try place("ready", 3)))
        #expect(lines(program.uses(of: ready)) == [4, 10, 14, 17])
    }

    @Test(arguments: [
        ("lock", "'lock' is a word of the language"), ("m", "'m' is already declared"), ("2nd", "is not a name"),
        ("", "is not a name"), ("a b", "is not a name"), ("producer", "'producer' is already declared"),
    ])
    func `a name that cannot be is refused with the reason`(_ text: String, _ reason: String) throws {
        let name = try #require(program.name(at: try place("items")))
        let refusal = #expect(throws: RenamingRefused.self) { try program.renaming(name, to: text) }
        #expect(refusal?.reason.contains(reason) == true)
    }

    @Test func `a name that would hide another one is refused`() throws {
        let value = try #require(program.name(at: try place("value = size")))
        #expect(throws: RenamingRefused.self) { try program.renaming(value, to: "size") }
        #expect(throws: Never.self) { try program.renaming(value, to: "seen") }
    }

    @Test func `after a dot there are the members of the object, elsewhere names and words`() throws {
        let members = program.completions(at: try place("store")).map(\.text)
        #expect(members.contains("load()") && members.contains("store(value)") && !members.contains("add(value)"))
        let list = program.completions(at: try place("append")).map(\.text)
        #expect(list.contains("append(value)") && list.contains("count"))
        let inside = program.completions(at: try place("put(value) }")).map(\.text)
        #expect(inside.contains("put") && inside.contains("value") && inside.contains("lock"))
        #expect(!inside.contains("scenario"))
        let outside = program.completions(at: try place("mutex")).map(\.text)
        #expect(outside.contains("semaphore") && outside.contains("barrier") && !outside.contains("value"))
    }

    @Test func `a comment has no completions, and broken text no trap`() {
        let comment = EditedProgram(SourceText(name: "x", "scenario \"x\"\n// a."))
        #expect(comment.completions(at: 17).isEmpty)
        for length in 0...Self.text.utf8.count {
            let text = String(decoding: Self.text.utf8.prefix(length), as: UTF8.self)
            let broken = EditedProgram(SourceText(name: "x", text))
            for place in [0, length / 2, length, length + 5] {
                _ = broken.completions(at: place)
                _ = broken.name(at: place).map { broken.uses(of: $0) }
            }
        }
    }

    /// All programs that come with threadlab: each name is given another one, and the program is as right as before.
    @Test func `every name of every program can be renamed, and the program stays the same`() throws {
        let paths = Repository.paths(in: "scenarios", ending: ".lab")
        #expect(paths.count > 250)
        for path in paths {
            let source = SourceText(name: path, try #require(Repository.text(of: path)))
            let program = EditedProgram(source)
            for name in program.names {
                let places: [Span]
                do {
                    places = try program.renaming(name, to: "another_name")
                } catch {
                    Issue.record("\(path): \(name.name.text): \(error.reason)")
                    continue
                }
                #expect(places.contains(name.name.span), "\(path): \(name.name.text)")
                // Every word that is the name in the program's tree has been found: without one, the changed text has an error.
                #expect(places.allSatisfy { source.text($0) == name.name.text }, "\(path): \(name.name.text)")
            }
        }
    }
}
