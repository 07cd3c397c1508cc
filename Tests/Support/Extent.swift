import Glibc

/// How much of what is repeated the tests do: `make test` takes a part, which is the same in each run, and
/// `make test-all` everything.
package enum Extent {
    package static let isWhole = getenv("THREADLAB_TESTS").map { String(cString: $0) } == "all"

    /// Every `step`-th of these, from the first on.
    package static func part<Element>(of all: some Collection<Element>, every step: Int) -> [Element] {
        isWhole ? Array(all) : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }

    /// The first of these.
    package static func first<Element>(_ count: Int, of all: some Collection<Element>) -> [Element] {
        Array(isWhole ? all[...] : all.prefix(count))
    }

    /// The compilers of C with which a program is tested. Some suites have a few builds by gcc in any case: names,
    /// stacks, orders, spurious wake-ups.
    package static let compilers = isWhole ? ["clang", "gcc"] : ["clang"]
}
