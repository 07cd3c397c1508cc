import CBench

/// The memory of threads that only wait.
enum ThreadMemory {
    private static let threads: UInt32 = 200

    static var rows: [CostRow] {
        let memory = cbench_thread_memory(threads)
        func row(_ name: String, _ bytes: UInt64, guide: String) -> CostRow? {
            guard bytes > 0 else { return nil }
            return CostRow(
                name: name, unit: .bytes, figures: [CostRow.Figure(contender: "pthread", value: Double(bytes))],
                guide: guide)
        }
        return [
            row("kernel memory of a thread (its kernel stack)", memory.kernel, guide: "about 1 KB, always in memory"),
            row("address space reserved for a thread's stack", memory.reserved, guide: "512 KB; main thread: 8 MB"),
            row("memory in use by a thread that waits", memory.touched, guide: "pages are used when they are touched"),
        ].compactMap { $0 }
    }
}
