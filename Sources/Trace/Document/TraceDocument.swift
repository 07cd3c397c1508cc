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

        package init(kind: ObjectKind, name: String, maker: ThreadID = .main) {
            self.kind = kind
            self.name = name
            self.maker = maker
        }
    }

    /// A line of the scenario's source.
    package struct Site: Hashable, Sendable {
        /// As given by the compiler: `Module/File.swift`, or a `.lab` file's path.
        package var file: String
        package var line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// For people: without the folders.
        package var shortDescription: String {
            guard let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "\(file):\(line)" }
            return "\(file[file.index(after: slash)...]):\(line)"
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
    /// The number of events not kept, because the run made more than a trace holds.
    package var dropped = 0
    /// How the run ended. Nil while it runs, and in a trace that was cut off.
    package var outcome: Outcome?

    package init(header: TraceHeader) { self.header = header }

    /// Whether reports for people show the event: not if it happened inside a built object, or only qualifies the next
    /// event.
    package func isShown(_ event: Event) -> Bool {
        event.kind != .threadTry && (event.kind.blocks || object(event.object)?.kind != .part)
    }

    package func name(of thread: ThreadID) -> String {
        Int(thread.index) < threads.count ? threads[Int(thread.index)].name : "thread \(thread.index)"
    }

    package func object(_ id: ObjectID) -> Object? {
        Int(id.index) < objects.count ? objects[Int(id.index)] : nil
    }

    package func site(_ id: SiteID) -> Site? {
        Int(id.index) < sites.count ? sites[Int(id.index)] : nil
    }

    /// The text that an event of a kind whose `meaning` is `.text` carries.
    package func text(of event: Event) -> String? {
        guard event.kind.meaning == .text, texts.indices.contains(Int(event.value)) else { return nil }
        return texts[Int(event.value)]
    }
}
