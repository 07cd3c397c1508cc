import Primitives
import Testing

/// A small program of primitives whose effects are more than steps: what they keep besides the machine's state must be
/// accounted for by the footprints of their steps.
struct PrimitiveProgram: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (Sight) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Sight) throws -> Void) {
        self.name = name
        self.body = body
    }

    var testDescription: String { name }

    static let all = memory + locks + threads + loops + ports + processes + queues

    /// Runs the bodies, each on a thread, and joins them.
    static func together(_ bodies: @Sendable () throws -> Void...) throws {
        let threads = try bodies.map { body in try Thread { try body() } }
        for thread in threads { try thread.join() }
    }
}
