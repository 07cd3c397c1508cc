import LabExecution
import Machine

/// Compares a page with the engine, which is led along every move of the page from the beginning: no state is stored, and no
/// step remembered.
struct EngineWalk {
    private let page: ReadProgramPage
    private let engine: Engine
    /// By state: moves that lead to it, as the machine takes them.
    private var paths: [[(thread: Int, way: Int)]?]
    private(set) var differences: [String] = []
    private(set) var edges = 0

    init(_ page: ReadProgramPage, _ engine: Engine) {
        self.page = page
        self.engine = engine
        paths = Array(repeating: nil, count: page.moves.count)
        paths[0] = []
        compare(0)
        for state in page.moves.indices { follow(state) }
    }

    private mutating func follow(_ state: Int) {
        guard let path = paths[state] else { return note(state, "no state before it leads to it") }
        for move in page.moves[state] where differences.count < 10 {
            edges += 1
            go(path)
            guard let thread = machineThread(move.thread) else {
                return note(state, "thread \(move.thread) does not exist")
            }
            take(thread, move.way)
            compare(move.target)
            if paths[move.target] == nil { paths[move.target] = path + [(thread, move.way)] }
        }
    }

    private func go(_ path: [(thread: Int, way: Int)]) {
        engine.beginStates()
        for (thread, way) in path { take(thread, way) }
    }

    private func take(_ thread: Int, _ way: Int) {
        if thread < 0 { engine.passTime() } else { engine.take(thread, way: way) }
    }

    /// The machine's number of a thread, by its name.
    private func machineThread(_ number: Int) -> Int? {
        if number < 0 { return -1 }
        return (0..<engine.machine.threadCount).first { name(of: $0) == page.threads[number] }
    }

    private func name(of thread: Int) -> String {
        engine.nextStepInWords(of: thread).split(separator: ": ").first.map(String.init) ?? ""
    }

    // MARK: - One state

    private mutating func compare(_ state: Int) {
        let end = engine.verdict?.outcome?.rawValue
        expect(state, "its end", page.ends[state] ?? "none", end ?? "none")
        expect(state, "its values", values(on: state), engine.memoryInWords)
        expect(state, "what is held", holders(on: state), holders)
        if end != nil { return expect(state, "its moves", page.moves[state].count, 0) }
        let machine = engine.machine
        let enabled = (0..<machine.threadCount).filter { machine.isEnabled($0) }
        expect(state, "its threads", Set(page.ready(in: state).map { page.threads[$0] }), Set(enabled.map(name)))
        let steps = page.moves[state].filter { $0.thread >= 0 }
        expect(state, "its moves", steps.count, enabled.reduce(0) { $0 + machine.alternatives(of: $1) })
        for thread in enabled {
            guard let number = page.threads.firstIndex(of: name(of: thread)) else { continue }
            let (_, step, _, line) = page.thread(number, in: state)
            let words = engine.nextStepInWords(of: thread)
            if line != 0, words.contains(" :") {
                expect(state, "a line", "\(line)", String(words.split(separator: ":").last ?? ""))
            }
            if step.isEmpty { note(state, "\(name(of: thread)) has no step") }
        }
    }

    private func values(on state: Int) -> [String] {
        page.objects.indices.compactMap { number in
            let value = page.object(number, in: state).value.split(separator: " permit").first.map(String.init) ?? ""
            return value == "" || value == "free" ? nil : "\(page.objects[number]) = \(value)"
        }
    }

    private func holders(on state: Int) -> [String] {
        page.objects.indices.compactMap { number in
            let holders = page.object(number, in: state).holders
            return holders.isEmpty ? nil : "\(page.objects[number]): \(holders)"
        }
    }

    /// Of those that the page shows.
    private var holders: [String] {
        let machine = engine.machine
        return engine.shownObjects.indices.dropFirst().compactMap { number in
            guard let object = engine.shownObjects[number], page.objects.contains(object.name) else { return nil }
            let state = machine.object(UInt32(number))
            guard state.kind.isMutex || state.kind.isReadWriteLock else { return nil }
            let readers = (0..<machine.threadCount).filter {
                state.kind.isReadWriteLock && machine.holdsToRead(UInt32(number), $0)
            }
            let all = (state.owner > 0 ? [Int(state.owner) - 1] : []) + readers
            if all.isEmpty { return nil }
            let held = Set(all.map(name))
            let names = page.threads.filter { held.contains($0) }
            return "\(object.name): \(names.joined(separator: ", "))\(readers.isEmpty ? "" : " (reading)")"
        }
    }

    private mutating func expect<T: Equatable>(_ state: Int, _ what: String, _ seen: T, _ expected: T) {
        if seen != expected { note(state, "\(what): \(seen), and the engine has \(expected)") }
    }

    private mutating func note(_ state: Int, _ text: String) {
        if differences.count < 10 { differences.append("state \(state): \(text)") }
    }
}
