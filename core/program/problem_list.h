// Collects the problems of one file, up to a number that a person still reads.
#pragma once

#include <string>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

class ProblemList {
public:
    explicit ProblemList(std::string file) : file_(std::move(file)) {}

    void add(int line, int column, std::string message) {
        add(Place{file_, line, column, {}}, std::move(message));
    }
    void add(Place place, std::string message) {
        if (full()) return;
        problems_.push_back({std::move(place), std::move(message)});
        if (problems_.size() == kMost) {
            problems_.push_back({problems_.back().place, "further problems are not listed"});
        }
    }
    bool empty() const { return problems_.empty(); }
    bool full() const { return problems_.size() > kMost; }
    const std::string& file() const { return file_; }
    // In the order of the file.
    Problems sorted() const;

private:
    static constexpr std::size_t kMost = 50;
    std::string file_;
    Problems problems_;
};

}  // namespace blockscope
