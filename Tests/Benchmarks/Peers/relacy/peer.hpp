// What the programs here have in common: the number of executions is their only argument, and they print nothing else
// than what Relacy says. Its history is off, as in its own examples; its race detection is always on.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <relacy/relacy.hpp>

template <typename Test> int simulate_peer(int count, char** arguments) {
    std::ofstream nothing("/dev/null");
    rl::test_params parameters;
    parameters.iteration_count = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
    parameters.progress_stream = &nothing;
    return rl::simulate<Test>(parameters) ? 0 : 1;
}
