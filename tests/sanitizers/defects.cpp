// defects NAME: does what no program may do, so that a test sees the sanitizers notice it.
#include <cstdio>
#include <cstring>
#include <limits>

namespace {

// Volatile, so that the compiler leaves the defects as they are.
int* volatile memory = nullptr;
volatile int number = std::numeric_limits<int>::max();

void leak() {
    memory = new int(1);
    memory = nullptr;
}

int use_after_free() {
    memory = new int(1);
    int* const given_back = memory;
    delete given_back;
    return *memory;
}

int overflow() {
    return number + 1;
}

}  // namespace

int main(int count, char** words) {
    const char* const name = count == 2 ? words[1] : "";
    int result = 0;
    if (std::strcmp(name, "leak") == 0) {
        leak();
        leak();
    } else if (std::strcmp(name, "use_after_free") == 0) {
        result = use_after_free();
    } else if (std::strcmp(name, "overflow") == 0) {
        result = overflow();
    } else {
        std::fputs("defects: leak, use_after_free or overflow\n", stderr);
        return 2;
    }
    std::printf("%s was not noticed (%d)\n", name, result);
    return 0;
}
