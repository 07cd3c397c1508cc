import Execution
import Foundation
import Primitives

extension Lab {
    /// Foundation's `Thread`: created first and started later, with a block or its `main`.
    open class Thread: Identified, @unchecked Sendable {
        private let block: (@Sendable () -> Void)?
        /// The thread as a primitive. Nil: it is the main thread, or was not created as a `Lab.Thread`.
        fileprivate let base: ThreadObject<Void>?
        private let owner: Owner
        private let isMain: Bool
        /// The site of its creation.
        private let file: StaticString
        private let line: UInt

        /// A name for the program's own use. Traces do not show it.
        open var name: String?

        // These have no effect.
        open var qualityOfService = QualityOfService.default
        open var threadPriority = 0.5
        open var stackSize = 0

        /// The thread's own data. Only the thread itself uses it.
        public private(set) lazy var threadDictionary = NSMutableDictionary()

        /// `isCancelled` of a thread without `base`. Setting it is not a step, because only the thread itself has
        /// reason to do it.
        private var isAdoptedCancelled = false

        /// A weak reference to a `Lab.Thread`, which the code that the thread runs holds instead of the object.
        private final class Owner: @unchecked Sendable {
            weak var thread: Thread?
        }

        /// An initializer without parameters, which subclasses can override.
        @_disfavoredOverload
        public init() {
            block = nil
            owner = Owner()
            isMain = false
            (file, line) = (#fileID, #line)
            base = Self.object(owner, file, line)
        }

        public init(file: StaticString = #fileID, line: UInt = #line) {
            block = nil
            owner = Owner()
            isMain = false
            (self.file, self.line) = (file, line)
            base = Self.object(owner, file, line)
        }

        @preconcurrency
        public init(
            file: StaticString = #fileID, line: UInt = #line, block: @escaping @Sendable () -> Void
        ) {
            self.block = block
            owner = Owner()
            isMain = false
            (self.file, self.line) = (file, line)
            base = Self.object(owner, file, line)
        }

        /// The object of a thread that was not created as a `Lab.Thread`.
        init(ofMain isMain: Bool) {
            block = nil
            owner = Owner()
            self.isMain = isMain
            (file, line) = (#fileID, #line)
            base = nil
        }

        /// Makes the primitive. Its body runs `main` of the object to which the owner refers, which `start` sets.
        private static func object(_ owner: Owner, _ file: StaticString, _ line: UInt) -> ThreadObject<Void> {
            var attributes = ThreadAttributes()
            attributes.isDetached = true
            return ThreadObject(nil, attributes, file: file, line: line) {
                guard let thread = owner.thread else { return }
                let runtime = ThreadContext.runtime.counted
                runtime.setSlotValue(runtime.knownSlot(.dropInThread), thread)
                thread.main()
            }
        }

        /// The thread's work. By default it runs the block.
        open func main() { block?() }

        @_disfavoredOverload
        open func start() { start(file: file, line: line) }

        public final func start(file: StaticString = #fileID, line: UInt = #line) {
            owner.thread = self
            must {
                guard let base else { throw Misuse.recorded(.startTwice, file: file, line: line) }
                try base.start(keeping: self, file: file, line: line)
            }
        }

        open func cancel() {
            guard let base else {
                isAdoptedCancelled = true
                return
            }
            must { try base.cancel(file: file, line: line) }
        }

        open var isCancelled: Bool {
            guard let base else { return isAdoptedCancelled }
            return must(orElse: false) { try base.isCancelled() }
        }

        open var isExecuting: Bool { state == .executing }
        open var isFinished: Bool { state == .finished }

        private var state: ThreadObject<Void>.State {
            guard let base else { return .executing }
            return must(orElse: .finished) { try base.state() }
        }

        open var isMainThread: Bool { isMain }
    }
}

extension Lab {
    public typealias QualityOfService = Foundation.QualityOfService
}

// MARK: - The calling thread

extension Lab.Thread {
    @preconcurrency
    public static func detachNewThread(
        file: StaticString = #fileID, line: UInt = #line, _ block: @escaping @Sendable () -> Void
    ) {
        Lab.Thread(file: file, line: line, block: block).start(file: file, line: line)
    }

    /// The calling thread's object. A thread that was not created as one gets it at the first use.
    public static var current: Lab.Thread {
        if isMainThread { return mainThread }
        let runtime = ThreadContext.runtime.counted
        let slot = runtime.knownSlot(.dropInThread)
        if let value = runtime.slotValue(slot) { return unsafeDowncast(value, to: Lab.Thread.self) }
        let thread = Lab.Thread(ofMain: false)
        runtime.setSlotValue(slot, thread)
        return thread
    }

    public static var isMainThread: Bool { Primitives.Thread.current.isMain }

    /// The object of the thread that runs `explore`'s closure.
    public static var mainThread: Lab.Thread { ObjectsOfRun.current.mainThread }

    /// Whether this run has started a thread.
    public static func isMultiThreaded() -> Bool { !ThreadContext.runtime.with { $0.hasOneThread } }

    /// Ends the calling thread where it is. As with the system's `exit`, nothing on its stack is released, and its
    /// locks stay locked.
    public static func exit() {
        must {
            try current.base?.finish()
            try Primitives.Thread.endAtOnce()
        }
    }

    public static var callStackSymbols: [String] { Foundation.Thread.callStackSymbols }
    public static var callStackReturnAddresses: [NSNumber] { Foundation.Thread.callStackReturnAddresses }

    public static func sleep(
        forTimeInterval seconds: Double, file: StaticString = #fileID, line: UInt = #line
    ) {
        must { try Primitives.Thread.sleep(for: .seconds(limited: seconds), file: file, line: line) }
    }

    public static func sleep(until date: Lab.Date, file: StaticString = #fileID, line: UInt = #line) {
        must { try Primitives.Thread.sleep(until: date.instant, file: file, line: line) }
    }
}
