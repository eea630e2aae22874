// Reads circuit documents. Everything that a constructor of terms relies on is checked before it is called;
// what fits together only as a whole, check.h tells in the end.
#include <algorithm>

#include "core/circuit/check.h"
#include "core/circuit/circuit_json.h"
#include "core/circuit/circuit_names.h"
#include "core/json/parts.h"

namespace blockscope::circuit {

namespace {

using json::Reader;

constexpr std::size_t kMaxAxes = 4096;
constexpr std::size_t kMaxList = 4096;  // of anything else
constexpr std::size_t kMaxText = 2000;  // bytes of a label or a title
constexpr std::int64_t kMaxSize = std::int64_t{1} << 40;
constexpr std::int64_t kMaxLevel = 15;

class CircuitReader {
public:
    explicit CircuitReader(const Reader& document) : document_(document) {}

    CircuitDocument run() {
        CircuitDocument made;
        if (!document_.object({"format", "version", "title?", "axes", "inputs", "outputs", "levels",
                               "level_names?", "execution?", "diagram"}))
            return made;
        if (document_.has("title")) made.title = text(document_.member("title"));
        const Reader list = document_.member("axes");
        if (list.array(0, kMaxAxes)) count_ = list.size();
        for (std::size_t i = 0; i < count_; ++i) made.circuit.axes.push_back(axis(list.at(i)));
        made.circuit.inputs = names(document_.member("inputs"));
        made.circuit.outputs = names(document_.member("outputs"));
        const Reader levels = document_.member("levels");
        made.circuit.lowest_level = static_cast<int>(levels.integer(1, kMaxLevel + 1).value_or(1)) - 1;
        if (document_.has("level_names")) made.circuit.levels = names(document_.member("level_names"));
        if (document_.has("execution")) made.execution = execution(document_.member("execution"));
        const Reader diagram = document_.member("diagram");
        made.circuit.root = term(diagram);
        if (!document_.report().clean() || !made.circuit.root) return made;
        if (deepest_ > made.circuit.lowest_level)
            levels.problem("the diagram has arrays at level " + std::to_string(deepest_));
        for (const std::string& sentence : verify(made.circuit)) diagram.problem(sentence);
        return made;
    }

private:
    static std::string text(const Reader& reader) { return reader.string(kMaxText).value_or(""); }

    static std::vector<std::string> names(const Reader& reader) {
        std::vector<std::string> result;
        if (!reader.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < reader.size(); ++i) result.push_back(text(reader.at(i)));
        return result;
    }

    static bool flag(const Reader& parent, const char* key) {
        if (!parent.has(key)) return false;
        const Reader reader = parent.member(key);
        return reader.boolean().value_or(false);
    }

    static double number(const Reader& parent, const char* key, double otherwise) {
        if (!parent.has(key)) return otherwise;
        const Reader reader = parent.member(key);
        const double value = reader.number().value_or(otherwise);
        if (value < 0 || value > 1e15) reader.problem("expected a number from 0 to 1e15");
        return value;
    }

    // ---- axes ----

    Axis axis(const Reader& reader) {
        Axis made;
        if (!reader.object({"name", "size", "symbol?", "sequence?", "divisor?", "open?", "at_levels?",
                            "level_sizes?", "whole?", "partition?"}))
            return made;
        made.name = text(reader.member("name"));
        made.size = reader.member("size").integer(1, kMaxSize).value_or(1);
        if (reader.has("symbol")) made.symbol = text(reader.member("symbol"));
        made.sequence = flag(reader, "sequence");
        if (reader.has("divisor")) made.divisor = reader.member("divisor").integer(1, kMaxSize).value_or(1);
        made.open = flag(reader, "open");
        if (reader.has("at_levels")) made.at_levels = names(reader.member("at_levels"));
        if (reader.has("level_sizes")) made.level_sizes = level_sizes(reader.member("level_sizes"));
        if (reader.has("whole")) made.whole = axis_id(reader.member("whole"));
        if (reader.has("partition"))
            made.partition =
                static_cast<PartitionKind>(reader.member("partition").choice(part_names()).value_or(0));
        return made;
    }

    static std::vector<std::int64_t> level_sizes(const Reader& reader) {
        std::vector<std::int64_t> sizes;
        if (!reader.array(0, kMaxLevel + 1)) return sizes;
        for (std::size_t i = 0; i < reader.size(); ++i)
            sizes.push_back(reader.at(i).integer(0, kMaxSize).value_or(0));
        return sizes;
    }

    AxisId axis_id(const Reader& reader) const {
        const auto last = static_cast<std::int64_t>(count_) - 1;
        return {static_cast<int>(reader.integer(0, std::max<std::int64_t>(last, 0)).value_or(0))};
    }

    std::vector<AxisId> axis_ids(const Reader& reader) const {
        std::vector<AxisId> ids;
        if (!reader.array(0, kMaxList)) return ids;
        if (reader.size() > 0 && count_ == 0) reader.problem("the document has no axes");
        for (std::size_t i = 0; i < reader.size(); ++i) ids.push_back(axis_id(reader.at(i)));
        return ids;
    }

    int level(const Reader& parent) {
        const Reader reader = parent.member("level");
        const int found = static_cast<int>(reader.integer(0, kMaxLevel).value_or(0));
        deepest_ = std::max(deepest_, found);
        return found;
    }

    static ElemType elem(const Reader& parent) {
        const Reader reader = parent.member("type");
        return json::read_elem(reader).value_or(ElemType::F32);
    }

    // ---- terms ----

    bool clean() const { return document_.report().clean(); }

    TermPtr term(const Reader& reader) {
        if (!reader.has("kind")) {
            reader.problem("expected an object with a kind: " + json::alternatives(term_names()));
            return nullptr;
        }
        const Reader kind = reader.member("kind");
        switch (kind.choice(term_names()).value_or(-1)) {
            case 0:
                return apply_term(reader);
            case 1:
                return rearrange_term(reader);
            case 2:
            case 3:
                return several(reader, kind.is("compose"));
            case 4:
                return block_term(reader);
            case 5:
                return partition_term(reader, PartitionKind::Group);
            case 6:
                return partition_term(reader, PartitionKind::Stream);
            default:
                return nullptr;
        }
    }

    TermPtr several(const Reader& reader, bool composed) {
        if (!reader.object({"kind", "parts"})) return nullptr;
        const Reader list = reader.member("parts");
        if (!list.array(composed ? 1 : 0, kMaxList)) return nullptr;
        std::vector<TermPtr> parts;
        for (std::size_t i = 0; i < list.size(); ++i) parts.push_back(term(list.at(i)));
        if (std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return nullptr;
        return composed ? compose(std::move(parts)) : product(std::move(parts));
    }

    Origin origin(const Reader& reader) const {
        Origin made;
        if (reader.has("op"))
            made.op = static_cast<int>(reader.member("op").integer(0, INT32_MAX).value_or(0));
        if (reader.has("node"))
            made.node.value =
                static_cast<std::uint32_t>(reader.member("node").integer(1, UINT32_MAX).value_or(1));
        return made;
    }

    TermPtr apply_term(const Reader& reader) {
        if (!reader.object({"kind", "operator", "label", "own", "weave", "inputs", "outputs", "vector_work?",
                            "special_work?", "op?", "node?"}))
            return nullptr;
        Apply made;
        made.op.kind =
            static_cast<OperatorKind>(reader.member("operator").choice(operator_names()).value_or(0));
        made.op.label = text(reader.member("label"));
        made.op.vector_work = number(reader, "vector_work", 0);
        made.op.special_work = number(reader, "special_work", 0);
        made.own = axis_ids(reader.member("own"));
        made.weave = axis_ids(reader.member("weave"));
        made.inputs = segments(reader.member("inputs"), made);
        made.outputs = segments(reader.member("outputs"), made);
        made.origin = origin(reader);
        return clean() ? apply(std::move(made)) : nullptr;
    }

    std::vector<Segment> segments(const Reader& list, const Apply& of) {
        std::vector<Segment> result;
        if (!list.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < list.size(); ++i) result.push_back(segment(list.at(i), of));
        return result;
    }

    Segment segment(const Reader& reader, const Apply& of) {
        Segment made;
        if (!reader.object({"slots", "type", "level", "cached?", "name?"})) return made;
        const Reader slots = reader.member("slots");
        if (!slots.array(0, kMaxList)) return made;
        const auto own = static_cast<std::int64_t>(of.own.size());
        const auto weave = static_cast<std::int64_t>(of.weave.size());
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Reader slot = slots.at(i);
            const std::int64_t index = slot.integer(-weave, own - 1).value_or(0);
            made.slots.push_back({index >= 0, static_cast<int>(index >= 0 ? index : -1 - index)});
        }
        made.elem = elem(reader);
        made.level = level(reader);
        made.cached = flag(reader, "cached");
        if (reader.has("name")) made.name = text(reader.member("name"));
        return made;
    }

    TermPtr rearrange_term(const Reader& reader) {
        if (!reader.object({"kind", "from", "take"})) return nullptr;
        const Reader from = reader.member("from");
        Tuple tuple;
        if (from.array(0, kMaxList))
            for (std::size_t i = 0; i < from.size(); ++i) tuple.push_back(array_type(from.at(i)));
        std::vector<int> take = indices(reader.member("take"), 0, tuple.size());
        return clean() ? rearrange(std::move(tuple), std::move(take)) : nullptr;
    }

    ArrayType array_type(const Reader& reader) {
        ArrayType made;
        if (!reader.object({"axes", "type", "level", "cached?"})) return made;
        made.axes = axis_ids(reader.member("axes"));
        made.elem = elem(reader);
        made.level = level(reader);
        made.cached = flag(reader, "cached");
        return made;
    }

    static std::vector<int> indices(const Reader& reader, int least, std::size_t below) {
        std::vector<int> result;
        if (!reader.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < reader.size(); ++i) {
            const Reader one = reader.at(i);
            result.push_back(
                static_cast<int>(one.integer(least, static_cast<std::int64_t>(below) - 1).value_or(0)));
        }
        return result;
    }

    TermPtr block_term(const Reader& reader) {
        if (!reader.object({"kind", "title", "style", "count?", "body"})) return nullptr;
        Block made;
        made.title = text(reader.member("title"));
        made.style = static_cast<BlockStyle>(reader.member("style").choice(block_style_names()).value_or(0));
        if (reader.has("count")) made.count = text(reader.member("count"));
        const Reader body = reader.member("body");
        made.body = term(body);
        return made.body ? block(std::move(made)) : nullptr;
    }

    TermPtr partition_term(const Reader& reader, PartitionKind kind) {
        if (!reader.object(
                {"kind", "whole", "part", "count", "split", "join", "carry?", "op?", "node?", "body"}))
            return nullptr;
        Partition made;
        made.kind = kind;
        made.whole = axis_id(reader.member("whole"));
        made.part = axis_id(reader.member("part"));
        made.count = axis_id(reader.member("count"));
        made.origin = origin(reader);
        const Reader body = reader.member("body");
        made.body = term(body);
        if (!made.body) return nullptr;
        made.split = cuts(reader.member("split"), made.body->domain);
        made.join = cuts(reader.member("join"), made.body->codomain);
        if (reader.has("carry")) made.carry = indices(reader.member("carry"), -1, made.body->domain.size());
        return clean() ? partition(std::move(made)) : nullptr;
    }

    static std::vector<Cut> cuts(const Reader& list, const Tuple& arrays) {
        std::vector<Cut> result;
        if (!list.array(arrays.size(), arrays.size())) return result;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Reader reader = list.at(i);
            if (!reader.object({"place", "dropped?"})) continue;
            Cut cut;
            cut.dropped = flag(reader, "dropped");
            const auto axes = static_cast<std::int64_t>(arrays[i].axes.size());
            cut.place = static_cast<int>(
                reader.member("place").integer(-1, cut.dropped ? axes : axes - 1).value_or(-1));
            result.push_back(cut);
        }
        return result;
    }

    // ---- execution ----

    Deployment execution(const Reader& reader) {
        Deployment made;
        if (!reader.object({"device", "sizes", "fragments?", "warpgroups", "overlap", "special_overhead?",
                            "vector_overhead?"}))
            return made;
        made.device = text(reader.member("device"));
        const Reader sizes = reader.member("sizes");
        if (sizes.array(0, kMaxList))
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const Reader one = sizes.at(i);
                if (!one.object({"symbol", "size"})) continue;
                const double size = number(one, "size", 1);
                if (size <= 0) one.problem("expected a size above 0");
                made.sizes[text(one.member("symbol"))] = size;
            }
        made.fragments = flag(reader, "fragments");
        made.warpgroups = static_cast<int>(reader.member("warpgroups").integer(1, 64).value_or(1));
        made.overlap = static_cast<Overlap>(reader.member("overlap").choice(overlap_names()).value_or(0));
        made.special_overhead = number(reader, "special_overhead", 0);
        made.vector_overhead = number(reader, "vector_overhead", 0);
        return made;
    }

    const Reader& document_;
    std::size_t count_ = 0;  // of axes
    int deepest_ = 0;
};

}  // namespace

Result<CircuitDocument> read_circuit(const std::string& text, const std::string& file) {
    const Result<json::Value> value = json::parse(text, file);
    if (!value) return value.problems();
    json::Report report(file);
    const Reader document(*value, report);
    if (!json::check_header(document, "blockscope circuit")) return report.problems();
    CircuitDocument made = CircuitReader(document).run();
    if (!report.clean()) return report.problems();
    return made;
}

}  // namespace blockscope::circuit
