#include "tests/support/listing_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "tests/support/listing_memory.h"
#include "tests/support/listing_syntax.h"
#include "tests/support/value_lives.h"

namespace blockscope::reader {

namespace {

struct LoopState {
    std::string variable;
    DimId dim;
    std::int64_t index = 0;
    std::int64_t start = 0;  // 1 of a loop whose first iteration stands before it
};

// Of a number before a loop (`t9 = -inf`), by the line and the iteration in which it is set: what the loop
// made of it, whose shape it has.
using Place = std::pair<int, std::vector<std::int64_t>>;
using CarriedShapes = std::map<Place, Value>;

bool is_constant(const Formula& formula) {
    return formula.kind != Formula::Kind::Temporary &&
           std::all_of(formula.args.begin(), formula.args.end(), is_constant);
}

// Whether a number stands before a loop somewhere, whose shape only an execution tells.
bool holds_numbers(const std::vector<Line>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
        return holds_numbers(line.body) || (line.kind == Line::Kind::Assign && is_constant(line.formula));
    });
}

class Machine {
public:
    // Without `counted` nobody asks for the work on memory and temporaries. `shapes` are those of an earlier
    // execution, which could not know them yet.
    Machine(const Signature& signature, const Tensors<double>& inputs, ForallOrder order, Work& work,
            bool counted, CarriedShapes shapes = {})
        : signature_(signature),
          order_(order),
          work_(work),
          counted_(counted),
          memory_(signature, inputs),
          shapes_(std::move(shapes)) {}

    void run(const std::vector<Line>& lines) {
        find_misc(lines);
        for (const Line& line : lines) {
            ++work_.launches;
            work_.tasks.push_back(0);
            if (line.kind != Line::Kind::Loop || !line.parallel) work_.tasks.back() = 1;
            block(line);
        }
        if (counted_) work_.local_values = lives_.most();
    }

    Tensors<double> outputs() const { return memory_.outputs(); }
    const CarriedShapes& found_shapes() const { return found_; }

private:
    void find_misc(const std::vector<Line>& lines) {
        for (const Line& line : lines) {
            if (line.kind == Line::Kind::Loop) find_misc(line.body);
            if (line.kind != Line::Kind::Misc) continue;
            const std::size_t next = misc_.size();
            if (next >= signature_.misc.size() || signature_.misc[next].name != line.name)
                throw ListingError("line " + std::to_string(line.number) + ": there is no operator " +
                                   line.name);
            misc_[&line] = &signature_.misc[next];
        }
    }

    void block(const std::vector<Line>& lines) {
        for (const Line& line : lines) block(line);
    }

    void block(const Line& line) {
        if (line.kind == Line::Kind::Loop) return loop(line);
        try {
            lives_.next();
            statement(line);
        } catch (const ListingError& error) {
            throw ListingError("line " + std::to_string(line.number) + ": " + error.what());
        }
    }

    // ---- loops

    DimId dim(const std::string& name) const {
        for (std::size_t i = 0; i < signature_.dims.size(); ++i)
            if (signature_.dims[i].name == name) return {static_cast<std::uint16_t>(i)};
        throw ListingError("there is no dimension " + name);
    }

    void check_variable(const Line& line) const {
        std::string plain = line.dim;
        for (char& c : plain) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        bool nested = false;
        for (const LoopState& around : loops_) {
            if (around.variable == line.variable)
                throw ListingError("the variable " + line.variable + " is in use");
            nested = nested || around.dim == dim(line.dim);
        }
        const bool numbered =
            line.variable.size() > plain.size() && line.variable.compare(0, plain.size(), plain) == 0 &&
            line.variable.find_first_not_of("0123456789", plain.size()) == std::string::npos;
        if (nested ? !numbered : line.variable != plain)
            throw ListingError("the variable " + line.variable + " is not named after " + line.dim);
    }

    void loop(const Line& line) {
        try {
            if (checked_.insert(&line).second) check_variable(line);  // the same loops are around every time
            if (line.parallel) check_parallel(line);
        } catch (const ListingError& error) {
            throw ListingError("line " + std::to_string(line.number) + ": " + error.what());
        }
        // What the loop does not carry from one iteration to the next.
        std::vector<int> forgotten;
        for (const int temporary : line.assigned)
            if (!is_set(temporary) && line.accumulators.count(temporary) == 0) forgotten.push_back(temporary);
        for (const int temporary : line.accumulators) {
            lives_.next();
            if (counted_) lives_.set(temporary, 1);
            slot(temporary) = Value::literal(0);
        }
        const Range range = range_of(line);
        loops_.push_back({line.variable, dim(line.dim), 0, line.start});
        const bool around = tasks_nested_;
        tasks_nested_ = around && line.parallel;
        const bool innermost = !holds_an_axis(line.body);
        if (tasks_nested_ && innermost) work_.tasks.back() += range.end - range.begin;
        if (innermost) tasks_nested_ = false;
        for (std::int64_t i = range.begin; i < range.end; ++i) {
            const bool backward = line.parallel && order_ == ForallOrder::Backward;
            loops_.back().index = backward ? range.end - 1 - i + range.begin : i;
            for (const int temporary : forgotten) slot(temporary).reset();
            block(line.body);
        }
        if (line.parallel)
            for (const int temporary : line.assigned) slot(temporary).reset();
        tasks_nested_ = around;
        loops_.pop_back();
    }

    // Whether a further parallel loop stands last in the body of one, behind nothing but loads and operators
    // other than products: both are axes of one grid of thread blocks.
    static bool holds_an_axis(const std::vector<Line>& body) {
        const auto cheap = [](const Line& line) {
            return line.kind == Line::Kind::Load || line.kind == Line::Kind::Assign ||
                   (line.kind == Line::Kind::Functional && line.name != "dot");
        };
        return !body.empty() && body.back().kind == Line::Kind::Loop && body.back().parallel &&
               std::all_of(body.begin(), body.end() - 1, cheap);
    }

    struct Range {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };

    // hidden(m,N,16),visible(m,N): from the first block of N with an element that a row of block m sees to
    // the last one. Row i sees columns up to i + NN - MM, and the last 16 of these. All blocks if a row of
    // block m sees none.
    Range range_of(const Line& line) const {
        const Dim& columns = signature_.dims.at(dim(line.dim).value);
        if (line.rows.empty()) return {line.start, columns.blocks()};
        if (line.parallel) throw ListingError("a forall loop ends with all blocks");
        const bool whole = std::any_of(signature_.dims.begin(), signature_.dims.end(),
                                       [&](const Dim& one) { return one.name == line.rows; });
        const Dim& rows = signature_.dims.at((whole ? dim(line.rows) : variable(line.rows).dim).value);
        if (whole && rows.blocks() != 1) throw ListingError("rows are in several blocks");
        const std::int64_t first_row = whole ? 0 : variable(line.rows).index * rows.block;
        std::set<std::int64_t> seen;
        for (std::int64_t i = first_row; i < std::min(first_row + rows.block, rows.size); ++i) {
            const std::int64_t last = i + columns.size - rows.size;
            if (last < 0) return {0, columns.blocks()};
            for (std::int64_t j = 0; j <= last; ++j)
                if (line.window == 0 || j > last - line.window) seen.insert(j / columns.block);
        }
        return {line.window == 0 ? 0 : *seen.begin(), *seen.rbegin() + 1};
    }

    void check_parallel(const Line& line) const {
        if (!line.accumulators.empty())
            throw ListingError("iterations of a forall loop add to the same temporary");
        for (const int temporary : line.assigned)
            if (is_set(temporary))
                throw ListingError("iterations of a forall loop set t" + std::to_string(temporary) +
                                   " of outside");
    }

    // ---- statements

    void statement(const Line& line) {
        switch (line.kind) {
            case Line::Kind::Loop:
                return;
            case Line::Kind::Load:
                return load(line);
            case Line::Kind::Store:
                return store(line);
            case Line::Kind::Functional:
                count(line);
                return set(line.temporary, call(line));
            case Line::Kind::AddFunctional:
                return add_functional(line);
            case Line::Kind::AddTemporary:
                work_.vector += size(get(line.args.at(0)));
                return add(line.temporary, get(line.args.at(0)));
            case Line::Kind::Assign:
                if (is_constant(line.formula)) return set_number(line);
                return set(line.temporary, evaluate(line.formula));
            case Line::Kind::Misc:
                return misc(line);
        }
    }

    void load(const Line& line) {
        const Element& from = at(line.access);
        Value value = memory_.load(from);
        const std::int64_t values = size(value);
        const bool zeros = is_zeros(line, value);
        set(line.temporary, std::move(value));
        if (zeros) zeros_.insert(line.temporary);
        count_load(from, values);
    }

    void store(const Line& line) {
        const Element& to = at(line.access);
        const Value& value = get(line.temporary);
        memory_.store(to, value);
        count_store(to, size(value));
    }

    void add_functional(const Line& line) {
        count(line);
        const Value summand = call(line);
        if (line.name != "dot") work_.vector += size(summand);  // a dot's sum is in its multiply-adds
        add(line.temporary, summand);
    }

    std::optional<Value>& slot(int temporary) {
        const auto at = static_cast<std::size_t>(temporary);
        if (at >= temporaries_.size()) temporaries_.resize(at + 1);
        return temporaries_[at];
    }

    bool is_set(int temporary) const {
        const auto at = static_cast<std::size_t>(temporary);
        return at < temporaries_.size() && temporaries_[at].has_value();
    }

    const Value& get(int temporary) const {
        if (!is_set(temporary)) throw ListingError("t" + std::to_string(temporary) + " is not set here");
        if (counted_) lives_.read(temporary);
        return *temporaries_[static_cast<std::size_t>(temporary)];
    }

    void set(int temporary, Value value) {
        if (counted_) lives_.set(temporary, size(value));
        zeros_.erase(temporary);
        const auto number = unshaped_.find(temporary);
        if (number != unshaped_.end() && !value.has_loose_extent()) {
            found_[number->second] = value;
            unshaped_.erase(number);
        }
        slot(temporary) = std::move(value);
    }

    void set_number(const Line& line) {
        Value number = evaluate(line.formula);
        Place place{line.number, {}};
        for (const LoopState& loop : loops_) place.second.push_back(loop.index);
        const auto shape = shapes_.find(place);
        number.loose = shape == shapes_.end();
        if (!number.loose) {
            Value filled = shape->second;
            filled.data.assign(filled.data.size(), number.data.at(0));
            return set(line.temporary, std::move(filled));
        }
        set(line.temporary, std::move(number));
        unshaped_[line.temporary] = std::move(place);
    }

    Value call(const Line& line) {
        operands_.clear();
        for (const int temporary : line.args) operands_.push_back(&get(temporary));
        return functional(line.name, operands_);
    }

    static std::int64_t size(const Value& value) { return static_cast<std::int64_t>(value.data.size()); }

    // The operations of a functional operator that is run once.
    // Whether the line loads a block of a mask that is all zeros, in loops over all blocks.
    bool is_zeros(const Line& line, const Value& block) const {
        const std::string& name = line.access.array;
        const bool turned = signature_.inputs.count(name) == 0;
        if (signature_.masks.count(turned ? name.substr(0, name.size() - 1) : name) == 0) return false;
        const auto& dims = signature_.inputs.at(turned ? name.substr(0, name.size() - 1) : name).dims;
        for (std::size_t i = 0; i < line.access.indices.size(); ++i) {
            const DimId along = dims.at(turned ? line.access.indices.size() - 1 - i : i);
            const bool zero = line.access.indices[i] == "0";
            if (zero ? signature_.dims.at(along.value).blocks() > 1
                     : variable(line.access.indices[i]).start > 0)
                return false;
        }
        return std::all_of(block.data.begin(), block.data.end(), [](double x) { return x == 0; });
    }
    bool is_zeros(const Formula& part) const {
        return part.kind == Formula::Kind::Temporary && zeros_.count(part.temporary) > 0;
    }

    void count(const Line& line) {
        if (line.name == "add" &&
            std::any_of(line.args.begin(), line.args.end(), [&](int arg) { return zeros_.count(arg) > 0; }))
            return;
        const Value& a = get(line.args.at(0));
        const Value& b = get(line.args.back());
        if (line.name == "dot") {
            work_.matrix += 2 * a.rows * a.cols * b.rows;
        } else {
            work_.vector += line.name == "outer" ? a.rows * b.rows : size(a);
        }
    }

    void count(const Formula& formula, const Value& result) const {
        if (is_constant(formula)) return;
        if (formula.name == "+" && (is_zeros(formula.args[0]) || is_zeros(formula.args[1]))) return;
        if (formula.name == "-" && is_zeros(formula.args[1])) return;
        static const std::set<std::string> kSpecial = {"exp", "log", "sqrt", "tanh", "erf", "sin", "cos"};
        const bool square = formula.name == "**" && formula.args[1].kind == Formula::Kind::Number &&
                            formula.args[1].number == 2;
        const bool special = kSpecial.count(formula.name) > 0 || (formula.name == "**" && !square);
        (special ? work_.special : work_.vector) += size(result);
    }

    void add(int temporary, const Value& value) {
        if (loops_.empty()) throw ListingError("+= outside of all loops");
        const Value& sum = get(temporary);
        if (!sum.loose && (sum.ndim != value.ndim || sum.rows != value.rows || sum.cols != value.cols))
            throw ListingError("a " + value.shape() + " cannot be added to a " + sum.shape());
        Value result = elementwise("+", std::array{&sum, &value});
        if (counted_) lives_.grow(temporary, size(result));
        slot(temporary) = std::move(result);
    }

    Value evaluate(const Formula& formula) const {
        switch (formula.kind) {
            case Formula::Kind::Number:
                return Value::scalar(formula.number);
            case Formula::Kind::Temporary:
                return get(formula.temporary);
            case Formula::Kind::Size:
                return Value::scalar(static_cast<double>(signature_.dims.at(dim(formula.name).value).size));
            case Formula::Kind::Call:
                break;
        }
        std::array<Value, 2> made;  // of parts that are no temporaries
        std::array<const Value*, 2> args{};
        if (formula.args.size() > args.size()) throw ListingError(formula.name + " takes two at most");
        for (std::size_t i = 0; i < formula.args.size(); ++i) {
            const Formula& part = formula.args[i];
            const bool known = part.kind == Formula::Kind::Temporary;
            if (!known) made[i] = evaluate(part);
            args[i] = known ? &get(part.temporary) : &made[i];
        }
        Value result = elementwise(formula.name, Operands(args).first(formula.args.size()));
        count(formula, result);
        return result;
    }

    // ---- memory

    const LoopState& variable(const std::string& name) const {
        for (const LoopState& loop : loops_)
            if (loop.variable == name) return loop;
        throw ListingError("there is no loop variable " + name);
    }

    // Until the next access.
    const Element& at(const Access& access) {
        element_.array = access.array;
        element_.index.clear();
        element_.dims.clear();
        for (const std::string& name : access.indices) {
            const LoopState* loop = name == "0" ? nullptr : &variable(name);
            element_.index.push_back(loop ? loop->index : 0);
            element_.dims.push_back(loop ? std::optional(loop->dim) : std::nullopt);
        }
        return element_;
    }

    static Element part(Element place, const Tuple& index) {
        place.index.insert(place.index.end(), index.begin(), index.end());
        return place;
    }

    void count_load(const Element& element, std::int64_t values) {
        if (!counted_) return;
        ArrayWork& work = work_.arrays[element.array];
        ++work.loads;
        work.loaded_values += values;
        touch(element, values);
    }
    void count_store(const Element& element, std::int64_t values) {
        if (!counted_) return;
        ArrayWork& work = work_.arrays[element.array];
        ++work.stores;
        work.stored_values += values;
        touch(element, values);
    }
    void touch(const Element& element, std::int64_t values) {
        const std::string* declared = memory_.read_transposed(element.array);
        const std::string& array = declared ? *declared : element.array;
        std::set<Tuple>& touched = touched_[array];
        const bool fresh = declared ? touched.insert(memory_.declared_index(element)).second
                                    : touched.insert(element.index).second;
        if (fresh) work_.touched[array] += values;
    }

    // ---- miscellaneous operators

    void misc(const Line& line) {
        const MiscDecl& decl = *misc_.at(&line);
        if (line.inputs.size() != decl.inputs.size() || line.outputs.size() != decl.outputs.size())
            throw ListingError(line.name + " takes or gives another number of arrays");
        std::vector<Tensor<double>> args;
        for (std::size_t i = 0; i < line.inputs.size(); ++i)
            args.push_back(gather(line.inputs[i], decl.inputs[i]));
        const std::vector<Tensor<double>> results = signature_.misc_meaning(decl, args);
        for (std::size_t i = 0; i < line.outputs.size(); ++i) {
            const Element place = at(line.outputs[i]);
            for (const Tuple& index : all_indices(decl.outputs[i], signature_.dims)) {
                const Value value = cut(results.at(i), decl.outputs[i], signature_.dims, index);
                memory_.store_part(place, index, value);
                count_store(part(place, index), size(value));
            }
        }
    }

    Tensor<double> gather(const Access& access, const ArrayDecl& decl) {
        Tensor<double> tensor = blank(decl, signature_.dims);
        const Element place = at(access);
        for (const Tuple& index : all_indices(decl, signature_.dims)) {
            const Value value = memory_.load_part(place, index);
            count_load(part(place, index), size(value));
            put(tensor, decl, signature_.dims, index, value);
        }
        return tensor;
    }

    const Signature& signature_;
    ForallOrder order_;
    Work& work_;
    const bool counted_;
    std::vector<std::optional<Value>> temporaries_;  // by number, where they are set
    std::vector<LoopState> loops_;
    Element element_;                     // that is read or written
    std::vector<const Value*> operands_;  // of the operator that is run
    std::set<const Line*> checked_;       // loops whose variables are
    ListingMemory memory_;
    std::map<std::string, std::set<Tuple>> touched_;  // elements of arrays that were loaded or stored
    std::map<const Line*, const MiscDecl*> misc_;
    mutable ValueLives lives_;
    const CarriedShapes shapes_;
    CarriedShapes found_;
    std::set<int> zeros_;            // temporaries that hold blocks of masks which are all zeros
    std::map<int, Place> unshaped_;  // numbers whose shape nothing has told yet
    bool tasks_nested_ = true;       // all loops around are axes of the grid
};

}  // namespace

Tensors<double> run_listing(const std::string& text, const Signature& signature,
                            const Tensors<double>& inputs, ForallOrder order, Work* work) {
    std::vector<std::string> dims;
    for (const Dim& dim : signature.dims) dims.push_back(dim.name);
    const std::vector<Line> lines = parse_listing(text, dims);
    const bool numbers = holds_numbers(lines);
    Work own;
    Machine machine(signature, inputs, order, own, work && !numbers);
    machine.run(lines);
    if (work && !numbers) *work = std::move(own);
    if (!work || !numbers) return machine.outputs();
    Machine again(signature, inputs, order, *work, true, machine.found_shapes());
    again.run(lines);
    return again.outputs();
}

}  // namespace blockscope::reader
