/// An object that does something when its last reference is released.
final class AtItsEnd: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }

    /// For a closure that only keeps it alive.
    func keep() {}
}
