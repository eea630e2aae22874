// What `tilings` measures: on this processor, on a card, or out of a table, with a file that it goes on with.
#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

#include "app/cli/command.h"
#include "app/cli/load.h"
#include "app/cli/measuring.h"
#include "app/cli/terminal.h"
#include "app/cli/tilings.h"
#include "app/worker/probe.h"
#include "app/worker/session.h"
#include "app/worker/tiling_timer.h"
#include "core/program/convert.h"
#include "core/tilings/schedule.h"

namespace blockscope::tilings {

using namespace cli;  // NOLINT(google-build-using-namespace): a command, of the tilings' own names

namespace {

// ---- The file of --save: each time is in it before the next candidate runs.

class MeasuredLog {
public:
    // A file of `several` workloads has a head for each of them.
    MeasuredLog(const std::string& file, const std::string& subject, const Space& space, bool several)
        : file_(file), head_(measured_head(subject)) {
        if (file.empty()) return;
        std::error_code error;
        const bool there =
            std::filesystem::exists(file, error) && std::filesystem::file_size(file, error) > 0;
        if (there)
            go_on(subject, space, several);
        else
            write_file(file, head_);
        descriptor_ = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        if (descriptor_ < 0) fail();
    }
    ~MeasuredLog() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    MeasuredLog(const MeasuredLog&) = delete;
    MeasuredLog& operator=(const MeasuredLog&) = delete;

    const std::optional<double>* find(const std::string& candidate) const {
        const auto row = table_.find(candidate);
        return row == table_.end() ? nullptr : &row->second;
    }

    void append(const std::string& candidate, const std::optional<double>& seconds) {
        table_[candidate] = seconds;
        if (descriptor_ < 0) return;
        const std::string line = (headed_ ? "" : head_) + measured_line(candidate, seconds);
        headed_ = true;
        for (std::size_t at = 0; at < line.size();) {
            const ssize_t wrote = write(descriptor_, line.data() + at, line.size() - at);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) fail();
            at += static_cast<std::size_t>(wrote);
        }
    }

private:
    [[noreturn]] void fail() const {
        throw UsageError("--save " + file_ + " cannot be written: " + std::strerror(errno));
    }

    // What another run has left there, if it is of the same candidates under the same conditions.
    void go_on(const std::string& subject, const Space& space, bool several) {
        Result<MeasuredText> read = read_measured_text(read_file(file_), display_name(file_));
        if (!read) throw BadInput(read.problems());
        const MeasuredText& text = *read;
        const MeasuredSection* known = text.of(subject);
        const std::string& first = text.sections.front().subject;
        if (!known && (!several || first.empty()))
            throw UsageError(
                "--save " + file_ + " goes on with a file of the same measurements; this one " +
                (first.empty() ? "does not say what it is of" : "is of " + harmless_name(first)) +
                ", not of " + subject);
        if (known) table_ = known->table;
        for (const auto& [candidate, seconds] : table_)
            if (const Result<Candidate> there = parse_candidate(space, candidate); !there)
                throw BadInput(there.problems());
        headed_ = text.last_subject == subject;
        if (text.cut) write_again(text);
    }

    void write_again(const MeasuredText& text) {
        std::string whole;
        for (const MeasuredSection& section : text.sections) {
            whole += measured_head(section.subject);
            for (const auto& [candidate, seconds] : section.table) whole += measured_line(candidate, seconds);
        }
        write_file(file_, whole);
        headed_ = measured_head(text.sections.back().subject) == head_;
    }

    std::string file_;
    std::string head_;
    bool headed_ = true;  // what is appended belongs below the last head of the file
    MeasuredTable table_;
    int descriptor_ = -1;
};

// ---- On a card: the worker checks and times the kernel that is generated for the candidate.

class CardMeasurer {
public:
    CardMeasurer(const TilingsResult& result, const std::string& device)
        : result_(result), device_(device), client_(worker_for("")), session_(client_, "") {
        const measure::Outcome<measure::Hello> hello = client_.hello();
        if (!hello) throw NoDevice(hello.failure().message.str());
        std::string names;
        for (const measure::BackendInfo& info : hello->devices) {
            if (info.name == device) return;
            names += (names.empty() ? "" : ", ") + info.name;
        }
        throw NoDevice("there is no device '" + device + "' on " + hello->machine.host + "; there is " +
                       (names.empty() ? "none" : names));
    }

    std::optional<double> measure(const Candidate& candidate) {
        const Space& space = result_.space;
        const Result<Schedule> schedule = schedule_on_card(space, candidate);
        if (!schedule) return refused(schedule.problems().front().message.str());
        worker::Task task;
        task.program = result_.name;
        task.state = to_string(space, candidate);
        task.initial = std::make_shared<const BlockProgram>(to_block_program(space.chain.program).program);
        task.array = space.chain.program;
        task.blocks = State(schedule->program, safe_form()).program();
        task.device = device_;
        task.options.elem = space.chain.elem;
        task.plan = {
            .warmup_runs = 1, .warmup_seconds = 0.01, .samples = 5, .seconds = 0.02, .cap_seconds = 2};
        task.cold = false;
        const measure::Record record = session_.run(task);
        if (record.failure) return refused(record.failure->message.str());
        return record.warm ? std::optional(record.warm->summary.median) : std::nullopt;
    }

    std::vector<std::string> notes() const { return {notes_.begin(), notes_.end()}; }

private:
    std::optional<double> refused(const std::string& why) {
        notes_.insert(why);
        return std::nullopt;
    }

    const TilingsResult& result_;
    std::string device_;
    worker::Client client_;
    worker::Session session_;
    std::set<std::string> notes_;
};

// What a reader has to know of times of this processor: whose they are, and whether they are to be trusted.
void note_circumstances(TilingsResult& result, const worker::TilingTimer& timer, int threads) {
    if (result.device.kind == DeviceKind::Gpu)
        result.notes.push_back("The times are this processor's, the estimates those of " +
                               result.device.title + ".");
    const std::optional<double> others = timer.others();
    const measure::Machine machine = worker::this_machine();
    result.machine =
        json::Object{{"cpu", machine.cpu},
                     {"cores", machine.cores},
                     {"threads", threads > 0 ? threads : machine.cores},
                     {"others", others ? Json(*others) : Json()},
                     {"checked", timer.how_checked().empty() ? Json() : Json(timer.how_checked().str())}};
    for (const Text& note : {timer.wrong(), timer.unchecked(), worker::distrust_of(others)})
        if (!note.empty()) result.notes.push_back(note.str());
    if (!timer.how_checked().empty()) result.notes.push_back("checked: " + timer.how_checked().str());
}

// The times of one chain. A file that has a single head, or none, is of it whatever that says; but of several
// workloads each needs a head.
MeasuredTable times_of(const TilingsResult& result, const std::string& file, bool several) {
    Result<MeasuredText> read = read_measured_text(read_file(file), display_name(file));
    if (!read) throw BadInput(read.problems());
    const MeasuredText& text = *read;
    const std::vector<const MeasuredSection*> named = text.named(result.name);
    if (named.size() > 1)
        throw UsageError(display_name(file) + " has times of " + harmless_name(result.name) + " of " +
                         std::to_string(named.size()) + " kinds: " + harmless_name(named[0]->subject) +
                         ", and " + harmless_name(named[1]->subject));
    if (named.size() == 1) return named.front()->table;
    if (several && text.sections.front().subject.empty())
        throw UsageError(display_name(file) + " does not say whose times it has: a line such as " +
                         "\"# blockscope tilings G1:\" goes before those of each workload");
    if (!several && text.sections.size() == 1) return text.sections.front().table;
    return {};
}

// Candidates that the table lacks are passed over like those that cannot run, and said.
Measurer from_table(TilingsResult& result, const std::string& file, bool several) {
    const Space& space = result.space;
    auto table = std::make_shared<MeasuredTable>(times_of(result, file, several));
    std::size_t found = 0;
    for (const Candidate& candidate : space.candidates) found += table->count(to_string(space, candidate));
    if (found < space.candidates.size())
        result.notes.push_back("The table has no time of " + std::to_string(space.candidates.size() - found) +
                               " of " + std::to_string(space.candidates.size()) + " candidates.");
    if (found < table->size())
        result.notes.push_back(std::to_string(table->size() - found) +
                               " of its rows are no candidate that these rules keep.");
    return [table, &space](const Candidate& candidate) {
        const auto row = table->find(to_string(space, candidate));
        return row == table->end() ? std::optional<double>() : row->second;
    };
}

std::string conditions(const TilingsArguments& arguments) {
    if (arguments.measure != "cpu") return arguments.measure;
    if (arguments.threads == 0) return "cpu, all threads";
    return "cpu, " + std::to_string(arguments.threads) + (arguments.threads == 1 ? " thread" : " threads");
}

void rank_measured(TilingsResult& result) {
    std::vector<double> estimates;
    std::vector<double> own;
    std::vector<double> seconds;
    for (const auto& [candidate, measured] : result.measured) {
        if (!measured) continue;
        estimates.push_back(result.estimates[static_cast<std::size_t>(candidate)]);
        if (!result.own.empty()) own.push_back(result.own[static_cast<std::size_t>(candidate)]);
        seconds.push_back(*measured);
    }
    if (seconds.size() < 2) return;
    result.ranking = compare_ranking(estimates, seconds);
    if (!own.empty()) result.own_ranking = compare_ranking(own, seconds);
}

}  // namespace

Search measured_search(const TilingsResult& result, const TilingsArguments& arguments) {
    SearchOptions options = arguments.options;
    options.counts = result.counts;
    worker::TilingTimer timer(result.space.chain, arguments.threads);
    return Searcher(result.space, result.counts).run(options, [&](const Candidate& candidate) {
        return timer.seconds(result.space, candidate);
    });
}

void measure(TilingsResult& result, const TilingsArguments& arguments, const std::string& title) {
    const Space& space = result.space;
    MeasuredLog log(arguments.save, measured_subject(result.name, space.chain, conditions(arguments)), space,
                    arguments.several());
    std::unique_ptr<CardMeasurer> card;
    std::unique_ptr<worker::TilingTimer> timer;
    Measurer measure_one;
    if (arguments.measure == "cpu") {
        timer = std::make_unique<worker::TilingTimer>(space.chain, arguments.threads);
        measure_one = [&](const Candidate& candidate) { return timer->seconds(space, candidate); };
    } else if (arguments.measure.starts_with(kTable))
        measure_one = from_table(result, arguments.measure.substr(kTable.size()), arguments.several());
    else {
        card = std::make_unique<CardMeasurer>(result, arguments.measure);
        measure_one = [&card](const Candidate& candidate) { return card->measure(candidate); };
    }
    Progress progress(title);
    int count = 0;
    const int total = arguments.exhaustive ? static_cast<int>(space.candidates.size()) : 0;
    const Measurer counted = [&](const Candidate& candidate) {
        progress.at(++count, total);
        const std::string text = to_string(space, candidate);
        if (const std::optional<double>* known = log.find(text)) {
            ++result.known;
            return *known;
        }
        const std::optional<double> seconds = measure_one(candidate);
        log.append(text, seconds);
        return seconds;
    };
    if (arguments.exhaustive)
        for (int i = 0; i < total; ++i)
            result.measured[i] = counted(space.candidates[static_cast<std::size_t>(i)]);
    const int known = result.known;
    if (arguments.search) {
        SearchOptions options = arguments.options;
        options.counts = result.counts;
        result.search = Searcher(space, result.counts).run(options, counted);
        for (const auto& [candidate, seconds] : result.search->known) result.measured[candidate] = seconds;
    }
    if (arguments.exhaustive) result.known = known;  // the search looks up what has just been measured
    if (card)
        for (const std::string& note : card->notes()) result.notes.push_back(note);
    if (timer && result.known < static_cast<int>(result.measured.size()))
        note_circumstances(result, *timer, arguments.threads);
    rank_measured(result);
}

}  // namespace blockscope::tilings
