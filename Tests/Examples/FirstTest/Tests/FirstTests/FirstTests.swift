import Testing
import ThreadLab
import ThreadLabTesting

// README.md has it as it fails: with a load and a store in place of `add`.
@Test func depositsAdd() throws {
    try explore(.exhaustive) {
        let balance = Atomic("balance", 0)
        let other = try Thread("other") { try balance.add(10) }
        try balance.add(1)
        try other.join()
        try check(try balance.load(), is: 11)
    }
}
