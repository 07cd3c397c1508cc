/// The default memory limits, in bytes. Also the defaults of options.
package enum UsualMemory {
    /// The limit of each process that searches a program for a check, the language server or a judge.
    package static let process = 1 << 30
    /// The part of a process's memory for the states of the program. The rest is for the other searches, which take
    /// turns with the search by states.
    package static func ofStates(in process: Int) -> Int { process - process / 4 }
}
