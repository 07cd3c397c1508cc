/// Receives the events of one run, in the order in which they happened.
///
/// Used by one OS thread at a time. Native threads, which need one writer each, use a `Lane` instead.
package protocol EventSink: AnyObject {
    /// Appends an event.
    ///
    /// - Parameter order: the memory order of an operation on an atomic.
    func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int, order: MemoryOrder)

    /// Appends a remark.
    func append(_ remark: Remark, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int)

    /// Gives a thread its name. Called before its first event.
    func declareThread(_ thread: Int, name: String)

    /// Gives an object its kind, name and creator. Called before its first event.
    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID)

    /// The declared object is inside another one, which the program knows; or inside itself (`TraceDocument.Object`).
    func declarePart(_ object: UInt32, of owner: UInt32)

    /// Stores a text, and returns the number by which an event refers to it.
    func text(_ text: String) -> Int
}

extension EventSink {
    /// Appends an event without a memory order of its own.
    package func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int
    ) {
        append(kind, thread: thread, object: object, value: value, site: site, time: time, order: .seqcst)
    }
}

/// Collects events directly in a `TraceDocument`: for runs in this process that need no recording to outlive it.
package final class DocumentSink: EventSink {
    package private(set) var document: TraceDocument
    private var siteIDs: [UInt64: SiteID] = [:]
    /// By the hash of their words.
    private var remarkIDs: [UInt64: RemarkID] = [:]
    private let limit: Int

    /// - Parameter limit: the maximum number of events kept. Later ones are counted in `document.dropped`.
    package init(header: TraceHeader, limit: Int = 1_000_000) {
        document = TraceDocument(header: header)
        self.limit = limit
    }

    package func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int, order: MemoryOrder
    ) {
        append(kind, .none, thread: thread, object: object, value: value, site: site, time: time, order: order)
    }

    package func append(
        _ remark: Remark, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int
    ) {
        let known = remarkIDs[remark.key]
        let id = known ?? document.number(of: remark)
        if known == nil { remarkIDs[remark.key] = id }
        append(.remark, id, thread: thread, object: object, value: value, site: site, time: time, order: .seqcst)
    }

    private func append(
        _ kind: EventKind, _ remark: RemarkID, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int,
        order: MemoryOrder
    ) {
        guard document.events.count < limit else {
            document.dropped += 1
            return
        }
        document.events.append(
            Event(
                time: UInt64(time), thread: ThreadID(thread), kind: kind, object: ObjectID(Int(object)),
                value: Int64(value), site: id(of: site), remark: remark, order: order))
    }

    package func declareThread(_ thread: Int, name: String) {
        while document.threads.count <= thread { document.threads.append(.init(name: "")) }
        document.threads[thread].name = name
    }

    package func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID) {
        while document.objects.count <= Int(object) { document.objects.append(nil) }
        document.objects[Int(object)] = .init(kind: kind, name: name, maker: maker)
    }

    package func declarePart(_ object: UInt32, of owner: UInt32) {
        guard Int(object) < document.objects.count else { return }
        document.objects[Int(object)]?.owner = ObjectID(Int(owner))
    }

    package func text(_ text: String) -> Int {
        document.texts.append(text)
        return document.texts.count - 1
    }

    private func id(of site: SourceSite) -> SiteID {
        if site == .unknown { return .unknown }
        if let known = siteIDs[site.word] { return known }
        // The address is a compiler constant of this very process: a C string that lives as long as the program.
        let file: String
        if let text = site.fileText {
            file = Int(text) < document.texts.count ? document.texts[Int(text)] : "?"
        } else {
            file = UnsafePointer<CChar>(bitPattern: site.fileAddress).map { String(cString: $0) } ?? "?"
        }
        document.sites.append(.init(file: file, line: site.line))
        let id = SiteID(document.sites.count - 1)
        siteIDs[site.word] = id
        return id
    }
}
