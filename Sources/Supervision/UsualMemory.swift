/// How much memory threadlab has if nothing else is said, in bytes: the defaults of options, too.
package enum UsualMemory {
    /// Each process that searches a program for a check, the language server or a judge.
    package static let process = 1 << 30
    /// Of that, what the states of the program may have. The rest is for the other searches, which take turns with the one by states.
    package static func ofStates(in process: Int) -> Int { process - process / 4 }
}
