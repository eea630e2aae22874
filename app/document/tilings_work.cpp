#include "app/document/tilings_work.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/tilings/workloads.h"

namespace blockscope {

namespace {

using json::Reader;
using tilings::Rules;

constexpr std::size_t kMostMeasured = 4'000'000;  // of a run: as many as a space has candidates
constexpr std::size_t kMostNameBytes = 1024;      // of machines, devices and candidates
constexpr int kMostSeed = std::numeric_limits<int>::max();

// In the order of the enumerators; the command line calls them so, too.
const std::vector<std::string>& same_names() {
    static const std::vector<std::string> names = {"gridorder", "subtiling"};
    return names;
}
const std::vector<std::string>& padding_names() {
    static const std::vector<std::string> names = {"exact", "5%"};
    return names;
}
const std::vector<std::string>& shared_names() {
    static const std::vector<std::string> names = {"ABCDE", "ABD"};
    return names;
}
const std::vector<std::string>& counts_names() {
    static const std::vector<std::string> names = {"block", "paper"};
    return names;
}

template <class Choice>
const std::string& name_of(const std::vector<std::string>& names, Choice choice) {
    return names.at(static_cast<std::size_t>(choice));
}

// ---- Writing.

void add_choices(json::Object& object, const TilingChoices& choices) {
    object.push_back({"same", name_of(same_names(), choices.rules.same)});
    object.push_back({"padding", name_of(padding_names(), choices.rules.padding)});
    object.push_back({"shared", name_of(shared_names(), choices.rules.tiles)});
    object.push_back({"flat", json::Value(choices.rules.flat)});
    object.push_back({"counts", name_of(counts_names(), choices.counts)});
    object.push_back({"seed", choices.seed});
    object.push_back({"population", choices.population});
    object.push_back({"top", choices.top});
    object.push_back({"epsilon", choices.epsilon});
}

json::Value run_value(const TilingsRun& run) {
    json::Object object;
    if (!run.workload.empty()) object.push_back({"workload", run.workload});
    object.push_back({"machine", run.machine});
    if (run.search) {
        json::Object search = {{"device", run.search->device}, {"rounds", run.search->rounds}};
        add_choices(search, run.search->choices);
        object.push_back({"search", std::move(search)});
    }
    json::Array measured;
    for (const auto& [candidate, seconds] : run.measured)
        measured.push_back(json::Object{{"candidate", candidate},
                                        {"seconds", seconds ? json::Value(*seconds) : json::Value()}});
    object.push_back({"measured", std::move(measured)});
    return object;
}

// ---- Reading.

std::optional<std::string> workload_name(const Reader& reader) {
    auto name = reader.plain_text(kMostNameBytes);
    if (!name) return {};
    if (const tilings::Workload* known = tilings::find_workload(*name)) return known->name;
    reader.problem(Text("there is no workload of this name; there are G1 to G12 and S1 to S9"));
    return {};
}

// Whether all of them are right.
bool read_choices(const Reader& reader, TilingChoices& choices) {
    const auto same = reader.member("same").choice(same_names());
    const auto padding = reader.member("padding").choice(padding_names());
    const auto shared = reader.member("shared").choice(shared_names());
    const auto flat = reader.member("flat").boolean();
    const auto counts = reader.member("counts").choice(counts_names());
    const auto seed = reader.member("seed").integer(0, kMostSeed);
    const auto population = reader.member("population").integer(1, kMostTilingsPopulation);
    const auto top = reader.member("top").integer(1, kMostTilingsPopulation);
    const Reader share = reader.member("epsilon");
    const auto epsilon = share.number();
    if (epsilon && !(*epsilon >= 0 && *epsilon <= 1)) {
        share.problem(Text("expected a number from 0 to 1"));
        return false;
    }
    if (!same || !padding || !shared || !flat || !counts || !seed || !population || !top || !epsilon)
        return false;
    choices.rules = {.same = static_cast<tilings::SameBlock>(*same),
                     .padding = static_cast<tilings::Padding>(*padding),
                     .tiles = static_cast<tilings::SharedTiles>(*shared),
                     .flat = *flat};
    choices.counts = static_cast<tilings::TripCounts>(*counts);
    choices.seed = static_cast<int>(*seed);
    choices.population = static_cast<int>(*population);
    choices.top = static_cast<int>(*top);
    choices.epsilon = *epsilon;
    return true;
}

// The expressions and tile sizes of a chain: what a candidate is looked up in. Nothing is pruned.
std::optional<tilings::Space> known_space(const Reader& run, const std::string& workload,
                                          const ArrayProgram* array) {
    if (workload.empty() && !array) {
        run.problem(Text("a block program has no tilings; expected the key workload"));
        return {};
    }
    Result<tilings::Chain> chain = tilings::read_chain(
        workload.empty() ? *array : tilings::workload_program(*tilings::find_workload(workload)));
    if (!chain) {
        run.problem(Text("the program has no tilings: %1", chain.problems().front().message));
        return {};
    }
    tilings::Space space{.chain = std::move(chain).value()};
    for (const tilings::Loop& loop : space.chain.loops) {
        if (loop.size > tilings::kMostLoopSize) {
            run.problem(Text("the program has no tilings: the loop %1 is too long", loop.name));
            return {};
        }
        space.sizes.push_back(tilings::tile_sizes(loop.size, tilings::Padding::Five));
    }
    for (tilings::Expression& expression : tilings::expressions_of(space.chain))
        space.expressions.push_back({.expression = std::move(expression)});
    return space;
}

bool read_measured(const Reader& list, const tilings::Space& space, MeasuredTilings& measured) {
    if (!list.array(0, kMostMeasured)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader one = list.at(i);
        if (!one.object({"candidate", "seconds"})) return false;
        const Reader name = one.member("candidate"), time = one.member("seconds");
        const auto text = name.plain_text(kMostNameBytes);
        if (!text) return false;
        const Result<tilings::Candidate> candidate = tilings::parse_candidate(space, *text);
        if (!candidate) {
            name.problem(candidate.problems().front().message);
            return false;
        }
        std::optional<double> seconds;
        if (!time.is(json::Value())) {
            seconds = time.number();
            if (!seconds) return false;
            if (!(*seconds > 0)) {
                time.problem(Text("expected seconds above 0, or null for what cannot run"));
                return false;
            }
        }
        if (!measured.emplace(tilings::to_string(space, *candidate), seconds).second) {
            name.problem(Text("this candidate is there twice"));
            return false;
        }
    }
    return true;
}

std::optional<KeptSearch> read_search(const Reader& reader, const std::string& workload) {
    if (!reader.object({"device", "rounds", "same", "padding", "shared", "flat", "counts", "seed",
                        "population", "top", "epsilon"}))
        return {};
    KeptSearch search;
    auto device = reader.member("device").plain_text(kMostNameBytes);
    const auto rounds = reader.member("rounds").integer(1, tilings::SearchOptions{}.most_rounds);
    if (!device || !rounds || !read_choices(reader, search.choices)) return {};
    search.choices.workload = workload;
    search.device = std::move(*device);
    search.rounds = static_cast<int>(*rounds);
    return search;
}

bool read_run(const Reader& reader, const ArrayProgram* array, TilingsWork& work) {
    if (!reader.object({"workload?", "machine", "search?", "measured"})) return false;
    TilingsRun run;
    if (reader.has("workload")) {
        auto name = workload_name(reader.member("workload"));
        if (!name) return false;
        run.workload = std::move(*name);
    }
    auto machine = reader.member("machine").plain_text(kMostNameBytes);
    if (!machine) return false;
    run.machine = std::move(*machine);
    if (work.run(run.workload, run.machine)) {
        reader.problem(Text("an earlier run is of the same chain and machine"));
        return false;
    }
    const auto space = known_space(reader, run.workload, array);
    if (!space || !read_measured(reader.member("measured"), *space, run.measured)) return false;
    if (reader.has("search")) {
        run.search = read_search(reader.member("search"), run.workload);
        if (!run.search) return false;
    }
    work.runs.push_back(std::move(run));
    return true;
}

}  // namespace

tilings::SearchOptions TilingChoices::search_options() const {
    return {.population = population,
            .top = top,
            .epsilon = epsilon,
            .seed = static_cast<std::uint64_t>(seed),
            .counts = counts};
}

const TilingsRun* TilingsWork::run(const std::string& workload, const std::string& machine) const {
    for (const TilingsRun& one : runs)
        if (one.workload == workload && one.machine == machine) return &one;
    return nullptr;
}

TilingsRun& TilingsWork::run_of(const std::string& workload, const std::string& machine) {
    for (TilingsRun& one : runs)
        if (one.workload == workload && one.machine == machine) return one;
    runs.push_back({.workload = workload, .machine = machine});
    return runs.back();
}

bool same_tilings(const TilingsWorkPtr& a, const TilingsWorkPtr& b) {
    static const TilingsWork none;
    return a == b || (a ? *a : none) == (b ? *b : none);
}

TilingsWorkPtr without_own_runs(const TilingsWorkPtr& work) {
    const auto own = [](const TilingsRun& run) { return run.workload.empty(); };
    if (!work || std::none_of(work->runs.begin(), work->runs.end(), own)) return work;
    TilingsWork left = *work;
    std::erase_if(left.runs, own);
    return std::make_shared<const TilingsWork>(std::move(left));
}

int measured_only_in(const TilingsWorkPtr& a, const TilingsWorkPtr& b) {
    if (!a || a == b) return 0;
    int count = 0;
    for (const TilingsRun& run : a->runs) {
        const TilingsRun* other = b ? b->run(run.workload, run.machine) : nullptr;
        for (const auto& [candidate, seconds] : run.measured) {
            const auto found = other ? other->measured.find(candidate) : run.measured.end();
            const bool there = other && found != other->measured.end() && found->second == seconds;
            count += there ? 0 : 1;
        }
    }
    return count;
}

void add_tilings(json::Object& document, const TilingsWorkPtr& work) {
    if (!work) return;
    json::Object object;
    if (!work->choices.workload.empty()) object.push_back({"workload", work->choices.workload});
    add_choices(object, work->choices);
    json::Array runs;
    for (const TilingsRun& run : work->runs) runs.push_back(run_value(run));
    if (!runs.empty()) object.push_back({"runs", std::move(runs)});
    document.push_back({"tilings", std::move(object)});
}

TilingsWorkPtr read_tilings(const Reader& reader, const ArrayProgram* array) {
    if (!reader.object({"workload?", "same", "padding", "shared", "flat", "counts", "seed", "population",
                        "top", "epsilon", "runs?"}))
        return nullptr;
    TilingsWork work;
    if (reader.has("workload")) {
        auto name = workload_name(reader.member("workload"));
        if (!name) return nullptr;
        work.choices.workload = std::move(*name);
    }
    if (!read_choices(reader, work.choices)) return nullptr;
    if (reader.has("runs")) {
        const Reader runs = reader.member("runs");
        if (!runs.array(1, kMostTilingsRuns)) return nullptr;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (!read_run(runs.at(i), array, work)) return nullptr;
    }
    return std::make_shared<const TilingsWork>(std::move(work));
}

}  // namespace blockscope
