#include "app/panels/history_rows.h"

#include <algorithm>
#include <map>

namespace blockscope {

namespace {

class Rows {
public:
    Rows(const Content& content, const std::set<StateId>& expanded) : content_(content), expanded_(expanded) {
        for (const auto& [id, state] : content.history.states()) children_[state->parent].push_back(id);
        for (const Branch& branch : content.history.branches()) tips_[branch.tip].push_back(branch.id);
    }

    std::vector<HistoryRow> make() {
        chain(0, 0, 1, -1);
        return std::move(rows_);
    }

private:
    bool remarkable(StateId id) const {
        const HistoryState& state = content_.history.state(id);
        const auto& compared = content_.compared;
        return state.snapshot || !state.note.empty() || state.parent < 0 || id == content_.current ||
               tips_.count(id) > 0 || children_of(id).size() != 1 ||
               std::find(compared.begin(), compared.end(), id) != compared.end();
    }
    const std::vector<StateId>& children_of(StateId id) const {
        static const std::vector<StateId> kNone;
        const auto found = children_.find(id);
        return found == children_.end() ? kNone : found->second;
    }

    // The states from `id` on that make one row.
    std::vector<StateId> run_from(StateId id) const {
        std::vector<StateId> run{id};
        if (remarkable(id) || expanded_.count(id) > 0) return run;
        while (!remarkable(children_of(run.back()).front())) run.push_back(children_of(run.back()).front());
        if (run.size() <= kLongestRun) run.resize(1);
        return run;
    }

    // The states of an expanded run are rows of their own, and so are those of short ones.
    int add(std::vector<StateId> states, int lane, int parent) {
        HistoryRow row;
        row.lane = lane;
        row.parent = parent;
        const auto tip = tips_.find(states.back());
        if (tip != tips_.end()) row.branches = tip->second;
        row.forks = children_of(states.back()).size() > 1;
        row.states = std::move(states);
        rows_.push_back(std::move(row));
        return static_cast<int>(rows_.size()) - 1;
    }

    // From `id` to the end of its lane. Where it forks, the oldest child goes on in the lane and the others
    // come first, each in a lane of its own, so that their lines are short; lanes from `free` on are free.
    void chain(StateId id, int lane, int free, int parent) {
        for (bool open = false;;) {  // `open`: within an expanded or short run
            std::vector<StateId> run = open && !remarkable(id) ? std::vector<StateId>{id} : run_from(id);
            open = run.size() == 1 && !remarkable(id);
            const StateId last = run.back();
            parent = add(std::move(run), lane, parent);
            const std::vector<StateId>& next = children_of(last);
            if (next.empty()) return;
            const int sides = static_cast<int>(next.size()) - 1;
            for (int side = sides; side >= 1; --side)
                chain(next[static_cast<std::size_t>(side)], free + side - 1, free + side, parent);
            id = next.front();
        }
    }

    const Content& content_;
    const std::set<StateId>& expanded_;
    std::map<StateId, std::vector<StateId>> children_;
    std::map<StateId, std::vector<int>> tips_;
    std::vector<HistoryRow> rows_;
};

}  // namespace

std::vector<HistoryRow> history_rows(const Content& content, const std::set<StateId>& expanded) {
    return Rows(content, expanded).make();
}

}  // namespace blockscope
