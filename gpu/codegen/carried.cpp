#include "gpu/codegen/carried.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "gpu/codegen/kernels.h"
#include "gpu/codegen/relative.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

// `expr` as fn(x, y), x and y being arguments: their numbers.
std::optional<std::pair<int, int>> two_arguments(const Expr& expr, Fn fn) {
    const auto* call = std::get_if<Call>(&expr.value);
    if (!call || call->fn != fn || call->args.size() != 2) return std::nullopt;
    const auto* a = std::get_if<Arg>(&call->args[0]->value);
    const auto* b = std::get_if<Arg>(&call->args[1]->value);
    if (!a || !b) return std::nullopt;
    return std::pair{a->index, b->index};
}

Temp argument(const Evaluate& line, int index) {
    return line.args.at(static_cast<std::size_t>(index));
}

class Recognition {
public:
    Recognition(const Kernel& kernel, const Loop& loop) : loop_(loop), inside_(loop) {
        for (const auto* list : {&kernel.before, &kernel.body})
            for (const Statement* line : *list) outside(*line);
    }

    std::variant<std::vector<Carried>, std::string> run() {
        if (stores_) return std::string("it stores in the loop");
        std::vector<Temp> running;  // by lines of their own at the end of the iteration
        for (const Statement& line : loop_.body) {
            if (const auto* assign = std::get_if<Assign>(&line.what)) {
                next_[assign->to.id] = assign->from;
                running.push_back(assign->to);
                inside_.carry(assign->to);
            }
        }
        if (const std::string why = take_sums(); !why.empty()) return why;
        for (const Temp temp : running)
            if (const std::string why = take_largest(temp); !why.empty()) return why;
        for (const Temp temp : running)
            if (!is_known(temp))
                if (const std::string why = take_running_sum(temp); !why.empty()) return why;
        for (const int id : inside_.temps())
            if (named_outside_.count(id) > 0 && !is_known({id}))
                return "t" + std::to_string(id) + " is what the last iteration leaves";
        if (found_.empty()) return std::string("it hands nothing on");
        return std::move(found_);
    }

private:
    void outside(const Statement& line) {
        if (const auto* inner = std::get_if<LoopPtr>(&line.what); inner && inner->get() == &loop_) {
            for_each_statement(loop_.body, [&](const Statement& s) {
                stores_ = stores_ || std::holds_alternative<Store>(s.what) ||
                          std::holds_alternative<CallMisc>(s.what);
            });
            return;
        }
        if (const auto* first = std::get_if<Initialise>(&line.what)) first_[first->to.id] = first->value;
        for (const TempUse& use : temps_of(line)) named_outside_.insert(use.temp.id);
        if (const auto* other = std::get_if<LoopPtr>(&line.what))
            for (const Statement& inner : (*other)->body) outside_in_loops(inner);
    }
    void outside_in_loops(const Statement& line) {
        for (const TempUse& use : temps_of(line)) named_outside_.insert(use.temp.id);
        if (const auto* loop = std::get_if<LoopPtr>(&line.what))
            for (const Statement& inner : (*loop)->body) outside_in_loops(inner);
    }

    bool is_known(Temp temp) const {
        return std::any_of(found_.begin(), found_.end(),
                           [&](const Carried& one) { return one.temp == temp; });
    }

    // Sums of the loop itself: += in its own body, where nothing else reads them.
    std::string take_sums() {
        for (const Statement& line : loop_.body) {
            const auto* add = std::get_if<Accumulate>(&line.what);
            if (!add) continue;
            if (inside_.reads(add->to) > 0 || inside_.sets(add->to) != 1)
                return "the loop reads the sum t" + std::to_string(add->to.id);
            inside_.carry(add->to);
            found_.push_back({add->to, Carried::How::Sum});
        }
        for (const Statement& line : loop_.body)
            if (const auto* add = std::get_if<Accumulate>(&line.what))
                if (!inside_.of_statement(line, {}).independent())
                    return "what t" + std::to_string(add->to.id) + " sums depends on earlier iterations";
        return "";
    }

    std::optional<double> first(Temp temp) const {
        const auto found = first_.find(temp.id);
        if (found == first_.end()) return std::nullopt;
        return found->second;
    }

    // m = max(m, x), x known without m.
    std::string take_largest(Temp temp) {
        const Statement* line = inside_.setter(next_.at(temp.id));
        const auto* made = line ? std::get_if<Evaluate>(&line->what) : nullptr;
        if (!made) return "";
        const auto both = two_arguments(*made->expr, Fn::Max);
        if (!both) return "";
        const Temp a = argument(*made, both->first), b = argument(*made, both->second);
        if ((a == temp) == (b == temp)) return "";
        if (!inside_.depends_on(a == temp ? b : a, {}).independent()) return "";
        if (first(temp) != -std::numeric_limits<double>::infinity())
            return "t" + std::to_string(temp.id) + " does not begin with the smallest number";
        found_.push_back({temp, Carried::How::Largest});
        return "";
    }

    // s = s * exp(m - m') + x, m' being the new m and x a number times exp(-m'); or s = s + x.
    std::string take_running_sum(Temp temp) {
        std::string unclear = "how t" + std::to_string(temp.id) + " goes on is no sum";
        if (first(temp) != 0) return "t" + std::to_string(temp.id) + " does not begin with 0";
        const std::optional<Continued> line = inside_.continued(temp, next_.at(temp.id));
        if (!line || line->factors.size() > 1) return unclear;
        const auto added_as = [&](Temp largest, double times) {
            return std::all_of(line->added.begin(), line->added.end(), [&](const Term& term) {
                const Dependence how = inside_.depends_on(term, largest);
                return how.known && how.plus == 0 && how.times == times;
            });
        };
        if (line->factors.empty()) {
            if (!added_as({}, 0)) return unclear;
            found_.push_back({temp, Carried::How::Sum});
            return "";
        }
        const Temp largest = rescaled_to(line->factors.front());
        if (largest.id == 0 || !added_as(next_.at(largest.id), -1)) return unclear;
        found_.push_back({temp, Carried::How::Rescaled, largest});
        return "";
    }

    // m where `factor` is exp(m - m'); otherwise no temporary.
    Temp rescaled_to(Temp factor) const {
        const Statement* line = inside_.setter(factor);
        const auto* made = line ? std::get_if<Evaluate>(&line->what) : nullptr;
        const auto* exp = made ? std::get_if<Call>(&made->expr->value) : nullptr;
        if (!exp || exp->fn != Fn::Exp) return {};
        const auto both = two_arguments(*exp->args.front(), Fn::Sub);
        if (!both) return {};
        const Temp before = argument(*made, both->first);
        for (const Carried& one : found_)
            if (one.how == Carried::How::Largest && one.temp == before &&
                next_.at(before.id) == argument(*made, both->second))
                return before;
        return {};
    }

    const Loop& loop_;
    Relative inside_;
    std::set<int> named_outside_;
    std::map<int, double> first_;  // what is set before the loop
    std::map<int, Temp> next_;     // what becomes of it at the end of an iteration
    bool stores_ = false;
    std::vector<Carried> found_;
};

}  // namespace

std::variant<std::vector<Carried>, std::string> carried_by(const Kernel& kernel, const Loop& loop) {
    if (loop.start != 0) return std::string("its first iteration stands on its own");
    return Recognition(kernel, loop).run();
}

}  // namespace blockscope::gpu
