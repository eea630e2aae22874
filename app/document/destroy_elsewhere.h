// Thousands of states of a large program, or their counts, take time to go, too: not on the interface's
// thread.
#pragma once

#include <QThreadPool>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "app/document/patient.h"

namespace blockscope {

// To be called when nobody else has what `old` holds; what somebody has goes with them.
template <class Old>
void destroy_elsewhere(Old old) {
    auto last = std::make_shared<Old>(std::move(old));
    QThreadPool::globalInstance()->start([last = std::move(last)]() mutable {
        be_patient(Patience::Some);
        last.reset();
    });
}

template <class Key, class Value, class IsGone>
void erase_elsewhere(std::map<Key, Value>& entries, const IsGone& is_gone) {
    std::map<Key, Value> gone;
    for (auto it = entries.begin(); it != entries.end();) {
        const auto next = std::next(it);
        if (is_gone(*it)) gone.insert(entries.extract(it));
        it = next;
    }
    if (!gone.empty()) destroy_elsewhere(std::move(gone));
}

}  // namespace blockscope
