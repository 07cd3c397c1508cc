/// A process of a search, as its parent sees it.
struct SearchProcess {
    let duty: SearchWorker.Duty
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    /// The number of fatal ends known when it was started.
    let knownEnds: Int
    var process: WatchedProcess
}
