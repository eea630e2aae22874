// Questions about rules end as soon as nobody waits for the answer.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/rules/conditions.h"
#include "tests/support/graph_text.h"

namespace blockscope::test {
namespace {

constexpr int kMaps = 40;

// Maps that all read X: each is asked about with each.
ProgramPtr many_siblings(std::vector<NodeId>& maps) {
    std::string text = "X: M|M\n";
    const auto name = [](int i) { return "u" + std::to_string(i); };
    for (int i = 0; i < kMaps; ++i) text += name(i) + " = map M i:X {\n  t = exp X\n  -> t\n}\n";
    for (int i = 0; i < kMaps; ++i) text += "O" + std::to_string(i) + " = out " + name(i) + "\n";
    const NamedProgram named = graph_from_text(text);
    for (int i = 0; i < kMaps; ++i) maps.push_back(named.id(name(i)));
    return named.program;
}

// Puts itself up when it has been asked often enough.
class Patience {
public:
    explicit Patience(int asks = 1 << 30) : asks_(asks) {}
    const StopSign& sign() const { return sign_; }
    int asked() const { return asked_; }

private:
    int asks_, asked_ = 0;
    StopSign sign_{[this] { return ++asked_ >= asks_; }};
};

// Looks for stops at the first, the middle and the last time that the sign is asked.
template <class Question>
void expect_stops(const Question& question, int least) {
    const Patience patient;
    question(patient.sign());
    EXPECT_GE(patient.asked(), least);
    for (const int at : {1, std::max(1, patient.asked() / 2), patient.asked()}) {
        const Patience impatient(at);
        EXPECT_THROW(question(impatient.sign()), Stopped);
        EXPECT_EQ(impatient.asked(), at) << "at once";
    }
}

TEST(StoppedQuestions, ADiagnosisEndsBetweenTheMapsThatItTries) {
    std::vector<NodeId> maps;
    const ProgramPtr program = many_siblings(maps);
    for (const RuleId id : {RuleId{7, 'b'}, RuleId{7, 'c'}}) {
        const LevelNodes one{{}, {maps.front()}};
        expect_stops([&](const StopSign& sign) { diagnose(*program, id, one, sign); }, kMaps);
    }
    for (const Rule& rule : rules())
        expect_stops([&](const StopSign& sign) { diagnose(*program, rule.id, {{}, maps}, sign); }, 1);
}

TEST(StoppedQuestions, LookingNodesUpEnds) {
    std::vector<NodeId> maps;
    const ProgramPtr program = many_siblings(maps);
    expect_stops([&](const StopSign& sign) { find_level(*program, maps, sign); }, kMaps);
}

TEST(StoppedQuestions, TheSearchForMatchesEnds) {
    std::vector<NodeId> maps;
    const ProgramPtr program = many_siblings(maps);
    const int pairs = kMaps * (kMaps - 1) / 2;
    expect_stops([&](const StopSign& sign) { all_matches(*program, {}, sign); }, pairs);
}

}  // namespace
}  // namespace blockscope::test
