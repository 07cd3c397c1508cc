import Machine

/// The facts about a program's code that a search by states needs. They are computed when the first such search begins.
final class StateFacts {
    let liveness: Liveness
    let futures: Futures
    let interchange: Interchange
    /// By instruction: the number of slots of its body.
    let slots: OwnedBuffer<Int>
    /// By instruction: whether its body is that of a function.
    let isFunction: OwnedBuffer<Bool>
    /// By object: for a condition, the number of its mutex; otherwise 0.
    let mutexes: OwnedBuffer<UInt32>
    /// The numbers of the mutexes and read-write locks.
    let locks: [Int]
    /// Whether some operation on an atomic is not sequentially consistent.
    let hasWeakOrders: Bool

    init(_ bytecode: Bytecode) {
        liveness = Liveness(bytecode)
        futures = Futures(bytecode)
        interchange = Interchange(bytecode)
        var slots = [Int](repeating: 0, count: bytecode.codeCount)
        var isFunction = [Bool](repeating: false, count: bytecode.codeCount)
        for body in 0..<bytecode.program.functions.count + 1 + bytecode.program.threads.count {
            for place in bytecode.codeRange(of: body) {
                slots[place] = bytecode.bodies[body].slots
                isFunction[place] = body < bytecode.program.functions.count
            }
        }
        self.slots = OwnedBuffer(slots)
        self.isFunction = OwnedBuffer(isFunction)
        mutexes = OwnedBuffer(bytecode.mutexesOfConditions)
        hasWeakOrders = bytecode.hasWeakOrders
        locks = bytecode.objects.indices.filter {
            bytecode.objects[$0].kind.isMutex || bytecode.objects[$0].kind.isReadWriteLock
        }.map { $0 + 1 }
    }
}

extension Bytecode {
    /// Whether an operation on an atomic has an order weaker than seqcst.
    var hasWeakOrders: Bool { hasWeakOrders(except: []) }

    /// Whether the program's text gives an operation on an atomic an order weaker than seqcst. The operations that
    /// record calls do not count: they are weak so that they do not order the program's own accesses, and calls that
    /// they order are in the same order under sequential consistency.
    var hasWrittenWeakOrders: Bool { hasWeakOrders(except: Set(callLogs?.logs.map(\.object) ?? [])) }

    private func hasWeakOrders(except objects: Set<Int>) -> Bool {
        (0..<codeCount).contains { place in
            guard code[place].opcode == .operate else { return false }
            let form = forms[Int(code[place].b)]
            if form.kind == .fence || form.orders.areStrong { return false }
            return form.hasObjectOnStack
                ? !objects.isSuperset(of: form.elements.numbers) : !objects.contains(Int(code[place].a))
        }
    }

    /// By object: for a condition, the number of the mutex that a wait on it names; otherwise 0.
    fileprivate var mutexesOfConditions: [UInt32] {
        var mutexes = [UInt32](repeating: 0, count: objects.count + 1)
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            guard form.kind == .wait else { continue }
            if form.hasObjectOnStack && form.arguments == .twoValues {
                for (index, condition) in form.elements.numbers.enumerated() {
                    mutexes[condition] = UInt32(form.fixed + index)
                }
            } else {
                let conditions =
                    form.hasObjectOnStack ? form.elements.numbers : Int(code[place].a)..<Int(code[place].a) + 1
                for condition in conditions { mutexes[condition] = UInt32(form.fixed) }
            }
        }
        return mutexes
    }
}

/// Which slots of a frame may still be read, by instruction. The others are dead: states that differ only in them count
/// as the same.
struct Liveness: ~Copyable {
    /// By instruction: a bit for each slot that may be read, from this instruction on, before it is set.
    private let live: OwnedBuffer<UInt64>
    /// Only the first slots of a frame are examined, as many as a word has bits.
    @inline(__always) static var mostSlots: Int { UInt64.bitWidth }

    init(_ bytecode: Bytecode) {
        var live = [UInt64](repeating: 0, count: bytecode.codeCount + 1)
        var changes = true
        while changes {
            changes = false
            for place in (0..<bytecode.codeCount).reversed() {
                let instruction = bytecode.code[place]
                var after: UInt64 = 0
                for next in bytecode.successors(of: place) {
                    // The called function has its own slots.
                    if instruction.opcode != .call || next == place + 1 { after |= live[next] }
                }
                let before = Self.before(instruction, after)
                if before != live[place] {
                    live[place] = before
                    changes = true
                }
            }
        }
        self.live = OwnedBuffer(live)
    }

    /// The live slots before an instruction.
    ///
    /// - Parameter after: those after it.
    private static func before(_ instruction: Instruction, _ after: UInt64) -> UInt64 {
        let slot = Int(instruction.opcode.row.slots == .countDown ? instruction.b : instruction.a)
        switch instruction.opcode.row.slots {
        case .unused: return after
        case .read, .countDown: return slot < mostSlots ? after | 1 << UInt64(slot) : after
        case .set: return slot < mostSlots ? after & ~(1 << UInt64(slot)) : after
        case .clear:
            var result = after
            for cleared in slot..<slot + Int(instruction.b) where cleared < mostSlots {
                result &= ~(1 << UInt64(cleared))
            }
            return result
        }
    }

    /// Whether the slot may be read before it is set, from this instruction on. A slot beyond the limit counts as live.
    func isLive(_ slot: Int, at instruction: Int) -> Bool {
        slot >= Self.mostSlots || live[instruction] >> UInt64(slot) & 1 != 0
    }

    /// Sets the dead slots of a frame that continues with this instruction to zero.
    ///
    /// - Parameter slots: the number of the frame's slots.
    @inline(__always)
    func clear(_ frame: UnsafeMutablePointer<Int>, slots: Int, next instruction: Int) {
        var dead = ~live[instruction]
        if slots < Self.mostSlots { dead &= (1 << UInt64(slots)) - 1 }
        while dead != 0 {
            frame[dead.trailingZeroBitCount] = 0
            dead &= dead - 1
        }
    }
}

/// The threads of a program that can be exchanged for each other in a state (symmetry), because they run the same code
/// and nothing distinguishes them.
struct Interchange {
    /// Ranges of exchangeable threads, by the machine's numbers.
    private(set) var ranges: [Range<Int>] = []
    /// For each other array of threads: why its threads cannot be exchanged, as a sentence.
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
            if bytecode.callLogs?.threads.contains(number) == true {
                distinguish(thread.name, "each has its own calls to be linearized")
            } else if let line = bytecode.lineOfIndex(body) {
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
    /// The first line on which the body, or a function that it calls, reads the thread's index. Nil: none does.
    fileprivate func lineOfIndex(_ body: Int) -> Int? {
        var open = [body]
        var isSeen: Set<Int> = []
        while let next = open.popLast() {
            guard isSeen.insert(next).inserted else { continue }
            for place in codeRange(of: next) {
                let row = code[place].opcode.row
                if row.readsIndex { return Int(code[place].line) }
                if row.flow == .call { open.append(Int(code[place].a)) }
            }
        }
        return nil
    }

    /// Whether these threads are joined only by the main thread, all in order and with nothing in between; or never.
    fileprivate func joinsTogether(_ range: Range<Int>) -> Bool {
        var joins: [(place: Int, thread: Int)] = []
        for place in 0..<codeCount where code[place].opcode == .operate {
            let form = forms[Int(code[place].b)]
            guard form.kind == .join || form.kind == .detach, !form.hasObjectOnStack else { continue }
            // The instruction before the operation pushes the number of its target.
            let target = code[place - 1]
            if target.opcode != .push { return false }
            if !range.contains(Int(target.a)) { continue }
            if form.kind == .detach { return false }
            joins.append((place, Int(target.a)))
        }
        guard let first = joins.first else { return true }
        let main = codeRange(of: mainBody)
        // A join is two instructions: the one that pushes the target's number, and the operation.
        return joins.map(\.thread) == Array(range)
            && joins.enumerated().allSatisfy { $1.place == first.place + 2 * $0 && main.contains($1.place) }
    }
}

/// The paths through the code.
extension Bytecode {
    /// The instructions of a body.
    func codeRange(of body: Int) -> Range<Int> {
        let entry = bodies[body].entry
        let bodyCount = program.functions.count + 1 + program.threads.count + claims.count
        let next = (0..<bodyCount).map { bodies[$0].entry }.filter { $0 > entry }.min()
        return entry..<(next ?? codeCount)
    }

    /// The positions where a thread may continue after an instruction. After a call, both the function and the next
    /// instruction.
    func successors(of place: Int) -> [Int] {
        let instruction = code[place]
        let a = Int(instruction.a)
        return switch instruction.opcode.row.flow {
        case .next: [place + 1]
        case .jump: [a]
        case .branch: [a, place + 1]
        case .call: [bodies[a].entry, place + 1]
        case .end: []
        }
    }
}
