// A document whose best state is known.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "app/costs/best.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {

struct BestDesk : Desk {
    explicit BestDesk(const char* sample = "attention") {
        forecast.set_device("h100-sxm5");
        open(sample);
        EXPECT_TRUE(settle());
    }
    // All states are counted and predicted, and what steps repeat is put in words.
    bool settle() {
        QCoreApplication::processEvents();  // what was chosen just now
        return wait_until([this] {
            const std::vector<StateId> candidates = costs.candidates();
            return !costs.busy() && best.state() &&
                   std::all_of(candidates.begin(), candidates.end(),
                               [&](StateId id) { return best.value_of(id).has_value(); });
        });
    }
    // What other block sizes give is known, where that was asked.
    bool settle_blocks() {
        QCoreApplication::processEvents();
        return wait_until([this] { return !best.searching_blocks(); });
    }
    const History& history() const { return document.content().history; }
    StateId last() const { return history().branch(document.content().branch).tip; }

    Costs& costs = Costs::of(document);
    Forecast& forecast = Forecast::of(document);
    Best& best = Best::of(document);
};

}  // namespace blockscope::test
