import Machine

/// The things that a program's steps can touch, one bit each (`Reach`): its objects, the lives of its threads, and the
/// process.
struct Things {
    /// Starting, joining and detaching.
    static let lives: UInt64 = 1
    private static let process: UInt64 = 1 << 63
    private static let bitsForObjects = 62

    private let objectCount: Int
    /// The bits of the objects that are looked at whenever one of them changes.
    private var observed: UInt64 = 0

    /// - Parameter isObserved: by object.
    init(isObserved: [Bool]) {
        objectCount = isObserved.count - 1
        for object in isObserved.indices where isObserved[object] { observed |= bit(of: object) }
    }

    /// What a step touches, with what is looked at after it.
    func withObservation(_ reach: Reach) -> Reach {
        reach.changed & observed == 0 ? reach : Reach(touched: reach.touched | observed, changed: reach.changed)
    }

    /// Whether no two objects share a bit.
    var areDistinct: Bool { objectCount <= Self.bitsForObjects }

    func bit(of object: Int) -> UInt64 { 2 << UInt64((object - 1) % Self.bitsForObjects) }

    func bits(of objects: ObjectRange) -> UInt64 { objects.numbers.reduce(0) { $0 | bit(of: $1) } }

    /// What the end of the process touches: every step can be the last before it.
    static let end = Reach(touched: ~0, changed: ~0)

    /// What an operation of this kind may touch, whatever it finds.
    ///
    /// - Parameter objects: the bits of the objects that it may concern; and of a wait's mutex.
    static func reach(of kind: Operation.Kind, objects: UInt64, mutexes: UInt64) -> Reach {
        switch kind.range {
        case .nothing: Reach()
        case .everything: end
        case .writesThread: Reach(changed: lives | objects)
        case .readsObject: Reach(touched: objects)
        case .writesMutexAndObject: Reach(changed: objects | mutexes)
        case .writesObject: Reach(changed: objects)
        }
    }
}
