/// The numbers of schedules that other tools needed to find the bugs of the programs in `Tests/Benchmarks/sct`, for
/// `BugTable`: medians or means over 20 trials.
///
/// Random walk, PCT-3, POS and SURW are medians from the artifact of SURW (Zhao and others, ASPLOS 2025; at most 10,000
/// schedules per trial, including the run by which SURW first measures the program). RFF and PERIOD (Wen and others,
/// ICSE 2022) are means from the artifact of RFF (Wolff and others, ASPLOS 2024; five minutes per trial). Their
/// programs are written in C with different scheduling points, so only orders of magnitude can be compared.
struct PublishedFigures {
    let program: String
    /// Nil, for each tool: it did not find the bug, or no number was published.
    let randomWalk: Double?
    let pct3: Double?
    let pos: Double?
    let surw: Double?
    let rff: Double?
    let period: Double?

    private init(
        _ program: String, _ randomWalk: Double?, _ pct3: Double?, _ pos: Double?, _ surw: Double?, _ rff: Double?,
        _ period: Double?
    ) {
        self.program = program
        self.randomWalk = randomWalk
        self.pct3 = pct3
        self.pos = pos
        self.surw = surw
        self.rff = rff
        self.period = period
    }

    static let all = [
        Self("CB.stringbuffer", 1433, 162, 16, 5, 15.4, 26.9),
        Self("CS.account", 12, 4, 3, 4, 1.0, 10.1),
        Self("CS.bluetooth_driver", 162, 104, 22, 53, 44.9, 9),
        Self("CS.carter01", 1, 5, 1, nil, 1.9, 4.8),
        Self("CS.circular_buffer", 3, 8, 2, 3, 1.6, 3.1),
        Self("CS.deadlock01", 2, 8, 2, 2, 4.7, 3),
        Self("CS.lazy01", 15, 5, 4, 2, 6.4, 7),
        Self("CS.reorder_3", nil, 130, 82, 4, 6.7, 6),
        Self("CS.reorder_5", nil, 606, 1582, 6, 5.8, 12),
        Self("CS.stack", 156, 2, 1, 4, 1.6, 8),
        Self("CS.token_ring", 8, 6, 6, 7, 5.1, 2),
        Self("CS.twostage", 166, 8, 12, 6, 8.2, 4),
        Self("CS.wronglock_3", 16, 47, 5, 7, 1.0, 5.0),
        Self("chess.WorkStealQueue", nil, 31, 12, 5, 10.1, 57),
        Self("CVE-2013-1792", 308, 63, 26, 11, nil, nil),
        Self("CVE-2016-1972", 244, 6268, 18, 8, nil, nil),
        Self("CVE-2016-9806", 1537, 5, 6, 2, nil, nil),
    ]
}
