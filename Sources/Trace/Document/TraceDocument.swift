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
        /// The built object of which it is a part: the program knows only the built object, not its parts. `none` for
        /// an object that is not a part. A part of a built object that has no number has itself as owner.
        package var owner: ObjectID
        /// The call that created it, if known.
        package var origin: Site.Call?
        /// The number of permits with which a semaphore began. Nil: it is not known.
        package var permits: Int?

        package init(kind: ObjectKind, name: String, maker: ThreadID = .main, owner: ObjectID = .none) {
            self.kind = kind
            self.name = name
            self.maker = maker
            self.owner = owner
        }
    }

    /// A line of the scenario's source, and perhaps the calls that led to it.
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

        /// As given by the compiler (`Module/File.swift`), or the path of a `.lab` file.
        package var file: String
        package var line: Int
        /// The calls, innermost first. Empty: not known.
        package var calls: [Call] = []

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// The place as reports show it, without folders.
        package var shortDescription: String { "\(shortFile):\(line)" }

        /// The file's name without folders.
        package var shortFile: String {
            guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return file.shortened() }
            return String(file[file.index(after: slash)...]).shortened()
        }
    }

    package var header: TraceHeader
    /// The events in the order in which they happened.
    package var events: [Event] = []
    package var threads: [Thread] = [Thread(name: "main")]
    /// Number 0 means no object.
    package var objects: [Object?] = [nil]
    /// What pointers point to, by their values: the words for some addresses, such as `item 3` or `&x`.
    package var targets: [Int64: String] = [:]
    /// Number 0 means an unknown place.
    package var sites: [Site?] = [nil]
    package var texts: [String] = []
    /// The remarks. The number of the first is 1; 0 stands for a remark whose words are lost. Their names are unique.
    package private(set) var remarks: [Remark] = []
    /// The number of events that were not kept, because the run made more than a trace can have.
    package var dropped = 0
    /// The number of later events that were left out, because they would need too much memory. If it is not 0, the
    /// trace has no outcome.
    package var omitted = 0
    /// How the run ended. Nil during the run, and in an incomplete trace.
    package var outcome: Outcome?

    package init(header: TraceHeader) { self.header = header }

    package func name(of thread: ThreadID) -> String {
        Int(thread.index) < threads.count ? threads[Int(thread.index)].name : "thread \(thread.index)"
    }

    package func object(_ id: ObjectID) -> Object? {
        Int(id.index) < objects.count ? objects[Int(id.index)] : nil
    }

    /// The object that the program knows: for a part of a built object, the built object.
    package func known(_ id: ObjectID) -> ObjectID {
        guard let owner = object(id)?.owner, owner != .none else { return id }
        return owner
    }

    /// Whether the object is a part of a built object.
    package func isInside(_ id: ObjectID) -> Bool { object(id).map { $0.owner != .none } ?? false }

    /// Gives a file another name in all sites, and the scenario if it has the file's name.
    package mutating func rename(_ file: String, to name: String) {
        if header.scenario == file { header.scenario = name }
        for index in sites.indices where sites[index]?.file == file { sites[index]?.file = name }
    }

    /// Drops the calls that led to sites other than these, and a single call, which says no more than the site's line.
    package mutating func keepCalls(of places: some Sequence<SiteID>) {
        let kept = Set(places.map { Int($0.index) })
        for index in sites.indices where !kept.contains(index) || sites[index]?.calls.count == 1 {
            sites[index]?.calls = []
        }
    }

    package func site(_ id: SiteID) -> Site? {
        Int(id.index) < sites.count ? sites[Int(id.index)] : nil
    }

    /// The number of a remark, which is added if it is new. If another remark has the same name, a number is appended
    /// to the name. None: there are too many remarks.
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

    /// The remark of an event. Nil: its words are lost, or the event is not a remark.
    package func remark(of event: Event) -> Remark? { event.kind == .remark ? remark(event.remark) : nil }

    package func remark(_ id: RemarkID) -> Remark? {
        id == .none || Int(id.index) > remarks.count ? nil : remarks[Int(id.index) - 1]
    }

    /// The event's dotted name: that of its kind or of its remark.
    package func name(of event: Event) -> String { remark(of: event)?.name ?? event.kind.name }

    package func meaning(of event: Event) -> EventKind.Meaning { remark(of: event)?.meaning ?? event.kind.meaning }

    /// A value of an atomic or a plain cell, as the program writes it: `true` instead of 1 if it is a Boolean, what a
    /// pointer points to instead of an address, and the text with this number if it is a list.
    package func words(_ value: Int64, in object: ObjectID) -> String {
        words(value, as: self.object(object)?.kind.valueForm ?? .number)
    }

    /// A value of memory.
    package func words(_ value: Int64, as form: ObjectKind.ValueForm) -> String {
        switch form {
        case .number: WordText.text(value, isBoolean: false)
        case .truth: WordText.text(value, isBoolean: true)
        case .pointer: targets[value]?.printable ?? WordText.text(ofAddress: value)
        case .text: Int(exactly: value).flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
        }
    }

    /// The text of an event whose `meaning` is `.text`.
    package func text(of event: Event) -> String? {
        guard meaning(of: event) == .text, texts.indices.contains(Int(event.value)) else { return nil }
        return texts[Int(event.value)]
    }
}

/// What was run, and how: enough information to run it again.
package struct TraceHeader: Equatable, Sendable {
    package enum Runtime: String, Sendable { case native, controlled }

    /// The version of the format of saved traces (docs/trace-format.md), and the highest one that can be read.
    package static let currentVersion = 3
    /// The version that is written for traces without memory orders, so that earlier versions of threadlab can read
    /// them.
    package static let versionWithoutOrders = 2

    package var scenario: String
    /// Every parameter with its value, in the order of declaration.
    package var parameters: [Parameter]
    package var runtime: Runtime
    /// The seed, in controlled runs.
    package var seed: UInt64?
    /// The schedule in its printable form, in controlled runs.
    package var schedule: String?

    /// The rules of a controlled run that differ from the default, each as the name of a command-line option and its
    /// value: `spurious` and `2`.
    package var rules: [Parameter] = []

    /// The program, as far as a trace can contain it. Nil: only its name is known.
    package var program: Program?

    /// The memory model of a controlled run, if it is weaker than sequential consistency.
    package var memoryModel: String? { rules.first { $0.name == "model" }?.value }

    /// A program's text, or what distinguishes a build of compiled code from others.
    package enum Program: Equatable, Sendable {
        /// The text of a `.lab` program.
        case text(String)
        case compiled(Build)
    }

    /// The build of a scenario that is written in Swift, or of a compiled program.
    package struct Build: Equatable, Sendable {
        /// The program that contains the scenario.
        package var package: String
        package var version: String
        /// The hash of the scenario's source file, or of the compiled program. Nil: the file was not found.
        package var digest: String?
        /// For a compiled program: the places in its code whose memory accesses are steps. A schedule is meaningless
        /// without them.
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
