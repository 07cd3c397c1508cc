/// How the events of a recording's lanes become one order.
package enum LaneOrder: UInt64, Sendable {
    /// Threads record at the same time, each on its own lane: the lanes are merged (`LaneMerge`).
    case byTime = 1
    /// The run takes one step at a time, so events are recorded in their order. Each lane continues the one before it.
    case byLane = 2
}
