/// The signs with an unusual role, by token number.
struct TokenRoles {
    /// A `-` before a value rather than between two.
    var prefixes: Set<Int> = []
    /// A `-` inside a name such as `lock-order`.
    var hyphens: Set<Int> = []
    /// A `[` that begins a list rather than a subscript.
    var lists: Set<Int> = []
    /// A `(` that belongs to the word before it.
    var calls: Set<Int> = []
    /// The first tokens of statements and declarations.
    var statements: Set<Int> = []
}
