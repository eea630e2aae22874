// How long a search may take: after so many seconds, or at Ctrl-C, it ends with what it has found.
#pragma once

#include <chrono>

#include "core/support/stop_sign.h"

namespace blockscope::cli {

// While an object of this class exists, Ctrl-C stops the search, and so does the end of the given time. The
// command then prints what the search has found so far.
class SearchTime {
public:
    explicit SearchTime(double seconds);  // 0: no limit
    ~SearchTime();
    SearchTime(const SearchTime&) = delete;
    SearchTime& operator=(const SearchTime&) = delete;

    // From here on Ctrl-C ends the program.
    void over();
    const StopSign& sign() const { return sign_; }
    // The exit code of the command if the search was stopped.
    int code() const;

private:
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
    bool over_ = false;
    StopSign sign_;
};

}  // namespace blockscope::cli
