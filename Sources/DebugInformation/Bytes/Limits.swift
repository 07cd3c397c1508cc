/// How much is read of a file, whatever it says of itself. It may be damaged, or made so that reading it never ends: what is beyond a limit
/// counts as what cannot be read.
///
/// Each is far beyond what compilers write. Together they bound the time and the memory that a file can take: the reading of a file is
/// linear in its size, and an answer costs no more than `work`.
enum Limits {
    // MARK: Files

    /// The size of a file.
    static let fileBytes = 1 << 30
    /// The length of a text in it; and of a name of the source, the rest of which is left out.
    static let textBytes = 1 << 16
    static let nameBytes = 1 << 12
    /// The length of all names of a table of symbols together: damaged, each could be as long as all.
    static let symbolNameBytes = 1 << 28

    // MARK: Lines

    static let lineRows = 1 << 22
    /// What a table of files says of each.
    static let lineColumns = 16
    /// The length of all paths of a table of lines together.
    static let pathBytes = 1 << 26

    // MARK: Entries

    /// What is read for one answer, counted in values of entries and in rows of lists; and of types, which may contain each other.
    static let work = 1 << 24
    static let typeWork = 1 << 21
    /// The attributes of one abbreviation: some need no bytes in an entry.
    static let attributes = 1 << 8
    /// The entries directly inside another one.
    static let children = 1 << 14
    /// The entries that say more of the same thing, one after the other.
    static let origins = 8
    /// The rows of one list of ranges, and of one of locations.
    static let ranges = 1 << 13
    static let locations = 1 << 11
    /// The ranges of all units together, and of all functions of one.
    static let allRanges = 1 << 22
    /// The functions that are put into each other at one place.
    static let frames = 1 << 10

    // MARK: Variables

    /// The variables of one function, and the global ones of one unit.
    static let variables = 1 << 12
    static let globals = 1 << 16
    /// The places in a section that look like the address of a global variable.
    static let places = 16
    /// The operations by which an address is computed.
    static let operations = 64
    /// Types inside others; of unions, where more than one member is tried, fewer.
    static let typeDepth = 32
    static let unionDepth = 3
    static let dimensions = 8
    /// Bit-fields that follow each other.
    static let bitFields = 1 << 10
    /// The length of the path to a part of a variable, in bytes: what makes it longer is the last that is added.
    static let partPath = 120
}

/// What may still be read for an answer.
struct Work {
    private var left: Int

    init(_ most: Int = Limits.work) { left = most }

    /// - Returns: false if that is more than may be read. Then the reading ends.
    mutating func take(_ count: Int) -> Bool {
        left -= min(count, left)
        return left > 0
    }
}
