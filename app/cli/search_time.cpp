#include "app/cli/search_time.h"

#include <atomic>
#include <csignal>

#include "app/cli/command.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {

namespace {

constexpr double kForEver = 1e9;  // seconds

std::atomic<bool> interrupted = false;

extern "C" void on_interrupt_of_a_search(int) {
    interrupted = true;
}

}  // namespace

SearchTime::SearchTime(double seconds)
    : end_(std::chrono::steady_clock::now() +
           std::chrono::duration<double>(seconds > 0 ? seconds : kForEver)),
      sign_([this] { return !over_ && (interrupted || std::chrono::steady_clock::now() >= end_); }) {
    std::signal(SIGINT, on_interrupt_of_a_search);
}

SearchTime::~SearchTime() {
    over();
}

void SearchTime::over() {
    over_ = true;
    handle_interrupts();
}

int SearchTime::code() const {
    return interrupted ? kInterrupted : kPartial;
}

}  // namespace blockscope::cli
