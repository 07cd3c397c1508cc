/* N philosophers who take their forks in the same global order, once, or forever if FOREVER is defined. */
bool taken[N];

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true } }

active [N] proctype philosopher() {
    byte first = _pid, second = (_pid + 1) % N;
    atomic {
        if
        :: first > second -> first = second; second = _pid
        :: else -> skip
        fi
    };
#ifdef FOREVER
end:
    do
    ::
#endif
        take(first);
        take(second);
        taken[second] = false;
        taken[first] = false
#ifdef FOREVER
    od
#endif
}
