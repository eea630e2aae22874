#include "tests/bench/sampled_choices.h"

#include <algorithm>
#include <set>

#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "core/measure/sampling.h"
#include "tests/bench/model_points.h"
#include "tests/support/random.h"

namespace blockscope::bench {

namespace {

constexpr double kMostCombinations = 4096;
constexpr double kShort = 0.05;  // seconds of samples
constexpr int kRounds = 11;
constexpr std::size_t kAgain = 5;
constexpr int kMostTries = 50;  // for each choice, of combinations that are not there yet

DimTable random_blocks(const DimTable& sizes, Random& random) {
    const ChoiceLists lists = worker::block_candidates(sizes, {}, DeviceKind::Cpu, kMostCombinations);
    DimTable dims = sizes;
    for (std::size_t d = 0; d < dims.size(); ++d) dims[d].block = random.pick(lists[d]);
    return dims;
}

std::vector<SampledChoice> sampled(const std::string& sample, const DimTable& sizes, int count,
                                   const Device& device) {
    Random random(1);
    const Sized at_sizes = sized(sample, sizes);
    std::vector<ProgramPtr> snapshots;
    for (int i = 0; const ProgramPtr state = at_sizes.snapshot(i, true); ++i) snapshots.push_back(state);
    const TimeModel& model = *find_time_model(kUsualModel);
    std::vector<SampledChoice> choices;
    std::set<std::string> names;
    for (int tries = 0; static_cast<int>(choices.size()) < count && tries < kMostTries * count; ++tries) {
        const int snapshot = random.below(static_cast<int>(snapshots.size()));
        const DimTable dims = random_blocks(sizes, random);
        std::string name = "snapshot " + std::to_string(snapshot) + ", " + sizes_text(dims);
        if (!names.insert(name).second) continue;
        const ProgramPtr program = worker::with_dims(snapshots[static_cast<std::size_t>(snapshot)], dims);
        choices.push_back({program, std::move(name), predict(model, work_of(program), device).seconds, 0});
    }
    return choices;
}

// In turns, every other round backwards, so that a slow moment of the machine meets all of them: the times
// are those of the last one by each one's ratio to it, round by round.
void race(std::vector<SampledChoice>& choices, const ArrayProgram& array, const TimeOf& time_of) {
    std::vector<std::vector<double>> seconds(choices.size());
    for (int round = 0; round < kRounds; ++round)
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const std::size_t at = round % 2 == 0 ? i : choices.size() - 1 - i;
            const std::optional<double> time = time_of(choices[at].program, array, kShort);
            seconds[at].push_back(time.value_or(choices[at].measured));
        }
    const double last = measure::summarize(seconds.back()).median;
    for (std::size_t i = 0; i < choices.size(); ++i)
        choices[i].measured = last * measure::paired_ratio(seconds[i], seconds.back()).median;
}

}  // namespace

std::optional<ChoiceRegret> choice_regret(const std::string& sample, const DimTable& sizes, int count,
                                          const Device& device, const TimeOf& time_of) {
    const ArrayProgram array = sized(sample, sizes).array;
    std::vector<SampledChoice> choices = sampled(sample, sizes, count, device);
    for (SampledChoice& choice : choices)
        choice.measured = time_of(choice.program, array, kShort).value_or(0);
    std::erase_if(choices, [](const SampledChoice& choice) { return choice.measured <= 0; });
    if (choices.empty()) return std::nullopt;
    ChoiceRegret result;
    result.measured = choices.size();
    const auto by = [](double SampledChoice::*seconds) {
        return [seconds](const SampledChoice& a, const SampledChoice& b) { return a.*seconds < b.*seconds; };
    };
    result.predicted_best = *std::min_element(choices.begin(), choices.end(), by(&SampledChoice::predicted));
    std::stable_sort(choices.begin(), choices.end(), by(&SampledChoice::measured));
    if (choices.size() > kAgain) choices.resize(kAgain);
    choices.push_back(result.predicted_best);
    race(choices, array, time_of);
    result.predicted_best = choices.back();
    result.measured_best = *std::min_element(choices.begin(), choices.end(), by(&SampledChoice::measured));
    result.regret = result.predicted_best.measured / result.measured_best.measured - 1;
    return result;
}

}  // namespace blockscope::bench
