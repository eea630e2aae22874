// The rows of one operator: wires that are weaved past it, and its glyph among them.
#include <algorithm>
#include <cmath>

#include "core/circuit/layout/names.h"
#include "core/circuit/layout/stations.h"
#include "core/circuit/learned.h"

namespace blockscope::circuit {

namespace {

constexpr double kArrayGap = 28;  // between the wires of two arrays that lie beside each other
constexpr double kCupGap = 14;    // between the arms of a cup whose wires come from farther away
constexpr double kBox = 26;
constexpr double kPortGap = 20;
constexpr double kSlicePitch = 12;  // between the wires of a hexagon, or of a named operator
constexpr double kPortMargin = 14;
constexpr double kStep = 34;  // width of the triangle that takes auxiliary numbers, too
constexpr std::size_t kMostLetters = 34;

using Ends = std::vector<std::pair<int, int>>;

class OperatorRows {
public:
    OperatorRows(const SheetEvent& event, const WirePlace& place, const LabelMeasure& measure)
        : event_(event), apply_(*event.apply), place_(place), measure_(measure) {}

    std::vector<OperatorRow> run() {
        switch (apply_.op.kind) {
            case OperatorKind::Elementwise:
            case OperatorKind::Cast:
                return elementwise();
            case OperatorKind::Transfer:
                return outputs();
            case OperatorKind::Reindex:
                return apply_.own.empty() ? outputs() : weaved(hexagon());
            case OperatorKind::Softmax:
                return along({GlyphKind::Triangle, "", kBox, kBox, 0, 0, {}});
            case OperatorKind::RmsNorm:
                return along({GlyphKind::Norm, "rms", kBox, kBox, 0, 0, {}});
            case OperatorKind::LayerNorm:
                return along({GlyphKind::Norm, "layer", kBox, kBox, 0, 0, {}});
            case OperatorKind::Sum:
            case OperatorKind::Mean:
            case OperatorKind::Max:
                return with_end(box(apply_.op.label));
            case OperatorKind::Contraction:
                return with_end({GlyphKind::Cup, "", kCupGap / 2, kCupGap, kCupGap, 0, {}});
            case OperatorKind::Mask:
                return opaque({GlyphKind::Mask, "", kBox, kBox, kPortGap, 0, {}});
            case OperatorKind::Custom:
                if (apply_.weave.empty() || apply_.inputs.empty()) return opaque(box(apply_.op.label));
                return weaved(named());
        }
        return {};
    }

private:
    StationGlyph box(const std::string& label) const {
        const std::string text = shortened(label, kMostLetters);
        const double width = std::max(kBox, measure_(text, LabelRole::Glyph).width + 12);
        return {GlyphKind::Box, text, width, kBox, kPortGap, 0, {}};
    }

    // What slices or joins an axis.
    StationGlyph hexagon() const {
        const double width = measure_(apply_.op.label, LabelRole::Glyph).width;
        return {GlyphKind::Hexagon, apply_.op.label, std::max(kBox, width + 18), 18, kSlicePitch, 0, {}};
    }

    // An operator that is only named. The steps of norms look like norms, learned maps have a glyph.
    StationGlyph named() const {
        const std::string& label = apply_.op.label;
        if (label == kLearned) return {GlyphKind::Learned, "L", kBox, kBox, kPortGap, 0, {}};
        if (apply_.outputs.size() == 2 && label == "softmax")
            return {GlyphKind::Triangle, "", kStep, kBox, kPortGap, 0, {}};
        if (apply_.outputs.size() == 2 && (label == "rms" || label == "layer"))
            return {GlyphKind::Norm, label, kStep, kStep, kPortGap, 0, {}};
        StationGlyph made = box(label);
        made.pitch = kSlicePitch;
        return made;
    }

    // Names of operators are words; in formulas "_" lowers.
    static std::string in_letters(std::string name) {
        const bool word = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
        if (word) std::replace(name.begin(), name.end(), '_', ' ');
        return name;
    }

    StationGlyph sign() const {
        const std::string text = shortened(in_letters(apply_.op.label), kMostLetters);
        const double bold = measure_(text, LabelRole::Bold).width;
        const double plain = measure_(text, LabelRole::Glyph).width;
        if (apply_.op.kind == OperatorKind::Cast) return {GlyphKind::Tag, text, plain + 12, 16, 0, 0, {}};
        if (bare(text)) return {GlyphKind::Bold, text, bold + 4, 16, 0, 0, {}};
        return {GlyphKind::Arrow, text, plain + 36, 16, 0, 0, {}};
    }

    static bool bare(const std::string& text) {
        return text == "+" || text == "×" || text == "+=" || text == "max=" || text == "max";
    }

    int output() const { return event_.outputs.at(0); }
    std::size_t rank() const { return apply_.outputs.at(0).slots.size(); }

    // The wires that run in an axis of the output.
    Ends sources(const Slot& slot) const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            for (std::size_t a = 0; a < apply_.inputs[i].slots.size(); ++a)
                if (apply_.inputs[i].slots[a] == slot)
                    ends.emplace_back(event_.inputs[i], static_cast<int>(a));
        return ends;
    }

    Ends own_wires() const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            for (std::size_t a = 0; a < apply_.inputs[i].slots.size(); ++a)
                if (apply_.inputs[i].slots[a].own) ends.emplace_back(event_.inputs[i], static_cast<int>(a));
        return ends;
    }

    // Inputs without axes.
    Ends items() const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            if (apply_.inputs[i].slots.empty()) ends.emplace_back(event_.inputs[i], -1);
        return ends;
    }

    std::vector<OperatorRow> outputs() const {
        std::vector<OperatorRow> rows;
        for (std::size_t k = 0; k < rank(); ++k) {
            OperatorRow row{static_cast<int>(k), false, {}, sources(apply_.outputs[0].slots[k])};
            for (const auto& [out, strand] : event_.carried)
                if (out == 0) row.from.emplace_back(strand, static_cast<int>(k));
            rows.push_back(std::move(row));
        }
        if (rank() == 0) {
            OperatorRow row{-1, false, {}, items()};
            for (const auto& [out, strand] : event_.carried)
                if (out == 0) row.from.emplace_back(strand, -1);
            rows.push_back(std::move(row));
        }
        return rows;
    }

    // Below the wires of the array, where the wire of one item would be.
    std::vector<OperatorRow> elementwise() const {
        std::vector<OperatorRow> rows = outputs();
        OperatorRow glyph{-1, true, sign(), {}};
        if (rank() == 0) {
            glyph.from = std::move(rows.back().from);
            glyph.drawn.exits = {{output(), -1}};
            rows.clear();
        } else {
            glyph.from = items();
        }
        glyph.drawn.pitch = 8;
        rows.push_back(std::move(glyph));
        return rows;
    }

    // The weaved wires that an output's axis goes on from: those of the only output from all, of several each
    // from its own.
    Ends weave_sources(std::size_t output, const Slot& slot) const {
        Ends all = sources(slot);
        const std::size_t outputs = apply_.outputs.size();
        if (outputs == 1 || all.empty()) return all;
        if (output >= all.size()) return {all.back()};
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(output);
        return output + 1 < outputs ? Ends{*first} : Ends(first, all.end());
    }

    // Weaved axes run past, the operator's own end in its glyph and begin there.
    std::vector<OperatorRow> weaved(StationGlyph drawn) const {
        std::vector<OperatorRow> rows;
        std::ptrdiff_t where = -1;
        for (std::size_t o = 0; o < apply_.outputs.size(); ++o) {
            const std::vector<Slot>& slots = apply_.outputs[o].slots;
            for (std::size_t k = 0; k < slots.size(); ++k) {
                if (!slots[k].own) {
                    rows.push_back(
                        {static_cast<int>(k), false, {}, weave_sources(o, slots[k]), static_cast<int>(o)});
                    continue;
                }
                drawn.exits.emplace_back(event_.outputs[o], static_cast<int>(k));
                if (where < 0) where = static_cast<std::ptrdiff_t>(rows.size());
            }
        }
        if (rows.empty() && drawn.exits.empty()) drawn.exits = {{output(), -1}};
        OperatorRow glyph{-1, true, std::move(drawn), own_wires()};
        std::stable_sort(glyph.from.begin(), glyph.from.end(), [&](const auto& a, const auto& b) {
            return place_(a.first, a.second) < place_(b.first, b.second);
        });
        const std::size_t ports = std::max(glyph.from.size(), glyph.drawn.exits.size());
        glyph.drawn.height =
            std::max(glyph.drawn.height,
                     (static_cast<double>(ports) - 1) * glyph.drawn.pitch + (ports > 1 ? kPortMargin : 0));
        if (where < 0) where = static_cast<std::ptrdiff_t>(best_place(rows, glyph));
        rows.insert(rows.begin() + where, std::move(glyph));
        return rows;
    }

    // On the wire of the operator's own axis, which goes on.
    std::vector<OperatorRow> along(const StationGlyph& drawn) const {
        std::vector<OperatorRow> rows = outputs();
        for (std::size_t k = 0; k < rank(); ++k) {
            if (!apply_.outputs[0].slots[k].own) continue;
            rows[k].glyph = true;
            rows[k].drawn = drawn;
            rows[k].drawn.exits = {{output(), static_cast<int>(k)}};
        }
        return rows;
    }

    // The operator's own wires end in a glyph, which stands where they cross the fewest others.
    std::vector<OperatorRow> with_end(StationGlyph drawn) const {
        std::vector<OperatorRow> rows = outputs();
        if (rank() == 0) {
            drawn.exits = {{output(), -1}};
            rows.clear();
        }
        OperatorRow glyph{-1, true, std::move(drawn), own_wires()};
        const Ends& own = glyph.from;
        std::sort(glyph.from.begin(), glyph.from.end(), [&](const auto& a, const auto& b) {
            return place_(a.first, a.second) < place_(b.first, b.second);
        });
        const bool side_by_side =
            own.size() == 2 && place_(own[1].first, own[1].second) == place_(own[0].first, own[0].second) + 1;
        if (glyph.drawn.kind == GlyphKind::Cup && side_by_side)
            glyph.drawn = {GlyphKind::Cup, "", kArrayGap / 2, kArrayGap, kArrayGap, 0, glyph.drawn.exits};
        const std::size_t where = best_place(rows, glyph);
        rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(where), std::move(glyph));
        return rows;
    }

    std::size_t best_place(const std::vector<OperatorRow>& rows, const OperatorRow& glyph) const {
        std::size_t best = 0;
        int least = -1;
        for (std::size_t p = 0; p <= rows.size(); ++p) {
            int crossed = 0;
            for (std::size_t r = 0; r < rows.size(); ++r)
                for (std::size_t w = 0; w < rows[r].from.size(); ++w)
                    for (const auto& own : glyph.from)
                        if ((r < p) != (place_(rows[r].from[w].first, rows[r].from[w].second) <
                                        place_(own.first, own.second)))
                            crossed +=
                                w == 0 ? 101 : 100;  // of two places rather where straight wires stay so
            if (least >= 0 && crossed >= least) continue;
            least = crossed;
            best = p;
        }
        return best;
    }

    // All wires end in it and begin there.
    std::vector<OperatorRow> opaque(StationGlyph drawn) const {
        OperatorRow row{-1, true, std::move(drawn), {}};
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i) {
            const int count = static_cast<int>(apply_.inputs[i].slots.size());
            for (int a = 0; a < count; ++a) row.from.emplace_back(event_.inputs[i], a);
            if (count == 0) row.from.emplace_back(event_.inputs[i], -1);
        }
        for (std::size_t o = 0; o < apply_.outputs.size(); ++o) {
            const int count = static_cast<int>(apply_.outputs[o].slots.size());
            for (int a = 0; a < count; ++a) row.drawn.exits.emplace_back(event_.outputs[o], a);
            if (count == 0) row.drawn.exits.emplace_back(event_.outputs[o], -1);
        }
        const double ports = static_cast<double>(std::max(row.from.size(), row.drawn.exits.size()));
        row.drawn.height = std::max(kBox, (ports - 1) * kPortGap + 12);
        if (row.drawn.kind == GlyphKind::Mask) row.drawn.width = row.drawn.height;
        return {std::move(row)};
    }

    const SheetEvent& event_;
    const Apply& apply_;
    const WirePlace& place_;
    const LabelMeasure& measure_;
};

}  // namespace

std::vector<OperatorRow> operator_rows(const SheetEvent& event, const WirePlace& place,
                                       const LabelMeasure& measure) {
    return OperatorRows(event, place, measure).run();
}

}  // namespace blockscope::circuit
