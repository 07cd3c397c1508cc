import CBench

/// What threads and their primitives cost on this machine.
package enum CostTable {
    /// The machine of the guide's figures.
    package static let guideMachine = "an iMac with a 2 GHz Core Duo processor and 1 GB of memory, OS X 10.5"

    /// - Parameter progress: receives the name of each operation before it is measured.
    package static func measure(progress: (String) -> Void) throws -> [CostRow] {
        // With a second thread the process pays for real synchronization: glibc leaves some of it out while there is one.
        let company = cbench_company_start()
        defer { cbench_company_end(company) }
        let timed = try (ThreadCosts.all + LockCosts.all + QueueCosts.all + MemoryCosts.all).map { cost in
            progress(cost.name)
            return try cost.measure()
        }
        progress("memory")
        return timed + ThreadMemory.rows
    }
}
