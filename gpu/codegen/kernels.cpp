#include "gpu/codegen/kernels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/loops/loop_program.h"
#include "core/print/print.h"
#include "core/support/result.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr Dependence kNotKnown{false};

Dependence added(Dependence a, Dependence b, double sign) {
    if (!a.known || !b.known) return kNotKnown;
    if (a.times == 0 && b.times == 0) return {true, 0, a.plus + sign * b.plus};
    if (a.plus == 0 && b.plus == 0 && a.times == b.times) return a;
    return kNotKnown;
}

Dependence multiplied(Dependence a, Dependence b, double sign) {
    if (!a.known || !b.known || a.plus != 0 || b.plus != 0) return kNotKnown;
    return {true, a.times + sign * b.times, 0};
}

Dependence without_shift(Dependence a) {
    return a.plus == 0 ? a : kNotKnown;
}

Dependence of_function(Fn fn, const std::vector<Dependence>& args) {
    const Dependence& a = args.front();
    const Dependence& b = args.back();
    switch (fn) {
        case Fn::Neg:
            return {a.known, a.times, -a.plus};
        case Fn::Exp:
            return a.times == 0 ? Dependence{a.known, a.plus, 0} : kNotKnown;
        case Fn::Add:
            return added(a, b, 1);
        case Fn::Sub:
            return added(a, b, -1);
        case Fn::Mul:
            return multiplied(a, b, 1);
        case Fn::Div:
            return multiplied(a, b, -1);
        default:  // of no other function is it known what becomes of a factor or a summand
            return a.independent() && b.independent() ? Dependence{} : kNotKnown;
    }
}

// What lies along columns may not depend: a factor of each column is none of the rows.
Dependence of_operator(FunctionalOp op, const std::vector<Dependence>& args) {
    const Dependence& a = args.front();
    const Dependence& b = args.back();
    const bool independent = a.independent() && b.independent();
    const Dependence otherwise = independent ? Dependence{} : kNotKnown;
    const FunctionalOperator& row = functional_operator(op);
    switch (row.form) {
        case FunctionalForm::ByElement:
        case FunctionalForm::WithRows:
            return of_function(row.fn, args);
        case FunctionalForm::WithCols:
        case FunctionalForm::Outer:
        case FunctionalForm::Contract:
            return b.independent() ? of_function(row.fn, args) : kNotKnown;
        case FunctionalForm::FoldRows:
            if (row.fn == Fn::Add) return without_shift(a);
            return row.fn == Fn::Max ? a : otherwise;
        case FunctionalForm::Rotate:
            return without_shift(a);
        case FunctionalForm::FoldAll:  // of all rows, each with a factor of its own
            return otherwise;
    }
    throw InternalError("unknown form of a functional operator");
}

}  // namespace

Relative::Relative(const Loop& loop) {
    for_each_statement(loop.body, [&](const Statement& line) {
        const StatementUses uses = uses_of(line);
        for (const Temp temp : uses.reads) ++reads_[temp.id];
        if (uses.makes.id == 0) return;
        set_.insert(uses.makes.id);
        setters_[uses.makes.id].push_back(&line);
    });
}

int Relative::reads(Temp temp) const {
    const auto found = reads_.find(temp.id);
    return found == reads_.end() ? 0 : found->second;
}

int Relative::sets(Temp temp) const {
    const auto found = setters_.find(temp.id);
    return found == setters_.end() ? 0 : static_cast<int>(found->second.size());
}

const Statement* Relative::setter(Temp temp) const {
    const auto found = setters_.find(temp.id);
    return found != setters_.end() && found->second.size() == 1 ? found->second.front() : nullptr;
}

Dependence Relative::depends_on(Temp temp, Temp m) const {
    if (temp.id != 0 && temp == m) return {true, 0, 1};
    if (carried_.count(temp.id) > 0) return kNotKnown;
    if (set_.count(temp.id) == 0) return {};  // from outside of the loop
    const auto [found, fresh] = known_.emplace(std::pair{temp.id, m.id}, kNotKnown);
    if (!fresh) return found->second;
    const Statement* line = setter(temp);
    return known_[{temp.id, m.id}] = line ? of_statement(*line, m) : kNotKnown;
}

Dependence Relative::depends_on(const Term& term, Temp m) const {
    return term.expr ? of_expr(*term.expr, term.args, m) : depends_on(term.args.front(), m);
}

Dependence Relative::of_statement(const Statement& line, Temp m) const {
    const auto all = [&](const std::vector<Temp>& temps) {
        std::vector<Dependence> found;
        for (const Temp temp : temps) found.push_back(depends_on(temp, m));
        return found;
    };
    if (std::holds_alternative<Load>(line.what)) return {};
    if (const auto* s = std::get_if<Compute>(&line.what)) return of_operator(s->op, all(s->args));
    if (const auto* s = std::get_if<Evaluate>(&line.what)) return of_expr(*s->expr, s->args, m);
    if (const auto* s = std::get_if<Accumulate>(&line.what))
        return without_shift(s->functional ? of_operator(s->op, all(s->args))
                                           : depends_on(s->args.front(), m));
    return kNotKnown;
}

Dependence Relative::of_expr(const Expr& expr, const std::vector<Temp>& args, Temp m) const {
    if (const auto* argument = std::get_if<Arg>(&expr.value))
        return depends_on(args.at(static_cast<std::size_t>(argument->index)), m);
    const auto* call = std::get_if<Call>(&expr.value);
    if (!call) return {};
    std::vector<Dependence> found;
    for (const ExprPtr& inner : call->args) found.push_back(of_expr(*inner, args, m));
    return of_function(call->fn, found);
}

bool Relative::holds(const Term& term, Temp s) const {
    if (term.expr) {
        if (const auto* argument = std::get_if<Arg>(&term.expr->value))
            return holds({nullptr, {term.args.at(static_cast<std::size_t>(argument->index))}}, s);
        const auto* call = std::get_if<Call>(&term.expr->value);
        return call && std::any_of(call->args.begin(), call->args.end(), [&](const ExprPtr& inner) {
                   return holds({inner.get(), term.args}, s);
               });
    }
    return reaches(s, term.args.front());
}

// Whether the iteration makes `temp` of s.
bool Relative::reaches(Temp s, Temp temp) const {
    if (temp == s) return true;
    const auto lines = setters_.find(temp.id);
    if (lines == setters_.end() || carried_.count(temp.id) > 0) return false;
    const auto [found, fresh] = reached_.emplace(std::pair{temp.id, s.id}, false);
    if (!fresh) return found->second;
    bool any = false;
    for (const Statement* line : lines->second)
        for (const Temp read : uses_of(*line).reads) any = any || reaches(s, read);
    return reached_[{temp.id, s.id}] = any;
}

std::optional<Continued> Relative::continued(Temp s, Temp value) const {
    return continued(s, Term{nullptr, {value}});
}

// `term` holds s.
std::optional<Continued> Relative::continued(Temp s, const Term& term) const {
    if (term.expr) {
        if (const auto* argument = std::get_if<Arg>(&term.expr->value))
            return continued(s, Term{nullptr, {term.args.at(static_cast<std::size_t>(argument->index))}});
        const auto* call = std::get_if<Call>(&term.expr->value);
        if (!call || call->args.size() != 2) return std::nullopt;
        const Term a{call->args[0].get(), term.args}, b{call->args[1].get(), term.args};
        if (call->fn == Fn::Add) return sum(s, a, b);
        if (call->fn == Fn::Mul) return scaled(s, a, b);
        return std::nullopt;
    }
    const Temp temp = term.args.front();
    if (temp == s) return Continued{};
    const Statement* line = setter(temp);
    if (!line) return std::nullopt;
    if (const auto* made = std::get_if<Evaluate>(&line->what))
        return continued(s, Term{made->expr.get(), made->args});
    const auto* made = std::get_if<Compute>(&line->what);
    if (!made || made->args.size() != 2) return std::nullopt;
    const Term a{nullptr, {made->args[0]}}, b{nullptr, {made->args[1]}};
    if (made->op == FunctionalOp::Add) return sum(s, a, b);
    if (made->op == FunctionalOp::RowScale || made->op == FunctionalOp::Mul) return scaled(s, a, b);
    return std::nullopt;
}

std::optional<Continued> Relative::sum(Temp s, const Term& a, const Term& b) const {
    const bool left = holds(a, s);
    if (left == holds(b, s)) return std::nullopt;
    std::optional<Continued> found = continued(s, left ? a : b);
    if (found) found->added.push_back(left ? b : a);
    return found;
}

std::optional<Continued> Relative::scaled(Temp s, const Term& a, const Term& factor) const {
    const bool left = holds(a, s);
    if (left == holds(factor, s)) return std::nullopt;
    std::optional<Continued> found = continued(s, left ? a : factor);
    if (!found || !found->added.empty()) return std::nullopt;
    const Term& by = left ? factor : a;
    const auto* argument = by.expr ? std::get_if<Arg>(&by.expr->value) : nullptr;
    if (by.expr && !argument) return std::nullopt;
    found->factors.push_back(argument ? by.args.at(static_cast<std::size_t>(argument->index))
                                      : by.args.front());
    return found;
}

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
        add_names(line);
        if (const auto* other = std::get_if<LoopPtr>(&line.what))
            for (const Statement& inner : (*other)->body) outside_in_loops(inner);
    }
    void add_names(const Statement& line) {
        const StatementUses uses = uses_of(line);
        for (const Temp temp : uses.reads) named_outside_.insert(temp.id);
        if (uses.makes.id > 0) named_outside_.insert(uses.makes.id);
    }
    void outside_in_loops(const Statement& line) {
        add_names(line);
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

namespace {

Kernel grid_kernel(const Statement& statement) {
    Grid grid = grid_of(statement);
    Kernel kernel;
    kernel.grid = std::move(grid.loops);
    kernel.before = std::move(grid.before);
    kernel.body = std::move(grid.body);
    kernel.loop_lines = std::move(grid.loop_lines);
    kernel.node = statement.node;
    return kernel;
}

bool is_parallel(const Statement& statement) {
    const auto* loop = std::get_if<LoopPtr>(&statement.what);
    return loop && !(*loop)->serial;
}

}  // namespace

std::vector<Kernel> cut_into_kernels(const LoopProgram& program) {
    std::vector<Kernel> kernels;
    bool open = false;  // the last kernel takes more statements
    for (const Statement& statement : program.body) {
        const bool alone = std::holds_alternative<CallMisc>(statement.what);
        if (is_parallel(statement)) {
            kernels.push_back(grid_kernel(statement));
            open = false;
            continue;
        }
        if (!open || alone) kernels.emplace_back();
        Kernel& kernel = kernels.back();
        if (kernel.body.empty()) kernel.node = statement.node;
        kernel.body.push_back(&statement);
        open = !alone;
    }
    return kernels;
}

namespace {

void add_temps(const Statement& statement, TempsOfKernel& temps) {
    const StatementUses uses = uses_of(statement);
    for (const Temp temp : uses.reads) temps.used.insert(temp.id);
    if (uses.makes.id > 0) {
        temps.used.insert(uses.makes.id);
        temps.set.insert(uses.makes.id);
    }
    const auto* loop = std::get_if<LoopPtr>(&statement.what);
    if (!loop) return;
    for (const Statement& inner : (*loop)->body) add_temps(inner, temps);
}

}  // namespace

TempsOfKernel temps_of(const Kernel& kernel) {
    TempsOfKernel temps;
    for (const auto* list : {&kernel.before, &kernel.body})
        for (const Statement* statement : *list) add_temps(*statement, temps);
    return temps;
}

const std::string& Listing::at(const Statement* statement) const {
    if (lines_.empty()) {
        std::vector<ListingLine> lines = listing_lines(*program_);
        std::size_t next = 0;
        for_each_statement(program_->body,
                           [&](const Statement& one) { lines_[&one] = std::move(lines.at(next++).text); });
    }
    return lines_.at(statement);
}

Scopes::Scopes(const Kernel& kernel) {
    Path path;
    for (const Statement* statement : kernel.before) visit(statement, path);
    for (const Statement* statement : kernel.body) visit(statement, path);
    settle();
}

void Scopes::visit(const Statement* statement, Path& path) {
    path.push_back(statement);
    const StatementUses uses = uses_of(*statement);
    for (const Temp temp : uses.reads) named(temp.id, path);
    if (uses.makes.id > 0) named(uses.makes.id, path);
    if (const auto* loop = std::get_if<LoopPtr>(&statement->what)) {
        for (const Temp temp : accumulators(**loop)) named(temp.id, path);
        for (const Statement& inner : (*loop)->body) visit(&inner, path);
    }
    path.pop_back();
}

void Scopes::named(int temp, const Path& path) {
    places_[temp].push_back(path);
}

void Scopes::settle() {
    for (const auto& [temp, paths] : places_) {
        const Path& first = paths.front();
        std::size_t common = first.size() - 1;  // loops that are around all
        for (const Path& path : paths) {
            std::size_t same = 0;
            while (same < std::min(common, path.size() - 1) && path[same] == first[same]) ++same;
            common = std::min(common, same);
        }
        before_[first[common]].push_back(temp);
    }
}

void Scopes::declare_first(const std::set<int>& temps) {
    for (auto& [statement, declared] : before_)
        declared.erase(
            std::remove_if(declared.begin(), declared.end(), [&](int temp) { return temps.count(temp) > 0; }),
            declared.end());
}

const std::vector<int>& Scopes::declared_before(const Statement* statement) const {
    static const std::vector<int> none;
    const auto found = before_.find(statement);
    return found == before_.end() ? none : found->second;
}

std::vector<Temp> accumulators(const Loop& loop) {
    std::vector<Temp> found;
    for (const Statement& statement : loop.body) {
        const auto* add = std::get_if<Accumulate>(&statement.what);
        if (add && std::find(found.begin(), found.end(), add->to) == found.end()) found.push_back(add->to);
    }
    return found;
}

}  // namespace blockscope::gpu
