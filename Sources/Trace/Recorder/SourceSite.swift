/// A place in the source as one word: the address of the file's name, which the compiler put into the program, and the
/// line. Making one costs two instructions; whoever reads a recording turns it into words.
package struct SourceSite: Equatable, Sendable {
    package let word: UInt64

    package static let unknown = SourceSite(word: 0)

    /// The greatest line number that is kept. Greater ones are recorded as this one.
    package static let maximumLine: UInt = 0xFFFF

    @inlinable package init(word: UInt64) { self.word = word }

    @inlinable package init(_ file: StaticString, _ line: UInt) {
        let address = UInt64(UInt(bitPattern: file.utf8Start))
        word = address << 16 | UInt64(min(line, 0xFFFF))
    }

    /// In a file whose name is a text of the recording (`Recorder.text`): one that the program itself does not contain.
    package init(text: UInt, line: Int) {
        word = Self.textMark | (UInt64(text) & (1 << 47 - 1)) << 16 | UInt64(min(max(line, 0), 0xFFFF))
    }

    /// No address of a program has this bit: they have 47.
    private static let textMark: UInt64 = 1 << 63

    package var line: Int { Int(word & 0xFFFF) }

    /// The text that is the file's name, if it is one.
    package var fileText: UInt? { word & Self.textMark == 0 ? nil : UInt(word & ~Self.textMark) >> 16 }

    /// The address of the file's name, a C string, in the process that made the site.
    package var fileAddress: UInt { UInt(word >> 16) }
}
