import Execution
import Primitives

extension Lab {
    /// Foundation's `Thread`: it is made first and started later, with a block or with its `main`.
    open class Thread: Identified, @unchecked Sendable {
        private let block: (@Sendable () -> Void)?
        private let base: ThreadObject<Void>
        private let owner: Owner
        /// Where it was made.
        private let file: StaticString
        private let line: UInt

        /// For people, and in traces if it is set before the thread starts.
        open var name: String?

        // Of no consequence here.
        open var qualityOfService = QualityOfService.default
        open var threadPriority = 0.5
        open var stackSize = 0

        /// The thread's object. What the thread runs owns it.
        private final class Owner: @unchecked Sendable {
            weak var thread: Thread?
        }

        /// For a subclass that overrides it.
        @_disfavoredOverload
        public init() {
            block = nil
            owner = Owner()
            (file, line) = (#fileID, #line)
            base = Self.object(owner, file, line)
        }

        public init(file: StaticString = #fileID, line: UInt = #line) {
            block = nil
            owner = Owner()
            (self.file, self.line) = (file, line)
            base = Self.object(owner, file, line)
        }

        public init(
            file: StaticString = #fileID, line: UInt = #line, block: @escaping @Sendable () -> Void
        ) {
            self.block = block
            owner = Owner()
            (self.file, self.line) = (file, line)
            base = Self.object(owner, file, line)
        }

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

        /// What the thread does. By default, its block.
        open func main() { block?() }

        @_disfavoredOverload
        open func start() { start(file: file, line: line) }

        public final func start(file: StaticString = #fileID, line: UInt = #line) {
            owner.thread = self
            must { try base.start(keeping: self, file: file, line: line) }
        }

        open func cancel() { must { try base.cancel(file: file, line: line) } }

        open var isCancelled: Bool { must(orElse: false) { try base.isCancelled() } }
        open var isExecuting: Bool { must(orElse: .finished) { try base.state() } == .executing }
        open var isFinished: Bool { must(orElse: .finished) { try base.state() } == .finished }

        // MARK: - The calling thread

        public static func detachNewThread(
            file: StaticString = #fileID, line: UInt = #line, _ block: @escaping @Sendable () -> Void
        ) {
            Thread(file: file, line: line, block: block).start(file: file, line: line)
        }

        /// The calling thread's object. Of a thread that was not made as one, a new object that was never started.
        public static var current: Thread {
            let runtime = ThreadContext.runtime.counted
            let value = runtime.slotValue(runtime.knownSlot(.dropInThread))
            return value.map { unsafeDowncast($0, to: Thread.self) } ?? Thread()
        }

        public static var isMainThread: Bool { Primitives.Thread.current.isMain }

        public static func sleep(
            forTimeInterval seconds: Double, file: StaticString = #fileID, line: UInt = #line
        ) {
            must { try Primitives.Thread.sleep(for: .seconds(limited: seconds), file: file, line: line) }
        }

        public static func sleep(until date: Date, file: StaticString = #fileID, line: UInt = #line) {
            must { try Primitives.Thread.sleep(until: date.instant, file: file, line: line) }
        }
    }

    /// Foundation's `QualityOfService`, which is ignored: the scheduler decides.
    public enum QualityOfService: Int, Sendable {
        case userInteractive = 33
        case userInitiated = 25
        case utility = 17
        case background = 9
        case `default` = -1
    }
}
