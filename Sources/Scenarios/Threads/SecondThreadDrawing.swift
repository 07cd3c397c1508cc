import Authoring

/// A second thread that draws into a window of the main thread.
struct SecondThreadDrawing: Scenario {
    static let name = "second-thread-drawing"
    static let summary = "A second thread draws into a window, which the main thread draws too, and may close."
    static let lesson = """
        A view belongs to the main thread, with one exception: another thread may draw into it, if it follows the rules. \
        It locks the focus before it draws, because the main thread draws too. The window may be closed by then, and \
        its memory be gone: so it takes a lock that can fail (the guide's `lockFocusIfCanDraw`), and draws nothing if \
        it does. What is drawn by the main thread appears by itself; another thread has to flush what it has drawn. \
        And it must not mark a part of the view as changed, so that the main thread draws it: that is for the main \
        thread, to which it sends a message.

        There is no window here: a drawing is a number in the window's memory, and the screen another one.
        """
    static let guide: Guide? = .basics("Threads and Your User Interface")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case noFocus = "no-focus"
        case windowClosed = "window-closed"
        case notFlushed = "not-flushed"
        case marksView = "marks-view"
        case complete

        var summary: String {
            switch self {
            case .noFocus: "the second thread draws without locking the focus"
            case .windowClosed: "it locks the focus, and does not ask whether it can still draw"
            case .notFlushed: "it draws, and does not flush what it has drawn"
            case .marksView: "it draws, and then marks the view as changed itself"
            case .complete: "it locks the focus if it can draw, flushes, and sends a message to the main thread"
            }
        }

        var expectation: Expectation {
            switch self {
            case .noFocus: .must(.race).orElse(.assertion)
            case .windowClosed: .may(.misuse)
            case .notFlushed: .may(.assertion)
            case .marksView: .must(.misuse)
            case .complete: .completes
            }
        }

        var guide: Guide? {
            let section = self == .notFlushed ? "NSGraphicsContext Restrictions" : "NSView Restrictions"
            return Guide(.threadingProgrammingGuide, chapter: "Thread Safety Summary", section: section)
        }
    }

    @Parameter("variant of the program") var variant = Variant.noFocus

    func run() throws {
        let window = Window(owner: .current)
        let messages = try BoundedQueue<Int>("messages", capacity: 1)
        let drawer = try Thread("drawer") { try draw(in: window, messages) }
        try window.withFocus { try window.draw(1) }
        switch variant {
        case .windowClosed: try window.close()
        case .complete: if try choose(2) == 1 { try window.close() }
        case .noFocus, .notFlushed, .marksView: break
        }
        if variant == .complete, try messages.take() != nil { try window.markAsChanged() }
        try drawer.join()
        try window.checkScreen()
    }

    private func draw(in window: Window, _ messages: BoundedQueue<Int>) throws {
        switch variant {
        case .noFocus:
            try window.draw(2)
            try window.flush()
        case .windowClosed: try window.withFocus { try window.draw(2) }
        case .notFlushed: try window.withFocus(flushing: false) { try window.draw(2) }
        case .marksView:
            try window.withFocus { try window.draw(2) }
            try window.markAsChanged()
        case .complete:
            let hasDrawn = try window.withFocusIfCanDraw { try window.draw(2) }
            if !hasDrawn { note("the window is closed: nothing is drawn") }
            try messages.put(2)
        }
    }

    /// A window with one view.
    private final class Window: Sendable {
        private let owner: Thread
        private let focus = Mutex("focus")
        /// Only the thread that has the focus may access this value and the drawing.
        private let isOpen = Shared("the window is open", true)
        private let drawing = Shared("drawing", 0)
        private let memory = ManagedObject("memory of the window")
        private let screen = Shared("screen", 0)
        private let isChanged = Shared("the view is changed", false)

        init(owner: Thread) { self.owner = owner }

        func withFocus(flushing: Bool = true, _ body: () throws -> Void) throws {
            try focus.withLock {
                try body()
                if flushing { try flush() }
            }
        }

        /// - Returns: whether the window was open.
        func withFocusIfCanDraw(_ body: () throws -> Void) throws -> Bool {
            try focus.withLock {
                guard try isOpen.read() else { return false }
                try body()
                try flush()
                return true
            }
        }

        func flush() throws { try screen.write(drawing.read()) }

        func draw(_ picture: Int) throws {
            try memory.use()
            try drawing.write(picture)
        }

        func markAsChanged(file: StaticString = #fileID, line: UInt = #line) throws {
            try precondition(onThread: owner, file: file, line: line)
            try isChanged.write(true)
        }

        func close() throws {
            try focus.withLock {
                try isOpen.write(false)
                try memory.release()
            }
        }

        func checkScreen() throws {
            try focus.withLock {
                let (drawn, shown) = (try drawing.read(), try screen.read())
                try check(drawn == shown, "drawing \(drawn) is not on the screen, which shows \(shown)")
                if try isOpen.read() { try memory.release() }
            }
        }
    }
}
