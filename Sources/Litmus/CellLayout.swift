import LabProgram
import LabSyntax

/// The layout of a program's values in one instance of its memory. A run has many instances, and each round uses one.
///
/// A value that several threads use has a cache line of its own, so that accesses to other values do not move it
/// between threads. Values that only one thread uses, such as its results, share lines that no other thread touches.
struct CellLayout {
    static let lineBytes = 64
    static let valueBytes = 8

    /// By element, in the numbering of `Configuration.firstElements`: its place, in bytes.
    private(set) var offsets: [Int] = []
    /// By object: the distance between its elements, in bytes.
    private(set) var strides: [Int] = []
    /// The size of an instance, in bytes.
    private(set) var bytes = 0

    /// - Parameter users: by object, the numbers of the threads that use it.
    init(_ configuration: Configuration, users: [Set<Int>]) {
        offsets = Array(repeating: 0, count: configuration.elementCounts.reduce(0, +))
        strides = Array(repeating: Self.valueBytes, count: users.count)
        for object in users.indices where users[object].count > 1 {
            strides[object] = Self.lineBytes
            place(object, configuration)
        }
        // By object: the only thread that uses it, or `unused`. Nil: there are several, so the object has its place
        // already.
        let unused = -1
        let owners = users.map { $0.count > 1 ? nil : $0.first ?? unused }
        for owner in Set(owners.compactMap(\.self)).sorted() {
            for object in users.indices where owners[object] == owner { place(object, configuration) }
            endLine()
        }
        bytes = max(bytes, Self.lineBytes)
    }

    /// Places the elements of an object after what has been placed.
    private mutating func place(_ object: Int, _ configuration: Configuration) {
        let first = configuration.firstElements[object]
        for element in first..<first + configuration.elementCounts[object] {
            offsets[element] = bytes
            bytes += strides[object]
        }
    }

    /// Rounds the size up to whole cache lines.
    private mutating func endLine() { bytes = (bytes + Self.lineBytes - 1) / Self.lineBytes * Self.lineBytes }
}

extension Program {
    /// By object: the threads that use it. Elements of an array of threads have numbers of their own.
    func users(_ configuration: Configuration) -> [Set<Int>] {
        let used = usedByFunctions()
        var users = [Set<Int>](repeating: [], count: objects.count)
        var next = 0
        for (number, thread) in threads.enumerated() {
            let uses = Uses(of: thread.body)
            let objects = uses.functions.reduce(uses.objects) { $0.union(used[$1]) }
            for element in next..<next + configuration.threadCounts[number] {
                for object in objects { users[object].insert(element) }
            }
            next += configuration.threadCounts[number]
        }
        return users
    }

    /// By function: the objects that it uses, also through functions that it calls.
    private func usedByFunctions() -> [Set<Int>] {
        let uses = functions.map { Uses(of: $0.body) }
        var used = uses.map(\.objects)
        // No function calls itself, even through others. So each repetition completes at least the functions all of
        // whose callees are complete, and there are enough repetitions for all.
        for _ in functions.indices {
            for (number, uses) in uses.enumerated() {
                for callee in uses.functions { used[number].formUnion(used[callee]) }
            }
        }
        return used
    }
}

/// The objects and the functions that the text of a body names.
private struct Uses {
    private(set) var objects: Set<Int> = []
    private(set) var functions: Set<Int> = []

    init(of body: Program.Body) {
        var objects: Set<Int> = []
        var functions: Set<Int> = []
        ProgramWalk.statements(body.block) { statement in
            switch statement.kind {
            case .write(let place, _), .update(let place, _, _), .locked(let place, _, _), .enclosed(let place, _):
                objects.insert(place.object)
            case .set, .evaluate, .branch, .loop, .count, .times, .leave, .next, .return, .await, .assert, .note,
                .sleep,
                .yield, .progress, .fence, .spawn, .join, .detach:
                break
            }
            ProgramWalk.expressions(of: statement) { expression in
                switch expression.kind {
                case .read(let place), .perform(_, let place, _): objects.insert(place.object)
                case .equals(let list, _): objects.insert(list)
                case .call(let function, _): functions.insert(function)
                case .constant, .parameter, .slot, .index, .negate, .invert, .not, .absolute, .binary, .and, .or,
                    .choose:
                    break
                }
            }
        }
        self.objects = objects
        self.functions = functions
    }
}
