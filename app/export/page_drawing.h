// The drawings of a page: what several stages have in common is written once. Internal to app/export.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/export/derivation.h"
#include "app/export/vector_device.h"

namespace blockscope {

class PageDrawings {
public:
    // The picture as an <svg> element that refers to the definitions; `attributes` are the element's own.
    // `parts`: whether it says which nodes and values its parts are.
    enum class Parts : std::uint8_t { Named, Nameless };
    std::string add(const Picture& picture, const Lights& lights, const Rect& view,
                    const std::string& attributes, Parts parts);
    // <defs> of everything that was added.
    std::string definitions() const;
    // CSS declarations of the colours in the light or the dark theme.
    std::string colours(bool dark) const;

private:
    std::string colour(const QColor& light, const QColor& dark);
    std::string definition(const VectorItem& light, const VectorItem& dark);

    std::map<std::pair<std::string, std::string>, int> colours_;  // light and dark
    std::map<std::string, int> known_;
    std::vector<std::string> definitions_;
};

}  // namespace blockscope
