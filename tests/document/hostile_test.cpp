// Hostile documents: each is a good one with one thing wrong, and is refused with the place of that thing.
#include <gmock/gmock.h>

#include "tests/document/contents.h"
#include "tests/support/random.h"

namespace blockscope::test {
namespace {

std::string good() {
    static const std::string text = write_document(rich_content());
    return text;
}

std::string good_blocks() {
    static const std::string text = write_document(rich_block_content());
    return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("the document does not hold " + from);
    return text.replace(at, from.size(), to);
}

// The line of state `id` in `text`, without the comma that ends all but the last.
std::string line_of(const std::string& text, int id) {
    const std::string begin = "    {\"id\": " + std::to_string(id) + ", \"parent\"";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) throw std::logic_error("the document has no state " + std::to_string(id));
    std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.back() == ',') line.pop_back();
    return line;
}

std::string pointer_of(const std::string& text) {
    const Result<Content> content = read_document(text, "f");
    if (content) return "accepted";
    const Problem& problem = content.problems().front();
    EXPECT_FALSE(problem.message.empty());
    EXPECT_LE(content.problems().size(), 50U);
    return problem.place.pointer;
}

struct Case {
    const char* from;
    const char* to;
    const char* pointer;
};

// Of the document with everything: 3 branches, the states of a run and three more.
const Case kCases[] = {
    {"\"blockscope document\"", "\"blockscope documents\"", "/format"},
    {"\"blockscope document\"", "7", "/format"},
    {"\"version\": 1", "\"version\": 2", "/version"},
    {"\"version\": 1", "\"version\": 1.5", "/version"},
    {"\"version\": 1,", "", ""},
    {"\"version\": 1,", "\"version\": 1, \"version\": 1,", "/version"},
    {"\"version\": 1,", "\"version\": 1, \"extra\": 1,", "/extra"},
    {"\"name\": \"t\"", "\"name\": null", "/name"},
    {"\"name\": \"t\"", "\"name\": [[[\"t\"]]]", "/name"},
    {"\"source\": [", "\"text\": [", "/text"},
    {"\"source\": [", "\"program\": {}, \"source\": [", ""},
    {"\"# Attention, small.\"", "1", "/source/0"},
    {"\"# Attention, small.\"", "\"# Attention\\n\"", "/source/0"},
    {"\"# Attention, small.\"", "\"# \\u0000\"", "/source/0"},
    {"dim M = 10 / 4", "dim M = 10 / 11", "/source/2"},
    {"P = softmax(S)", "P = softmax(T)", "/source/8"},
    {"output O = P @ V", "O = P @ V", "/source/0"},
    {"P = softmax(S)", "P = exp(S)", "/states/2/roles/0"},
    {"\"current\": ", "\"current\": 9", "/current"},
    {"\"current\": ", "\"current\": -", "/current"},
    {"\"branch\": ", "\"branch\": 9", "/branch"},
    {"\"branch\": 3", "\"branch\": 2", "/branch"},
    {"\"branch\": 3", "\"branch\": 0", "/branch"},
    {"\"circuit_state\": 3", "\"circuit_state\": 5", "/circuit_state"},
    {"\"circuit_state\": 3,", "", ""},
    {"\"circuit_state\": 3", "\"circuit_state\": 2", "/circuit_tip"},
    {"\"circuit_tip\": 4", "\"circuit_tip\": 3", "/circuit_tip"},
    {"\"circuit_tip\": 4", "\"circuit_tip\": 1e300", "/circuit_tip"},
    {"\"circuit\": [", "\"circuits\": [", "/circuits"},
    {"\"parent\": 0, \"action\"", "\"parent\": 1, \"action\"", "/circuit/1/parent"},
    {"\"action\": \"group\"", "\"action\": \"weave\"", "/circuit/1/action"},
    {"\"action\": \"group\"", "\"action\": \"rename\"", "/circuit/1"},
    {"\"action\": \"group\"", "\"action\": \"join\"", "/circuit/1"},
    {"\"axis\": \"M\", \"size\": 4", "\"axis\": \"X\", \"size\": 4", "/circuit/1"},
    {"\"axis\": \"M\", \"size\": 4", "\"axis\": \"M\", \"size\": 11", "/circuit/1"},
    {"\"axis\": \"M\", \"size\": 4", "\"axis\": \"M\", \"size\": 0", "/circuit/1/size"},
    {"\"axis\": \"M\", \"size\": 4", "\"axis\": \"M\", \"size\": 9000000000", "/circuit/1/size"},
    {"\"axis\": \"M\", \"size\": 4", "\"axis\": \"M\"", "/circuit/1"},
    {"\"action\": \"stream\"", "\"action\": \"group\"", "/circuit/2"},
    {"\"name\": \"rows\"", "\"name\": \"N\"", "/circuit/3"},
    {"\"name\": \"rows\"", "\"name\": \"r\"", "/circuit/4"},
    {"\"name\": \"rows\"", "\"name\": 4", "/circuit/3/name"},
    {"\"action\": \"rename\", \"axis\": \"M\"", "\"action\": \"stream\", \"axis\": \"N\"", "/circuit/3"},
    {"\"axis\": \"rows\"}", "\"axis\": \"rows\", \"size\": 4}", "/circuit/4"},
    {"\"folds\": [1, 3]", "\"folds\": [0, 3]", "/folds/0"},
    {"\"folds\": [1, 3]", "\"folds\": [1, 16777216]", "/folds/1"},
    {"\"folds\": [1, 3]", "\"folds\": {}", "/folds"},
    {"\"compared\": [1, 4]", "\"compared\": [1, 99]", "/compared/1"},
    {"\"compared\": [1, 4]", "\"compared\": [1, 2, 3, 4]", "/compared"},
    {"\"baseline\": 2", "\"baseline\": null", "/baseline"},
    {"\"baseline\": 2", "\"baseline\": 1e3", "/baseline"},
    {"\"scale\": 1.25", "\"scale\": 0", "/view/camera/scale"},
    {"\"scale\": 1.25", "\"scale\": \"1\"", "/view/camera/scale"},
    {"\"scale\": 1.25", "\"zoom\": 1.25", "/view/camera/zoom"},
    {"\"selection\": [2, 5]", "\"selection\": [5, 2]", "/view/selection/1"},
    {"\"selection\": [2, 5]", "\"selection\": []", "/view/selection"},
    {"\"edge\": {\"node\": 2", "\"edge\": {\"node\": 0", "/view/edge/node"},
    {"\"edge\": {\"node\": 2", "\"edge\": {\"value\": 2", "/view/edge/value"},
    {"\"port\": 0, \"first\": 1", "\"port\": 70000, \"first\": 1", "/view/edge/port"},
    {"\"port\": 0, \"first\": 1", "\"port\": 0, \"first\": -1", "/view/edge/first"},
    {"\"first\": 1, \"consumer\": 5", "\"first\": 1", "/view/edge"},
    {"\"edge_labels\": true", "\"edge_labels\": 1", "/view/edge_labels"},
    {"\"x\": 40", "\"x\": 40.5", "/moved/0/x"},
    {"\"x\": 40", "\"x\": 400000000", "/moved/0/x"},
    {"\"color\": \"blue\"", "\"color\": \"mauve\"", "/pinned/0/color"},
    {"\"color\": \"blue\"", "\"color\": 1", "/pinned/0/color"},
    {"\"color\": \"blue\"", "\"colour\": \"blue\"", "/pinned/0/colour"},
    {"\"text\": \"here\"", "\"text\": null", "/pinned/1/text"},
    {"\"first\": 1, \"last\": 3", "\"first\": 0, \"last\": 3", "/groups/0"},
    {"\"first\": 1, \"last\": 3", "\"first\": 3, \"last\": 1", "/groups/0"},
    {"\"first\": 1, \"last\": 3", "\"first\": 1, \"last\": 999", "/groups/0/last"},
    {"\"name\": \"line the loops up\"", "\"name\": \"\"", "/groups/0"},
    {"\"same\": \"subtiling\"", "\"same\": \"sub\"", "/tilings/same"},
    {"\"same\": \"subtiling\"", "\"like\": \"subtiling\"", "/tilings/like"},
    {"\"workload\": \"G3\"", "\"workload\": \"G13\"", "/tilings/workload"},
    {"\"workload\": \"G3\"", "\"workload\": \"\"", "/tilings/workload"},
    {"\"flat\": false", "\"flat\": 0", "/tilings/flat"},
    {"\"counts\": \"paper\"", "\"counts\": \"tree\"", "/tilings/counts"},
    {"\"seed\": 7", "\"seed\": -7", "/tilings/seed"},
    {"\"seed\": 7", "\"seed\": 7000000000", "/tilings/seed"},
    {"\"population\": 256", "\"population\": 0", "/tilings/population"},
    {"\"top\": 8", "\"top\": 1000000", "/tilings/top"},
    {"\"epsilon\": 0.025", "\"epsilon\": 1.5", "/tilings/epsilon"},
    {"\"epsilon\": 0.025", "\"epsilon\": null", "/tilings/epsilon"},
    {"\"runs\": [", "\"runs\": [], \"run\": [", "/tilings/run"},
    {"\"workload\": \"G1\"", "\"workload\": \"G7\"", "accepted"},
    {"\"workload\": \"G1\",", "", "/tilings/runs/0/measured/0/candidate"},
    {"\"machine\": \"a machine\"", "\"machine\": \"a\\nb\"", "/tilings/runs/0/machine"},
    {"\"machine\": \"a machine\"", "\"machine\": 1", "/tilings/runs/0/machine"},
    {"\"device\": \"a100-pcie-40gb\"", "\"devices\": \"a100-pcie-40gb\"", "/tilings/runs/0/search/devices"},
    {"\"rounds\": 2", "\"rounds\": 0", "/tilings/runs/0/search/rounds"},
    {"\"rounds\": 2", "\"rounds\": 51", "/tilings/runs/0/search/rounds"},
    {"\"seed\": 11", "\"seed\": 1.5", "/tilings/runs/0/search/seed"},
    {"mhnk m=32", "mhnkq m=32", "/tilings/runs/0/measured/0/candidate"},
    {"mhnk m=32", "mhnk m=33", "/tilings/runs/0/measured/0/candidate"},
    {"mhnk m=32", "mhnk m=528", "/tilings/runs/0/measured/0/candidate"},
    {"mhnk m=32", "mhnk z=32", "/tilings/runs/0/measured/0/candidate"},
    {"mhnk m=32 n=64 k=16 h=16", "mn(k,h) m=16 n=16 k=16 h=16", "/tilings/runs/0/measured/1/candidate"},
    {"\"seconds\": 1.25e-05", "\"seconds\": 0", "/tilings/runs/0/measured/0/seconds"},
    {"\"seconds\": 1.25e-05", "\"seconds\": -1", "/tilings/runs/0/measured/0/seconds"},
    {"\"seconds\": 1.25e-05", "\"seconds\": \"1\"", "/tilings/runs/0/measured/0/seconds"},
    {"\"seconds\": 1.25e-05", "\"time\": 1.25e-05", "/tilings/runs/0/measured/0/time"},
    {"mnld m=16", "mhnk m=16", "/tilings/runs/1/measured/0/candidate"},
    {"\"next_state\": 2", "\"next_state\": -2", "/next_state"},
    {"\"next_state\": 2", "\"next_state\": 99999999992", "/next_state"},
    {"\"next_state\": 21", "\"next_state\": 5", "/states/5/id"},
    {"\"next_branch\": 4", "\"next_branch\": 3", "/branches/2/id"},
    {"{\"id\": 1, \"name\": \"Algorithm\"", "{\"id\": 2, \"name\": \"Algorithm\"", "/branches/1/id"},
    {"{\"id\": 1, \"name\": \"Algorithm\"", "{\"name\": \"Algorithm\"", "/branches/0"},
    {"\"name\": \"Algorithm\"", "\"name\": 3", "/branches/0/name"},
    {"\"tip\": 17", "\"tip\": 16", "/branches/0/tip"},
    {"\"tip\": 17", "\"tip\": 19", "/branches/0/stopped"},
    {"\"tip\": 17, \"stopped\": \"No rule matches anywhere in the program any more.\"",
     "\"tip\": 19, \"stopped\": \"\"", "/branches/1/tip"},
    {"\"tip\": 17", "\"tip\": 77", "/branches/0/tip"},
    {"\"stopped\": \"\"", "\"stopped\": false", "/branches/1/stopped"},
    {"\"stopped\": \"\"", "\"stopped\": \"The end.\"", "/branches/1/stopped"},
    {"\"stopped\": \"\"", "\"stopped\": \" \"", "/branches/1/stopped"},
    {"any more.\"", "any more. All is proven.\"", "/branches/0/stopped"},
    {"\"stopped\": \"\"", "\"stopped\": \"No rule matches anywhere in the program any more.\"",
     "/branches/1/stopped"},
    {"{\"id\": 0", "{\"id\": 0, \"snapshot\": true", "/states/0/snapshot"},
    {"{\"id\": 2, \"parent\"", "{\"id\": 2, \"snapshot\": true, \"parent\"", "/states/2/snapshot"},
    {"{\"id\": 0", "{\"id\": 1", "/states/0/id"},
    {"{\"id\": 0", "{\"id\": 0, \"parent\": 0", "/states/0/parent"},
    {"\"note\": \"# Start", "\"note\": {}, \"notes\": \"# Start", "/states/0/notes"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 2, \"parent\": 2", "/states/2/parent"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 2, \"parent\": 5", "/states/2/parent"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 2, \"parent\": -1", "/states/2/parent"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 1, \"parent\": 1", "/states/2/id"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 2, \"parent\": 0", "/states/2/roles/0"},
    {"{\"id\": 2, \"parent\": 1", "{\"id\": 2", "/states/2"},
    {"\"parent\": 0, \"rule\": \"", "\"parent\": 0, \"rule\": \"6", "/states/1/rule"},
    {"\"parent\": 0, \"rule\": \"", "\"parent\": 0, \"rule\": 6, \"rules\": \"", "/states/1/rules"},
    {"\"path\": []", "\"path\": [1]", "/states/1/path"},
    {"\"path\": []", "\"path\": [0]", "/states/1/path/0"},
    {"\"path\": []", "\"path\": {}", "/states/1/path"},
    {"\"dim\": \"", "\"dim\": \"no", "/states/1/dim"},
    {"\"roles\": [", "\"roles\": [1, ", "/states/1/roles/0"},
    {"\"roles\": [{\"role\": \"", "\"roles\": [{\"role\": \"x", "/states/1"},
    {"\", \"node\": ", "\", \"node\": 0", "/states/1/roles/0/node"},
    {"\", \"node\": ", "\", \"node\": 999", "/states/1/roles/0"},
    {"\"snapshot\": true", "\"snapshot\": 1", "/states/15/snapshot"},
    {"\"tidy\": true", "\"tidy\": \"yes\"", "/states/2/tidy"},
};

TEST(HostileDocuments, TheGoodOnesAreAccepted) {
    EXPECT_EQ(pointer_of(good()), "accepted");
    EXPECT_EQ(pointer_of(good_blocks()), "accepted");
}

TEST(HostileDocuments, EachIsRefusedWithThePlaceOfWhatIsWrong) {
    ASSERT_GE(std::size(kCases), 40U);
    for (const Case& c : kCases)
        EXPECT_EQ(pointer_of(replaced(good(), c.from, c.to)), c.pointer) << c.from << "  ->  " << c.to;
}

// The algorithm cannot have ended a branch at whose tip it took no snapshot.
TEST(HostileDocuments, WithoutTheLastSnapshot) {
    std::string text = good();
    const std::string mark = ", \"snapshot\": true";
    const std::size_t last = text.find(mark, text.find("{\"id\": 17,"));
    ASSERT_NE(last, std::string::npos);
    EXPECT_EQ(pointer_of(text.erase(last, mark.size())), "/branches/0/stopped");
}

TEST(HostileDocuments, BlockPrograms) {
    EXPECT_EQ(
        pointer_of(replaced(good_blocks(), "\"size\": 10, \"block\": 4", "\"size\": 10, \"block\": 40")),
        "/program/dims/0/block");
    EXPECT_EQ(pointer_of(replaced(good_blocks(), "\"next_id\": ", "\"next_id\": 1, \"next\": ")),
              "/program/next");
    EXPECT_EQ(pointer_of(replaced(good_blocks(), "\"program\": {", "\"program\": {}, \"was\": {")), "/was");
}

// A block program has no chain, and each chain and machine has one run.
TEST(HostileDocuments, TilingsOfWhatThereIsNot) {
    EXPECT_EQ(pointer_of(replaced(good_blocks(), "\"workload\": \"G1\"", "\"machine\": \"b\", \"x\": 1")),
              "/tilings/runs/0/machine");
    EXPECT_EQ(
        pointer_of(replaced(replaced(good_blocks(), "\"workload\": \"G1\",", ""), "mhnk m=32", "mnld m=16")),
        "/tilings/runs/0");
    const std::string again = "{\"workload\": \"G1\", \"machine\": \"a machine\", \"measured\": []}, {";
    EXPECT_EQ(pointer_of(replaced(good(), "\"runs\": [\n      {", "\"runs\": [\n      " + again)),
              "/tilings/runs/1");
    const std::string long_program = replaced(good(), "dim M = 10 / 4", "dim M = 2000000 / 4");
    EXPECT_NE(pointer_of(long_program), "accepted");
}

TEST(HostileDocuments, TheSameStepTwice) {
    const std::string line = line_of(good(), 1);
    const std::string again = replaced(line, "{\"id\": 1,", "{\"id\": 99,");
    const std::string text =
        replaced(replaced(good(), "\"next_state\": 21", "\"next_state\": 100"), "\n  ],\n  \"circuit_state\"",
                 ",\n" + again + "\n  ],\n  \"circuit_state\"");
    EXPECT_EQ(pointer_of(text), "/states/21");
}

TEST(HostileDocuments, AStateThatNoBranchLeadsTo) {
    const std::string name = "{\"id\": 3, \"name\"";
    const std::size_t at = good().find(name);
    std::string text = good();
    const std::size_t before = text.rfind(',', at);
    text.erase(before, text.find('\n', at) - before);
    EXPECT_EQ(pointer_of(text), "/branches");
}

TEST(HostileDocuments, LimitsOfLength) {
    const std::string note(std::size_t{2} << 20U, 'x');
    EXPECT_EQ(pointer_of(replaced(good(), "\"note\": \"", "\"note\": \"" + note)), "/states/0/note");
    const std::string name(2000, 'x');
    EXPECT_EQ(pointer_of(replaced(good(), "\"name\": \"t", "\"name\": \"" + name)), "/name");
    EXPECT_EQ(pointer_of(replaced(good(), "\"name\": \"Algorithm", "\"name\": \"" + name)),
              "/branches/0/name");
    std::string deep = "1";
    for (int i = 0; i < 200; ++i) deep = "[" + deep + "]";
    EXPECT_NE(pointer_of(replaced(good(), "\"current\": ", "\"current\": " + deep + ", \"x\": ")),
              "accepted");
    EXPECT_NE(pointer_of(std::string((std::size_t{64} << 20U) + 1, ' ')), "accepted");
}

// Cut off anywhere, a document is never taken for a whole one.
TEST(HostileDocuments, Truncated) {
    const std::string text = good();
    for (std::size_t size = 0; size + 2 < text.size(); size += 41)
        EXPECT_NE(pointer_of(text.substr(0, size)), "accepted") << size;
}

// Any bytes changed: an error or a document that can be written and read, never anything else.
TEST(HostileDocuments, RandomBytes) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        std::string text = seed % 2 == 0 ? good() : good_blocks();
        for (int i = random.between(1, 4); i > 0; --i) {
            const std::size_t at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
            switch (random.below(3)) {
                case 0:
                    text[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    text.erase(at, static_cast<std::size_t>(random.between(1, 20)));
                    break;
                default:
                    text.insert(at, text.substr(text.size() / 2, static_cast<std::size_t>(random.below(40))));
            }
        }
        const Result<Content> content = read_document(text, "f");
        if (!content) continue;
        const std::string written = write_document(*content);
        const Result<Content> again = read_document(written, "f");
        ASSERT_TRUE(again) << seed << ": " << to_string(again.problems().front());
        EXPECT_EQ(write_document(*again), written) << seed;
    }
}

}  // namespace
}  // namespace blockscope::test
