import CLab
import Glibc

/// A source location as one word: the line in the lower 16 bits, and above it the address of the file's name, which is
/// a constant of the program. Making one costs two instructions. The reader of a recording converts it to text.
///
/// Instead of the address it can have the number of a text, if the file's name is not a constant; or a number that
/// identifies calls, a backtrace that was recorded elsewhere together with the file in which it ends. Then the same
/// line with other callers is another site.
public struct SourceSite: Equatable, Sendable, BitwiseCopyable {
    public let word: UInt64

    public static let unknown = SourceSite(word: 0)

    /// The greatest line number. Greater ones are recorded as this.
    public static let maximumLine: UInt = 0xFFFF

    @inlinable public init(word: UInt64) { self.word = word }

    @inlinable public init(_ file: StaticString, _ line: UInt) {
        let address = UInt64(UInt(bitPattern: file.utf8Start))
        word = address << 16 | UInt64(min(line, 0xFFFF))
    }

    /// A location in a file whose name is a text of the recording (`Recorder.text`), not a constant of the program.
    public init(text: UInt, line: Int) {
        word = Self.textMark | (UInt64(text) & (1 << 47 - 1)) << 16 | UInt64(min(max(line, 0), 0xFFFF))
    }

    /// The bit that marks the number of a text. Addresses have 47 bits, and never use it.
    private static let textMark: UInt64 = 1 << 63

    /// The bit that, with `textMark`, marks a number that identifies calls. Numbers of texts are too small to use it.
    private static let callsMark: UInt64 = 1 << 62

    /// A line that was reached by certain calls.
    ///
    /// - Parameter calls: a number by which the code that makes the site finds these calls again.
    package init(calls: Int, line: Int) {
        self.init(text: UInt(Self.callsMark >> 16) | UInt(calls), line: line)
    }

    /// The number that identifies the calls. Nil: the site has no such number.
    package var calls: Int? {
        let marks = Self.textMark | Self.callsMark
        return word & marks == marks ? Int(word & ~marks) >> 16 : nil
    }

    public var line: Int { Int(word & 0xFFFF) }

    /// The number of the text that is the file's name. Nil: the name is not a text of the recording.
    public var fileText: UInt? {
        word & Self.textMark == 0 || calls != nil ? nil : UInt(word & ~Self.textMark) >> 16
    }

    /// The address of the file's name, a C string, in the process that recorded the site.
    public var fileAddress: UInt { UInt(word >> 16) }
}

extension TraceDocument.Site {
    /// The file and, on further lines, each of the calls. It is the text that a recording has instead of the file's
    /// name for a site with calls.
    package var text: String {
        var text = Self.word(file)
        for call in calls {
            let line = "\n\(Self.word(call.function))\t\(Self.word(call.file)):\(call.line)"
            // If there is no room for all, the outermost calls are left out, which say least.
            if text.utf8.count + line.utf8.count > NameArea.longestText { break }
            text += line
        }
        return text
    }

    /// The text without the characters that separate lines and words.
    private static func word(_ text: String) -> String {
        text.contains { $0 == "\n" || $0 == "\t" }
            ? String(text.map { $0 == "\n" || $0 == "\t" ? "?" : $0 }) : text
    }

    /// - Parameter text: from a recording, which may be damaged.
    init(text: String, line: Int) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(file: String(lines[0]), line: line)
        calls = lines.dropFirst().compactMap { line in
            let words = line.split(separator: "\t")
            guard words.count == 2, let colon = words[1].lastIndex(of: ":"),
                let number = Int(words[1][words[1].index(after: colon)...]), Self.lines.contains(number)
            else { return nil }
            return Call(function: String(words[0]), file: String(words[1][..<colon]), line: number)
        }
    }
}

/// Converts the site words of a recording to entries of a document's table of sites.
struct SiteTable {
    /// The offset between addresses in the recording and in this process. Nil: another program made the recording.
    private let shift: UInt?
    /// The entry for each word.
    private var identities: [UInt64: SiteID] = [:]
    /// The entry for each site without calls.
    private var bySite: [TraceDocument.Site: SiteID] = [:]
    /// For a word without its line, the file and the calls, with line 0. Nil: it is not known.
    private var files: [UInt64: TraceDocument.Site?] = [:]
    private let placeOfCalls: (Int) -> SourceSite
    /// A cache of recent sites, indexed by the lowest bits of their words: its size is a power of two. A few lines make
    /// most of the events.
    private var recent = [(word: UInt64, id: SiteID)](repeating: (0, .unknown), count: 64)
    /// The maximum number of sites; further ones become unknown. A program has fewer, but a damaged file may have more.
    private static let limit = 1 << 20

    /// - Parameter placeOfCalls: returns the file and line of a site whose calls have this number (`SourceSite.calls`).
    init(memory: RecordingMemory, placeOfCalls: @escaping (Int) -> SourceSite) {
        self.placeOfCalls = placeOfCalls
        let isOurs = memory.load(RecordingLayout.Header.program) == ProgramIdentity.current
        let theirs = memory.load(RecordingLayout.Header.loadAddress)
        shift = isOurs ? UInt(truncatingIfNeeded: ProgramIdentity.loadAddress &- theirs) : nil
    }

    /// The entry for a word that was added before.
    mutating func known(_ word: UInt64) -> SiteID? {
        let place = Int(truncatingIfNeeded: word) & (recent.count - 1)
        if recent[place].word == word { return recent[place].id }
        guard let id = identities[word] else { return nil }
        recent[place] = (word, id)
        return id
    }

    /// Adds an entry for a word to the document, unless the same site has one.
    mutating func add(_ word: UInt64, to document: inout TraceDocument, names: NameReader) -> SiteID {
        let place = SourceSite(word: word)
        guard identities.count < Self.limit else { return .unknown }
        var id = SiteID.unknown
        if var site = file(of: place.calls.map(placeOfCalls) ?? place, names) {
            site.line = place.line
            // The same place gets an entry for each of the call paths to it.
            id = (place.calls == nil ? bySite[site] : nil) ?? SiteID(document.sites.count)
            if Int(id.index) == document.sites.count {
                document.sites.append(site)
                if place.calls == nil { bySite[site] = id }
            }
        }
        identities[place.word] = id
        return id
    }

    /// The file and the calls of a site, with line 0. Nil: they are not known.
    private mutating func file(of place: SourceSite, _ names: NameReader) -> TraceDocument.Site? {
        let key = place.word >> 16
        if let known = files[key] { return known }
        var site: TraceDocument.Site?
        if let index = place.fileText {
            site = names.text(Int64(index)).map { .init(text: $0, line: 0) }
        } else if let shift, place.fileAddress != 0 {
            site = ProgramConstants.fileName(at: place.fileAddress &+ shift).map { .init(file: $0, line: 0) }
        }
        files[key] = .some(site)
        return site
    }
}

/// Identifies the program that wrote a recording. Its addresses are valid only in the same program.
enum ProgramIdentity {
    /// The size and modification time of the running program's file, as one word. Never 0.
    static let current: UInt64 = {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return 1 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for word in [Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)] {
            hash = (hash ^ UInt64(bitPattern: Int64(word))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return hash | 1
    }()

    private static let landmark: StaticString = "threadlab: where the program was loaded"

    /// The address of a fixed constant in the program. It differs between processes by the same offset as all other
    /// addresses.
    static var loadAddress: UInt64 { UInt64(UInt(bitPattern: landmark.utf8Start)) }
}

/// The constants of this process's program and libraries. An address from a recording is read only if it is in one of
/// their segments.
enum ProgramConstants {
    /// The maximum length of a file's name in bytes, with the zero at its end.
    private static let longestName = 1024

    /// The C string at an address, if there is one that looks like the name of a file.
    static func fileName(at address: UInt) -> String? {
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(bitPattern: address), count: min(Int(clab_rest_of_segment(address)), longestName))
        guard let end = bytes.firstIndex(of: 0), end > 0 else { return nil }
        let name = bytes[..<end]
        guard !name.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: name, as: UTF8.self)
    }
}
