// The order of a program's inputs from step to step.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/layout/layout.h"
#include "tests/layout/laid_out_run.h"
#include "tests/support/samples.h"

namespace blockscope {
namespace {

// From left to right.
std::vector<std::string> inputs(const Picture& picture) {
    std::vector<std::pair<double, std::string>> row;
    for (const int root : picture.figure.roots) {
        const auto box = static_cast<std::size_t>(root);
        if (picture.figure.boxes[box].kind == BoxKind::Input)
            row.emplace_back(picture.geometry.boxes[box].center().x, picture.figure.boxes[box].label);
    }
    std::sort(row.begin(), row.end());
    std::vector<std::string> names;
    for (auto& [x, name] : row) names.push_back(std::move(name));
    return names;
}

// The order in each picture of the run.
std::vector<std::vector<std::string>> orders(const std::string& sample) {
    std::vector<std::vector<std::string>> orders;
    for (const Picture& picture : test::laid_out_run(sample).pictures) orders.push_back(inputs(picture));
    return orders;
}

TEST(InputOrder, OfAttentionStaysThroughTheRun) {
    for (const char* sample : {"attention", "fp8-attention", "gqa", "multihead-attention", "mcfuser-s1"}) {
        const auto all = orders(sample);
        for (std::size_t step = 1; step < all.size(); ++step)
            EXPECT_EQ(all[step], all[0]) << sample << " step " << step;
    }
}

// An edge goes round the other side of a box before an input changes its place.
TEST(InputOrder, ChangesInFewSteps) {
    int steps = 0, changed = 0;
    for (const std::string& sample : test::distinct_samples()) {
        const auto all = orders(sample);
        for (std::size_t step = 1; step < all.size(); ++step) changed += all[step] != all[step - 1];
        steps += static_cast<int>(all.size()) - 1;
    }
    EXPECT_LE(changed * 9, steps) << changed << " of " << steps;
}

}  // namespace
}  // namespace blockscope
