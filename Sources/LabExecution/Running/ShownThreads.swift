import Machine

/// The threads of a run that the controlled scheduler looks at to find cycles.
struct ShownThreads {
    let driver: Driver
    /// By number in the program, the main thread's last: the words of a thread that has started and not ended.
    private(set) var words: [UnsafeMutablePointer<Int>?]
    /// The number in the program, by the machine's.
    private(set) var numbers: [Int: Int] = [:]

    init(driver: Driver, count: Int) {
        self.driver = driver
        words = Array(repeating: nil, count: count)
    }

    /// The present thread begins.
    ///
    /// - Parameter number: nil for the main thread.
    mutating func begin(_ number: Int?, _ words: UnsafeMutablePointer<Int>) {
        let number = number ?? self.words.count - 1
        self.words[number] = words
        numbers[driver.current] = number
    }

    /// The present thread ends.
    mutating func end(_ number: Int?) {
        words[number ?? words.count - 1] = nil
        numbers[driver.current] = nil
    }

    /// The present thread has done what it loops for.
    func noteProgress() { driver.noteProgress(of: driver.current) }
}
