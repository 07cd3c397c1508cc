// A thread throws an exception that nothing catches. "number": one that has no text.
#include <cstring>
#include <stdexcept>
#include <thread>

int main(int count, char **words) {
    bool throwsNumber = count > 1 && std::strcmp(words[1], "number") == 0;
    std::thread thief([=] {
        if (throwsNumber) throw 7;
        throw std::out_of_range("no such item");
    });
    thief.join();
}
