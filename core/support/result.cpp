#include "core/support/result.h"

namespace blockscope {

std::string to_string(const Problem& problem) {
    const Place& place = problem.place;
    std::string text = place.file;
    if (!place.pointer.empty()) text += "#" + place.pointer;
    if (place.line > 0) text += (text.empty() ? "" : ":") + std::to_string(place.line);
    if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
    if (!text.empty()) text += ": ";
    return text + problem.message.str();
}

}  // namespace blockscope
