#include "core/import/pt2_reader.h"

#include <map>
#include <optional>
#include <utility>

#include "core/import/exported_program.h"
#include "core/import/shapes.h"
#include "core/json/value.h"

namespace blockscope::model {
namespace {

constexpr std::uint64_t kMostConstantBytes = std::uint64_t{64} << 20U;  // of one member
constexpr json::TextLimits kManyKeys = {.keys = 1'000'000, .key_bytes = 4096};

// Python writes numbers that JSON has no word for as Infinity, -Infinity and NaN; here they become strings.
std::string with_words(const std::string& text) {
    std::string result;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            result += c;
            if (c == '\\' && at + 1 < text.size()) result += text[++at];
            quoted = c != '"';
            continue;
        }
        std::string word;
        for (const char* one : {"-Infinity", "Infinity", "NaN"})
            if (word.empty() && text.compare(at, std::char_traits<char>::length(one), one) == 0) word = one;
        quoted = c == '"';
        result += word.empty() ? std::string(1, c) : '"' + word + '"';
        if (!word.empty()) at += word.size() - 1;
    }
    return result;
}

// Where a model's program begins in the name of a member, models/NAME.json in the archive or in its one
// folder; npos if it is none.
std::size_t program_at(const std::string& name) {
    const std::string folder = "models/";
    const std::size_t last = name.rfind('/');
    if (last == std::string::npos || last + 1 < folder.size()) return std::string::npos;
    const std::size_t start = last + 1 - folder.size();
    const bool first = start == 0 || (name[start - 1] == '/' && name.find('/') == start - 1);
    return first && name.compare(start, folder.size(), folder) == 0 ? last + 1 : std::string::npos;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Row-major steps of what has these sizes.
bool row_major(const json::Reader& meta, const Sizes& sizes) {
    const json::Reader strides = meta.member("strides");
    if (strides.value() == nullptr || strides.size() != sizes.size()) return false;
    std::int64_t step = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        const json::Reader stride = strides.at(i);
        const json::Reader number = stride.member("as_int");
        if (sizes[i] != 1 && number.peek_integer() != step) return false;
        step *= sizes[i];
    }
    return true;
}

// How many elements of its storage come before a tensor; none where that is no number.
std::optional<std::uint64_t> skipped_elements(const json::Reader& meta) {
    if (!meta.has("storage_offset")) return 0;
    const json::Reader offset = meta.member("storage_offset");
    const json::Reader number = offset.member("as_int");
    const std::optional<std::int64_t> plain = number.peek_integer();
    if (!plain || *plain < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*plain);
}

class Pt2Archive {
public:
    Pt2Archive(StoredZip zip, std::string file, std::uint64_t most_constants)
        : zip_(std::move(zip)), file_(std::move(file)), left_(most_constants) {}

    TensorGraph run() {
        const ZipMember& program = find_program();
        json::Report report(place_of(program));
        const json::Value document = parsed(program);
        const json::Reader reader(document, report);
        return ExportedProgramReading(report, [&](const std::string& name,
                                                  const GraphTensor& tensor) { return stored(name, tensor); })
            .run(reader);
    }

private:
    [[noreturn]] void fail(Text message) const { throw Problem{{file_, 0, 0, {}}, std::move(message)}; }

    std::string place_of(const ZipMember& member) const { return file_ + "/" + shown_name(member.name); }

    std::string bytes_of(const ZipMember& member, std::uint64_t most) const {
        Result<std::string> bytes = zip_.read(member, most);
        if (!bytes) throw bytes.problems().front();
        return std::move(bytes).value();
    }

    json::Value parsed(const ZipMember& member) const {
        Result<json::Value> document =
            json::parse(with_words(bytes_of(member, json::kMaxBytes)), place_of(member), kManyKeys);
        if (!document) throw document.problems().front();
        return std::move(document).value();
    }

    // models/NAME.json in the folder of the archive, or the one file of the older layout.
    const ZipMember& find_program() {
        const ZipMember* found = nullptr;
        for (const ZipMember& member : zip_.members()) {
            const std::size_t at = program_at(member.name);
            const std::string older = "serialized_exported_program.json";
            const bool program = at != std::string::npos && ends_with(member.name, ".json");
            const bool old = member.name == older || ends_with(member.name, "/" + older);
            if (!program && !old) continue;
            if (found != nullptr)
                fail(Text("found the exported programs %1 and %2; expected one in the archive",
                          shown_name(found->name), shown_name(member.name)));
            found = &member;
            if (!program) continue;
            model_ = member.name.substr(at, member.name.size() - 5 - at);
            folder_ = member.name.substr(0, at - 7);
        }
        if (found == nullptr)
            fail(
                Text("found a zip archive without an exported program (models/NAME.json, or "
                     "serialized_exported_program.json); expected what torch.export.save writes"));
        return *found;
    }

    // What the archive has as plain bytes; a lack of it is no fault.
    std::optional<TensorValues> stored(const std::string& name, const GraphTensor& tensor) {
        for (const std::string place : {"constants", "weights"}) {
            const json::Value* table = table_of(place);
            if (table == nullptr) continue;
            json::Report report(file_);
            const json::Reader document(*table, report);
            const json::Reader config = document.member("config");
            const json::Reader payload = config.member(name.c_str());
            if (payload.value() == nullptr) continue;
            return numbers(payload, folder_ + "data/" + place + "/", name, tensor);
        }
        return std::nullopt;
    }

    const json::Value* table_of(const std::string& place) {
        const auto known = tables_.find(place);
        if (known != tables_.end()) return known->second ? &*known->second : nullptr;
        const ZipMember* member =
            zip_.find(folder_ + "data/" + place + "/" + model_ + "_" + place + "_config.json");
        std::optional<json::Value>& table = tables_[place];
        if (member == nullptr) return nullptr;
        table = parsed(*member);
        return &*table;
    }

    std::optional<TensorValues> numbers(const json::Reader& payload, const std::string& folder,
                                        const std::string& name, const GraphTensor& tensor) {
        const json::Reader path = payload.member("path_name");
        const json::Reader meta = payload.member("tensor_meta");
        const std::string file = path.string(json::kMaxKeyBytes).value_or("");
        const auto sizes = sizes_of(tensor);
        const std::size_t width = model::bytes_of(tensor.kind);
        const bool pickled = payload.member("use_pickle").is(json::Value(true));
        if (file.empty() || pickled || !sizes || width == 0 || !row_major(meta, *sizes)) return std::nullopt;
        const ZipMember* member = zip_.find(folder + file);
        const auto wanted = static_cast<std::uint64_t>(product(*sizes)) * width;
        if (member == nullptr || member->size > kMostConstantBytes || member->size == 0) return std::nullopt;
        if (member->size < wanted)
            fail(Text("found the tensor %1 with %2 bytes; its %3 elements of type %4 take %5", name,
                      member->size, product(*sizes), to_string(tensor.kind), wanted));
        const auto skipped = skipped_elements(meta);
        if (!skipped || *skipped > (member->size - wanted) / width || !spend(wanted)) return std::nullopt;
        const std::string* bytes = constant(*member);
        if (bytes == nullptr) return std::nullopt;
        return TensorValues(tensor.kind, bytes->substr(static_cast<std::size_t>(*skipped * width),
                                                       static_cast<std::size_t>(wanted)));
    }

    // False where the constants have taken all that they may: many can lie in the same bytes.
    bool spend(std::uint64_t bytes) {
        if (bytes > left_) return false;
        left_ -= bytes;
        return true;
    }

    // A member that one tensor or several are parts of, read once.
    const std::string* constant(const ZipMember& member) {
        const auto known = constants_.find(member.name);
        if (known != constants_.end()) return &known->second;
        if (!spend(member.size)) return nullptr;
        return &constants_.emplace(member.name, bytes_of(member, kMostConstantBytes)).first->second;
    }

    StoredZip zip_;
    std::string file_;
    std::string folder_;  // of the archive, with a slash, or empty
    std::string model_;
    std::map<std::string, std::optional<json::Value>> tables_;
    std::map<std::string, std::string> constants_;  // by member
    std::uint64_t left_ = 0;                        // bytes that constants may still take
};

}  // namespace

bool looks_like_pt2(const std::string& beginning) {
    return beginning.compare(0, 4, "PK\x03\x04") == 0 || beginning.compare(0, 4, "PK\x05\x06") == 0;
}

Result<TensorGraph> read_pt2(ByteSource source, const std::string& file, std::uint64_t most_constants) {
    Result<StoredZip> zip = StoredZip::open(std::move(source), file);
    if (!zip) return zip.problems();
    try {
        return Pt2Archive(std::move(zip).value(), file, most_constants).run();
    } catch (Problem& thrown) {
        return std::move(thrown);
    }
}

}  // namespace blockscope::model
