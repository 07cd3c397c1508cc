// Output streams of C++ that threads share: correctly, and as the argument says.
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;
static std::ostringstream report;

static std::ostream &lock(std::ostream &stream) {
    mutex.lock();
    return stream;
}

static std::ostream &unlock(std::ostream &stream) {
    mutex.unlock();
    return stream;
}

static void put(int number) {
    report << lock << "thread " << number << ' ' << std::setw(3) << 1.5 << std::endl << unlock;
    // Settings of its own, for what all write to.
    std::ostream own(std::cout.rdbuf());
    own << std::hex << std::setfill('0') << 255 << std::endl;
    std::cout << number << " " << true << "\n";
}

int main(int, char **arguments) {
    std::string what = arguments[1] ? arguments[1] : "";
    if (what == "shared") {
        std::thread other([] { report << 1; });
        report << "main";
        other.join();
    } else if (what == "filled") {
        std::thread other([] { std::cout << 1; });
        std::cout << std::setfill('0');
        other.join();
    } else if (what == "precise") {
        std::thread other([] { std::cout << 1.5; });
        std::cout.precision(3);
        other.join();
    } else if (what == "read") {
        std::thread other([] { report << 1; });
        if (report.str() == "1") std::cout << "it has written\n";
        other.join();
    } else {
        std::thread one(put, 1), two(put, 2);
        one.join();
        two.join();
        return report.str().size() == 26 ? 0 : 1;
    }
}
