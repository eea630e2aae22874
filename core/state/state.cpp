#include "core/state/state.h"

#include <map>
#include <mutex>

#include "core/loops/built_loops.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope {

std::string to_string(LoopForm form) {
    return form == LoopForm::Paper ? "paper" : "built";
}

std::optional<LoopForm> loop_form_named(const std::string& name) {
    for (const LoopForm form : {LoopForm::Built, LoopForm::Paper})
        if (name == to_string(form)) return form;
    return {};
}

using StatePartsPtr = std::shared_ptr<const StateParts>;

namespace {

// A value that the first who asks makes; others wait. Made again by the next where making threw.
template <class T>
class MadeOnce {
public:
    template <class Make>
    const T& get(const Make& make) const {
        std::call_once(once_, [&] { value_.emplace(make()); });
        return *value_;
    }

private:
    mutable std::once_flag once_;
    mutable std::optional<T> value_;
};

struct SafePart {
    ProgramPtr program;
    int exponentials = 0;
    std::map<NodeId, NodeId> from;  // of nodes that the pass made: the first that it stands for
    std::vector<Lineage> made;
};

SafePart make_safe_part(const ProgramPtr& source, SharedExponent sharing) {
    SafeProgram made = make_safe(*source, sharing);
    if (made.exponentials == 0) return {source, 0, {}, {}};
    SafePart part{std::make_shared<const BlockProgram>(std::move(made.program)), made.exponentials, {}, {}};
    for (const Lineage& lineage : made.made)
        if (!lineage.from.empty()) part.from[lineage.made] = lineage.from.front();
    part.made = std::move(made.made);
    return part;
}

// The same of `source`, which differs in its dimensions alone.
SafePart with_dims_of(const ProgramPtr& source, const SafePart& part) {
    if (part.exponentials == 0) return {source, 0, {}, {}};
    BlockProgram program = *part.program;
    program.dims = source->dims;
    return {std::make_shared<const BlockProgram>(std::move(program)), part.exponentials, part.from,
            part.made};
}

// The same loops with arrays in other types.
LoopProgram kept_in(LoopProgram loops, const StoredTypes& types) {
    for (Buffer& buffer : loops.buffers) {
        const auto& elem = buffer.kind == Buffer::Kind::Input ? types.inputs : types.others;
        if (elem) buffer.type = buffer.type.with_elem(*elem);
    }
    return loops;
}

}  // namespace

struct StateParts {
    StateParts(ProgramPtr of, const Form& taken, StatePartsPtr as_declared, StatePartsPtr with_other_dims)
        : source(std::move(of)),
          form(taken),
          declared(std::move(as_declared)),
          like(std::move(with_other_dims)) {}
    StateParts(const StateParts&) = delete;
    StateParts& operator=(const StateParts&) = delete;
    ~StateParts();

    const SafePart& safe() const {
        if (declared) return declared->safe();
        return safe_part.get([this] {
            if (!form.safe) return SafePart{source, 0, {}, {}};
            return like ? with_dims_of(source, like->safe()) : make_safe_part(source, *form.safe);
        });
    }

    const ProgramPtr source;
    const Form form;
    // The same without element types of the form's own, which has the safe program and the lowering; null
    // where the form has none.
    const StatePartsPtr declared;
    // The same form of the program with other sizes or blocks; null where that is not known.
    const StatePartsPtr like;
    MadeOnce<SafePart> safe_part;
    MadeOnce<LoopProgram> loops;
    MadeOnce<std::vector<ListingLine>> listing;
    MadeOnce<CostBasis> basis;
    MadeOnce<Counts> counts;
    MadeOnce<StateWork> work;
};

namespace {

// The parts of all states that somebody holds, so that nothing is made twice.
struct KnownParts {
    std::mutex mutex;
    std::map<std::pair<const BlockProgram*, Form>, std::weak_ptr<const StateParts>> of;
};

// Never destroyed: states in static variables may go after it otherwise.
KnownParts& known_parts() {
    static auto* const known = new KnownParts;
    return *known;
}

StatePartsPtr parts_of(const ProgramPtr& program, const Form& form, const StatePartsPtr& like) {
    if (!program) throw InternalError("a state without a program");
    const bool own_types = form.stored != StoredTypes{};
    const StatePartsPtr declared =
        own_types ? parts_of(program, {form.safe, {}, form.loops}, like ? like->declared : nullptr) : nullptr;
    KnownParts& known = known_parts();
    const std::lock_guard lock(known.mutex);
    std::weak_ptr<const StateParts>& entry = known.of[{program.get(), form}];
    if (StatePartsPtr there = entry.lock()) return there;
    auto made = std::make_shared<const StateParts>(program, form, declared, like);
    entry = made;
    return made;
}

}  // namespace

StateParts::~StateParts() {
    KnownParts& known = known_parts();
    const std::lock_guard lock(known.mutex);
    const auto entry = known.of.find({source.get(), form});
    // Another thread may have made parts of the same program anew meanwhile.
    if (entry != known.of.end() && entry->second.expired()) known.of.erase(entry);
}

State::State(const ProgramPtr& program, const Form& form) : parts_(parts_of(program, form, nullptr)) {}

State::State(BlockProgram program, const Form& form)
    : State(std::make_shared<const BlockProgram>(std::move(program)), form) {}

State State::with_dims(const DimTable& dims) const {
    BlockProgram changed = *source();
    changed.dims = dims;
    const StatePartsPtr& like = parts_->like ? parts_->like : parts_;
    return State(parts_of(std::make_shared<const BlockProgram>(std::move(changed)), form(), like));
}

ProgramPtr State::source() const {
    return parts_->source;
}

Form State::form() const {
    return parts_->form;
}

ProgramPtr State::program() const {
    return parts_->safe().program;
}

int State::exponentials() const {
    return parts_->safe().exponentials;
}

NodeId State::origin(NodeId node) const {
    const std::map<NodeId, NodeId>& from = parts_->safe().from;
    // What the pass makes may be made anew by its later parts.
    for (auto it = from.find(node); it != from.end() && it->second != node; it = from.find(node))
        node = it->second;
    return node;
}

const std::vector<Lineage>& State::made() const& {
    return parts_->safe().made;
}

// The state whose loops this one has, at other block sizes; none if it has loops of its own.
std::optional<State> State::with_same_loops() const {
    if (!parts_->like || form().loops != LoopForm::Built) return std::nullopt;
    const State like(parts_->like);
    return same_loops(like.loops(), source()->dims) ? std::optional(like) : std::nullopt;
}

const LoopProgram& State::loops() const& {
    return parts_->loops.get([this] {
        if (parts_->declared) {
            const State declared(parts_->declared);
            return kept_in(declared.loops(), form().stored);
        }
        if (form().loops == LoopForm::Paper) return lower(*program());
        const std::optional<State> like = with_same_loops();
        if (!like) return built(lower(*program()));
        LoopProgram loops = like->loops();
        loops.dims = source()->dims;
        return loops;
    });
}

const std::vector<ListingLine>& State::listing() const& {
    return parts_->listing.get([this] { return listing_lines(loops()); });
}

const CostBasis& State::cost_basis() const& {
    return parts_->basis.get([this] {
        const std::optional<State> like = with_same_loops();
        if (!like) return CostBasis(loops());
        CostBasis basis = like->cost_basis();
        basis.resize(loops());
        return basis;
    });
}

const Counts& State::counts() const& {
    return parts_->counts.get([this] { return count(loops(), cost_basis().terms, cost_basis().alive); });
}

const StateWork& State::work() const& {
    return parts_->work.get([this] { return state_work(loops(), {}, cost_basis()); });
}

std::string form_title(const Form& form) {
    std::string title = form_name(form) + " form";
    if (form.safe == SharedExponent::PerBlock) title += ", one exponent per block";
    if (form.loops == LoopForm::Paper) title += ", the paper's loops";
    return title;
}

std::string form_name(const Form& form) {
    return form.safe ? "safe" : "plain";
}

Form actual_form(const State& state) {
    return computable_form(state.form(), state.form().safe && state.exponentials() > 0);
}

std::string listing(const State& state) {
    std::string text;
    for (const ListingLine& line : state.listing()) text += line.text + "\n";
    return text;
}

std::string listing(const BlockProgram& program, const Form& form) {
    return listing(State(program, form));
}

}  // namespace blockscope
