/// A source location as one word: the address of the file's name, which the compiler put into the program, and the
/// line. Making one costs two instructions; the reader of a recording converts it to text.
public struct SourceSite: Equatable, Sendable, BitwiseCopyable {
    public let word: UInt64

    public static let unknown = SourceSite(word: 0)

    /// The greatest line number. Greater ones are recorded as this one.
    public static let maximumLine: UInt = 0xFFFF

    @inlinable public init(word: UInt64) { self.word = word }

    @inlinable public init(_ file: StaticString, _ line: UInt) {
        let address = UInt64(UInt(bitPattern: file.utf8Start))
        word = address << 16 | UInt64(min(line, 0xFFFF))
    }

    /// In a file whose name is a text of the recording (`Recorder.text`): one that the program itself does not contain.
    public init(text: UInt, line: Int) {
        word = Self.textMark | (UInt64(text) & (1 << 47 - 1)) << 16 | UInt64(min(max(line, 0), 0xFFFF))
    }

    /// Addresses have 47 bits, so they never have this one.
    private static let textMark: UInt64 = 1 << 63

    public var line: Int { Int(word & 0xFFFF) }

    /// The text with the file's name, if it is a text.
    public var fileText: UInt? { word & Self.textMark == 0 ? nil : UInt(word & ~Self.textMark) >> 16 }

    /// The address of the file's name, a C string, in the process that recorded the site.
    public var fileAddress: UInt { UInt(word >> 16) }
}
