/// What a choice costs a bounded search. The fewer, the simpler the interleaving, and most bugs need little.
package enum Cost: Sendable {
    /// Nothing: all interleavings are searched.
    case none
    /// One, if another thread steps although the last one could continue (Musuvathi, Qadeer: Iterative context bounding
    /// for systematic testing of multithreaded programs, PLDI 2007). After a yield the next thread in the order of
    /// creation continues at no cost, and any other costs one, so that threads that wait by yielding do not pass the
    /// turn to each other forever.
    case preemptions
    /// The number of threads passed over, in the order of creation starting with the last one; a thread that yielded
    /// comes last (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, POPL 2011).
    case delays
}
