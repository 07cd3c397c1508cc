import Text

/// A whole trace in memory: what was run, the events in order, the tables that they refer to, and how it ended.
package struct TraceDocument: Equatable, Sendable {
    package struct Thread: Equatable, Sendable {
        /// Unique within the trace.
        package var name: String

        package init(name: String) { self.name = name }
    }

    package struct Object: Equatable, Sendable {
        package var kind: ObjectKind
        /// Unique within the trace.
        package var name: String
        /// The thread that created it.
        package var maker: ThreadID
        /// The object that it is inside, of which alone the program knows. Itself, if that object has no number. None: it
        /// is the program's own.
        package var owner: ObjectID
        /// The call that created it, if that is known.
        package var origin: Site.Call?

        package init(kind: ObjectKind, name: String, maker: ThreadID = .main, owner: ObjectID = .none) {
            self.kind = kind
            self.name = name
            self.maker = maker
            self.owner = owner
        }
    }

    /// A line of the scenario's source, and perhaps the calls that led there.
    package struct Site: Hashable, Sendable {
        /// A call in progress: the function, and the place in it.
        package struct Call: Hashable, Sendable {
            package var function: String
            package var file: String
            package var line: Int

            package init(function: String, file: String, line: Int) {
                self.function = function
                self.file = file
                self.line = line
            }
        }

        /// As given by the compiler: `Module/File.swift`, or a `.lab` file's path.
        package var file: String
        package var line: Int
        /// The innermost call first. Empty: they are not known.
        package var calls: [Call] = []

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// For people: without the folders.
        package var shortDescription: String { "\(shortFile):\(line)" }

        /// The file's name without the folders.
        package var shortFile: String {
            guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return file.shortened() }
            return String(file[file.index(after: slash)...]).shortened()
        }
    }

    package var header: TraceHeader
    /// In the order in which they happened.
    package var events: [Event] = []
    package var threads: [Thread] = [Thread(name: "main")]
    /// Number 0 means no object.
    package var objects: [Object?] = [nil]
    /// Number 0 means an unknown place.
    package var sites: [Site?] = [nil]
    package var texts: [String] = []
    /// The words of remarks, no two of the same name. They count from 1: number 0 means no words.
    package private(set) var remarks: [Remark] = []
    /// The number of events not kept, because the run made more than a trace holds.
    package var dropped = 0
    /// The number of later events that are left out of what is shown, because with them it would need too much memory. Then there is no outcome.
    package var omitted = 0
    /// How the run ended. Nil while it runs, and in a trace that was cut off.
    package var outcome: Outcome?

    package init(header: TraceHeader) { self.header = header }

    package func name(of thread: ThreadID) -> String {
        Int(thread.index) < threads.count ? threads[Int(thread.index)].name : "thread \(thread.index)"
    }

    package func object(_ id: ObjectID) -> Object? {
        Int(id.index) < objects.count ? objects[Int(id.index)] : nil
    }

    /// The object as the program knows it: for what is inside a built object, that object.
    package func known(_ id: ObjectID) -> ObjectID {
        guard let owner = object(id)?.owner, owner != .none else { return id }
        return owner
    }

    /// Whether it is inside a built object, and the program knows only that object.
    package func isInside(_ id: ObjectID) -> Bool { object(id).map { $0.owner != .none } ?? false }

    /// Calls the file of the program by another name.
    package mutating func rename(_ file: String, to name: String) {
        if header.scenario == file { header.scenario = name }
        for index in sites.indices where sites[index]?.file == file { sites[index]?.file = name }
    }

    /// Forgets the calls that led to other places than these, and those that say no more than their line.
    package mutating func keepCalls(of places: some Sequence<SiteID>) {
        let kept = Set(places.map { Int($0.index) })
        for index in sites.indices where !kept.contains(index) || sites[index]?.calls.count == 1 {
            sites[index]?.calls = []
        }
    }

    package func site(_ id: SiteID) -> Site? {
        Int(id.index) < sites.count ? sites[Int(id.index)] : nil
    }

    /// The number of a remark's words, which are added if they are new. If there are other words of the same name, the
    /// name gets a number. None: there are too many.
    package mutating func number(of remark: Remark) -> RemarkID {
        var named = remark
        var next = 2
        while let known = remarks.firstIndex(where: { $0.name == named.name }) {
            if remarks[known] == named { return RemarkID(known + 1) }
            guard let renamed = remark.renamed(next) else { return .none }
            named = renamed
            next += 1
        }
        guard remarks.count < Remark.limit else { return .none }
        remarks.append(named)
        return RemarkID(remarks.count)
    }

    /// The words of a remark. Nil: they are lost, or the event is no remark.
    package func remark(of event: Event) -> Remark? { event.kind == .remark ? remark(event.remark) : nil }

    package func remark(_ id: RemarkID) -> Remark? {
        id == .none || Int(id.index) > remarks.count ? nil : remarks[Int(id.index) - 1]
    }

    /// The event's dotted name: its kind's, or the remark's.
    package func name(of event: Event) -> String { remark(of: event)?.name ?? event.kind.name }

    /// The meaning of the event's value.
    package func meaning(of event: Event) -> EventKind.Meaning { remark(of: event)?.meaning ?? event.kind.meaning }

    /// The value of an object's memory, as the program writes it.
    package func words(_ value: Int64, in object: ObjectID) -> String {
        WordText.text(value, isBoolean: self.object(object)?.kind.isBoolean == true)
    }

    /// The text that an event whose `meaning` is `.text` carries.
    package func text(of event: Event) -> String? {
        guard meaning(of: event) == .text, texts.indices.contains(Int(event.value)) else { return nil }
        return texts[Int(event.value)]
    }
}

/// What was run, and how: enough to run it again.
package struct TraceHeader: Equatable, Sendable {
    package enum Runtime: String, Sendable { case native, controlled }

    /// The format of saved traces (docs/trace-format.md). A reader refuses a higher one.
    package static let currentVersion = 3
    /// The format of traces without memory orders, which older versions of threadlab read.
    package static let versionWithoutOrders = 2

    package var scenario: String
    /// Every parameter with its value, in the order of declaration.
    package var parameters: [Parameter]
    package var runtime: Runtime
    /// Controlled runs only.
    package var seed: UInt64?
    /// The choices that were made, in their printable form. Controlled runs only.
    package var schedule: String?

    /// The rules that differ from the default, as command-line options: `spurious`, `2`. Controlled runs only.
    package var rules: [Parameter] = []

    /// The program that was run, as far as a trace can carry it. Nil: it is known by its name only.
    package var program: Program?

    /// The memory model, if it is a weaker one. Controlled runs only.
    package var memoryModel: String? { rules.first { $0.name == "model" }?.value }

    /// A program, or what tells compiled code from another version of it.
    package enum Program: Equatable, Sendable {
        /// The text of a `.lab` program.
        case text(String)
        case compiled(Build)
    }

    /// The build of a scenario that is written in Swift, or of a compiled program.
    package struct Build: Equatable, Sendable {
        /// The program that has the scenario.
        package var package: String
        /// Of threadlab.
        package var version: String
        /// The hash of the scenario's source file, or of the compiled program. Nil: the file was not found.
        package var digest: String?
        /// Of a compiled program: the places in its code whose accesses of memory are steps. A schedule means nothing without them.
        package var steps: String?

        package init(package: String, version: String, digest: String?, steps: String? = nil) {
            self.package = package
            self.version = version
            self.digest = digest
            self.steps = steps
        }
    }

    package struct Parameter: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        scenario: String, parameters: [Parameter] = [], runtime: Runtime, seed: UInt64? = nil, schedule: String? = nil
    ) {
        self.scenario = scenario
        self.parameters = parameters
        self.runtime = runtime
        self.seed = seed
        self.schedule = schedule
    }
}
