import Authoring

/// An object that is used on its own queue only.
struct ConfinedObject: Scenario {
    static let name = "confined-object"
    static let summary = "A document belongs to its own queue, and a worker saves it while it is edited."
    static let lesson = """
        An object that is confined to one queue needs no locks inside: every use goes through `performBlock`, which \
        queues it, or `performBlockAndWait`. A use from elsewhere is a mistake even if it only reads, and the object \
        can check it at each entry. A long piece of work, such as saving, does not keep the queue busy: take a copy \
        on the queue, and work on the copy.
        """
    static let guide: Guide? = .classDesign(
        "Your Own Classes", "Practical Thread-Safe Design")
    static let source = #fileID

    enum Variant: String, ScenarioVariant {
        case direct
        case guarded
        case performed
        case copied

        var summary: String {
            switch self {
            case .direct: "the worker reads the document directly while a block edits it"
            case .guarded: "the same, and the document checks on which queue it is used"
            case .performed: "the worker saves in a block of the document's queue, and edits wait"
            case .copied: "the worker takes a copy on the document's queue, and saves the copy"
            }
        }

        var expectation: Expectation {
            switch self {
            case .direct: .may(.race)
            case .guarded: .must(.misuse)
            case .performed, .copied: .completes
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.direct

    func run() throws {
        let document = Document(isGuarded: variant == .guarded, queue: try WorkQueue("document"))
        let saved = Shared("saved", 0)
        try document.performBlock { try document.edit() }
        let worker = try Thread("worker") {
            switch variant {
            case .direct, .guarded: try saved.write(document.text())
            case .performed: try document.performBlockAndWait { try saved.write(document.text()) }
            case .copied:
                let copy = try document.performBlockAndWait { try document.text() }
                try saved.write(copy)
            }
        }
        try document.performBlockAndWait { try document.edit() }
        try worker.join()
        let version = try saved.read()
        note("saved version \(version)")
    }

    /// A document, which may be used on its queue only.
    private final class Document: Sendable {
        private let queue: WorkQueue
        private let isGuarded: Bool
        private let version = Shared("version", 0)

        init(isGuarded: Bool, queue: WorkQueue) {
            self.isGuarded = isGuarded
            self.queue = queue
        }

        func performBlock(_ block: @escaping @Sendable () throws -> Void) throws { try queue.async(block) }

        func performBlockAndWait<Result>(_ block: () throws -> Result) throws -> Result { try queue.sync(block) }

        func edit(file: StaticString = #fileID, line: UInt = #line) throws {
            if isGuarded { try precondition(onQueue: queue, file: file, line: line) }
            try version.write(version.read() + 1)
        }

        func text(file: StaticString = #fileID, line: UInt = #line) throws -> Int {
            if isGuarded { try precondition(onQueue: queue, file: file, line: line) }
            return try version.read()
        }
    }
}
