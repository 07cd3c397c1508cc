import Authoring

/// Calls that one thread lets another thread make.
struct Perform: Scenario {
    static let name = "perform"
    static let summary = "The main thread has a worker's run loop make calls, and waits until they are done."
    static let lesson = """
        A call that is handed to another thread is made by that thread's run loop, when it gets to it: all waiting \
        calls in one pass, in the order in which they were queued. So calls need no lock among themselves. But they \
        need a loop that runs. A thread that has ended, that waits for something else, or whose loop had nothing to \
        watch and returned at once never makes them, and the caller that waits for one waits forever. Two threads \
        that each wait for a call to the other are in a deadlock, as with locks.

        A call is a source that removes itself when it has been made. The guide's functions name the target thread; \
        here the target's loop is handed over, so that it is in the program that there must be one.
        """
    static let guide: Guide? = .runLoops("Cocoa Perform Selector Sources")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case running
        case noLoop = "no-loop"
        case emptyLoop = "empty-loop"
        case eachOther = "each-other"
        case later
        case cancelled
        case removed

        var summary: String {
            switch self {
            case .running: "the worker runs its loop, which a source keeps running"
            case .noLoop: "the worker does not run its loop"
            case .emptyLoop: "the worker's loop has nothing to watch, and does not wait for calls"
            case .eachOther: "the worker's call waits for a call to the main thread, which waits for the worker"
            case .later: "the worker's call sends the main thread one that it does not wait for"
            case .cancelled: "a delayed call that is cancelled in time is not made"
            case .removed: "a call is the only source of a loop, and gone when it has been made"
            }
        }

        var expectation: Expectation {
            switch self {
            case .running, .later, .cancelled, .removed: .completes
            case .noLoop, .eachOther: .must(.deadlock)
            case .emptyLoop: .may(.deadlock)
            }
        }

        var guide: Guide? {
            self == .emptyLoop ? .runLoops("Configuring the Run Loop") : nil
        }
    }

    @Parameter("variant of the program") var variant = Variant.running
    @Parameter("number of calls", in: 1...100) var calls = 2

    func run() throws {
        if variant == .cancelled { return try cancelInTime() }
        if variant == .removed { return try runUntilNothingIsLeft() }
        let main = RunLoop.current
        let handed = try BoundedQueue<RunLoop>("hand-over", capacity: 1)
        let over = try Semaphore("over", value: 0)
        let made = Shared("calls made", 0)
        let worker = try Thread("worker") {
            let loop = RunLoop.current
            if variant != .emptyLoop { try loop.add(InputSource("keeps the loop running") {}) }
            try handed.put(loop)
            if variant == .noLoop { return try over.wait() }
            while try loop.run() == .handledSource {}
        }

        guard let loop = try handed.take() else { return }
        for number in 1...calls {
            try loop.perform(waitUntilDone: number == calls) {
                if variant == .eachOther { try main.perform(waitUntilDone: true) {} }
                if variant == .later { try main.perform { note("the worker has made call \(number)") } }
                try made.write(made.read() + 1)
            }
        }
        let count = try made.read()
        try check(count == calls, "\(count) of \(calls) calls were made")
        try loop.stop()
        try over.signal()
        try worker.join()
        while variant == .later, try main.run() == .handledSource {}
    }

    private func runUntilNothingIsLeft() throws {
        let loop = RunLoop.current
        for number in 1...calls { try loop.perform { note("call \(number)") } }
        var exit = try loop.run()
        try check(exit == .handledSource, "the run ended as \(exit)")
        exit = try loop.run()
        try check(exit == .finished, "the calls are still there: the run ended as \(exit)")
    }

    private func cancelInTime() throws {
        let loop = RunLoop.current
        let search = try loop.perform(after: .milliseconds(100)) { try check(false, "the search begins anyway") }
        try loop.perform(after: .milliseconds(20)) {
            note("another key was pressed: no search yet")
            try search.invalidate()
        }
        try loop.run()
    }
}
