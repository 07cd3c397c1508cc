/// The rules under which a program is judged, in words of the arbiter's own.
package struct Rulebook: Hashable, Sendable {
    /// How many waits on conditions may end by themselves in a run.
    package var spurious = 0
    /// Whether a signal wakes the one that came first. Otherwise any.
    package var isFirstWoken = false
    /// Whether a wait with a limit may end at any moment. Otherwise time passes only when nothing else happens.
    package var isLateAnytime = false
    /// Whether a thread must step only if it can all the time. Otherwise if it can again and again.
    package var isWeaklyFair = false

    package init() {}
}
