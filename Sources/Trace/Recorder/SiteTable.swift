/// Turns the site words of a recording into entries of a document's table of sites.
struct SiteTable {
    /// What to add to an address in the recording to make it one of this process; nil if the recording is another
    /// program's.
    private let shift: UInt?
    private lazy var ranges = ReadableRanges()
    private var identities: [UInt64: SiteID] = [:]
    private var bySite: [TraceDocument.Site: SiteID] = [:]
    private var files: [UInt64: String?] = [:]
    private var last: (word: UInt64, id: SiteID) = (0, .unknown)
    /// More are taken as unknown: a program has fewer, a damaged file may not.
    private static let limit = 1 << 20

    init(memory: RecordingMemory) {
        let isOurs = memory.load(RecordingLayout.Header.program) == ProgramIdentity.current
        let theirs = memory.load(RecordingLayout.Header.loadAddress)
        shift = isOurs ? UInt(truncatingIfNeeded: ProgramIdentity.loadAddress &- theirs) : nil
    }

    mutating func identity(
        of word: UInt64, in document: inout TraceDocument, text: (Int64) -> String?
    ) -> SiteID {
        if word == last.word { return last.id }
        let id = identities[word] ?? add(SourceSite(word: word), to: &document, text: text)
        last = (word, id)
        return id
    }

    private mutating func add(
        _ place: SourceSite, to document: inout TraceDocument, text: (Int64) -> String?
    ) -> SiteID {
        guard identities.count < Self.limit else { return .unknown }
        var id = SiteID.unknown
        if let file = file(of: place, text: text) {
            let site = TraceDocument.Site(file: file, line: place.line)
            id = bySite[site] ?? SiteID(document.sites.count)
            if Int(id.index) == document.sites.count {
                document.sites.append(site)
                bySite[site] = id
            }
        }
        identities[place.word] = id
        return id
    }

    private mutating func file(of place: SourceSite, text: (Int64) -> String?) -> String? {
        let key = place.word >> 16
        if let known = files[key] { return known }
        var name: String?
        if let index = place.fileText {
            name = text(Int64(index))
        } else if let shift, place.fileAddress != 0 {
            name = ranges.fileName(at: place.fileAddress &+ shift)
        }
        files[key] = .some(name)
        return name
    }
}
