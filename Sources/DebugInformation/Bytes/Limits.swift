/// Limits on what is read of a file, whatever the file says about itself. It may be damaged, or made so that reading it
/// never ends. What is beyond a limit counts as unreadable, unless the limit says otherwise.
///
/// Each limit is far beyond what compilers write. Together they bound the time and the memory that a file can take: the
/// time to read a file is linear in its size, and an answer, for example to the question which variable contains an
/// address, takes no more than `work` and `typeWork`.
enum Limits {
    // MARK: Files

    /// The size of a file.
    static let fileBytes = 1 << 30
    /// The length of a text.
    static let textBytes = 1 << 16
    /// The length of a name in the source. The rest of a longer name is left out.
    static let nameBytes = 1 << 12
    /// The length of all names in a symbol table together. In a damaged table, each name could be as long as the whole
    /// string table.
    static let symbolNameBytes = 1 << 28

    // MARK: Lines

    /// The rows of all line tables together.
    static let lineRows = 1 << 22
    /// The columns of a table of files.
    static let lineColumns = 16
    /// The length of all paths in all line tables together.
    static let pathBytes = 1 << 26

    // MARK: Entries

    /// What is read for one answer, counted in values of entries and in entries of lists.
    static let work = 1 << 24
    /// What is read of types for one answer, counted in the same way: types may contain each other.
    static let typeWork = 1 << 21
    /// The attributes of one abbreviation. The size of an entry does not limit them, because some take no bytes in it.
    static let attributes = 1 << 8
    /// The entries directly inside another one.
    static let children = 1 << 14
    /// The entries that describe the same function or variable, in a chain of references.
    static let origins = 8
    /// The entries of one range list.
    static let ranges = 1 << 13
    /// The entries of one location list.
    static let locations = 1 << 11
    /// The ranges of all units together, and those of all functions of one unit.
    static let allRanges = 1 << 22
    /// The functions that are inlined into each other at one address.
    static let frames = 1 << 10

    // MARK: Variables

    /// The variables of one function.
    static let variables = 1 << 12
    /// The global variables of one unit.
    static let globals = 1 << 16
    /// The places in a section that contain the bytes of a global variable's address. Further ones are not looked at.
    static let places = 16
    /// The operations of one expression.
    static let operations = 64
    /// The depth of types inside others.
    static let typeDepth = 32
    /// The depth of unions inside others. It is smaller because more than one member of a union is tried.
    static let unionDepth = 3
    /// The dimensions of an array.
    static let dimensions = 8
    /// The pointers that are members of a function's variables, or of what those point to.
    static let expressions = 1 << 13
    /// The pointers inside of an object that are looked at, and how deep they are in it.
    static let innerPointers = 256
    static let innerDepth = 12
    /// The elements of an array whose pointers are looked at.
    static let innerElements: UInt64 = 16
    /// The bit-fields that follow each other directly and count as one member.
    static let bitFields = 1 << 10
    /// The length of the path to a part of a variable, in bytes. The path ends with the name that exceeds it.
    static let partPath = 120
}

/// How much may still be read for one answer: see `Limits.work`.
struct Work {
    private var left: Int

    init(_ most: Int = Limits.work) { left = most }

    /// Counts what is about to be read.
    ///
    /// - Returns: false if nothing more may be read. Then the reading ends.
    mutating func take(_ count: Int) -> Bool {
        left -= min(count, left)
        return left > 0
    }
}
