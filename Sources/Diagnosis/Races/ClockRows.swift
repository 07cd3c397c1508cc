import Trace

/// Many vector clocks, each a row of one flat array: they are changed where they stand, and none is allocated or copied while
/// the run goes on.
struct ClockRows {
    private var times: [UInt32] = []
    /// How many threads a row has room for.
    private var width = 8

    /// A clock that has seen nothing.
    mutating func add() -> Int {
        times.append(contentsOf: repeatElement(0, count: width))
        return times.count / width - 1
    }

    /// How far into the thread's life the row's clock has seen.
    @inline(__always)
    subscript(_ row: Int, _ thread: ThreadID) -> UInt32 {
        thread.number < width ? times[row * width + thread.number] : 0
    }

    func clock(_ row: Int) -> VectorClock { VectorClock(times[row * width..<(row + 1) * width]) }

    mutating func advance(_ row: Int, _ thread: ThreadID) {
        if thread.number >= width { widen(to: thread.number + 1) }
        times[row * width + thread.number] &+= 1
    }

    /// The row sees all that the other has seen as well.
    mutating func merge(_ other: Int, into row: Int) {
        for column in 0..<width {
            let time = times[other * width + column]
            if time > times[row * width + column] { times[row * width + column] = time }
        }
    }

    /// The row sees what the other sees, and nothing else.
    mutating func copy(_ other: Int, to row: Int) {
        for column in 0..<width { times[row * width + column] = times[other * width + column] }
    }

    private mutating func widen(to least: Int) {
        var newWidth = width
        while newWidth < least { newWidth *= 2 }
        var wider = [UInt32](repeating: 0, count: times.count / width * newWidth)
        for row in 0..<times.count / width {
            for column in 0..<width { wider[row * newWidth + column] = times[row * width + column] }
        }
        times = wider
        width = newWidth
    }
}
