// What a lesson sees of the learner: the program that is open, the way that was gone, what is selected. The
// window fills it from its document; a rehearsal plays a learner without a window.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/lesson/lesson.h"
#include "core/state/state.h"

namespace blockscope::lesson {

// An arrow of the picture between two operators of one level.
struct Arrow {
    NodeId from;
    NodeId to;
    bool operator==(const Arrow&) const = default;
};

struct Learner {
    std::string program;                 // the file's name: "attention.bp"; empty if nothing is open
    Trace trace;                         // the steps of the branch that is shown; its sizes are the learner's
    int step = 0;                        // of them, which state is shown
    std::vector<NodeId> selected;        // nodes of that state
    std::optional<ValueRef> value = {};  // of the edge that is selected
    std::string device = kUsualCard;
    std::string objective = "time";          // what the window's star goes by; the word `best` goes by bytes
    bool safe = false;                       // whether its safe form is looked at
    std::optional<double> measured_seconds;  // of the state that is shown, if it was measured

    bool open() const { return trace.initial != nullptr; }
    State state() const { return State(trace.state(step), safe_form(safe)); }
};

// Where programs and times come from.
struct Sources {
    // The block program in a file that a lesson names, before its first step.
    std::function<Result<ProgramPtr>(const std::string& file)> program;
    // Predicted seconds; by default by the usual model, of the state as it is.
    std::function<double(const State&, const Device&)> seconds;
    // Devices besides those that are built in; null for a name that it does not know.
    std::function<const Device*(const std::string& name)> device = {};
};

// The program of a file as text, checked and converted.
Result<ProgramPtr> program_of(const std::string& text, const std::string& file);

// A program and the algorithm's run on it.
struct Reference {
    ProgramPtr initial;
    Trace run;
    std::vector<State> states = {};  // after 0, 1, 2, ... steps, held so that their counts are made once
};

// The programs of one lesson, read and fused when they are first asked for. Programs that the lesson has
// inside come first. May be asked from several threads at once: who asks while another one reads a program
// waits.
class Programs {
public:
    Programs(Sources sources, std::shared_ptr<const Lesson> lesson);

    // A problem's place is not filled in if the file itself is missing.
    Result<const Reference*> find(const std::string& file);
    double seconds(const State& state, const Device& device) const;
    // Null if there is none of this name.
    const Device* device(const std::string& name) const;

private:
    Sources sources_;
    std::shared_ptr<const Lesson> lesson_;
    std::mutex mutex_;
    std::map<std::string, Reference> known_;
};

// Nodes of all levels that a lesson means by a word: "n17", "dot", "exp", "forall M", "input Q"; "dot 2" is
// the second one in the order of the program. A problem says what there is.
Result<std::vector<NodeId>> find_nodes(const BlockProgram& program, const std::string& word,
                                       const Place& place);

// "value dot": what an operator makes, as its arrows carry it. The operator's word; none of any other word.
std::optional<std::string> value_word(const std::string& word);
// The operators of a value's word. A problem where there is none, or it is a map, whose arrows carry what
// operators inside of it make.
Result<std::vector<NodeId>> find_makers(const BlockProgram& program, const std::string& maker,
                                        const Place& place);

// What the words of an action `select`, `highlight` or `look` mean in a state. A problem says what there is
// not, and where an arrow cannot be meant: one alone can be selected, and none highlighted or looked at.
struct Pointed {
    std::vector<NodeId> nodes;  // empty of "all"
    std::optional<ValueRef> value = {};
};
Result<Pointed> find_pointed(const BlockProgram& program, const Action& action);

// The arrows that a step makes local, if it leaves fewer buffered edges than there were: buffered ones
// between the operators that it matches or, where there is none, into several of them.
std::vector<Arrow> vanishing_arrows(const Step& step);

// "top", "M", "M/N": the dimensions of the maps around a level.
std::string place_name(const BlockProgram& program, const std::vector<NodeId>& path);

// The match that an action `apply` means in the state that is shown.
Result<Match> match_of(const Learner& learner, const Action& action);

// The table with one size changed: "M = 4096 / 64".
Result<DimTable> sizes_after(DimTable dims, const std::string& text, const Place& place);

// What the learner has after an action of a lesson. Of actions that only look (highlight, look, view) the
// same as before. A problem has the action's place.
Result<Learner> after(Learner learner, const Action& action, Programs& programs);
Result<Learner> after(Learner learner, const std::vector<Action>& actions, Programs& programs);

// The step of the run that a state's words name: those of core/state/choose.h, of which "best" is the one
// with the least traffic, and "fastest".
Result<int> step_named(const std::string& words, const Reference& reference, const Learner& learner,
                       Programs& programs, const Place& place);

}  // namespace blockscope::lesson
