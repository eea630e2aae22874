#include "tests/support/listing_reader.h"

#include <algorithm>
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
};

// Of a number before a loop (`t9 = -inf`), by the line and the iteration in which it is set: what the loop
// made of it, whose shape it has.
using Place = std::pair<int, std::vector<std::int64_t>>;
using CarriedShapes = std::map<Place, Value>;

class Machine {
public:
    // `shapes` are those of an earlier execution, which could not know them yet.
    Machine(const Signature& signature, const Tensors<double>& inputs, ForallOrder order, Work& work,
            CarriedShapes shapes = {})
        : signature_(signature),
          order_(order),
          work_(work),
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
        work_.local_values = lives_.most();
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
            check_variable(line);
            if (line.parallel) check_parallel(line);
        } catch (const ListingError& error) {
            throw ListingError("line " + std::to_string(line.number) + ": " + error.what());
        }
        std::set<int> kept;  // what the loop carries from one iteration to the next
        for (const int temporary : line.assigned)
            if (temporaries_.count(temporary) > 0) kept.insert(temporary);
        for (const int temporary : line.accumulators) {
            kept.insert(temporary);
            lives_.next();
            lives_.set(temporary, 1);
            temporaries_[temporary] = Value::literal(0);
        }
        const std::int64_t end = signature_.dims.at(dim(line.dim).value).blocks();
        loops_.push_back({line.variable, dim(line.dim), 0});
        const bool around = tasks_nested_;
        tasks_nested_ = around && line.parallel;
        const bool innermost =
            line.body.size() != 1 || line.body[0].kind != Line::Kind::Loop || !line.body[0].parallel;
        if (tasks_nested_ && innermost) work_.tasks.back() += end - line.start;
        if (innermost) tasks_nested_ = false;
        for (std::int64_t i = line.start; i < end; ++i) {
            const bool backward = line.parallel && order_ == ForallOrder::Backward;
            loops_.back().index = backward ? end - 1 - i + line.start : i;
            forget(line.assigned, kept);
            block(line.body);
        }
        if (line.parallel) forget(line.assigned, {});
        tasks_nested_ = around;
        loops_.pop_back();
    }

    void check_parallel(const Line& line) const {
        if (!line.accumulators.empty())
            throw ListingError("iterations of a forall loop add to the same temporary");
        for (const int temporary : line.assigned)
            if (temporaries_.count(temporary) > 0)
                throw ListingError("iterations of a forall loop set t" + std::to_string(temporary) +
                                   " of outside");
    }

    void forget(const std::set<int>& temporaries, const std::set<int>& kept) {
        for (const int temporary : temporaries)
            if (kept.count(temporary) == 0) temporaries_.erase(temporary);
    }

    // ---- statements

    void statement(const Line& line) {
        switch (line.kind) {
            case Line::Kind::Loop:
                return;
            case Line::Kind::Load:
                set(line.temporary, memory_.load(element(line.access)));
                ++work_.arrays[line.access.array].loads;
                work_.arrays[line.access.array].loaded_values += size(temporaries_[line.temporary]);
                return;
            case Line::Kind::Store:
                ++work_.arrays[line.access.array].stores;
                work_.arrays[line.access.array].stored_values += size(get(line.temporary));
                return memory_.store(element(line.access), get(line.temporary));
            case Line::Kind::Functional:
                count(line);
                return set(line.temporary, call(line));
            case Line::Kind::AddFunctional:
                count(line);
                if (line.name != "dot")
                    work_.vector += size(call(line));  // a dot's sum is in its multiply-adds
                return add(line.temporary, call(line));
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

    const Value& get(int temporary) const {
        const auto found = temporaries_.find(temporary);
        if (found == temporaries_.end())
            throw ListingError("t" + std::to_string(temporary) + " is not set here");
        lives_.read(temporary);
        return found->second;
    }

    void set(int temporary, Value value) {
        lives_.set(temporary, size(value));
        const auto number = unshaped_.find(temporary);
        if (number != unshaped_.end() && !value.has_loose_extent()) {
            found_[number->second] = value;
            unshaped_.erase(number);
        }
        temporaries_[temporary] = std::move(value);
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

    Value call(const Line& line) const {
        std::vector<Value> args;
        for (const int temporary : line.args) args.push_back(get(temporary));
        return functional(line.name, args);
    }

    static std::int64_t size(const Value& value) { return static_cast<std::int64_t>(value.data.size()); }

    // The operations of a functional operator that is run once.
    void count(const Line& line) {
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
        Value result = elementwise("+", {sum, value});
        lives_.grow(temporary, size(result));
        temporaries_[temporary] = std::move(result);
    }

    static bool is_constant(const Formula& formula) {
        return formula.kind != Formula::Kind::Temporary &&
               std::all_of(formula.args.begin(), formula.args.end(), is_constant);
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
        std::vector<Value> args;
        for (const Formula& part : formula.args) args.push_back(evaluate(part));
        Value result = elementwise(formula.name, args);
        count(formula, result);
        return result;
    }

    // ---- memory

    const LoopState& variable(const std::string& name) const {
        for (const LoopState& loop : loops_)
            if (loop.variable == name) return loop;
        throw ListingError("there is no loop variable " + name);
    }

    Element element(const Access& access) const {
        Element element{access.array, {}, {}};
        for (const std::string& name : access.indices) {
            const bool zero = name == "0";
            element.index.push_back(zero ? 0 : variable(name).index);
            element.dims.push_back(zero ? std::nullopt : std::optional(variable(name).dim));
        }
        return element;
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
            const Element place = element(line.outputs[i]);
            for (const Tuple& index : all_indices(decl.outputs[i], signature_.dims)) {
                const Value value = cut(results.at(i), decl.outputs[i], signature_.dims, index);
                ++work_.arrays[place.array].stores;
                work_.arrays[place.array].stored_values += size(value);
                memory_.store_part(place, index, value);
            }
        }
    }

    Tensor<double> gather(const Access& access, const ArrayDecl& decl) {
        Tensor<double> tensor = blank(decl, signature_.dims);
        const Element place = element(access);
        for (const Tuple& index : all_indices(decl, signature_.dims)) {
            const Value value = memory_.load_part(place, index);
            ++work_.arrays[access.array].loads;
            work_.arrays[access.array].loaded_values += size(value);
            put(tensor, decl, signature_.dims, index, value);
        }
        return tensor;
    }

    const Signature& signature_;
    ForallOrder order_;
    Work& work_;
    std::map<int, Value> temporaries_;  // that are set
    std::vector<LoopState> loops_;
    ListingMemory memory_;
    std::map<const Line*, const MiscDecl*> misc_;
    mutable ValueLives lives_;
    const CarriedShapes shapes_;
    CarriedShapes found_;
    std::map<int, Place> unshaped_;  // numbers whose shape nothing has told yet
    bool tasks_nested_ = true;       // all loops around are parallel and hold nothing else
};

}  // namespace

Tensors<double> run_listing(const std::string& text, const Signature& signature,
                            const Tensors<double>& inputs, ForallOrder order, Work* work) {
    std::vector<std::string> dims;
    for (const Dim& dim : signature.dims) dims.push_back(dim.name);
    const std::vector<Line> lines = parse_listing(text, dims);
    Work own;
    Machine machine(signature, inputs, order, own);
    machine.run(lines);
    if (!work) return machine.outputs();
    if (machine.found_shapes().empty()) {
        *work = own;
        return machine.outputs();
    }
    Machine again(signature, inputs, order, *work, machine.found_shapes());
    again.run(lines);
    return again.outputs();
}

}  // namespace blockscope::reader
