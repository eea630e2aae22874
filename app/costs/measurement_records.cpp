// What is known of states: results of the results file and of new measurements.
#include <algorithm>

#include "app/costs/measurements.h"
#include "core/measure/results_file.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostOfState = 32;  // records of one state that are kept in memory
constexpr std::size_t kMostPrograms = 4;  // of one name, of which times are kept in memory

bool has_times(const measure::Record& record) {
    return record.warm && !record.failure;
}

// Null if there is none with this subject key.
const measure::Record* newest_of(const std::vector<measure::Record>& all, const std::string& key) {
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const measure::Record& record) {
        return measure::subject_key(record.subject) == key;
    });
    return found == all.rend() ? nullptr : &*found;
}

}  // namespace

void Measurements::load_results() {
    records_.clear();
    named_.clear();
    const auto results = measure::read_results(file_);
    if (!results) return;
    for (const measure::Record& record : results.value().records) keep(record);
    Q_EMIT measured();
}

void Measurements::keep(const measure::Record& record) {
    auto& known = records_[{record.subject.program_key, record.subject.state_key}];
    known.push_back(record);
    if (known.size() > kMostOfState) known.erase(known.begin());
    if (!has_times(record) || record.subject.program.empty()) return;
    // The command line names the file, the window the document.
    auto& named = named_[{content_name(record.subject.program), record.subject.state}];
    std::erase_if(named, [&](const measure::Record& other) {
        return other.subject.program_key == record.subject.program_key;
    });
    named.push_back(record);
    if (named.size() > kMostPrograms) named.erase(named.begin());
}

std::string Measurements::key_of(const ProgramPtr& program) const {
    const auto known = keys_.find(program);
    if (known != keys_.end()) return known->second;
    return keys_.emplace(program, measure::structure_key(*program)).first->second;
}

const std::vector<measure::Record>* Measurements::records_of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return nullptr;
    const History& history = document_.content().history;
    // The key of a large program takes a while: it is not asked for where nothing was measured.
    const std::string initial = records_.empty() ? std::string() : key_of(history.state(0).program);
    const auto first = records_.lower_bound({initial, {}});
    if (first == records_.end() || first->first.first != initial) return nullptr;
    const auto found = records_.find({initial, key_of(measured_program(state))});
    return found == records_.end() || found->second.empty() ? nullptr : &found->second;
}

const measure::Record* Measurements::earlier_of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return nullptr;
    const Content& content = document_.content();
    const std::string name = content_name(content.name);
    const auto any = named_.lower_bound({name, {}});
    if (any == named_.end() || any->first.first != name) return nullptr;
    const auto named = named_.find({name, RowNames(content.history).recorded(state)});
    if (named == named_.end()) return nullptr;
    const std::string now = key_of(content.history.state(0).program);
    const auto found =
        std::find_if(named->second.rbegin(), named->second.rend(),
                     [&](const measure::Record& record) { return record.subject.program_key != now; });
    return found == named->second.rend() ? nullptr : &*found;
}

std::optional<Measurements::Result> Measurements::of(StateId state) const {
    const std::vector<measure::Record>* all = records_of(state);
    const measure::Record* other = nullptr;
    // What failed at other sizes says nothing about these.
    if (all)
        for (const measure::Record& record : *all)
            if (has_times(record)) other = &record;
    if (!other) other = earlier_of(state);
    if (!all && !other) return {};
    const measure::Subject now = worker::subject_of(task_of(state), place_.machine);
    if (const measure::Record* same = all ? newest_of(*all, measure::subject_key(now)) : nullptr) {
        const auto wanted = costs_.type();
        const bool changed = !place_.is_card() && wanted && cpu_type(wanted) != *wanted;
        return Result{
            *same, changed ? tr("Measured in float32: processors take float32 and bf16 alone.") : QString()};
    }
    if (!other) return {};
    return Result{*other, stale_text(other->subject, now)};
}

std::vector<double> Measurements::kernels_of(StateId state) const {
    const std::vector<measure::Record>* all = records_of(state);
    if (!all) return {};
    const std::string key = measure::subject_key(worker::subject_of(task_of(state), place_.machine));
    const auto found = std::find_if(all->rbegin(), all->rend(), [&](const measure::Record& record) {
        return !record.kernels.empty() && measure::subject_key(record.subject) == key;
    });
    return found == all->rend() ? std::vector<double>() : found->kernels;
}

}  // namespace blockscope
