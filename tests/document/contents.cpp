#include "tests/document/contents.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "app/document/document_json.h"

namespace blockscope::test {

namespace {

const char* const kAttention =
    "# Attention, small.\n\ndim M = 10 / 4   # rows\ndim N = 9 / 3\ndim D = 6 / 3\ndim L = 8 / 4\n"
    "input Q[M, D], K[N, D], V[N, L] : bf16\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n";

circuit::CircuitAction::Kind action_kind(int number) {
    return static_cast<circuit::CircuitAction::Kind>(number);
}

// Two branches: rows grouped and keys streamed; rows called otherwise, and that taken back.
Content with_circuit(Content content) {
    if (!circuit_flow(content)) return content;  // of most blocks
    using Kind = circuit::CircuitAction::Kind;
    circuit::StepTree tree;
    tree.add({Kind::Group, "M", 4});
    tree.add({Kind::Stream, "N", 3});
    tree.states[2].note = "Flash\n\"attention\"";
    tree.go_to(1);
    tree.add({Kind::Relabel, "M", 20, "rows"});
    tree.add({Kind::Join, "rows"});
    tree.go_to(3);
    content.circuit = std::make_shared<const circuit::StepTree>(std::move(tree));
    return content;
}

// Choices, a search of a workload, and measured times of the program where it has an array program.
TilingsWorkPtr tilings_work(const Content& content) {
    TilingsWork work;
    work.choices = {.workload = "G3",
                    .rules = {.same = tilings::SameBlock::SubTiling, .flat = false},
                    .counts = tilings::TripCounts::Paper,
                    .seed = 7,
                    .epsilon = 0.025};
    TilingsRun& of_workload = work.run_of("G1", "a machine");
    of_workload.measured = {{"mhnk m=32 n=64 k=16 h=16", 1.25e-5}, {"mn(k,h) m=16 n=16 k=16 h=16", {}}};
    of_workload.search = KeptSearch{{.workload = "G1", .seed = 11}, "a100-pcie-40gb", 2};
    if (content.array) work.run_of("", "a machine").measured = {{"mnld m=16 n=16 d=16 l=16", 3e-6}};
    return std::make_shared<const TilingsWork>(std::move(work));
}

Content enriched(Content content) {
    content = run_algorithm(std::move(content), 0);
    content.current = 3;
    content = apply_match(std::move(content), all_matches(*content.program()).back());
    content = apply_match(std::move(content), all_matches(*content.program()).back());
    content.current = 5;
    content = apply_match(std::move(content), all_matches(*content.program()).back());
    content.history.rename(2, "By hand: \"other\" \xC3\xA4");
    content.history.set_note(0, "# Start\n\nWhere *everything* begins.");
    content.history.set_note(4, "tab\there");
    content.history.set_tidy(2, true);
    content.folds = {NodeId{3}, NodeId{1}};
    content.compared = {1, 4};
    content.baseline = 2;
    content.moved[NodeId{2}] = {40, -7};
    content.pinned[NodeId{2}] = {"the queries\nof all heads", NoteColor::Blue};
    content.pinned[NodeId{5}] = {"here", NoteColor::Yellow};
    content.groups = {{1, 3, "line the loops up"}};
    content.view = {SavedView::Camera{-12.3456789, 1e-3, 1.25},
                    {NodeId{2}, NodeId{5}},
                    SavedView::Edge{{NodeId{2}, 0, 1}, NodeId{5}},
                    true};
    content.tilings = tilings_work(content);
    return with_circuit(std::move(content));
}

}  // namespace

Content sample_content(const std::string& name) {
    Result<Content> content = content_of_source(sample_text(name), name + ".bp");
    if (!content) throw std::runtime_error(to_string(content.problems().front()));
    return std::move(content).value();
}

Content content_of_text(const std::string& text) {
    Result<Content> content = content_of_source(text, "t.bp");
    if (!content) throw std::runtime_error(to_string(content.problems().front()));
    return std::move(content).value();
}

Content rich_content() {
    return enriched(content_of_text(kAttention));
}

Content rich_block_content() {
    return enriched(content_of_blocks(*content_of_text(kAttention).program(), "blocks"));
}

Content random_circuit_change(Random& random, Content content) {
    if (!circuit_flow(content)) return content;
    circuit::StepTree tree = content.circuit ? *content.circuit : circuit::StepTree{};
    const int state = random.below(tree.count());
    if (random.chance(25)) {
        tree.go_to(state);
    } else if (random.chance(20)) {
        tree.states[static_cast<std::size_t>(state)].note = "circuit " + std::to_string(random.below(3));
    } else {
        const circuit::Flow flow = circuit_flow(content).value();
        const std::string& axis = random.pick(flow.axes).name;
        const auto kind = action_kind(random.below(4));
        const bool renames = kind == circuit::CircuitAction::Kind::Relabel;
        const bool sized = kind != circuit::CircuitAction::Kind::Join && (!renames || random.chance(30));
        tree.add({kind, axis, sized ? random.between(1, 12) : 0, renames ? axis + "x" : std::string()});
        if (misstep(flow, tree)) return content;
    }
    if (content.circuit && tree == *content.circuit) return content;
    if (!content.circuit && tree == circuit::StepTree{}) return content;
    content.circuit = std::make_shared<const circuit::StepTree>(std::move(tree));
    return content;
}

ContentPtr shared(Content content) {
    return std::make_shared<const Content>(std::move(content));
}

StateId random_state(Random& random, const Content& content) {
    auto it = content.history.states().begin();
    std::advance(it, random.below(static_cast<int>(content.history.states().size())));
    return it->first;
}

namespace {

void go(Content& content, StateId id) {
    content.current = id;
    content.branch = content.history.branch_through(id, content.branch);
}

void remove_branch(Random& random, Content& content) {
    const Branch branch = random.pick(content.history.branches());
    if (!content.history.remove(branch.id)) return;
    if (!content.history.has(content.current)) content.current = 0;
    go(content, content.current);
}

}  // namespace

Content random_change(Random& random, Content content) {
    switch (random.below(9)) {
        case 0:
        case 1: {
            const std::vector<Match> matches = all_matches(*content.program());
            return matches.empty() ? content : apply_match(std::move(content), random.pick(matches));
        }
        case 2: {
            int left = random.between(1, 6);
            return run_algorithm(std::move(content), content.current,
                                 [&](const Step&) { return --left > 0; });
        }
        case 3:
            return next_step(std::move(content));
        case 4:
            content.history.set_note(random_state(random, content),
                                     "note " + std::to_string(random.below(100)));
            return content;
        case 5:
            content.history.set_tidy(random_state(random, content), random.chance(50));
            return content;
        case 6:
            go(content, random_state(random, content));
            return content;
        case 7:
            return random_circuit_change(random, std::move(content));
        default:
            if (random.chance(50))
                remove_branch(random, content);
            else
                content.history.rename(random.pick(content.history.branches()).id,
                                       "branch " + std::to_string(random.below(100)));
            return content;
    }
}

}  // namespace blockscope::test
