#include "core/story/chapters.h"

#include <algorithm>
#include <utility>

#include "core/state/parts.h"
#include "core/story/program_names.h"

namespace blockscope {

namespace {

bool holds_loops(const Node& node) {
    const Map* map = node.as<Map>();
    return map && std::any_of(map->body->nodes().begin(), map->body->nodes().end(),
                              [](const NodePtr& inner) { return inner->is<Map>(); });
}

bool is_extension(const Match& match) {
    return match.rule.number == 6 || match.rule.number == 7;
}

bool moves_operators(const Match& match) {
    constexpr int kMoving[] = {4, 5, 8, 10, 11, 12, 14};
    return std::find(std::begin(kMoving), std::end(kMoving), match.rule.number) != std::end(kMoving);
}

ChapterKind kind_of(const Step& step, bool extended) {
    if (is_extension(step.match) || extended) return ChapterKind::Extend;
    if (moves_operators(step.match)) return ChapterKind::Swap;
    const bool loops = step.match.rule.number == 1 || step.match.rule.number == 2;
    if (!loops || !step.match.path.empty()) return ChapterKind::Fuse;
    const bool nested = std::any_of(step.match.roles.begin(), step.match.roles.end(), [&](const Role& role) {
        return holds_loops(*step.before->graph->find(role.node));
    });
    return nested ? ChapterKind::LineUp : ChapterKind::Fuse;
}

// Whether the step moves the scaling by a reciprocal: the division by a sum.
bool moves_division(const Step& step) {
    if (step.match.rule.number != 4) return false;
    const ProgramNames names(step.before, {});
    const Node* scale = names.find(step.match.role("scale"));
    return std::any_of(scale->inputs.begin(), scale->inputs.end(), [&](const ValueRef& input) {
        const Node* maker = names.find(names.key(input).leaf);
        const Elementwise* elementwise = maker ? maker->as<Elementwise>() : nullptr;
        const Call* call = elementwise ? std::get_if<Call>(&elementwise->expr->value) : nullptr;
        return call && call->fn == Fn::Div && std::holds_alternative<Number>(call->args[0]->value);
    });
}

// Which states of a run are one kernel that stores nothing in between.
class SingleKernels {
public:
    bool is_one(const ProgramPtr& program) {
        const IndependentParts& parts = taker_.of(program);
        if (parts.empty()) return stored_by(program).is_one();
        Stored all;
        for (const IndependentPart& part : parts) {
            all.kernels += stored_(part).kernels;
            all.between = all.between || stored_(part).between;
        }
        return all.is_one();
    }

private:
    struct Stored {
        std::size_t kernels = 0;
        bool between = false;

        bool is_one() const { return kernels == 1 && !between; }
    };
    static Stored stored_by(const ProgramPtr& program) {
        const State state(program);
        const LoopProgram& loops = state.loops();
        return {loops.body.size(),
                std::any_of(loops.buffers.begin(), loops.buffers.end(),
                            [](const Buffer& b) { return b.kind == Buffer::Kind::Intermediate; })};
    }

    PartsOfStates taker_;
    ValueOfParts<Stored> stored_{[](const IndependentPart& part) { return stored_by(part.program); }};
};

// What moves past what, for a chapter's title, for less room, and for hardly any.
struct Titles {
    Text whole, in_short, shortest;
};
Titles swap_titles(const Trace& trace, const Chapter& chapter) {
    std::vector<const Step*> steps;
    for (int i = chapter.first; i <= chapter.last; ++i)
        steps.push_back(&trace.steps[static_cast<std::size_t>(i) - 1]);
    const auto all = [&](auto condition) {
        return std::all_of(steps.begin(), steps.end(), [&](const Step* step) { return condition(*step); });
    };
    if (all(moves_division))
        return {Text("Move the division behind the product"), Text("move division"), Text("division")};
    if (all([](const Step& step) { return step.match.rule.number == 14; }))
        return {Text("Move transposes to the operands"), Text("move transposes"), Text("transpose")};
    if (steps.size() == 1)
        return {Text("Move a factor past the product"), Text("move factor"), Text("factor")};
    return {Text("Move factors past products"), Text("move factors"), Text("factors")};
}

Text extension_title(const Chapter& chapter, bool becomes_one) {
    const bool repeats = chapter.bytes_after > chapter.bytes_before;
    if (becomes_one)
        return repeats ? Text("One kernel, at the price of repeated work")
                       : Text("One kernel, nothing stored in between");
    return repeats ? Text("Extend a loop, which repeats work")
                   : Text("Extend a loop and fuse what it takes in");
}

// `becomes_one`: of one that extends, whether it leaves one kernel where there was more.
Titles titles_of(const Trace& trace, const Chapter& chapter, bool becomes_one) {
    const auto twice = [](const Text& whole, const Text& in_short) {
        return Titles{whole, in_short, in_short};
    };
    switch (chapter.kind) {
        case ChapterKind::LineUp:
            return twice(Text("Line the loops up"), Text("line up"));
        case ChapterKind::Swap:
            return swap_titles(trace, chapter);
        case ChapterKind::Fuse:
            return twice(trace.steps[static_cast<std::size_t>(chapter.first) - 1].match.path.empty()
                             ? Text("Fuse loops")
                             : Text("Fuse the inner loops"),
                         Text("fuse"));
        case ChapterKind::Extend:
            return twice(extension_title(chapter, becomes_one),
                         becomes_one ? Text("one kernel") : Text("extend"));
        case ChapterKind::Own:  // has its name
            break;
    }
    return {};
}

}  // namespace

std::vector<Chapter> chapters_of(const Trace& trace, const Form& form) {
    std::vector<Chapter> chapters;
    bool extended = false;
    for (int number = 1; number <= static_cast<int>(trace.steps.size()); ++number) {
        const Step& step = trace.steps[static_cast<std::size_t>(number) - 1];
        const bool begins = is_extension(step.match);
        extended = extended || begins;
        const ChapterKind kind = kind_of(step, extended);
        if (!chapters.empty() && chapters.back().kind == kind && !begins)
            chapters.back().last = number;
        else
            chapters.push_back({.kind = kind,
                                .title = {},
                                .short_title = {},
                                .shortest_title = {},
                                .first = number,
                                .last = number});
    }
    BytesOfStates bytes(form);
    SingleKernels kernels;
    for (Chapter& chapter : chapters) {
        chapter.bytes_before = bytes.of(trace.state(chapter.first - 1));
        chapter.bytes_after = bytes.of(trace.state(chapter.last));
        const bool becomes_one = chapter.kind == ChapterKind::Extend &&
                                 kernels.is_one(trace.state(chapter.last)) &&
                                 !kernels.is_one(trace.state(chapter.first - 1));
        Titles titles = titles_of(trace, chapter, becomes_one);
        chapter.title = std::move(titles.whole);
        chapter.short_title = std::move(titles.in_short);
        chapter.shortest_title = std::move(titles.shortest);
    }
    return joined(chapters);
}

std::vector<Chapter> joined(const std::vector<Chapter>& chapters) {
    std::vector<Chapter> made;
    for (const Chapter& chapter : chapters) {
        const bool goes_on = !made.empty() && chapter.kind != ChapterKind::Own &&
                             made.back().kind == chapter.kind && made.back().title == chapter.title;
        if (!goes_on) {
            made.push_back(chapter);
            continue;
        }
        made.back().last = chapter.last;
        made.back().bytes_after = chapter.bytes_after;
    }
    return made;
}

std::vector<Chapter> with_groups(const std::vector<Chapter>& chapters, const std::vector<StepGroup>& groups,
                                 const Trace& trace, const Form& form) {
    if (groups.empty()) return chapters;
    std::vector<Chapter> parts;
    for (const StepGroup& group : groups)
        parts.push_back({.kind = ChapterKind::Own,
                         .title = group.name,
                         .short_title = group.name,
                         .shortest_title = group.name,
                         .first = group.first,
                         .last = group.last});
    const auto grouped = [&](int step) {
        return std::any_of(groups.begin(), groups.end(), [step](const StepGroup& group) {
            return group.first <= step && step <= group.last;
        });
    };
    for (const Chapter& chapter : chapters) {
        bool begun = false;
        for (int step = chapter.first; step <= chapter.last; ++step) {
            if (grouped(step)) {
                begun = false;
                continue;
            }
            if (!begun) parts.push_back(chapter), parts.back().first = step;
            parts.back().last = step;
            begun = true;
        }
    }
    std::sort(parts.begin(), parts.end(),
              [](const Chapter& a, const Chapter& b) { return a.first < b.first; });
    for (Chapter& part : parts) {
        const State before(trace.state(part.first - 1), form), after(trace.state(part.last), form);
        part.bytes_before = before.counts().bytes();
        part.bytes_after = after.counts().bytes();
    }
    return parts;
}

const Chapter* chapter_at(const std::vector<Chapter>& chapters, int step) {
    for (const Chapter& chapter : chapters)
        if (chapter.first <= step && step <= chapter.last) return &chapter;
    return nullptr;
}

}  // namespace blockscope
