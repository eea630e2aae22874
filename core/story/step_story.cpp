#include "core/story/step_story.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/cost/models/model.h"
#include "core/rules/conditions.h"

namespace blockscope {

namespace {

// The nodes that come from one matched part: those of the part itself, and what later steps make of them.
class Descent {
public:
    explicit Descent(const Node& part) { enter(part); }
    bool has(NodeId node) const { return nodes_.count(node) > 0; }
    void follow(const std::vector<Lineage>& made) {
        for (const Lineage& lineage : made)
            if (std::any_of(lineage.from.begin(), lineage.from.end(), [&](NodeId id) { return has(id); }))
                nodes_.insert(lineage.made);
    }

private:
    void enter(const Node& node) {
        nodes_.insert(node.id);
        if (const Map* map = node.as<Map>())
            for (const NodePtr& inner : map->body->nodes()) enter(*inner);
    }

    std::set<NodeId> nodes_;
};

std::vector<Descent> parts_of(const Step& step) {
    std::vector<Descent> parts;
    const GraphPtr level = graph_at(*step.before, step.match.path);
    for (const Role& role : step.match.roles)
        if (const Node* node = level->find(role.node)) parts.emplace_back(*node);
    for (Descent& part : parts) part.follow(step.made);
    return parts;
}

// Whether two matched nodes come from two different parts, each from one alone.
bool joins(const Match& match, const std::vector<Descent>& parts) {
    std::optional<std::size_t> first;
    for (const Role& role : match.roles) {
        std::optional<std::size_t> only;
        int in = 0;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (parts[i].has(role.node)) only = i, ++in;
        if (in != 1) continue;
        if (first && *first != *only) return true;
        first = only;
    }
    return false;
}

// The values that go from one role's node to another one's.
std::vector<ValueRef> handed_on(const Step& step) {
    const GraphPtr level = graph_at(*step.before, step.match.path);
    const auto is_role = [&](NodeId id) {
        return std::any_of(step.match.roles.begin(), step.match.roles.end(),
                           [&](const Role& role) { return role.node == id; });
    };
    std::vector<ValueRef> values;
    for (const Role& role : step.match.roles) {
        const Node* reader = level->find(role.node);
        if (!reader) continue;
        for (ValueRef ref : reader->inputs) {
            ref.first = 0;
            if (is_role(ref.node) && std::find(values.begin(), values.end(), ref) == values.end())
                values.push_back(ref);
        }
    }
    return values;
}

// "S", "S and V": values by name, each once.
Text list_of(const std::vector<ValueRef>& values, const ProgramNames& names) {
    std::vector<Text> said;
    for (const ValueRef& value : values) {
        const Text text = names.said(value);
        if (std::find(said.begin(), said.end(), text) == said.end()) said.push_back(text);
    }
    return and_list(said);
}

// At most two of the values, the rest as "others".
Text first_of(const std::vector<ValueRef>& values, const ProgramNames& names) {
    constexpr std::size_t kMost = 2;
    const bool all = values.size() <= kMost;
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), kMost));
    const Text first = list_of({values.begin(), end}, names);
    return all ? first : Text("%1 and others", first);
}

Text saved_text(const StepClaims& claims, const ProgramNames& before) {
    const std::string saved = bytes_text_of(static_cast<double>(claims.bytes_before - claims.bytes_after));
    if (claims.freed.size() == 1)
        return Text("Saves %1: %2 no longer goes through memory.", saved, first_of(claims.freed, before));
    if (!claims.freed.empty())
        return Text("Saves %1: %2 no longer go through memory.", saved, first_of(claims.freed, before));
    if (!claims.kept.empty())
        return Text("Saves %1: the list of %2 has one item, which stays in local memory.", saved,
                    first_of(claims.kept, before));
    if (claims.read_less.empty()) return Text("Saves %1.", saved);
    return claims.read_less.size() == 1
               ? Text("Saves %1: %2 is read less often.", saved, first_of(claims.read_less, before))
               : Text("Saves %1: %2 are read less often.", saved, first_of(claims.read_less, before));
}

Text added_text(const StepClaims& claims, const ProgramNames& before) {
    const std::string more = bytes_text_of(static_cast<double>(claims.bytes_after - claims.bytes_before));
    if (claims.read_more.empty()) return Text("Moves %1 more.", more);
    return claims.read_more.size() == 1
               ? Text("Moves %1 more: %2 is read more often.", more, first_of(claims.read_more, before))
               : Text("Moves %1 more: %2 are read more often.", more, first_of(claims.read_more, before));
}

Text unchanged_text(const StepClaims& claims, const ProgramNames& before) {
    if (claims.still_stored.size() == 1)
        return Text("Saves no bytes yet: %1 still goes through memory.",
                    list_of(claims.still_stored, before));
    if (!claims.still_stored.empty())
        return Text("Saves no bytes yet: %1 still go through memory.", list_of(claims.still_stored, before));
    if (!claims.unlisted.empty())
        return Text("Removes a red edge but no bytes: the list of %1 had one item, in local memory already.",
                    before.said_of(claims.unlisted.front()));
    if (!claims.local.empty())
        return Text("Moves as many bytes as before: %1 was in local memory already.",
                    before.said(claims.local.front()));
    return Text("Moves as many bytes as before.");
}

Text effect_text(const StepClaims& claims, const ProgramNames& before) {
    const Text bytes = claims.bytes_after < claims.bytes_before   ? saved_text(claims, before)
                       : claims.bytes_after > claims.bytes_before ? added_text(claims, before)
                                                                  : unchanged_text(claims, before);
    return claims.used_by ? Text("%1 Step %2 uses this.", bytes, *claims.used_by) : bytes;
}

// What a state loads of a value, and whether it stores it as an intermediate.
struct ValueTraffic {
    ValueRef value;
    std::int64_t loaded = 0;  // bytes
    bool stored = false;
};
using Traffic = std::map<ValueKey, ValueTraffic>;

Traffic traffic_of(const State& state, const ProgramNames& names) {
    const LoopProgram& loops = state.loops();
    std::map<int, ValueRef> values;  // by buffer
    for (std::size_t i = 0; i < loops.buffers.size(); ++i)
        values[static_cast<int>(i)] = {loops.buffers[i].node};
    for_each_statement(loops.body, [&](const Statement& statement) {
        for (const int buffer : stored_buffers(statement))
            if (statement.value) values[buffer] = *statement.value;
    });
    Traffic traffic;
    for (const BufferTraffic& each : state.counts().buffers) {
        const Buffer& buffer = loops.buffers[static_cast<std::size_t>(each.buffer)];
        if (buffer.kind == Buffer::Kind::Output) continue;
        const ValueRef& value = values[each.buffer];
        ValueTraffic& entry = traffic.try_emplace(names.key(value), ValueTraffic{value}).first->second;
        entry.loaded += each.loads.bytes;
        entry.stored = entry.stored || buffer.kind == Buffer::Kind::Intermediate;
    }
    return traffic;
}

// What the values of the state before are after a step: the same, but for those that are made elsewhere.
class Moved {
public:
    explicit Moved(const Step& step) {
        const GraphPtr before = graph_at(*step.before, step.match.path);
        const GraphPtr after = graph_at(*step.after, step.match.path);
        for (const SameValue& same : step.same)
            moved_.emplace(value_key(*before, same.before), value_key(*after, same.after));
    }
    const ValueKey& operator()(const ValueKey& key) const {
        const auto same = moved_.find(key);
        return same == moved_.end() ? key : same->second;
    }

private:
    std::map<ValueKey, ValueKey> moved_;
};

// Says of every value of the state before what has become of it, under whatever name.
void compare(const Moved& moved, const Traffic& before, const Traffic& after, const std::set<ValueKey>& red,
             StepClaims& claims) {
    std::vector<std::pair<std::int64_t, ValueRef>> less, more;
    for (const auto& [key, old] : before) {
        const ValueKey& new_key = moved(key);
        const auto now = after.find(new_key);
        const bool stored = now != after.end() && now->second.stored;
        const std::int64_t loaded = now == after.end() ? 0 : now->second.loaded;
        if (old.stored && !stored && red.count(new_key) == 0) claims.freed_keys.insert(new_key);
        if (old.stored && !stored)
            (red.count(new_key) > 0 ? claims.kept : claims.freed).push_back(old.value);
        else if (loaded < old.loaded)
            less.emplace_back(old.loaded - loaded, old.value);
        else if (loaded > old.loaded)
            more.emplace_back(loaded - old.loaded, old.value);
    }
    for (auto [from, to] : {std::pair{&less, &claims.read_less}, std::pair{&more, &claims.read_more}}) {
        std::stable_sort(from->begin(), from->end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& entry : *from) to->push_back(entry.second);
    }
}

// Lists that were drawn red and not stored, and are neither any more.
std::vector<ValueKey> unlisted(const Moved& moved, const Traffic& traffic, const std::set<ValueKey>& before,
                               const std::set<ValueKey>& after) {
    std::vector<ValueKey> found;
    for (const ValueKey& key : before)
        if (traffic.count(key) == 0 && after.count(moved(key)) == 0) found.push_back(key);
    return found;
}

// By the operators that make what the matched parts compute, told apart: "dot of R and its sum", "dot of Y
// and another dot of Y".
Told told_of(const Step& step, const std::vector<ValueRef>& handed, const ProgramNames& names) {
    const auto role = [&](std::size_t i) {
        return i < step.match.roles.size() ? step.match.roles[i].node : NodeId{};
    };
    const ValueRef first = handed.empty() || handed[0].node != role(0) ? ValueRef{role(0)} : handed[0];
    const ValueRef second{role(1)};
    const ValueKey one = names.key(first), other = names.key(second);
    Told told{.dim = step.before->dims.at(step.match.dim.value).name,
              .first = names.label(role(0)),
              .second = names.label(role(1)),
              .first_result = names.maker_of(first),
              .second_result = names.maker_of(second)};
    if (one.leaf == other.leaf && one.sums < other.sums)
        told.second_result = names.is_maximum(one.leaf) ? Text("its maximum") : Text("its sum");
    else if (told.first_result == told.second_result)
        told.second_result = Text("another %1", told.second_result);
    return told;
}

}  // namespace

Text StepStory::reasoned() const {
    return Text("%1, as %2.", done, because);
}

Text StepStory::sentence() const {
    return Text("%1, as %2. %3", done, because, effect);
}

std::optional<int> used_by(const Trace& trace, int number) {
    std::vector<Descent> parts = parts_of(trace.steps[static_cast<std::size_t>(number) - 1]);
    if (parts.size() < 2) return std::nullopt;
    for (std::size_t i = static_cast<std::size_t>(number); i < trace.steps.size(); ++i) {
        if (joins(trace.steps[i].match, parts)) return static_cast<int>(i) + 1;
        for (Descent& part : parts) part.follow(trace.steps[i].made);
    }
    return std::nullopt;
}

std::set<ValueKey> stored_values(const State& state, const ProgramNames& names) {
    std::set<ValueKey> keys;
    for (const auto& [key, value] : traffic_of(state, names))
        if (value.stored) keys.insert(key);
    return keys;
}

RunStory::RunStory(Trace trace, const ArrayProgram* array, const Form& form)
    : trace_(std::move(trace)), form_(form) {
    if (array) array_ = *array;
}

ProgramNames RunStory::names(int number) const {
    return {trace_.state(number), names_after(trace_, number, array_ ? &*array_ : nullptr)};
}

StepStory RunStory::step(int number) const {
    const Step& step = trace_.steps[static_cast<std::size_t>(number) - 1];
    const ProgramNames before = names(number - 1);
    const ProgramNames after = names(number);
    // Values have names in the program as it is, whatever form it is counted in.
    const Form plain{{}, form_.stored, form_.loops};
    const State old_state(step.before, plain), new_state(step.after, plain);
    const std::set<ValueKey> stored = stored_values(new_state, after);

    StepStory story;
    StepClaims& claims = story.claims;
    claims.step = number;
    const State old_counted = old_state.in_form(form_), new_counted = new_state.in_form(form_);
    claims.bytes_before = old_counted.counts().bytes();
    claims.bytes_after = new_counted.counts().bytes();
    claims.launches_before = old_counted.counts().launches;
    claims.launches_after = new_counted.counts().launches;
    const Moved moved(step);
    const Traffic old_traffic = traffic_of(old_state, before);
    const std::set<ValueKey> old_red = before.buffered(), red = after.buffered();
    compare(moved, old_traffic, traffic_of(new_state, after), red, claims);
    claims.unlisted = unlisted(moved, old_traffic, old_red, red);
    const std::vector<ValueRef> handed = handed_on(step);
    for (const ValueRef& value : handed) {
        const ValueKey key = before.key(value);
        if (stored.count(key) > 0) claims.still_stored.push_back(value);
        if (old_red.count(key) == 0) claims.local.push_back(value);
    }
    claims.used_by = used_by(trace_, number);

    const Rule& used = rule(step.match.rule);
    story.done = used.done(told_of(step, handed, before));
    story.because = used.because;
    story.effect = effect_text(claims, before);
    return story;
}

}  // namespace blockscope
