/// Receives the events of one run, in the order in which they happened.
///
/// Used by one OS thread at a time. Native threads, which each need a writer of their own, use a `Lane` instead.
package protocol EventSink: AnyObject {
    /// Appends an event.
    ///
    /// - Parameters:
    ///   - time: in nanoseconds.
    ///   - order: the memory order of an operation on an atomic.
    func append(
        _ kind: EventKind, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int, order: MemoryOrder)

    /// Appends a remark.
    func append(_ remark: Remark, thread: Int, object: UInt32, value: Int, site: SourceSite, time: Int)

    /// Gives a thread its name. Called before its first event.
    func declareThread(_ thread: Int, name: String)

    /// Gives an object its kind, name and creator. Called before its first event.
    ///
    /// - Parameter permits: the number of permits with which a semaphore begins. Nil: it is not known, or no semaphore.
    func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID, permits: Int?)

    /// Declares that the object is a part of another one, a built object. If that has no number, `owner` is the number
    /// of the part itself: see `TraceDocument.Object.owner`.
    func declarePart(_ object: UInt32, of owner: UInt32)

    /// Says to what the pointers with this value point: see `TraceDocument.targets`.
    func declareTarget(_ value: Int, name: String)

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

/// Collects events directly in a `TraceDocument`. For runs in this process whose recording need not outlive it.
package final class DocumentSink: EventSink {
    package private(set) var document: TraceDocument
    private var siteIDs: [UInt64: SiteID] = [:]
    /// The number of each remark, by `Remark.key`.
    private var remarkIDs: [UInt64: RemarkID] = [:]
    private let limit: Int
    private let placeOfCalls: (Int) -> SourceSite

    /// - Parameters:
    ///   - limit: the maximum number of events kept. Later ones are counted in `document.dropped`.
    ///   - placeOfCalls: returns the file and line of a site whose calls have this number (`SourceSite.calls`).
    package init(
        header: TraceHeader, limit: Int = 1_000_000, placeOfCalls: @escaping (Int) -> SourceSite = { _ in .unknown }
    ) {
        document = TraceDocument(header: header)
        self.limit = limit
        self.placeOfCalls = placeOfCalls
    }

    /// The document's number of a site in an earlier event. Nil: no event had it.
    package func number(of site: SourceSite) -> SiteID? { siteIDs[site.word] }

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

    package func declareObject(_ object: UInt32, kind: ObjectKind, name: String, maker: ThreadID, permits: Int?) {
        while document.objects.count <= Int(object) { document.objects.append(nil) }
        document.objects[Int(object)] = .init(kind: kind, name: name, maker: maker)
        document.objects[Int(object)]?.permits = permits
    }

    package func declarePart(_ object: UInt32, of owner: UInt32) {
        guard Int(object) < document.objects.count else { return }
        document.objects[Int(object)]?.owner = ObjectID(Int(owner))
    }

    package func declareTarget(_ value: Int, name: String) { document.targets[Int64(value)] = name }

    package func text(_ text: String) -> Int {
        document.texts.append(text)
        return document.texts.count - 1
    }

    private func id(of site: SourceSite) -> SiteID {
        if site == .unknown { return .unknown }
        if let known = siteIDs[site.word] { return known }
        document.sites.append(.init(text: file(of: site.calls.map(placeOfCalls) ?? site), line: site.line))
        let id = SiteID(document.sites.count - 1)
        siteIDs[site.word] = id
        return id
    }

    private func file(of site: SourceSite) -> String {
        if let text = site.fileText { return Int(text) < document.texts.count ? document.texts[Int(text)] : "?" }
        // The address is a constant of this process: a C string that lives as long as the program.
        return UnsafePointer<CChar>(bitPattern: site.fileAddress).map { String(cString: $0) } ?? "?"
    }
}
