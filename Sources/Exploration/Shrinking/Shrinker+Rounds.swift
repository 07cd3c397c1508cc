/// The shrinking of long schedules: in rounds, each of which tries every change a few times at most. After an improvement
/// the round continues with what follows, so that its number of attempts grows with the number of runs and not with
/// its square.
extension Shrinker {
    /// Makes a round. False: it found no improvement, so that another one would find none either.
    mutating func shrinkInRound() -> Bool {
        let before = best.cost
        dropBlocks()
        moveRuns()
        trimRuns()
        return best.cost < before && !isSpent
    }

    /// Tries to remove blocks of consecutive runs, the largest first, from the last to the first.
    private mutating func dropBlocks() {
        var runs = Runs(best.schedule)
        var size = runs.count
        while size > 0 && !isSpent {
            var end = runs.count
            while end > 0 && !isSpent {
                let start = max(0, end - size)
                if attempt(runs.dropping(start..<end)) { runs = Runs(best.schedule) }
                end = min(start, runs.count)
            }
            size = min(size, runs.count) / 2
        }
    }

    /// Tries to merge each run with the previous or the next run of its thread.
    private mutating func moveRuns() {
        var runs = Runs(best.schedule)
        var index = runs.count
        while index > 0 && !isSpent {
            index = min(index, runs.count) - 1
            guard index >= 0 else { return }
            if let moved = runs.movingUp(index), attempt(moved) {
                runs = Runs(best.schedule)
            } else if let moved = runs.movingDown(index), attempt(moved) {
                runs = Runs(best.schedule)
            }
        }
    }

    /// Tries to shorten each run at its end: by half of its steps first, then by fewer.
    private mutating func trimRuns() {
        var runs = Runs(best.schedule)
        var index = runs.count
        while index > 0 && !isSpent {
            index = min(index, runs.count) - 1
            guard index >= 0 else { return }
            var cut = runs.length(index) / 2
            while cut > 0 && !isSpent {
                if attempt(runs.trimming(index, by: cut)) {
                    runs = Runs(best.schedule)
                    break
                }
                cut /= 2
            }
        }
    }
}
