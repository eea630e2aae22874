// How long a search may take: after so many seconds, or at Ctrl-C, it ends with what it has found.
#pragma once

#include <chrono>

#include "core/support/stop_sign.h"

namespace blockscope::cli {

// While it lives, Ctrl-C asks for what was found so far, as the time that was given does when it is over.
class SearchTime {
public:
    explicit SearchTime(double seconds);  // 0: for ever
    ~SearchTime();
    SearchTime(const SearchTime&) = delete;
    SearchTime& operator=(const SearchTime&) = delete;

    // From here on Ctrl-C ends the program.
    void over();
    const StopSign& sign() const { return sign_; }
    // What the command exits with if the search was stopped.
    int code() const;

private:
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
    bool over_ = false;
    StopSign sign_;
};

}  // namespace blockscope::cli
