// The entries of the legend: a small picture and what it means. Internal to the legend.
#pragma once

#include <QString>

#include "app/scene/paint.h"

namespace blockscope {

constexpr Size kLegendCell{92, 40};  // of each entry's picture

struct LegendEntry {
    Picture picture;
    Lights lights;
    QString text;
};

std::vector<LegendEntry> legend_entries();

}  // namespace blockscope
