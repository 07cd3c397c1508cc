import Authoring

/// An error in a thread's body, and what catches it.
struct ThreadErrors: Scenario {
    static let name = "thread-errors"
    static let summary = "A thread fails: the error is not caught, the thread catches it itself, or the joiner gets it."
    static let lesson = """
        An error belongs to the thread in which it is thrown: no other thread can catch it where it happens. An \
        error that leaves the thread's body ends the whole process. So the body catches what may be thrown, at its \
        entry at the latest; and if another thread should decide what to do, the error is passed to it as a value, \
        for instance to the thread that joins it.
        """
    static let guide: Guide? = .basics("Handle Exceptions")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case uncaught
        case caughtOutside = "caught-outside"
        case caughtAtEntry = "caught-at-entry"
        case handedOver = "handed-over"
        case neverAskedFor = "never-asked-for"

        var summary: String {
            switch self {
            case .uncaught: "the error leaves the thread's body"
            case .caughtOutside: "the creating thread catches what creation throws: not the thread's own error"
            case .caughtAtEntry: "the body catches it, and says so"
            case .handedOver: "the error is kept for the thread that joins, which catches it"
            case .neverAskedFor: "the error is kept, and no thread joins"
            }
        }

        var expectation: Expectation {
            switch self {
            case .uncaught, .caughtOutside: .must(.error)
            case .caughtAtEntry, .handedOver: .completes
            case .neverAskedFor: .must(.leak)
            }
        }

        var guide: Guide? {
            self == .caughtAtEntry ? .threads("Setting Up an Exception Handler") : nil
        }
    }

    @Parameter("variant of the program") var variant = Variant.uncaught

    private struct NoSuchFile: Error, CustomStringConvertible {
        let description = "there is no such file"
    }

    func run() throws {
        switch variant {
        case .uncaught:
            let reader = try Thread("reader") { try read() }
            try reader.join()
        case .caughtOutside:
            do {
                let reader = try Thread("reader") { try read() }
                try reader.join()
            } catch let error as NoSuchFile { note("caught: \(error)") }
        case .caughtAtEntry:
            let reader = try Thread("reader") {
                do { try read() } catch let error as NoSuchFile { note("caught: \(error)") }
            }
            try reader.join()
        case .handedOver:
            let reader = ThreadObject("reader") { try read() }
            try reader.start()
            do { try reader.join() } catch let error as NoSuchFile { note("the reader failed: \(error)") }
        case .neverAskedFor:
            let reader = ThreadObject("reader") { try read() }
            try reader.start()
            try Thread.sleep(for: .milliseconds(10))
        }
    }

    private func read() throws { throw NoSuchFile() }
}
