/// A call that waits to be made by a loop. Keep it to cancel the call.
public final class Performer: Sendable {
    let order: Int
    let modes: [RunLoop.Mode]
    let body: @Sendable () throws -> Void
    /// Where the caller waits until the call has been made. Nil: it does not wait.
    let done: Part?
    /// Accessed only by the loop's own thread.
    let isCancelled = Guarded(false)
    /// Accessed only with the loop's lock held.
    let isDone = Guarded(false)

    init(order: Int, modes: [RunLoop.Mode], done: Part?, _ body: @escaping @Sendable () throws -> Void) {
        self.order = order
        self.modes = modes
        self.done = done
        self.body = body
    }
}
