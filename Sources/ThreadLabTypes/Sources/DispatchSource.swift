import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchSource`, for what a program itself causes: timers, and numbers that threads hand over.
    /// What comes from outside the program is not under control: `makeReadSource`, `makeWriteSource` and `makeSignalSource` are not
    /// available, and say what is.
    public class DispatchSource: @unchecked Sendable {
        public struct TimerFlags: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Of no consequence here: no timer is late to save power.
            public static let strict = TimerFlags(rawValue: 1)
        }

        let queue: DispatchQueue
        private let mutex: Primitives.Mutex
        // With the mutex held.
        private(set) var isActivated = false
        private(set) var isOver = false
        private var suspensions = 1
        /// Whether a call of the event handler is queued.
        private var isQueued = false
        private var event = Handler()
        private var cancellation = Handler()
        private var registration = Handler()
        /// What the handler has not been called for. 0: nothing.
        private var pending: UInt = 0
        /// What the last call of the handler was for.
        private var delivered: UInt = 0

        /// Dispatch does not ask for a sendable block.
        private struct Handler: @unchecked Sendable {
            var block: (() -> Void)?
            var flags: DispatchWorkItemFlags = []
        }

        init(_ name: String, _ queue: DispatchQueue?, _ file: StaticString, _ line: UInt) {
            self.queue = queue ?? .global()
            mutex = Primitives.Mutex(name, file: file, line: line)
        }

        // MARK: - Handlers

        public func setEventHandler(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (() -> Void)?
        ) {
            locked { event = Handler(block: handler, flags: flags) }
        }

        public func setCancelHandler(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (() -> Void)?
        ) {
            locked { cancellation = Handler(block: handler, flags: flags) }
        }

        /// - Parameter handler: runs once, when the source begins.
        public func setRegistrationHandler(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], handler: (() -> Void)?
        ) {
            locked { registration = Handler(block: handler, flags: flags) }
        }

        public func setEventHandler(handler item: DispatchWorkItem) {
            setEventHandler(flags: item.flags) { item.perform() }
        }

        public func setCancelHandler(handler item: DispatchWorkItem) {
            setCancelHandler(flags: item.flags) { item.perform() }
        }

        public func setRegistrationHandler(handler item: DispatchWorkItem) {
            setRegistrationHandler(flags: item.flags) { item.perform() }
        }

        // MARK: - Its life

        /// Starts the source. It does nothing the second time.
        public func activate() {
            let handler: Handler? = locked(orElse: nil) {
                if isActivated { return nil }
                isActivated = true
                suspensions -= 1
                return registration
            }
            guard let handler else { return }
            call(handler)
            continueIfPossible()
        }

        /// Starts the source, or takes back a `suspend`.
        public func resume() {
            guard locked(orElse: false, { isActivated }) else { return activate() }
            locked {
                try check(suspensions > 0, "a source is resumed more often than it was suspended")
                suspensions -= 1
            }
            continueIfPossible()
        }

        /// Lets the handlers not be called until `resume`. What happens meanwhile is counted.
        public func suspend() { locked { suspensions += 1 } }

        /// Lets the event handler not be called any more, and the one for the cancellation once.
        public func cancel() {
            let isFirst = locked(orElse: false) {
                defer { isOver = true }
                return !isOver
            }
            if isFirst { continueIfPossible() }
        }

        public var isCancelled: Bool { locked(orElse: true) { isOver } }

        /// In the event handler: what it was called for.
        public var data: UInt { locked(orElse: 0) { delivered } }
        /// Those of the kernel: none.
        public var handle: UInt { 0 }
        public var mask: UInt { 0 }

        // MARK: - Events

        /// Something that kept handlers from being called has changed.
        func continueIfPossible() {
            let last: Handler? = locked(orElse: nil) {
                guard isOver && suspensions == 0 else { return nil }
                defer { (event, cancellation, registration) = (Handler(), Handler(), Handler()) }
                // Handlers often keep their own source.
                return cancellation
            }
            if let last { call(last) } else { queueEvent() }
        }

        /// Changes what is pending, and has the event handler called.
        func notePending(_ change: (inout UInt) -> Void) {
            locked { change(&pending) }
            queueEvent()
        }

        private func queueEvent() {
            let flags: DispatchWorkItemFlags? = locked(orElse: nil) {
                guard pending != 0 && canDeliver && !isQueued else { return nil }
                isQueued = true
                return event.flags
            }
            if let flags { queue.async(flags: flags) { self.deliver() } }
        }

        /// On the queue. The handler is never called while it runs, on a concurrent queue neither.
        private func deliver() {
            let handler: Handler? = locked(orElse: nil) {
                guard canDeliver && pending != 0 else { return nil }
                (delivered, pending) = (pending, 0)
                return event
            }
            handler?.block?()
            locked { isQueued = false }
            // What came meanwhile has queued nothing.
            queueEvent()
        }

        /// On the queue: events that are delivered at once.
        func fire(_ count: UInt) {
            let isFree = locked(orElse: false) {
                pending += count
                defer { isQueued = true }
                return !isQueued
            }
            if isFree { deliver() }
        }

        private func call(_ handler: Handler) {
            guard handler.block != nil else { return }
            queue.async(flags: handler.flags) { handler.block?() }
        }

        /// With the mutex held: whether its events may be delivered.
        var canDeliver: Bool { suspensions == 0 && !isOver }

        func locked<Result>(orElse instead: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
            must(orElse: instead()) { try mutex.withLock(body) }
        }

        func locked(_ body: () throws -> Void) { must { try mutex.withLock(body) } }
    }
}
