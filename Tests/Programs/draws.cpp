// Two threads lock what random numbers of the system say: draws WHICH.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <random>
#include <sys/random.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static const char *which;
static std::mutex locks[16];

static unsigned draw() {
    unsigned value = 0;
    if (!strcmp(which, "getrandom") && getrandom(&value, sizeof value, 0) != sizeof value) abort();
    if (!strcmp(which, "getentropy") && getentropy(&value, sizeof value) != 0) abort();
    if (!strcmp(which, "call")) syscall(SYS_getrandom, &value, sizeof value, 0);
    if (!strcmp(which, "device")) value = std::random_device()();
    if (!strcmp(which, "open")) {
        int file = open("/dev/urandom", O_RDONLY);
        if (read(file, &value, sizeof value) != sizeof value) abort();
        close(file);
    }
    if (!strcmp(which, "fopen")) {
        FILE *file = fopen("/dev/urandom", "rb");
        if (fread(&value, sizeof value, 1, file) != 1) abort();
        fclose(file);
    }
    return value % 16;
}

int main(int argc, char **argv) {
    which = argc > 1 ? argv[1] : "device";
    unsigned first = 0, second = 0;
    auto use = [](unsigned *drawn) {
        *drawn = draw();
        std::lock_guard<std::mutex> guard(locks[*drawn % 16]);
    };
    std::thread one(use, &first), two(use, &second);
    one.join();
    two.join();
    return argc > 2 ? int(first * 16 + second) % 200 + 1 : 0;
}
