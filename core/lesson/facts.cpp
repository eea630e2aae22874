#include "core/lesson/facts.h"

#include <algorithm>
#include <cmath>

#include "core/json/device_files.h"
#include "core/napkin/optimum.h"
#include "core/program/names.h"
#include "core/rules/conditions.h"
#include "core/story/program_names.h"

namespace blockscope::lesson {
namespace {

Value truth(bool holds) {
    return {holds ? 1.0 : 0.0, Unit::Truth};
}
template <class Number>
Value count_of(Number number, Unit unit = Unit::Number) {
    return {static_cast<double>(number), unit};
}

std::string unit_name(Unit unit) {
    switch (unit) {
        case Unit::Number:
            return "a number";
        case Unit::Bytes:
            return "bytes";
        case Unit::Seconds:
            return "seconds";
        case Unit::Operations:
            return "operations";
        case Unit::Truth:
            return "yes or no";
        case Unit::Rule:
            return "a rule";
        case Unit::Other:
            return "a rate";
        case Unit::Formula:
            return "a formula";
    }
    return {};
}

// One expression at work. The first problem ends it.
class Evaluation {
public:
    explicit Evaluation(const Setting& setting) : setting_(setting) {}

    Result<Value> value(const Expression& expression) const {
        switch (expression.kind) {
            case Expression::Kind::Literal:
                return expression.literal;
            case Expression::Kind::Call:
                return call(expression);
            case Expression::Kind::Negate:
            case Expression::Kind::Not:
                return sign(expression);
            case Expression::Kind::Binary:
                return binary(expression);
        }
        throw InternalError("unknown expression of a lesson");
    }

private:
    using Call = Expression;

    Result<Value> sign(const Expression& expression) const {
        Result<Value> inner = value(expression.operands.front());
        if (!inner) return inner;
        if (expression.kind == Expression::Kind::Not) {
            if (inner->unit != Unit::Truth) return wrong(expression, "'not' wants a condition");
            return truth(inner->number == 0);
        }
        return Value{-inner->number, inner->unit};
    }

    Result<Value> binary(const Expression& expression) const {
        Result<Value> left = value(expression.operands[0]);
        if (!left) return left;
        const std::string& op = expression.op;
        if (op == "and" || op == "or") return logic(expression, *left);
        Result<Value> right = value(expression.operands[1]);
        if (!right) return right;
        if (op == "*" || op == "/") return scaled(*left, *right, op == "/");
        if (!comparable(*left, *right))
            return wrong(expression, "the left side is " + unit_name(left->unit) + ", the right side " +
                                         unit_name(right->unit));
        const Unit unit = left->unit == Unit::Number ? right->unit : left->unit;
        const double a = left->number, b = right->number;
        if (op == "+") return Value{a + b, unit};
        if (op == "-") return Value{a - b, unit};
        if (op == "<") return truth(a < b);
        if (op == "<=") return truth(a <= b);
        if (op == ">") return truth(a > b);
        if (op == ">=") return truth(a >= b);
        return truth((a == b) == (op == "=="));
    }

    Result<Value> logic(const Expression& expression, const Value& left) const {
        const bool both = expression.op == "and";
        if (left.unit == Unit::Truth && (left.number != 0) != both) return left;
        Result<Value> right = value(expression.operands[1]);
        if (!right) return right;
        if (left.unit != Unit::Truth || right->unit != Unit::Truth)
            return wrong(expression, "'" + expression.op + "' wants a condition on both sides");
        return right;
    }

    static Result<Value> scaled(const Value& left, const Value& right, bool quotient) {
        const double number = quotient ? left.number / right.number : left.number * right.number;
        if (right.unit == Unit::Number) return Value{number, left.unit};
        if (quotient && left.unit == right.unit) return Value{number, Unit::Number};
        if (!quotient && left.unit == Unit::Number) return Value{number, right.unit};
        return Value{number, Unit::Other};
    }

    // Zero is zero in any unit, operations are numbers, and what is made of several units is not told apart.
    static bool comparable(const Value& left, const Value& right) {
        const auto plain = [](Unit unit) { return unit == Unit::Number || unit == Unit::Operations; };
        if (left.unit == Unit::Formula || right.unit == Unit::Formula) return false;
        return left.unit == right.unit || (plain(left.unit) && plain(right.unit)) ||
               left.unit == Unit::Other || right.unit == Unit::Other || left.number == 0 || right.number == 0;
    }

    static Problem wrong(const Expression& expression, const std::string& message) {
        return {expression.place, message};
    }

    // ---- What arguments name.

    Result<State> state(const Call& call, std::size_t index = 0) const {
        if (index < call.arguments.size())
            return state_named(call.arguments[index].text, setting_, call.arguments[index].place);
        return state_named("now", setting_, call.place);
    }

    Result<const Reference*> reference(const Place& place) const {
        Result<const Reference*> found = setting_.programs.find(setting_.program);
        if (found) return found;
        return Problem{place, "the program " + setting_.program +
                                  " cannot be read: " + found.problems().front().message.str()};
    }

    Result<const Device*> device(const Call& call, std::size_t index) const {
        const bool named = index < call.arguments.size();
        const std::string& name = named ? call.arguments[index].text : setting_.learner.device;
        const Place& place = named ? call.arguments[index].place : call.place;
        if (const Device* found = setting_.programs.device(name)) return found;
        std::vector<std::string_view> names;
        for (const Device& known : builtin_devices()) names.push_back(known.name);
        return Problem{place, "there is no device '" + name + "'" + suggestion(name, names).str()};
    }

    Result<Dim> dim(const Argument& argument) const {
        const Result<const Reference*> known = reference(argument.place);
        if (!known) return known.problems();
        const bool own = setting_.learner.open() && setting_.learner.program == setting_.program;
        const DimTable& dims = own ? setting_.learner.trace.initial->dims : (*known)->initial->dims;
        std::vector<std::string_view> names;
        for (const Dim& dim : dims) {
            if (dim.name == argument.text) return dim;
            names.push_back(dim.name);
        }
        return Problem{argument.place, "there is no dimension '" + argument.text + "'" +
                                           suggestion(argument.text, names).str()};
    }

    // ---- Functions.

    Result<Value> call(const Call& call) const {
        switch (call.function) {
            case FunctionId::SizeOf:
            case FunctionId::BlocksOf:
            case FunctionId::BlockOf:
                return of_dimension(call);
            case FunctionId::Bandwidth:
            case FunctionId::Rate:
            case FunctionId::Capacity:
                return of_device(call);
            case FunctionId::Steps:
            case FunctionId::RuleOf:
                return of_run(call);
            case FunctionId::Step:
            case FunctionId::Applied:
            case FunctionId::Selected:
            case FunctionId::OnDevice:
            case FunctionId::Opened:
            case FunctionId::Safe:
            case FunctionId::Measured:
            case FunctionId::MeasuredTime:
                return of_learner(call);
            case FunctionId::Moved:
            case FunctionId::Bytes:
                return of_array(call);
            case FunctionId::Matches:
                return matches(call);
            default:
                break;
        }
        const Result<State> found = state(call);
        if (!found) return found.problems();
        return of_state(call, *found);
    }

    Result<Value> of_state(const Call& call, const State& state) const {
        const Counts& counts = state.counts();
        switch (call.function) {
            case FunctionId::Traffic:
                return count_of(counts.bytes(), Unit::Bytes);
            case FunctionId::Between:
                return count_of(counts.intermediates.bytes, Unit::Bytes);
            case FunctionId::Operations:
                return count_of(counts.flops.total(), Unit::Operations);
            case FunctionId::Buffered:
                return count_of(buffered_edges(*state.program()));
            case FunctionId::Kernels:
                return count_of(counts.launches);
            case FunctionId::Tasks:
                return count_of(counts.tasks);
            case FunctionId::Local:
                return count_of(counts.local.bytes, Unit::Bytes);
            case FunctionId::Least:
                return count_of(counts.compulsory, Unit::Bytes);
            case FunctionId::Intensity:
                return count_of(counts.intensity(), Unit::Other);
            case FunctionId::Exponentials:
                return count_of(state.in_form(safe_form()).exponentials());
            case FunctionId::Time: {
                const Result<const Device*> on = device(call, 1);
                if (!on) return on.problems();
                return count_of(setting_.programs.seconds(state, **on), Unit::Seconds);
            }
            case FunctionId::HStar:
            case FunctionId::Law:
                return least_traffic(call, state);
            default:
                throw InternalError("a function of lessons that nobody computes");
        }
    }

    Result<Value> least_traffic(const Call& call, const State& state) const {
        if (call.function == FunctionId::Law) {
            const napkin::Optimum optimum = napkin::find_optimum(state.loops());
            if (!optimum.has_law()) return wrong(call, "H* of this state has no formula");
            return Value{0, Unit::Formula, napkin::law_text(optimum.law, state.loops().dims)};
        }
        Result<Value> memory = value(call.arguments[1].number.front());
        if (!memory) return memory;
        const auto law = napkin::clipped_law(state.loops(), {});
        if (!law) return wrong(call, "H* of this state has no formula");
        return count_of(transfers(*law, memory->number));
    }

    Result<Value> of_dimension(const Call& call) const {
        const Result<Dim> found = dim(call.arguments.front());
        if (!found) return found.problems();
        if (call.function == FunctionId::SizeOf) return count_of(found->size);
        return count_of(call.function == FunctionId::BlockOf ? found->block : found->blocks());
    }

    Result<Value> of_device(const Call& call) const {
        const Result<const Device*> found = device(call, 0);
        if (!found) return found.problems();
        if (call.function == FunctionId::Bandwidth)
            return count_of(global_memory(**found).bandwidth.value, Unit::Bytes);
        if (call.function == FunctionId::Capacity) {
            const MemoryLevel* level = local_level(**found);
            if (level == nullptr) return wrong(call, "the description says nothing of local memory");
            return count_of(local_capacity(*level), Unit::Bytes);
        }
        const std::vector<ElemType> types = {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3,
                                             ElemType::E5M2};
        const Argument& name = call.arguments[1];
        const auto type = std::find_if(types.begin(), types.end(),
                                       [&](ElemType elem) { return to_string(elem) == name.text; });
        if (type == types.end()) return Problem{name.place, "there is no element type '" + name.text + "'"};
        return count_of(device_rate(**found, blockscope::Unit::Matrix, *type), Unit::Operations);
    }

    Result<Value> of_run(const Call& call) const {
        const Result<const Reference*> known = reference(call.place);
        if (!known) return known.problems();
        const Trace& run = (*known)->run;
        if (call.function == FunctionId::Steps) return count_of(run.steps.size());
        const Argument& argument = call.arguments.front();
        const Result<int> step =
            step_named(argument.text, **known, setting_.learner, setting_.programs, argument.place);
        if (!step) return step.problems();
        if (*step == 0) return Problem{argument.place, std::string("no rule leads to step 0")};
        return rule_value(run.steps[static_cast<std::size_t>(*step - 1)].match.rule);
    }

    static Value rule_value(RuleId id) {
        const auto found =
            std::find_if(rules().begin(), rules().end(), [&](const Rule& rule) { return rule.id == id; });
        return count_of(found - rules().begin(), Unit::Rule);
    }

    // Of the learner while another program is open: nothing has been done in this one.
    Result<Value> of_learner(const Call& call) const {
        const Learner& learner = setting_.learner;
        const bool here = learner.open() && learner.program == setting_.program;
        switch (call.function) {
            case FunctionId::Step:
                return count_of(here ? learner.step : 0);
            case FunctionId::Applied:
                return applied(call, here);
            case FunctionId::Selected:
                return selected(call, here);
            case FunctionId::OnDevice: {
                const Result<const Device*> wanted = device(call, 0);
                if (!wanted) return wanted.problems();
                return truth(learner.device == (*wanted)->name);
            }
            case FunctionId::Opened:
                return truth(learner.program == call.arguments.front().text);
            case FunctionId::Safe:
                return truth(here && learner.safe);
            case FunctionId::Measured:
                return truth(here && learner.measured_seconds.has_value());
            default:
                return count_of(learner.measured_seconds.value_or(0), Unit::Seconds);
        }
    }

    Result<Value> applied(const Call& call, bool here) const {
        const Result<RuleId> rule = rule_named(call.arguments[0].text, call.arguments[0].place);
        if (!rule) return rule.problems();
        const bool any_place = call.arguments.size() < 2;
        int times = 0;
        for (int step = 0; here && step < setting_.learner.step; ++step) {
            const Step& done = setting_.learner.trace.steps[static_cast<std::size_t>(step)];
            const bool same_rule = done.match.rule.number == rule->number &&
                                   (rule->variant == 0 || rule->variant == done.match.rule.variant);
            if (same_rule &&
                (any_place || place_name(*done.before, done.match.path) == call.arguments[1].text))
                ++times;
        }
        return count_of(times);
    }

    Result<Value> selected(const Call& call, bool here) const {
        if (!here) return truth(false);
        const Learner& learner = setting_.learner;
        const Argument& word = call.arguments.front();
        const ProgramPtr program = learner.trace.state(learner.step);
        const std::optional<std::string> maker = value_word(word.text);
        const Result<std::vector<NodeId>> wanted =
            maker ? find_makers(*program, *maker, word.place) : find_nodes(*program, word.text, word.place);
        if (!wanted) return wanted.problems();
        if (maker) {
            // Outside of the maps around its operator a value is what the maps hand on.
            const NodeId leaf = learner.value ? ProgramNames(program, {}).key(*learner.value).leaf : NodeId{};
            return truth(learner.value && std::find(wanted->begin(), wanted->end(), leaf) != wanted->end());
        }
        return truth(std::any_of(wanted->begin(), wanted->end(), [&](NodeId id) {
            return std::find(learner.selected.begin(), learner.selected.end(), id) != learner.selected.end();
        }));
    }

    Result<Value> of_array(const Call& call) const {
        const Result<State> found = state(call, 1);
        if (!found) return found.problems();
        const Argument& array = call.arguments.front();
        const LoopProgram& loops = found->loops();
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < loops.buffers.size(); ++i) {
            const Buffer& buffer = loops.buffers[i];
            names.push_back(buffer.name);
            const bool transposed = buffer.name == array.text + "T";  // listings call it by how it is read
            if (buffer.name != array.text && !transposed) continue;
            if (call.function == FunctionId::Bytes)
                return count_of(bytes_of(buffer, loops.dims), Unit::Bytes);
            const BufferTraffic& traffic = found->counts().buffers[i];
            return count_of(traffic.loads.bytes + traffic.stores.bytes, Unit::Bytes);
        }
        return Problem{array.place,
                       "there is no array '" + array.text + "'" + suggestion(array.text, names).str()};
    }

    Result<Value> matches(const Call& call) const {
        const Result<RuleId> rule = rule_named(call.arguments[0].text, call.arguments[0].place);
        if (!rule) return rule.problems();
        const Result<State> found = state(call, 1);
        if (!found) return found.problems();
        return count_of(all_matches(*found->source(), {.rule = *rule, .dim = {}, .path = {}}).size());
    }

    const Setting& setting_;
};

}  // namespace

Result<Value> evaluate(const Expression& expression, const Setting& setting) {
    Result<Value> value = Evaluation(setting).value(expression);
    if (value && !std::isfinite(value->number))
        return Problem{expression.place, "'" + expression.text + "' is no finite number here"};
    return value;
}

Result<bool> holds(const Expression& condition, const Setting& setting) {
    const Result<Value> value = evaluate(condition, setting);
    if (!value) return value.problems();
    if (value->unit != Unit::Truth)
        return Problem{condition.place, "expected a condition, such as 'buffered <= 4', but '" +
                                            condition.text + "' is " + unit_name(value->unit)};
    return value->number != 0;
}

Result<std::string> text_of(const Prose& prose, const Setting& setting) {
    std::string text;
    for (const auto& part : prose.parts) {
        if (const auto* words = std::get_if<std::string>(&part)) {
            text += *words;
            continue;
        }
        const auto& value = std::get<ProseValue>(part);
        const Result<Value> number = evaluate(value.expression, setting);
        if (!number) return number.problems();
        text += to_text(*number, value.unit);
    }
    return text;
}

Result<State> state_named(const std::string& words, const Setting& setting, const Place& place) {
    const Learner& learner = setting.learner;
    if (words == "now") {
        if (learner.open() && learner.program == setting.program) return learner.state();
        return Problem{place, "the learner has not opened " + setting.program};
    }
    const Result<const Reference*> reference = setting.programs.find(setting.program);
    if (!reference)
        return Problem{place, "the program " + setting.program +
                                  " cannot be read: " + reference.problems().front().message.str()};
    const Result<int> step = step_named(words, **reference, learner, setting.programs, place);
    if (!step) return step.problems();
    return (*reference)->states[static_cast<std::size_t>(*step)];
}

Result<RuleId> rule_named(const std::string& words, const Place& place) {
    std::vector<std::string> names;
    for (const Rule& rule : rules()) {
        if (rule.name.str() == words) return rule.id;
        names.push_back(rule.name.str());
    }
    const std::optional<RuleId> id = parse_rule_id(words);
    if (id && !variants(*id).empty()) return *id;
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    return Problem{place, "there is no rule '" + words + "'" + suggestion(words, candidates).str()};
}

}  // namespace blockscope::lesson
