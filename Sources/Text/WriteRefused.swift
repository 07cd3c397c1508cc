import Glibc

/// The error that the system refused a write, for example because the disk is full, a folder is missing or permission
/// is denied. Neither the examined program nor threadlab is to blame. The message says what failed, where, why, and for
/// some causes what to do.
package struct WriteRefused: Error, Equatable, CustomStringConvertible {
    /// What could not be done, and where, to follow "cannot": `write x.trace`.
    package let what: String
    /// The system's error number.
    package let number: Int32

    package init(_ what: String, _ number: Int32) {
        self.what = what
        self.number = number
    }

    package var description: String { "cannot \(what): \(String(cString: strerror(number)))\(remedy)" }

    private var remedy: String {
        switch number {
        case ENOSPC, EDQUOT: "; make room there, or name a place on another disk"
        case EFBIG: "; the shell's 'ulimit -f' limits the size of files"
        default: ""
        }
    }
}
