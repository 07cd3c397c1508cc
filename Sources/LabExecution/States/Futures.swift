import Machine

/// The things that a thread may touch from some instruction on, found by following all paths through the code.
///
/// A path ends where the thread cannot continue while a certain other thread *rests*, which means that it takes no
/// step: at the lock of a mutex that the resting thread holds, or at a join with that thread.
final class Futures {
    /// What a resting thread keeps other threads from doing.
    struct Barrier: Hashable {
        /// The bits of the locks that it holds, so that no other thread can acquire them.
        var locks: UInt64 = 0
        /// The number of the resting thread.
        let thread: Int
    }

    private struct Place: Hashable {
        let instruction: Int
        let barrier: Barrier
    }

    let things: Things
    private let bytecode: Bytecode
    private let mainCode: Range<Int>
    /// The first instructions of the threads that other threads start.
    private let startedEntries: [Int]
    /// What has been computed so far.
    @exclusivity(unchecked) private var known: [Place: Reach] = [:]

    init(_ bytecode: Bytecode) {
        self.bytecode = bytecode
        things = Things(isObserved: bytecode.isObserved)
        mainCode = bytecode.codeRange(of: bytecode.mainBody)
        startedEntries = Set(bytecode.threads.filter { $0.seat != 0 }.map { bytecode.bodies[$0.body].entry }).sorted()
    }

    /// The first instruction of the thread with this number in the program.
    func entry(of number: Int) -> Int { bytecode.bodies[bytecode.threads[number].body].entry }

    /// What a thread may touch from now on, until it is blocked by the resting thread.
    ///
    /// - Parameter instruction: the thread's next instruction.
    func future(from instruction: Int, _ barrier: Barrier) -> Reach {
        let place = Place(instruction: instruction, barrier: barrier)
        if let reach = known[place] { return reach }
        let reach = follow(from: instruction, barrier)
        known[place] = reach
        return reach
    }

    private func follow(from first: Int, _ barrier: Barrier) -> Reach {
        var reach = Reach()
        var isSeen = [Bool](repeating: false, count: bytecode.codeCount)
        var open = [first]
        while let place = open.popLast() {
            if isSeen[place] { continue }
            isSeen[place] = true
            let instruction = bytecode.code[place]
            switch instruction.opcode.row.outside {
            case .nothing: break
            case .operation:
                if isBarred(place, barrier) { continue }
                reach.formUnion(self.reach(of: instruction))
            case .spawn:
                reach.formUnion(Things.reach(of: .spawn, objects: 0, mutexes: 0))
                // The steps of the started thread happen because of this spawn, so they count too.
                open += startedEntries
            case .endOfThread: if mainCode.contains(place) { reach.formUnion(Things.end) }
            case .review: reach.formUnion(Things.end)
            }
            open += bytecode.successors(of: place)
        }
        return reach
    }

    /// Whether the operation at this place in the code must wait for the resting thread.
    private func isBarred(_ place: Int, _ barrier: Barrier) -> Bool {
        let instruction = bytecode.code[place]
        let form = bytecode.forms[Int(instruction.b)]
        guard form.kind == .join else { return isBarred(form.kind, objects(of: instruction, form), barrier) }
        if form.hasObjectOnStack || place == 0 { return false }
        // The instruction before the join pushes the number of its target, which is often a constant.
        let target = bytecode.code[place - 1]
        return target.opcode == .push && isBarred(joinOf: Int(target.a), barrier)
    }

    /// Whether an operation must wait for the resting thread, because it locks one of these objects, all of which the
    /// resting thread holds.
    func isBarred(_ kind: Operation.Kind, _ objects: UInt64, _ barrier: Barrier) -> Bool {
        guard kind.takesLock, kind.waitsForThreads, things.areDistinct else { return false }
        return objects != 0 && objects & ~barrier.locks == 0
    }

    /// Whether a join of the thread must wait for the resting thread.
    func isBarred(joinOf thread: Int, _ barrier: Barrier) -> Bool {
        thread == barrier.thread
    }

    private func objects(of instruction: Instruction, _ form: OperationForm) -> UInt64 {
        if form.hasObjectOnStack { return things.bits(of: form.elements) }
        return instruction.a == 0 ? 0 : things.bit(of: Int(instruction.a))
    }

    private func reach(of instruction: Instruction) -> Reach {
        let form = bytecode.forms[Int(instruction.b)]
        var mutexes: UInt64 = 0
        if form.kind == .wait {
            let count = form.hasObjectOnStack && form.arguments == .twoValues ? form.elements.count : 1
            mutexes = things.bits(of: ObjectRange(from: form.fixed, count: count))
        }
        return things.withObservation(
            Things.reach(of: form.kind, objects: objects(of: instruction, form), mutexes: mutexes))
    }
}

/// The things that steps may touch, one bit each (`Things`). Steps are independent if their sets do not conflict.
struct Reach: BitwiseCopyable, Equatable, Sendable {
    /// The things that may be read or changed.
    var touched: UInt64 = 0
    /// Those of them that may be changed.
    var changed: UInt64 = 0

    init(touched: UInt64 = 0, changed: UInt64 = 0) {
        self.touched = touched | changed
        self.changed = changed
    }

    /// Everything.
    static let world = Reach(touched: .max, changed: .max)

    mutating func formUnion(_ other: Reach) {
        touched |= other.touched
        changed |= other.changed
    }

    mutating func subtract(_ things: UInt64) {
        touched &= ~things
        changed &= ~things
    }

    /// Whether a common thing may be changed by one of the two.
    func conflicts(with other: Reach) -> Bool {
        touched & other.changed != 0 || changed & other.touched != 0
    }
}

/// The things that a program's steps can touch, one bit each (`Reach`): its objects, the lives of its threads, and the
/// budget of spurious wake-ups.
struct Things {
    /// Starts, joins and detachments of threads.
    static let lives: UInt64 = 1
    /// The budget of spurious wake-ups and failures (`Rules.spuriousWakeups`).
    static let spuriousBudget: UInt64 = 1 << 63
    private static let bitsForObjects = 62

    private let objectCount: Int
    /// The bits of the objects that claims about every state read. The claims read all of them whenever one changes.
    private var observed: UInt64 = 0

    /// - Parameter isObserved: by object, whether claims about every state read it.
    init(isObserved: [Bool]) {
        objectCount = isObserved.count - 1
        for object in isObserved.indices where isObserved[object] { observed |= bit(of: object) }
    }

    /// The things that a step touches, with those that claims read after it.
    func withObservation(_ reach: Reach) -> Reach {
        reach.changed & observed == 0 ? reach : Reach(touched: reach.touched | observed, changed: reach.changed)
    }

    /// Whether no two objects share a bit.
    var areDistinct: Bool { objectCount <= Self.bitsForObjects }

    /// The bit of an object. Bit 0 is `lives`, and bit 63 the budget. If there are more than 62 objects, some share a
    /// bit.
    func bit(of object: Int) -> UInt64 { 2 << UInt64((object - 1) % Self.bitsForObjects) }

    func bits(of objects: ObjectRange) -> UInt64 { objects.numbers.reduce(0) { $0 | bit(of: $1) } }

    /// What the end of the process touches: everything, because any step can be the last one before it.
    static let end = Reach.world

    /// The things that an operation of this kind may touch, whatever it finds.
    ///
    /// - Parameters:
    ///   - objects: the bits of the objects that it may be on.
    ///   - mutexes: the bits of a wait's mutexes.
    static func reach(of kind: Operation.Kind, objects: UInt64, mutexes: UInt64) -> Reach {
        switch kind.range {
        case .nothing: Reach()
        case .everything: end
        case .writesThread: Reach(changed: lives | objects)
        case .readsObject: Reach(touched: objects)
        // The wait that begins here may end without a signal.
        case .writesMutexAndObject: Reach(changed: objects | mutexes | spuriousBudget)
        case .writesObject: Reach(changed: kind == .weakCompareExchange ? objects | spuriousBudget : objects)
        }
    }
}
