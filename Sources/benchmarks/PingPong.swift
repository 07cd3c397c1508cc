import Foundation
import Primitives

/// Two threads that pass a turn back and forth, with threadlab's condition.
final class PingPong: @unchecked Sendable {
    private let mutex = Mutex("m")
    private let changed = Condition("c")
    private let count: Int
    private var turn = 0

    init(_ count: Int) { self.count = count }

    /// The time of all turns, with the start and the end of the second thread, in nanoseconds.
    func play() throws -> UInt64 {
        try nanoseconds {
            let opponent = try Primitives.Thread("opponent") { try self.play(as: 1) }
            try play(as: 0)
            try opponent.join()
        }
    }

    private func play(as me: Int) throws {
        try mutex.lock()
        for _ in 0..<count {
            while turn != me { try changed.wait(with: mutex) }
            turn = 1 - me
            try changed.signal()
        }
        try mutex.unlock()
    }
}

/// Two threads that pass a turn back and forth, with Foundation's condition.
final class FoundationPingPong: @unchecked Sendable {
    private let condition = NSCondition()
    private let count: Int
    private var turn = 0
    private var isOver = false

    init(_ count: Int) { self.count = count }

    func play() -> UInt64 {
        nanoseconds {
            let opponent = Foundation.Thread { self.play(as: 1) }
            opponent.start()
            play(as: 0)
            condition.lock()
            while !isOver { condition.wait() }
            condition.unlock()
        }
    }

    private func play(as me: Int) {
        condition.lock()
        for _ in 0..<count {
            while turn != me { condition.wait() }
            turn = 1 - me
            condition.signal()
        }
        if me == 1 {
            isOver = true
            condition.signal()
        }
        condition.unlock()
    }

    /// Starts a thread that does nothing, and waits for its end. Foundation's threads cannot be joined, so the thread
    /// signals a condition.
    static func startAndWait() {
        let game = FoundationPingPong(0)
        Foundation.Thread { game.play(as: 1) }.start()
        game.condition.lock()
        while !game.isOver { game.condition.wait() }
        game.condition.unlock()
    }
}
