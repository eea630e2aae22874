#include "app/layout/scanline.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace blockscope {

std::vector<std::pair<int, int>> neighbours(const std::vector<Strip>& strips) {
    struct Event {
        double at;
        bool opens;
        int strip;
    };
    std::vector<Event> events;
    for (int i = 0; i < static_cast<int>(strips.size()); ++i) {
        const Strip& strip = strips[static_cast<std::size_t>(i)];
        if (strip.high <= strip.low) continue;
        events.push_back({strip.low, true, i});
        events.push_back({strip.high, false, i});
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        if (a.at != b.at) return a.at < b.at;
        return a.opens != b.opens ? !a.opens : a.strip < b.strip;
    });
    std::set<std::pair<double, int>> open;
    std::vector<std::pair<int, int>> pairs;
    for (const Event& event : events) {
        const std::pair<double, int> key{strips[static_cast<std::size_t>(event.strip)].place, event.strip};
        const auto here = event.opens ? open.insert(key).first : open.find(key);
        const auto after = std::next(here);
        const bool has_before = here != open.begin(), has_after = after != open.end();
        if (event.opens) {
            if (has_before) pairs.emplace_back(std::prev(here)->second, event.strip);
            if (has_after) pairs.emplace_back(event.strip, after->second);
        } else {
            if (has_before && has_after) pairs.emplace_back(std::prev(here)->second, after->second);
            open.erase(here);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace blockscope
