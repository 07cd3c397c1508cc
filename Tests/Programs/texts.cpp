// Streams into strings and from them, and regular expressions. The argument says what threads share without a lock.
#include <cassert>
#include <mutex>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;

static void each_its_own() {
    std::vector<std::string> lines;
    const std::regex shape("[a-z]+ [0-9]+");
    auto work = [&](int number) {
        std::ostringstream output;
        output << "worker " << number;
        if (!std::regex_match(output.str(), shape)) return;
        std::lock_guard lock(mutex);
        lines.push_back(output.str());
    };
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
    int sum = 0;
    for (const std::string &line : lines) {
        std::istringstream input(line);
        std::string word;
        int number;
        if (input >> word >> number) sum += number;
    }
    assert(sum == 3);
}

static void each_its_own_shape() {
    auto work = [](const char *text) {
        const std::regex shape("[a-c]x+\\d");
        assert(std::regex_match(text, shape));
    };
    std::thread thread(work, "ax1");
    work("bx2");
    thread.join();
}

// Its functions that are the library's use its pointers.
struct Derived : std::stringbuf {
    int sync() override { return 0; }
    void imbue(const std::locale &) override {}
};

static char bytes[8] = "hello";

template <class Work> static void twice(bool is_locked, Work work) {
    auto run = [&] {
        std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
        if (is_locked) lock.lock();
        work();
    };
    std::thread one(run), other(run);
    one.join();
    other.join();
}

int main(int count, char **words) {
    std::string what = count > 1 ? words[1] : "", how = count > 2 ? words[2] : "";
    bool is_locked = how == "locked";
    if (what == "written") {
        std::stringstream stream;
        twice(is_locked, [&] { stream << 12; });
        assert(!is_locked || stream.str() == "1212");
    } else if (what == "read") {
        std::istringstream stream("7 7");
        twice(is_locked, [&] {
            int number = 0;
            stream >> number;
            assert(number == 7);
        });
    } else if (what == "lines") {
        std::istringstream stream("one\none\n");
        std::string line;
        twice(is_locked, [&] { std::getline(stream, line); });
        assert(line == "one");
    } else if (what == "buffer") {
        std::stringbuf buffer;
        twice(is_locked, [&] { buffer.sputc('a'); });
        assert(!is_locked || buffer.str() == "aa");
    } else if (what == "put") {
        std::stringbuf buffer;
        std::thread thread([&] { buffer.sputn(bytes, 5); });
        bytes[0] = 'j';
        thread.join();
    } else if (what == "got") {
        std::stringbuf buffer("jelly");
        std::thread thread([&] { buffer.sgetn(bytes, 5); });
        char first = bytes[0];
        thread.join();
        assert(first == 'h' || first == 'j');
    } else if (what == "tied") {
        std::ostringstream log;
        std::istringstream input("1 2");
        input.tie(&log);
        int number = 0;
        std::thread thread([&] { input >> number; });
        log << "y";
        thread.join();
    } else if (what == "derived") {
        Derived buffer;
        std::ostream one(&buffer), other(&buffer);
        std::thread thread([&] { one << 1; });
        other << 2;
        thread.join();
    } else if (what == "shapes") {
        each_its_own_shape();
    } else if (what == "grown") {
        // The library releases the text that it had before, for another place of it.
        std::stringbuf buffer(std::string(100, 'a'));
        std::thread reader([&] {
            std::lock_guard lock(mutex);
            assert(buffer.sgetc() == 'a');
        });
        {
            std::lock_guard lock(mutex);
            buffer.sputn(std::string(600, 'a').data(), 600);
        }
        reader.join();
    } else {
        each_its_own();
    }
}
