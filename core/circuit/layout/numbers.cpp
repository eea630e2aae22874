// H and M under the columns.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/circuit/layout/draw.h"
#include "core/circuit/layout/names.h"

namespace blockscope::circuit {

namespace {

constexpr double kFoot = 8;           // below the wires
constexpr double kRow = 15;           // of numbers
constexpr double kBetween = 9;        // beside each other
constexpr std::size_t kMostRows = 4;  // of formulas, for each kind and level

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

// Of one row or more below each other: H, or M of one level.
struct Band {
    NumberKind kind = NumberKind::Memory;
    int level = 1;
    std::vector<DrawnNumber> numbers;
    std::vector<double> ends;  // of its rows so far
};

class Numbers {
public:
    Numbers(const Placed& placed, const Resources& resources, const LineOfStations& line, NumberStyle style)
        : placed_(placed),
          resources_(resources),
          line_(line),
          style_(style),
          values_(sizes(placed.circuit.axes)) {
        const Axes& axes = placed.circuit.axes;
        by_level_ =
            std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return !axis.level_sizes.empty(); });
        if (by_level_)
            for (const LevelMemory& level : resources.memory)
                bands_.push_back({NumberKind::Transfer, level.level, {}, {}});
        else
            bands_.push_back({NumberKind::Transfer, 0, {}, {}});
        memory_ = bands_.size();
        for (const LevelMemory& level : resources.memory)
            bands_.push_back({NumberKind::Memory, level.level, {}, {}});
        std::size_t next = 0;
        for (std::size_t e = 0; e < resources.columns.executions.size(); ++e)
            if (resources.columns.executions[e].apply->op.kind == OperatorKind::Transfer)
                transfer_[static_cast<int>(e)] = next++;
    }

    void run() {
        for (std::size_t s = line_.first; s <= line_.last; ++s) {
            if (station(s).data()) continue;
            const int execution = placed_.sheet.events[at(station(s).event)].execution;
            if (s > line_.first) memory(s - 1, static_cast<std::size_t>(2 * execution));
            if (transfer_.count(execution) > 0) transfer(s, execution);
            if (s < line_.last) memory(s + 1, static_cast<std::size_t>(2 * execution) + 1);
        }
    }

    // How many rows the fullest band has.
    std::size_t rows() const {
        std::size_t most = 0;
        for (const Band& band : bands_) most = std::max(most, band.ends.size());
        return most;
    }

    double draw(Drawing& drawing) {
        double y = line_.bottom + kFoot;
        for (Band& band : bands_) {
            if (band.numbers.empty()) continue;
            const bool several = band.kind == NumberKind::Transfer ? by_level_ : bands_.size() > memory_ + 1;
            const std::string name = (band.kind == NumberKind::Transfer ? "H" : "M") +
                                     (several ? "_" + std::to_string(band.level) : "");
            const Size size = placed_.options.measure(name, LabelRole::Number);
            drawing.labels.push_back({LabelRole::Number,
                                      {line_.left - kBetween - size.width, y, size.width, size.height},
                                      name,
                                      false,
                                      {},
                                      band.level});
            for (DrawnNumber& number : band.numbers) {
                number.box.y += y;
                drawing.numbers.push_back(std::move(number));
            }
            y += kRow * static_cast<double>(band.ends.size()) + 3;
        }
        return y - line_.bottom;
    }

private:
    const Station& station(std::size_t s) const { return placed_.stations.list[s]; }

    std::string written(const Formula& formula) const {
        return style_ == NumberStyle::Counts ? short_count(formula.value(values_)) : formula.text();
    }

    std::string summand(const std::string& what, const Formula& formula) const {
        return what + ": " + formula.text() + " = " + long_count(formula.value(values_));
    }

    void transfer(std::size_t s, int execution) {
        const TransferCost& cost = resources_.transfers.at(transfer_.at(execution));
        const std::string name = cost.name.empty() ? cost.apply->op.label : cost.name;
        DrawnNumber number = made(NumberKind::Transfer, s, cost.size, cost.to > 0 ? cost.to : cost.from);
        number.execution = execution;
        number.origin = cost.apply->origin;
        number.array = cost.name;
        number.sum = {summand(name, cost.size), summand("runs", cost.runs), summand("in all", cost.total)};
        const int lower = std::max(cost.from, cost.to);
        if (by_level_) number.level = lower;
        put(bands_[by_level_ ? at(lower - 1) : 0], std::move(number));
    }

    void memory(std::size_t s, std::size_t column) {
        for (std::size_t l = 0; l < resources_.memory.size(); ++l) {
            const LevelMemory& level = resources_.memory[l];
            Band& band = bands_[memory_ + l];
            for (std::size_t c = 0; c < level.columns.size(); ++c) {
                if (level.columns[c].column != column) continue;
                DrawnNumber number = made(NumberKind::Memory, s, level.columns[c].size, level.level);
                number.widest = c == level.widest;
                const bool known = !band.numbers.empty() && band.numbers.back().formula == number.formula;
                if (known && !number.widest) continue;
                if (known) band.numbers.back().widest = true;
                number.sum = summands(column, level.level);
                if (!known) put(band, std::move(number));
            }
        }
    }

    std::vector<std::string> summands(std::size_t column, int level) const {
        std::vector<std::string> lines;
        for (const ColumnArray& array : resources_.columns.columns[column].data) {
            if (array.type.level != level || array.type.cached) continue;
            const std::string text = array_shape(placed_.circuit.axes, array.type);
            lines.push_back(summand(array.carried ? "(" + text + ")" : text,
                                    size_of_array(placed_.circuit.axes, array.type)));
        }
        return lines;
    }

    DrawnNumber made(NumberKind kind, std::size_t s, const Formula& formula, int level) const {
        DrawnNumber number;
        number.kind = kind;
        number.level = level;
        number.column = {(station(s).x0 + station(s).lead + station(s).x1) / 2, line_.bottom};
        number.formula = formula.text();
        number.value = long_count(formula.value(values_));
        number.text = written(formula);
        return number;
    }

    // In the first row where it touches no other.
    void put(Band& band, DrawnNumber number) {
        const Size size = placed_.options.measure(number.text, LabelRole::Number);
        const double x = std::max(number.column.x - size.width / 2, line_.left);
        std::size_t row = 0;
        while (row < band.ends.size() && band.ends[row] + kBetween > x) ++row;
        if (row == band.ends.size()) band.ends.push_back(0);
        band.ends[row] = x + size.width;
        number.box = {x, kRow * static_cast<double>(row), size.width, size.height};
        band.numbers.push_back(std::move(number));
    }

    const Placed& placed_;
    const Resources& resources_;
    const LineOfStations& line_;
    NumberStyle style_;
    Values values_;
    bool by_level_ = false;                // levels have parts of their own, and so H of their own
    std::vector<Band> bands_;              // H, or H of each level, then M of each level
    std::size_t memory_ = 1;               // the first of those of M
    std::map<int, std::size_t> transfer_;  // by execution: index in Resources::transfers
};

}  // namespace

NumberStyle fitting(const Placed& placed, const Resources& resources,
                    const std::vector<LineOfStations>& lines, NumberStyle wanted) {
    if (wanted != NumberStyle::Formulas) return wanted;
    for (const LineOfStations& line : lines) {
        Numbers numbers(placed, resources, line, wanted);
        numbers.run();
        if (numbers.rows() > kMostRows) return NumberStyle::Counts;
    }
    return wanted;
}

double draw_numbers(const Placed& placed, const Resources& resources, const LineOfStations& line,
                    NumberStyle style, Drawing& drawing) {
    if (style == NumberStyle::None) return 0;
    Numbers numbers(placed, resources, line, style);
    numbers.run();
    return numbers.draw(drawing);
}

}  // namespace blockscope::circuit
