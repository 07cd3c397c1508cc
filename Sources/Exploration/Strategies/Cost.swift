/// What a choice costs a bounded search. The fewer, the simpler the interleaving, and most bugs need little.
package enum Cost: Sendable {
    /// Nothing: all interleavings are searched.
    case none
    /// One, if another thread steps although the last one could continue (Musuvathi, Qadeer: Iterative context bounding for
    /// systematic testing of multithreaded programs, PLDI 2007). After a yield the next one in the order of creation continues at no
    /// cost, and any other for one, so that threads that wait by yielding do not pass each other the turn forever.
    case preemptions
    /// As many as threads are passed over, in the order of creation from the last one on; one that yielded comes last (Emmi, Qadeer,
    /// Rakamarić: Delay-bounded scheduling, POPL 2011).
    case delays
}
