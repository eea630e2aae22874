#include "app/compare/marks.h"

namespace blockscope {

namespace {

struct KindLook {
    Mark mark;
    Sign sign;
};

KindLook look_of(Difference::Kind kind) {
    switch (kind) {
        case Difference::Kind::Removed:
            return {Mark::Removed, Sign::Removed};
        case Difference::Kind::Added:
            return {Mark::Added, Sign::Added};
        case Difference::Kind::Moved:
            return {Mark::Moved, Sign::Moved};
        case Difference::Kind::Changed:
            break;
    }
    return {Mark::Changed, Sign::Changed};
}

}  // namespace

ComparedMarks marks_of(const std::vector<Difference>& differences) {
    ComparedMarks marks;
    for (const Difference& difference : differences) {
        const KindLook look = look_of(difference.kind);
        for (const NodeId id : difference.before) marks.before[id] = look.mark;
        for (const NodeId id : difference.after) marks.after[id] = look.mark;
        marks.signs.insert(look.sign);
    }
    return marks;
}

Lights lights_of(const std::map<NodeId, Mark>& marks, const Picture& picture) {
    Lights lights;
    for (const auto& [node, mark] : marks)
        if (const int box = picture.figure.find(node); box >= 0) lights.boxes[box] = mark;
    return lights;
}

}  // namespace blockscope
