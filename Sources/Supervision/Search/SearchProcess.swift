/// A process of a search, as its parent sees it.
struct SearchProcess {
    let duty: SearchWorker.Duty
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    var process: WatchedProcess
}
