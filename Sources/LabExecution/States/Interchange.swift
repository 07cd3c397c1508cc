import Machine

/// The threads of a program that can be exchanged for each other, because they run the same code and nothing tells them
/// apart.
struct Interchange {
    /// Ranges of the machine's numbers of threads.
    private(set) var ranges: [Range<Int>] = []
    /// For other threads with the same code, the reason why they are different, a sentence each.
    private(set) var distinctions: [String] = []

    init(_ bytecode: Bytecode) {
        var started = 1
        for (number, thread) in bytecode.program.threads.enumerated() {
            let count = bytecode.configuration.threadCounts[number]
            guard thread.startsByItself else {
                if count > 1 { distinguish(thread.name, "the program starts them one by one") }
                continue
            }
            let range = started..<started + count
            started += count
            if count < 2 { continue }
            let body = bytecode.program.functions.count + 1 + number
            if let line = bytecode.lineOfIndex(body) {
                distinguish(thread.name, "the program uses 'index' on line \(line)")
            } else if !bytecode.joinsTogether(range) {
                distinguish(thread.name, "the program joins or detaches them one by one")
            } else {
                ranges.append(range)
            }
        }
    }

    private mutating func distinguish(_ threads: String, _ reason: String) {
        distinctions.append("Threads '\(threads)' were not exchanged: \(reason).")
    }
}

extension Bytecode {
    /// The first line on which the body, or a function that it calls, reads the thread's number in its array. Nil: none.
    fileprivate func lineOfIndex(_ body: Int) -> Int? {
        var open = [body]
        var isSeen: Set<Int> = []
        while let next = open.popLast() {
            guard isSeen.insert(next).inserted else { continue }
            for place in codeRange(of: next) {
                switch code[place].opcode {
                case .index: return Int(code[place].line)
                case .call: open.append(Int(code[place].a))
                default: break
                }
            }
        }
        return nil
    }

    /// Whether these threads are joined only by the main thread, all of them in order, with nothing in between; or not
    /// at all.
    fileprivate func joinsTogether(_ range: Range<Int>) -> Bool {
        var joins: [(place: Int, thread: Int)] = []
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            guard form.kind == .join || form.kind == .detach, !form.hasObjectOnStack else { continue }
            let target = code[place - 1]
            if target.opcode != .push { return false }
            if !range.contains(Int(target.a)) { continue }
            if form.kind == .detach { return false }
            joins.append((place, Int(target.a)))
        }
        guard let first = joins.first else { return true }
        let main = codeRange(of: mainBody)
        return joins.map(\.thread) == Array(range)
            && joins.enumerated().allSatisfy { $1.place == first.place + 2 * $0 && main.contains($1.place) }
    }
}
