#include "core/diagram/layout/sheet.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "core/diagram/layout/draw.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

using Ids = std::vector<int>;

std::vector<int> straight(std::size_t count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

int wires_of(const Tuple& tuple) {
    int count = 0;
    for (const ArrayType& array : tuple) count += std::max(1, static_cast<int>(array.axes.size()));
    return count;
}

SheetEntries joined(SheetEntries a, const SheetEntries& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

SheetEntries entries(const Ids& strands) {
    SheetEntries result;
    for (const int strand : strands) result.push_back({SheetEntry::Kind::Strand, strand});
    return result;
}

FrameKind kind_of(BlockStyle style) {
    switch (style) {
        case BlockStyle::Group:
            return FrameKind::Named;
        case BlockStyle::Repeat:
            return FrameKind::Repeat;
        case BlockStyle::Kernel:
            return FrameKind::Kernel;
        case BlockStyle::Split:
            return FrameKind::Split;
    }
    return FrameKind::Named;
}

// Nested groups with nothing in between are one frame.
std::vector<const Partition*> nest(const Partition& outermost) {
    std::vector<const Partition*> parts = {&outermost};
    const auto inner = [&] { return parts.back()->body->as<Partition>(); };
    while (outermost.kind == PartitionKind::Group && inner() && inner()->kind == PartitionKind::Group)
        parts.push_back(inner());
    return parts;
}

class SheetBuilder {
public:
    explicit SheetBuilder(const Circuit& circuit) : circuit_(circuit) {}

    Sheet run(int most_input_wires) {
        Ids inputs;
        for (std::size_t i = 0; i < circuit_.root->domain.size(); ++i) {
            const std::string name = i < circuit_.inputs.size() ? circuit_.inputs[i] : "";
            inputs.push_back(add({.type = circuit_.root->domain[i], .name = name, .source = true}));
        }
        if (wires_of(circuit_.root->domain) > most_input_wires) hidden_.insert(inputs.begin(), inputs.end());
        sheet_.columns.push_back(visible(entries(inputs)));
        const Ids outputs = walk(circuit_.root, inputs, {}, {});
        appear({}, outputs, {}, outputs);
        if (visible(entries(outputs)) != sheet_.columns.back()) emit({}, entries(outputs));
        for (std::size_t i = 0; i < outputs.size() && i < circuit_.outputs.size(); ++i)
            sheet_.strands[at(outputs[i])].name = circuit_.outputs[i];
        for (const Strand& strand : sheet_.strands)
            sheet_.mixed_types = sheet_.mixed_types || strand.type.elem != sheet_.strands.front().type.elem;
        return std::move(sheet_);
    }

private:
    int add(Strand strand) {
        sheet_.strands.push_back(std::move(strand));
        return static_cast<int>(sheet_.strands.size()) - 1;
    }

    int copy_of(int strand) {
        const Strand& from = sheet_.strands[at(strand)];
        return add({.type = from.type, .parent = strand, .at = straight(from.type.axes.size())});
    }

    SheetEntries visible(const SheetEntries& column) const {
        SheetEntries result;
        for (const SheetEntry& entry : column)
            if (entry.kind != SheetEntry::Kind::Strand ||
                (hidden_.count(entry.index) == 0 && taken_.count(entry.index) == 0))
                result.push_back(entry);
        return result;
    }

    void emit(SheetEvent event, const SheetEntries& column) {
        sheet_.events.push_back(std::move(event));
        sheet_.columns.push_back(visible(column));
    }

    // Inputs among `needed` that are not shown yet come in beside what is there.
    void appear(const SheetEntries& above, const Ids& in, const SheetEntries& below, const Ids& needed) {
        bool any = false;
        for (const int strand : needed) any = hidden_.erase(strand) > 0 || any;
        if (any) emit_between(above, in, below);
    }

    // A column in which these stand where they stood, as far as that can be.
    void emit_between(const SheetEntries& above, const Ids& strands, const SheetEntries& below) {
        Ids shown;
        for (const SheetEntry& entry : visible(entries(strands))) shown.push_back(entry.index);
        const Positions before(sheet_);
        const auto [over, under] = before.beside(visible(above), shown, visible(below));
        emit({}, joined(joined(over, entries(before.in_order(shown))), under));
    }

    std::pair<SheetEntries, SheetEntries> beside(const SheetEntries& above, const Ids& strands,
                                                 const SheetEntries& below) const {
        return Positions(sheet_).beside(above, strands, below);
    }

    Ids walk(const TermPtr& term, const Ids& in, const SheetEntries& above, const SheetEntries& below) {
        if (const auto* what = term->as<Apply>()) return apply(*term, *what, in, above, below);
        if (const auto* what = term->as<Rearrange>()) return rearranged(*what, in, above, below);
        if (const auto* what = term->as<Product>()) return product(*what, in, above, below);
        if (const auto* what = term->as<Block>()) return block(*what, in, above, below);
        if (const auto* what = term->as<Partition>()) return partition(*term, *what, in, above, below);
        Ids now = in;
        for (const TermPtr& part : term->as<Compose>()->parts) now = walk(part, now, above, below);
        return now;
    }

    Ids rearranged(const Rearrange& what, const Ids& in, const SheetEntries& above,
                   const SheetEntries& below) {
        Ids copied;
        for (std::size_t i = 0; i < in.size(); ++i)
            if (std::count(what.take.begin(), what.take.end(), static_cast<int>(i)) > 1)
                copied.push_back(in[i]);
        appear(above, in, below, copied);
        Ids out;
        for (const int i : what.take) {
            const bool again = std::find(out.begin(), out.end(), in[at(i)]) != out.end();
            out.push_back(again ? copy_of(in[at(i)]) : in[at(i)]);
        }
        return out;
    }

    Ids apply(const Term& term, const Apply& what, const Ids& in, const SheetEntries& above,
              const SheetEntries& below) {
        appear(above, in, below, in);
        SheetEvent event;
        event.apply = &what;
        event.execution = executions_++;
        event.inputs = in;
        for (std::size_t i = 0; i < term.codomain.size(); ++i) {
            event.outputs.push_back(add({.type = term.codomain[i]}));
            if (const int strand = carried_into(&term, static_cast<int>(i)); strand >= 0)
                event.carried.emplace_back(static_cast<int>(i), strand);
        }
        Ids outputs = event.outputs;
        std::tie(event.above, event.below) = beside(visible(above), in, visible(below));
        const SheetEntries column = joined(joined(event.above, entries(outputs)), event.below);
        emit(std::move(event), column);
        return outputs;
    }

    Ids product(const Product& what, const Ids& in, const SheetEntries& above, const SheetEntries& below) {
        Ids done;
        auto next = in.begin();
        for (const TermPtr& part : what.parts) {
            const auto end = next + static_cast<std::ptrdiff_t>(part->domain.size());
            const Ids waiting(end, in.end());
            const Ids out =
                walk(part, Ids(next, end), joined(above, entries(done)), joined(entries(waiting), below));
            done.insert(done.end(), out.begin(), out.end());
            next = end;
        }
        return done;
    }

    // ---- frames ----

    int enter(SheetFrame frame) {
        frame.depth = depth_++;
        frame.enters = static_cast<int>(sheet_.events.size());
        sheet_.frames.push_back(std::move(frame));
        return static_cast<int>(sheet_.frames.size()) - 1;
    }

    void leave(int frame) {
        --depth_;
        sheet_.frames[at(frame)].leaves = static_cast<int>(sheet_.events.size());
    }

    Ids block(const Block& what, const Ids& in, const SheetEntries& above, const SheetEntries& below) {
        const FrameKind kind = kind_of(what.style);
        const std::string title = kind == FrameKind::Repeat ? what.title + " × " + what.count : what.title;
        const int frame = enter({.kind = kind, .title = title});
        const SheetEntries over = joined(above, {{SheetEntry::Kind::Top, frame}});
        const SheetEntries under = joined({{SheetEntry::Kind::Bottom, frame}}, below);
        emit_between(over, in, under);
        Ids out = walk(what.body, in, over, under);
        leave(frame);
        emit_between(above, out, below);
        return out;
    }

    // What `strand` is on the other side of a rim, where its type is `type`: `places` says where its axes
    // come from.
    int relabelled(int strand, const ArrayType& type, std::vector<int> places) {
        if (type.axes == sheet_.strands[at(strand)].type.axes) return strand;
        return add({.type = type, .parent = strand, .at = std::move(places)});
    }

    Ids partition(const Term& term, const Partition& what, const Ids& in, const SheetEntries& above,
                  const SheetEntries& below) {
        if (is_trivial(circuit_.axes, what)) return trivial(what, in, above, below);
        appear(above, in, below, in);
        const std::vector<const Partition*> parts = nest(what);
        const TermPtr& body = parts.back()->body;
        const int frame = enter(partition_frame(circuit_.axes, parts));
        SheetEntries over = joined(above, {{SheetEntry::Kind::Top, frame}});
        SheetEntries under = joined({{SheetEntry::Kind::Bottom, frame}}, below);
        if (what.kind == PartitionKind::Stream) carry(term, what, over, under);
        Ids inner;
        for (std::size_t i = 0; i < in.size(); ++i) {
            std::vector<int> places = straight(sheet_.strands[at(in[i])].type.axes.size());
            for (const Partition* part : parts)
                if (part->split[i].any() && part->split[i].dropped)
                    places.erase(places.begin() + part->split[i].place);
            inner.push_back(relabelled(in[i], body->domain[i], std::move(places)));
        }
        emit_between(over, inner, under);
        const Ids out = walk(body, inner, over, under);
        leave(frame);
        return left(term, parts, out, above, below);
    }

    // A partition into one part only changes what its axis is called: it has no frame.
    Ids trivial(const Partition& what, const Ids& in, const SheetEntries& above, const SheetEntries& below) {
        Ids inner;
        for (std::size_t i = 0; i < in.size(); ++i) {
            std::vector<int> places = straight(sheet_.strands[at(in[i])].type.axes.size());
            if (what.split[i].any() && what.split[i].dropped)
                places.erase(places.begin() + what.split[i].place);
            inner.push_back(relabelled(in[i], what.body->domain[i], std::move(places)));
            if (inner.back() != in[i] && hidden_.erase(in[i]) > 0) rename(in[i], inner.back());
        }
        const Ids out = walk(what.body, inner, above, below);
        Ids outputs;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const Strand& strand = sheet_.strands[at(out[i])];
            ArrayType type = strand.type;
            std::vector<int> places = straight(type.axes.size());
            if (what.join[i].any() && what.join[i].dropped) {
                places.insert(places.begin() + what.join[i].place, -1);
                type.axes.insert(type.axes.begin() + what.join[i].place, what.count);
            } else if (what.join[i].any()) {
                type.axes.at(at(what.join[i].place)) = what.whole;
            }
            outputs.push_back(relabelled(out[i], type, std::move(places)));
        }
        return outputs;
    }

    // An input that has not appeared yet appears as another strand.
    void rename(int hidden, int now) {
        hidden_.insert(now);
        sheet_.strands[at(now)].name = sheet_.strands[at(hidden)].name;
        sheet_.strands[at(now)].source = true;
    }

    Ids left(const Term& term, const std::vector<const Partition*>& parts, const Ids& out,
             const SheetEntries& above, const SheetEntries& below) {
        Ids outputs;
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::vector<int> places = straight(sheet_.strands[at(out[i])].type.axes.size());
            for (auto part = parts.rbegin(); part != parts.rend(); ++part)
                if ((*part)->join[i].any() && (*part)->join[i].dropped)
                    places.insert(places.begin() + (*part)->join[i].place, -1);
            outputs.push_back(relabelled(out[i], term.codomain[i], std::move(places)));
            sheet_.strands[at(outputs.back())].joined = carried_into(&term, static_cast<int>(i));
        }
        emit_between(above, outputs, below);
        return outputs;
    }

    // ---- what streams carry ----

    // The outputs of a stream that are not joined stand in its columns from the start, where they cross least
    // on their way to what adds to them.
    void carry(const Term& term, const Partition& what, SheetEntries& over, SheetEntries& under) {
        SheetEntries below;
        for (std::size_t i = 0; i < what.join.size(); ++i) {
            // What goes on from an input is that input's wire.
            if (what.join[i].any() || what.carried_to(i) >= 0) continue;
            const Producer producer = producer_of(circuit_.axes, *what.body, static_cast<int>(i));
            if (!producer.term) continue;
            Strand strand{.type = what.body->codomain[i],
                          .name = "",
                          .parent = -1,
                          .at = {},
                          .joined = -1,
                          .carried = true,
                          .source = false};
            if (const int outer = carried_into(&term, static_cast<int>(i)); outer >= 0) {
                strand.parent = outer;
                strand.at = straight(strand.type.axes.size());
            }
            const int made = add(std::move(strand));
            carried_[{producer.term, producer.output}] = made;
            SheetEntries& side = producer.below <= producer.above ? below : over;
            side.push_back({SheetEntry::Kind::Strand, made});
        }
        under = joined(std::move(below), under);
    }

    // The strand that waits for this output, which ends here; -1 if there is none.
    int carried_into(const Term* term, int output) {
        const auto found = carried_.find({term, output});
        if (found == carried_.end()) return -1;
        const int strand = found->second;
        carried_.erase(found);
        taken_.insert(strand);
        return strand;
    }

    const Circuit& circuit_;
    Sheet sheet_;
    std::set<int> hidden_;                                // inputs that have not appeared yet
    std::set<int> taken_;                                 // carried strands that have ended
    std::map<std::pair<const Term*, int>, int> carried_;  // by what ends them
    int executions_ = 0;
    int depth_ = 0;
};

}  // namespace

Sheet sheet_of(const Circuit& circuit, int most_input_wires) {
    return SheetBuilder(circuit).run(most_input_wires);
}

namespace {

Producer producer_inside(const Axes& axes, const Product& what, int output) {
    int before_in = 0;
    int before_out = 0;
    int all = 0;
    for (const TermPtr& part : what.parts) all += static_cast<int>(part->codomain.size());
    for (const TermPtr& part : what.parts) {
        const int outputs = static_cast<int>(part->codomain.size());
        if (output < before_out + outputs) {
            Producer found = producer_of(axes, *part, output - before_out);
            if (!found.term) found.output += before_in;
            found.above += before_out;
            found.below += all - before_out - outputs;
            return found;
        }
        before_in += static_cast<int>(part->domain.size());
        before_out += outputs;
    }
    return {};
}

Producer producer_inside(const Axes& axes, const Compose& what, int output) {
    for (auto part = what.parts.rbegin(); part != what.parts.rend(); ++part) {
        const Producer found = producer_of(axes, **part, output);
        if (found.term) return found;
        output = found.output;
    }
    return {nullptr, output, 0, 0};
}

}  // namespace

bool is_trivial(const Axes& axes, const Partition& what) {
    const Axis& part = axis_of(axes, what.part);
    return !part.open && axis_of(axes, what.whole).size == part.size;
}

Producer producer_of(const Axes& axes, const Term& term, int output) {
    if (const auto* what = term.as<Rearrange>())
        return {nullptr, what->take.at(static_cast<std::size_t>(output)), 0, 0};
    if (const auto* what = term.as<Product>()) return producer_inside(axes, *what, output);
    if (const auto* what = term.as<Compose>()) return producer_inside(axes, *what, output);
    if (const auto* what = term.as<Block>()) return producer_of(axes, *what->body, output);
    if (const auto* what = term.as<Partition>(); what && is_trivial(axes, *what))
        return producer_of(axes, *what->body, output);
    return {&term, output, 0, 0};
}

namespace {

constexpr double kNext = 0.25;  // new strands stand this far from those that they follow

using Kind = SheetEntry::Kind;

// What is beside one frame, or beside the operator, inside the frame around it.
struct Cell {
    std::vector<int> above, below;
    int frame = -1;  // inside this cell; -1: the operator
};

std::vector<Cell> cells_of(const SheetEntries& above, const SheetEntries& below) {
    std::vector<Cell> cells(1);
    for (const SheetEntry& entry : above) {
        if (entry.kind == Kind::Strand) {
            cells.back().above.push_back(entry.index);
        } else {
            cells.back().frame = entry.index;
            cells.emplace_back();
        }
    }
    std::size_t level = cells.size() - 1;
    for (const SheetEntry& entry : below) {
        if (entry.kind == Kind::Strand)
            cells[level].below.push_back(entry.index);
        else
            --level;
    }
    return cells;
}

struct Standing {
    int strand = -1;
    double place = 0;
};

}  // namespace

Positions::Positions(const Sheet& sheet) : sheet_(sheet) {
    double place = 0;
    for (const SheetEntry& entry : sheet.columns.back()) {
        if (entry.kind == Kind::Strand) strands_[entry.index] = place;
        if (entry.kind == Kind::Top) tops_[entry.index] = place;
        ++place;
    }
}

std::optional<double> Positions::place(int strand) const {
    for (; strand >= 0; strand = sheet_.strands[static_cast<std::size_t>(strand)].parent)
        if (const auto found = strands_.find(strand); found != strands_.end()) return found->second;
    return std::nullopt;
}

double Positions::middle(const std::vector<int>& strands) const {
    double sum = 0;
    int count = 0;
    for (const int strand : strands) {
        const std::optional<double> known = place(strand);
        sum += known.value_or(0);
        count += known ? 1 : 0;
    }
    return count == 0 ? -1 : sum / count;
}

std::vector<int> Positions::in_order(const std::vector<int>& strands) const {
    std::vector<Standing> all;
    double before = -1;
    for (const int strand : strands) {
        before = place(strand).value_or(before + kNext);
        all.push_back({strand, before});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Standing& a, const Standing& b) { return a.place < b.place; });
    std::vector<int> result;
    for (const Standing& one : all) result.push_back(one.strand);
    return result;
}

std::pair<SheetEntries, SheetEntries> Positions::beside(const SheetEntries& above,
                                                        const std::vector<int>& into,
                                                        const SheetEntries& below) const {
    SheetEntries over;
    SheetEntries under;
    const double here = middle(into);
    for (const Cell& cell : cells_of(above, below)) {
        const auto open = tops_.find(cell.frame);
        const bool is_open = cell.frame >= 0 && open != tops_.end();
        const double core = is_open ? open->second : here;
        std::vector<int> upper;
        std::vector<int> lower;
        const auto divide = [&](const std::vector<int>& strands, bool was_above) {
            for (const int strand : strands) {
                const std::optional<double> known = place(strand);
                const bool stays = !known || core < 0 || *known == core;
                ((stays ? was_above : *known < core) ? upper : lower).push_back(strand);
            }
        };
        divide(cell.above, true);
        divide(cell.below, false);
        for (const int strand : in_order(upper)) over.push_back({Kind::Strand, strand});
        if (cell.frame >= 0) over.push_back({Kind::Top, cell.frame});
        SheetEntries bottom;
        if (cell.frame >= 0) bottom.push_back({Kind::Bottom, cell.frame});
        for (const int strand : in_order(lower)) bottom.push_back({Kind::Strand, strand});
        under.insert(under.begin(), bottom.begin(), bottom.end());
    }
    return {std::move(over), std::move(under)};
}

}  // namespace blockscope::circuit
