import CCompiled
import Machine

/// What threads watch that do nothing but read until another has written (`spins.c`): their next round begins only after that.
final class SpinWatches {
    /// By thread: whether all that it has read in the round is watched, and what that is.
    private var isWhole = [Bool](repeating: false, count: MachineState.maximumThreads)
    private var watched = [[MemoryPiece]](repeating: [], count: MachineState.maximumThreads)

    /// How a read watches, as the second argument of its operation (`Operation.Watch`).
    ///
    /// A read of several objects at once is not watched: a round that has one is repeated as any other code is.
    func watch(_ watch: UInt8, _ pieces: UnsafeBufferPointer<MemoryPiece>, by thread: Int) -> Int {
        let isOne = pieces.count == 1
        let isFurther = watch == UInt8(compiled_watch_further.rawValue)
        let isAgain = watch == UInt8(compiled_watch_again.rawValue) && isWhole[thread] && isOne
        isWhole[thread] = isOne && (!isFurther || isWhole[thread])
        if !isFurther || !isWhole[thread] { watched[thread].removeAll(keepingCapacity: true) }
        if !isWhole[thread] { return 0 }
        watched[thread].append(pieces[0])
        let how =
            isFurther ? Operation.Watch.further : isAgain ? Operation.Watch.again : Operation.Watch.first
        return how | Operation.Watch.spinning
    }

    /// Lets a thread continue if what it has read has changed by code that takes no steps.
    ///
    /// Nothing is proved then (`Escape.places`), but no thread may seem to wait forever.
    func lookForMissedWrites(_ state: MachineState, _ program: UnsafeMutablePointer<compiled_program_t>) {
        for thread in 0..<state.threadCount where state.operation(of: thread).isRenewedLook {
            for piece in watched[thread] {
                let value = Int(program.pointee.peek(piece.address, UInt32(piece.size)))
                guard value != state.object(piece.object).value else { continue }
                state.setWord(piece.object, value)
                state.stir(piece.object)
            }
        }
    }
}
