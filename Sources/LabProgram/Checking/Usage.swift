/// How the program uses its declarations.
struct Usage {
    /// Used in any way.
    var used: Set<Global> = []
    /// Objects whose value is read.
    var read: Set<Int> = []
    var spawned: Set<Int> = []
    var joined: Set<Int> = []
    var detached: Set<Int> = []
}
