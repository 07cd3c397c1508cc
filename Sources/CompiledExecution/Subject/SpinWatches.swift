import CCompiled
import Machine

/// The objects that threads watch in polling loops: loops that only read until another thread writes (`spins.c`). One
/// pass through such a loop is a *round*. A thread begins the next round only after a watched object was written.
final class SpinWatches {
    private let program: UnsafeMutablePointer<compiled_program_t>
    /// The objects that each thread watches. The first is the one with whose read the present round began.
    private var watched = [[MemoryPiece]](repeating: [], count: MachineState.maximumThreads)
    /// Whether each thread is at the beginning of another round.
    private var begins = [Bool](repeating: false, count: MachineState.maximumThreads)

    init(_ program: UnsafeMutablePointer<compiled_program_t>) { self.program = program }

    /// The second argument of a read's operation (`Operation.Watch`), which says what the thread watches from there on.
    /// 0: nothing.
    ///
    /// A read of several objects at once is not watched: a round with such a read is repeated like any other code.
    ///
    /// - Parameters:
    ///   - part: the part that the read plays in the loop (`compiled_watch_t`).
    ///   - pieces: what the read accesses.
    func watch(_ part: UInt8, _ pieces: UnsafeBufferPointer<MemoryPiece>, by thread: Int) -> Int {
        // The last read waited at the beginning of a round, and was the first read of this one.
        if begins[thread] { watched[thread] = Array(watched[thread].prefix(1)) }
        begins[thread] = part == UInt8(compiled_watch_again.rawValue)
        guard pieces.count == 1 else {
            watched[thread].removeAll(keepingCapacity: true)
            begins[thread] = false
            program.pointee.disturb(UInt32(thread))
            return 0
        }
        switch UInt32(part) {
        case compiled_watch_first.rawValue: watched[thread] = [pieces[0]]
        case compiled_watch_further.rawValue: watched[thread].append(pieces[0])
        // Until the thread reads again, it watches what it watched in the last round.
        default: return Operation.Watch.again | Operation.Watch.spinning
        }
        let isFurther = part == UInt8(compiled_watch_further.rawValue)
        return (isFurther ? Operation.Watch.further : Operation.Watch.first) | Operation.Watch.spinning
    }

    /// Lets a waiting thread continue if code that takes no steps has changed what the thread watches.
    ///
    /// A search of such a program proves nothing (`Escape.places`), but no thread may seem to wait forever.
    func lookForMissedWrites(_ state: MachineState) {
        for thread in 0..<state.threadCount where Self.isWaiting(thread, state) {
            for piece in watched[thread] {
                let value = Int(program.pointee.peek(piece.address, UInt32(piece.size)))
                guard value != state.object(piece.object).value else { continue }
                state.setWord(piece.object, value)
                state.stir(piece.object)
            }
        }
    }

    /// Whether the thread is at the beginning of a round and must wait for a write before it begins it.
    static func isWaiting(_ thread: Int, _ state: MachineState) -> Bool {
        state.operation(of: thread).isRenewedLook && !state.isEnabled(thread) && !state.hasEnded(thread)
    }

    /// Runs the thread, which is at the beginning of a round, through this number of rounds without steps. Returns
    /// whether each was like the one before. If so, the thread is at the beginning of another round. If not, something
    /// that the runtime does not see has an influence, such as a processor's counter or a variable in assembly.
    func areAlike(_ thread: Int, _ rounds: Int) -> Bool {
        var left = rounds
        for _ in 0..<rounds * Self.mostReads {
            let request = program.pointee.resume(UInt32(thread), 0)!.pointee
            if request.kind == compiled_yield || request.kind == compiled_sleep { continue }
            // Any other request than a read in the loop shows that the thread has left it.
            guard request.watch > UInt8(compiled_in_round.rawValue) else { return false }
            if request.watch == UInt8(compiled_watch_again.rawValue) { left -= 1 }
            if left == 0 { return true }
        }
        // If rounds are long, fewer of them are enough, but the last one has to end.
        for _ in 0..<Self.longestRound {
            let request = program.pointee.resume(UInt32(thread), 0)!.pointee
            if request.kind == compiled_yield || request.kind == compiled_sleep { continue }
            guard request.watch > UInt8(compiled_in_round.rawValue) else { return false }
            if request.watch == UInt8(compiled_watch_again.rawValue) { return true }
        }
        return false
    }

    /// The greatest average number of requests per round with which `areAlike` runs all rounds.
    private static let mostReads = 8
    /// The number of further requests after which `areAlike` gives up on the last round.
    private static let longestRound = 1 << 20
    /// The number of rounds that are run before a thread is reported to spin forever, and whenever a thread waits while
    /// steps are learned.
    static let enoughRounds = 1_000
}
