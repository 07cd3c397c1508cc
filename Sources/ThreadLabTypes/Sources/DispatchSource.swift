import Dispatch
import Primitives

extension Lab {
    /// Dispatch's `DispatchSource`, for events that the program itself causes: timers, and data that threads pass to a
    /// handler. The scheduler does not control events from outside the program, so `makeReadSource`, `makeWriteSource`
    /// and `makeSignalSource` are unavailable, and their messages name alternatives.
    public class DispatchSource: @unchecked Sendable {
        public struct TimerFlags: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// Has no effect: no timer is delayed to save power.
            public static let strict = TimerFlags(rawValue: 1)
        }

        let queue: DispatchQueue
        private let mutex: Primitives.Mutex
        // Accessed with the mutex held.
        private(set) var isActivated = false
        /// Whether it was cancelled.
        private(set) var isOver = false
        /// The number of suspensions that are in force. A new source has one, until it is activated.
        private var suspensions = 1
        /// Whether a call of the event handler is queued or in progress.
        private var isQueued = false
        private var event = Handler()
        private var cancellation = Handler()
        private var registration = Handler()
        /// The data for the next call of the handler. 0: none.
        private var pending: UInt = 0
        /// The data of the last call of the handler.
        private var delivered: UInt = 0

        /// Dispatch does not require the block to be sendable.
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

        /// - Parameter handler: runs once, when the source is activated.
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

        /// Starts the source. Further calls have no effect.
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

        /// Starts the source, or undoes a `suspend`.
        public func resume() {
            guard locked(orElse: false, { isActivated }) else { return activate() }
            locked {
                try check(suspensions > 0, "a source is resumed more often than it was suspended")
                suspensions -= 1
            }
            continueIfPossible()
        }

        /// No handler is called until `resume`. Events that happen meanwhile are collected.
        public func suspend() { locked { suspensions += 1 } }

        /// From now on the event handler is not called. The cancellation handler is called once.
        public func cancel() {
            let isFirst = locked(orElse: false) {
                defer { isOver = true }
                return !isOver
            }
            if isFirst { continueIfPossible() }
        }

        public var isCancelled: Bool { locked(orElse: true) { isOver } }

        /// In the event handler: the data of this call.
        public var data: UInt { locked(orElse: 0) { delivered } }
        /// Kernel values, which do not exist here.
        public var handle: UInt { 0 }
        public var mask: UInt { 0 }

        // MARK: - Events

        /// Calls the handlers that a change has made possible: after a cancellation the cancellation handler, otherwise
        /// the event handler if there is data.
        func continueIfPossible() {
            let cancelHandler: Handler? = locked(orElse: nil) {
                guard isOver && suspensions == 0 else { return nil }
                // The handlers are released, because they often keep their own source alive.
                defer { (event, cancellation, registration) = (Handler(), Handler(), Handler()) }
                return cancellation
            }
            if let cancelHandler { call(cancelHandler) } else { queueEvent() }
        }

        /// Changes the pending data, and queues a call of the event handler.
        func notePending(_ change: (inout UInt) -> Void) {
            locked { change(&pending) }
            queueEvent()
        }

        /// Queues a call of the event handler, if there is data and no such call is queued.
        private func queueEvent() {
            let flags: DispatchWorkItemFlags? = locked(orElse: nil) {
                guard pending != 0 && canDeliver && !isQueued else { return nil }
                isQueued = true
                return event.flags
            }
            if let flags { queue.async(flags: flags) { self.deliver() } }
        }

        /// Runs on the queue: calls the event handler with the pending data. The handler is never called while it still
        /// runs, even on a concurrent queue.
        private func deliver() {
            let handler: Handler? = locked(orElse: nil) {
                guard canDeliver && pending != 0 else { return nil }
                (delivered, pending) = (pending, 0)
                return event
            }
            handler?.block?()
            locked { isQueued = false }
            // Events during the call have queued no other call, because `isQueued` was set.
            queueEvent()
        }

        /// Called on the queue, by a timer: adds events, and calls the handler at once unless a call is queued already.
        func fire(_ count: UInt) {
            let isFree = locked(orElse: false) {
                pending += count
                defer { isQueued = true }
                return !isQueued
            }
            if isFree { deliver() }
        }

        /// Queues a call of the handler, if one was set.
        private func call(_ handler: Handler) {
            guard handler.block != nil else { return }
            queue.async(flags: handler.flags) { handler.block?() }
        }

        /// With the mutex held: whether events may be delivered.
        var canDeliver: Bool { suspensions == 0 && !isOver }

        func locked<Result>(orElse instead: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
            must(orElse: instead()) { try mutex.withLock(body) }
        }

        func locked(_ body: () throws -> Void) { must { try mutex.withLock(body) } }
    }
}
