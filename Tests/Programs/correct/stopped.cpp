// A worker that is asked to stop while it waits.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any changed;
static int jobs, done;

int main() {
    {
        std::jthread worker([](std::stop_token stop) {
            std::unique_lock hold(mutex);
            while (changed.wait(hold, stop, [] { return jobs > 0; })) {
                jobs--;
                done++;
            }
        });
        {
            std::lock_guard hold(mutex);
            jobs++;
        }
        changed.notify_one();
    }
    assert(done + jobs == 1);
    return 0;
}
