// A value that is made when it is first needed, in three ways.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static std::once_flag flag;
static std::unique_ptr<int> made;

static int &local() {
    static int value = 7;
    return value;
}

static void use() {
    std::call_once(flag, [] { made = std::make_unique<int>(3); });
    assert(*made == 3 && local() == 7);
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
    return 0;
}
