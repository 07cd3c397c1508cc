/// How many schedules others needed to find the bugs of the programs in `Tests/Benchmarks/sct`, the mean over 20 trials.
///
/// From the artifacts of SURW (Zhao and others, ASPLOS 2025; at most 10,000 schedules a trial, those counted that found the bug)
/// and of RFF (Wolff and others, ASPLOS 2024, which ran PERIOD of Wen and others, ICSE 2022, again; five minutes a trial). Their programs
/// are C with scheduling points of their own: compare orders of magnitude.
struct PublishedFigures {
    let program: String
    /// Nil: not found.
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
        Self("CB.stringbuffer", 2242.6, 280.7, 23.4, 8.5, 15.4, 26.9),
        Self("CS.account", 18.1, 4.3, 4.1, 5.8, 1.0, 10.1),
        Self("CS.bluetooth_driver", 214.7, 112.5, 36.1, 70.2, 44.9, 9),
        Self("CS.carter01", 1, 5.0, 1.9, nil, 1.9, 4.8),
        Self("CS.circular_buffer", 4.2, 9.1, 2.1, 2.8, 1.6, 3.1),
        Self("CS.deadlock01", 3.2, 12.9, 3.5, 1.8, 4.7, 3),
        Self("CS.lazy01", 20.6, 4.9, 4.7, 2, 6.4, 7),
        Self("CS.reorder_3", nil, 185.2, 85.5, 7.3, 6.7, 6),
        Self("CS.reorder_5", nil, 646.8, 2169.1, 10.4, 5.8, 12),
        Self("CS.stack", 176, 3.2, 1.7, 4.6, 1.6, 8),
        Self("CS.token_ring", 13, 8.2, 8.6, 8.2, 5.1, 2),
        Self("CS.twostage", 464.1, 12.6, 15.1, 7.5, 8.2, 4),
        Self("CS.wronglock_3", 35.9, 58.1, 10.8, 8.8, 1.0, 5.0),
        Self("chess.WorkStealQueue", nil, 48.1, 12.5, 6.0, 10.1, 57),
    ]
}
