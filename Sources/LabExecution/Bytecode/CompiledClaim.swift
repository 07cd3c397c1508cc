import Machine

/// A claim about the states of a run: the last one if it has completed, or each.
struct CompiledClaim {
    enum Kind {
        /// It must be true.
        case always
        case never
        /// It must be true in every state.
        case invariant
        /// It must be true in some state: whether it has been is kept in this shared word.
        case eventually(word: Int)
        /// If it is true, this is recorded.
        case sometimes
        /// Its value is the number of the matching row, plus one, or 0. A row must match. These are the rows' texts.
        case outcomes([String])
    }

    var kind: Kind
    /// Whether the program says that some run breaks it.
    var isBroken: Bool
    /// A body that leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
    /// See `ClaimEnd.place`.
    var place = 0
}

/// The claims that do not hold at one moment of a run. Made once for all executions of an engine: many may end like this.
struct BrokenClaims: ~Copyable {
    typealias Claim = (number: Int, hasValue: Bool)

    private let buffer: OwnedBuffer<Claim>
    private(set) var count = 0
    /// The one that the run's end is about: the first that the program does not call broken itself, or else the first.
    private(set) var first: Claim?
    private var isFirstExpected = false

    init(capacity: Int) { buffer = OwnedBuffer(capacity: max(capacity, 1)) }

    mutating func removeAll() {
        count = 0
        first = nil
    }

    mutating func append(_ number: Int, hasValue: Bool, _ bytecode: Bytecode) {
        buffer[count] = (number, hasValue)
        count += 1
        let isExpected = bytecode.claims[number].isBroken
        guard first == nil || isFirstExpected && !isExpected else { return }
        first = (number, hasValue)
        isFirstExpected = isExpected
    }

    /// In the order of the program.
    var all: [Claim] { (0..<count).map { buffer[$0] } }
}
