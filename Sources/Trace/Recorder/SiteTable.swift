/// Converts the site words of a recording to entries of a document's table of sites.
struct SiteTable {
    /// The offset between addresses in the recording and in this process; nil if another program made the recording.
    private let shift: UInt?
    private lazy var ranges = ReadableRanges()
    private var identities: [UInt64: SiteID] = [:]
    private var bySite: [TraceDocument.Site: SiteID] = [:]
    private var files: [UInt64: String?] = [:]
    /// A cache of recent sites, indexed by their words: a few lines make most of the events.
    private var recent = [(word: UInt64, id: SiteID)](repeating: (0, .unknown), count: 64)
    /// Further sites are treated as unknown: a program has fewer, a damaged file may have more.
    private static let limit = 1 << 20

    init(memory: RecordingMemory) {
        let isOurs = memory.load(RecordingLayout.Header.program) == ProgramIdentity.current
        let theirs = memory.load(RecordingLayout.Header.loadAddress)
        shift = isOurs ? UInt(truncatingIfNeeded: ProgramIdentity.loadAddress &- theirs) : nil
    }

    /// The entry for a word seen before.
    mutating func known(_ word: UInt64) -> SiteID? {
        let place = Int(truncatingIfNeeded: word) & (recent.count - 1)
        if recent[place].word == word { return recent[place].id }
        guard let id = identities[word] else { return nil }
        recent[place] = (word, id)
        return id
    }

    /// Creates the entry for a word.
    mutating func add(_ word: UInt64, to document: inout TraceDocument, names: NameReader) -> SiteID {
        let place = SourceSite(word: word)
        guard identities.count < Self.limit else { return .unknown }
        var id = SiteID.unknown
        if let file = file(of: place, names) {
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

    private mutating func file(of place: SourceSite, _ names: NameReader) -> String? {
        let key = place.word >> 16
        if let known = files[key] { return known }
        var name: String?
        if let index = place.fileText {
            name = names.text(Int64(index))
        } else if let shift, place.fileAddress != 0 {
            name = ranges.fileName(at: place.fileAddress &+ shift)
        }
        files[key] = .some(name)
        return name
    }
}
