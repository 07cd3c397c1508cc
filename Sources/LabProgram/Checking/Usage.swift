/// What the program does with what it declares.
struct Usage {
    /// Used in any way.
    var used: Set<Global> = []
    /// Objects whose value somebody looks at.
    var read: Set<Int> = []
    var spawned: Set<Int> = []
    var joined: Set<Int> = []
    var detached: Set<Int> = []
}
