import Glibc

package enum Processors {
    /// The number of processors, each of which can have a process of a search, a check or a repetition.
    package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
