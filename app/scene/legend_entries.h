// The entries of the legend: a small picture and what it means. Internal to the legend and to exports.
#pragma once

#include <QString>

#include "app/scene/legend.h"

namespace blockscope {

constexpr Size kLegendCell{92, 40};  // of each entry's picture

struct LegendEntry {
    Picture picture;
    Lights lights;
    QString text;
};

// In the order of Sign.
std::vector<LegendEntry> legend_entries(const Signs& signs);

}  // namespace blockscope
