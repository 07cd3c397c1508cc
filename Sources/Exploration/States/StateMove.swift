/// How a state leads to another: a thread steps in one of its ways, or time passes although waits could end without a
/// signal.
struct StateMove: Equatable {
    let word: UInt32

    init(word: UInt32) { self.word = word }

    init(thread: Int, way: Int) { word = UInt32(thread) << 20 | UInt32(way) }

    static let passTime = StateMove(word: .max)

    var thread: Int { Int(word >> 20) }
    var way: Int { Int(word & 0xfffff) }
}
