import CCompiled
import Machine

/// What threads watch that do nothing but read until another has written (`spins.c`): their next round begins only after that.
final class SpinWatches {
    private let program: UnsafeMutablePointer<compiled_program_t>
    /// By thread: what it watches. The first is what its present round has begun with.
    private var watched = [[MemoryPiece]](repeating: [], count: MachineState.maximumThreads)
    /// By thread: whether it is at the beginning of another round.
    private var begins = [Bool](repeating: false, count: MachineState.maximumThreads)

    init(_ program: UnsafeMutablePointer<compiled_program_t>) { self.program = program }

    /// How a read watches, as the second argument of its operation (`Operation.Watch`).
    ///
    /// A read of several objects at once is not watched: a round that has one is repeated as any other code is.
    func watch(_ watch: UInt8, _ pieces: UnsafeBufferPointer<MemoryPiece>, by thread: Int) -> Int {
        if begins[thread] { watched[thread] = Array(watched[thread].prefix(1)) }
        begins[thread] = watch == UInt8(compiled_watch_again.rawValue)
        guard pieces.count == 1 else {
            watched[thread].removeAll(keepingCapacity: true)
            begins[thread] = false
            program.pointee.disturb(UInt32(thread))
            return 0
        }
        switch UInt32(watch) {
        case compiled_watch_first.rawValue: watched[thread] = [pieces[0]]
        case compiled_watch_further.rawValue: watched[thread].append(pieces[0])
        // What it has watched in the last round it watches until it reads again.
        default: return Operation.Watch.again | Operation.Watch.spinning
        }
        let isFurther = watch == UInt8(compiled_watch_further.rawValue)
        return (isFurther ? Operation.Watch.further : Operation.Watch.first) | Operation.Watch.spinning
    }

    /// Lets a thread continue if what it has read has changed by code that takes no steps.
    ///
    /// Nothing is proved then (`Escape.places`), but no thread may seem to wait forever.
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

    /// Whether the thread is at the beginning of a round that it cannot begin.
    static func isWaiting(_ thread: Int, _ state: MachineState) -> Bool {
        state.operation(of: thread).isRenewedLook && !state.isEnabled(thread) && !state.hasEnded(thread)
    }

    /// Whether the rounds of the thread, which is at the beginning of one, are as the last: it runs them without steps. That shows what the
    /// runtime does not see, as a processor's counter or a variable in assembly. It is then at the beginning of another.
    func areAlike(_ thread: Int, _ rounds: Int) -> Bool {
        var left = rounds
        for _ in 0..<rounds * Self.mostReads {
            let request = program.pointee.resume(UInt32(thread), 0)!.pointee
            if request.kind == compiled_yield || request.kind == compiled_sleep { continue }
            guard request.watch > UInt8(compiled_in_round.rawValue) else { return false }
            if request.watch == UInt8(compiled_watch_again.rawValue) { left -= 1 }
            if left == 0 { return true }
        }
        // Of long rounds fewer are enough; the last one has to end.
        for _ in 0..<Self.longestRound {
            let request = program.pointee.resume(UInt32(thread), 0)!.pointee
            if request.kind == compiled_yield || request.kind == compiled_sleep { continue }
            guard request.watch > UInt8(compiled_in_round.rawValue) else { return false }
            if request.watch == UInt8(compiled_watch_again.rawValue) { return true }
        }
        return false
    }

    private static let mostReads = 8
    private static let longestRound = 1 << 20
    /// The rounds that are run before it is said that a thread spins forever, and each time that one waits while steps are learned.
    static let enoughRounds = 1_000
}
