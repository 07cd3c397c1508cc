import Execution
import Machine
import Text
import Trace

/// A first-in, first-out queue with room for a fixed number of elements: a put waits for room, a take for an element.
/// Built on a mutex and two conditions.
public final class BoundedQueue<Element: Sendable>: Sendable {
    /// The number of elements for which it has room.
    public let capacity: Int

    private let handle: Handle
    private let gate: Part
    private let notFull: Part
    private let notEmpty: Part
    private let state = Guarded(State())

    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    /// - Throws: `Misuse` `invalid-value`, if the capacity is less than 1.
    public init(
        _ name: String? = nil, capacity: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        guard capacity > 0 else { throw Misuse.recorded(.invalidValue, at: site) }
        self.capacity = capacity
        handle = Handle(.other, shownAs: .queue, name, at: site)
        gate = Part(lockOf: name ?? "queue", handle.object, at: site)
        notFull = Part(.condition, "room in \(name ?? "queue")", at: site)
        notEmpty = Part(.condition, "an element of \(name ?? "queue")", at: site)
    }

    /// Waits for room, and adds the element at the end.
    ///
    /// - Returns: false if the queue has been closed: the element was not added.
    @discardableResult
    public func put(_ element: Element, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            while state.value.elements.count >= capacity && !state.value.isClosed {
                _ = try notFull.wait(with: gate, at: site)
            }
            if state.value.isClosed { return false }
            state.value.elements.append(element)
            handle.record(.queuePut, Self.word(of: element), at: site)
            try notEmpty.signal(at: site)
            return true
        }
    }

    /// Waits for an element, and takes the first.
    ///
    /// - Returns: nil if the queue is closed and empty: no further element will come.
    public func take(file: StaticString = #fileID, line: UInt = #line) throws -> Element? {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            while state.value.elements.isEmpty && !state.value.isClosed {
                _ = try notEmpty.wait(with: gate, at: site)
            }
            if state.value.elements.isEmpty { return nil }
            let element = state.value.elements.removeFirst()
            handle.record(.queueTake, Self.word(of: element), at: site)
            try notFull.signal(at: site)
            return element
        }
    }

    /// Refuses further elements. Waiting threads continue: a put fails, and a take returns what is left.
    public func close(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try gate.withLock(at: site) {
            state.value.isClosed = true
            handle.record(.queueClose, at: site)
            try notFull.broadcast(at: site)
            try notEmpty.broadcast(at: site)
        }
    }

    private static func word(of element: Element) -> Int {
        (element as? any Word)?.word ?? Int(Event.noNumber)
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let queuePut = Remark(
        "queue.put", "put {value} into {object}", value: .number, counts: .up,
        says: "It put the value into the queue")
    fileprivate static let queueClose = Remark(
        "queue.close", "close {object}", says: "It closed the queue, which takes no further values")
    fileprivate static let queueTake = Remark(
        "queue.take", "take {value} from {object}", value: .number, counts: .down,
        says: "It took the value from the queue")
}
