// What a document holds, as one immutable value. Every action makes a new one; undo swaps back.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/history.h"
#include "app/figure/figure.h"
#include "app/figure/note.h"
#include "app/layout/moved.h"
#include "core/json/reader.h"
#include "core/json/value.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "core/story/chapters.h"
#include "core/support/result.h"
#include "core/tilings/search.h"

namespace blockscope {

// What a document keeps of the page Tilings: what the funnel reads the paper's rules as, what Algorithm 1 is
// told, and every measured time. A search is not kept round by round: its choices and these times make it
// anew.

struct TilingChoices {
    std::string workload = {};  // "G3", of the paper; empty: the document's program
    tilings::Rules rules = {};
    tilings::TripCounts counts = tilings::TripCounts::Block;
    int seed = 1;
    int population = 256;
    int top = 8;
    double epsilon = 0.01;
    bool operator==(const TilingChoices&) const = default;

    tilings::SearchOptions search_options() const;
};

// A search that was begun: its first rounds measured nothing that is not known.
struct KeptSearch {
    TilingChoices choices = {};
    std::string device = {};  // whose description ranked the candidates
    int rounds = 0;
    bool operator==(const KeptSearch&) const = default;
};

// Candidates as text, with their seconds; nothing: it cannot run.
using MeasuredTilings = std::map<std::string, std::optional<double>>;

// What one machine measured of one chain.
struct TilingsRun {
    std::string workload = {};  // empty: the document's program
    std::string machine = {};
    MeasuredTilings measured = {};
    std::optional<KeptSearch> search = {};
    bool operator==(const TilingsRun&) const = default;
};

struct TilingsWork {
    TilingChoices choices = {};
    std::vector<TilingsRun> runs = {};
    bool operator==(const TilingsWork&) const = default;

    const TilingsRun* run(const std::string& workload, const std::string& machine) const;  // null: none
    // Made, if there is none.
    TilingsRun& run_of(const std::string& workload, const std::string& machine);
};
using TilingsWorkPtr = std::shared_ptr<const TilingsWork>;  // null: as nobody has looked yet

bool same_tilings(const TilingsWorkPtr& a, const TilingsWorkPtr& b);
// Without what was measured of the document's program: it is another now.
TilingsWorkPtr without_own_runs(const TilingsWorkPtr& work);
// How many measured times of `a` are not in `b`.
int measured_only_in(const TilingsWorkPtr& a, const TilingsWorkPtr& b);

constexpr int kMostTilingsPopulation = 100'000;  // as `tilings --population`
constexpr std::size_t kMostTilingsRuns = 256;

// The key "tilings" of a document (docs/json.md); left out where nobody has looked.
void add_tilings(json::Object& document, const TilingsWorkPtr& work);
// Each candidate is looked up in its chain: `array` is the document's program, null for block programs. Null
// if something is wrong, which is reported.
TilingsWorkPtr read_tilings(const json::Reader& reader, const ArrayProgram* array);

namespace circuit {
struct StepTree;
}

// How the picture was looked at. No part of what undo and "modified" are about.
struct SavedView {
    struct Camera {
        double x = 0, y = 0, scale = 1;  // the picture's point in the middle; pixels per unit
        bool operator==(const Camera&) const = default;
    };
    // A selected edge: the value that flows, and the node that uses it there.
    struct Edge {
        ValueRef value;
        NodeId consumer;
        bool operator==(const Edge&) const = default;
    };
    std::optional<Camera> camera;     // none: all of the picture is seen
    std::vector<NodeId> selection;    // ids ascend
    std::optional<Edge> edge;         // selected, too
    std::optional<bool> edge_labels;  // types on edges; none: as the user's settings say
    bool operator==(const SavedView&) const = default;
};

// Steps that the user has grouped: those after which the states from `first` to `last` stand.
struct GroupedSteps {
    StateId first = 0, last = 0;
    std::string name;
    bool operator==(const GroupedSteps&) const = default;
};

struct Content {
    std::string name;         // "attention"
    std::string source = {};  // in the text language, as the user wrote it; empty for block programs
    std::shared_ptr<const ArrayProgram> array = {};  // what `source` says; null for block programs
    // Which top-level node of the initial program came from which array operator.
    std::vector<Origin> origins = {};
    History history;
    StateId current = 0;
    int branch = 1;  // the branch that the timeline shows; it leads through `current`
    Folds folds = {};
    std::vector<StateId> compared = {};    // states shown beside the current one, at most three
    std::optional<StateId> baseline = {};  // what the listing marks changes against; none: the state before
    SavedView view = {};                   // as it was opened; Document::view() is how it is now
    std::shared_ptr<const circuit::StepTree> circuit = {};  // steps with the circuit; null without any
    Shifts moved = {};                                      // blocks that the user has put elsewhere
    std::map<NodeId, PinnedNote> pinned = {};               // notes on blocks of the picture
    std::vector<GroupedSteps> groups = {};                  // no step of a branch is in two of them
    TilingsWorkPtr tilings = {};                            // of the page Tilings

    const HistoryState& state() const { return history.state(current); }
    const ProgramPtr& program() const { return state().program; }
};
using ContentPtr = std::shared_ptr<const Content>;

// Parses and converts a program in the text language; the history holds its initial block program only.
Result<Content> content_of_source(const std::string& source, const std::string& file);
// The same for a block program.
Content content_of_blocks(const BlockProgram& program, const std::string& name);
// The trace's initial program, its steps as the branch "Algorithm".
Content content_of_trace(const Trace& trace, const std::string& name);
// What a document is called that comes from `file`: its name without folder and ending.
std::string content_name(const std::string& file);

// The groups on the way to the tip of the branch that is shown, by the numbers of steps; those that lie
// partly on it with that part.
std::vector<StepGroup> groups_of_branch(const Content& content);
// Without groups of states that there are not any more.
void drop_lost_groups(Content& content);

// Runs the algorithm from `from` to its end, adding states; `observer` may stop it. The branch through `from`
// that ends there is extended, else one is added; `branch` becomes the one that has the new steps. `current`
// stays. A history that gets too large (kMaxHistoryWeight) ends the run, and the branch says so.
Content run_algorithm(Content content, StateId from, const StepObserver& observer = {});
// Ready to be shown: a program without steps gets those of the algorithm, so that the timeline is full at
// once.
Content prepared(Content content, const StepObserver& observer = {});
// A large program that is opened for the first time has its maps folded, so that its parts have room for
// their names; any other stays as it is.
Content with_parts_folded(Content content);
// What is folded in `to`, having been looked at in `from` with `folds`: maps that folded ones became are
// folded, too, but for those that the step to `to` made.
Folds carried_folds(const History& history, Folds folds, StateId from, StateId to);
// The run anew from the initial program with these rules, instead of all steps and branches that are there.
Content with_rules(const Content& content, RuleSet rules, const StepObserver& observer = {});
// The algorithm's next step after `current`, which moves there; where there is none the branch says why.
Content next_step(Content content);
// One rewrite by hand after `current`, which moves to the new state (and `branch` to the one that has it).
Content apply_match(Content content, const Match& match);
// The same nodes with the same ids, at these or other sizes.
bool same_but_sizes(const BlockProgram& a, const BlockProgram& b);
// `content` with another text. If it differs in the sizes of dimensions alone the history is kept, else it
// begins anew. Of this and what follows, `observer` is told every step that is replayed and may stop it,
// which is then the problem.
Result<Content> with_source(const Content& content, const std::string& source, const std::string& file,
                            const StepObserver& observer = {});
// `content` with other dimension sizes and block sizes (names as in the program's table) and the same steps.
// A problem says why if the program refuses the sizes.
Result<Content> with_dims(const Content& content, const DimTable& dims, const StepObserver& observer = {});

// A document as JSON (docs/json.md): versioned, one thing a line, byte-identical when read and written
// again.
std::string write_document(const Content& content);
// Replays every step, each with its match checked. All problems have a JSON pointer.
Result<Content> read_document(const std::string& text, const std::string& file,
                              const StepObserver& observer = {});

// Whatever a file holds: a document, a program as text, an array program, block program or trace as JSON.
Result<Content> read_any(const std::string& text, const std::string& file, const StepObserver& observer = {});

}  // namespace blockscope
