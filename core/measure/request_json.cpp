// Requests as JSON lines.
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of alternatives of the variant that are not there.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "core/json/json_io.h"
#include "core/json/parts.h"
#include "core/measure/parts_json.h"
#include "core/measure/protocol.h"

namespace blockscope::measure {

using json::Object;
using json::Reader;
using json::Report;
using json::Value;

namespace {

constexpr std::size_t kMaxSource = kMaxLine / 2;  // bytes

// In the order of RequestBody.
const std::vector<std::string>& types() {
    static const std::vector<std::string> kTypes = {"hello",     "prepare", "check",   "measure", "compare",
                                                    "calibrate", "compile", "release", "cancel",  "quit"};
    return kTypes;
}

// A program that another writer made, as a part of a message.
Value embedded(const std::string& text) {
    Result<Value> value = json::parse(text, kMessage);
    if (!value) throw InternalError("a program that was just written cannot be read");
    return std::move(value).value();
}

Value reference_value(const Reference& reference) {
    if (const auto* array = std::get_if<ArrayProgram>(&reference)) return embedded(write_json(*array));
    return embedded(write_json(*std::get<ProgramPtr>(reference)));
}

// The member `key` of `document` as text of its own.
std::string member_text(const Value& document, const char* key) {
    const auto* object = std::get_if<Object>(&document.data);
    if (object)
        for (const json::Member& member : *object)
            if (member.key == key) return json::print_line(member.value);
    return {};
}

void report_all(Report& report, const std::string& key, const Problems& problems) {
    for (Problem problem : problems) {
        problem.place.pointer = "/" + key + problem.place.pointer;
        report.add(std::move(problem));
    }
}

struct Adder {
    Object& to;
    void add(const char* key, Value value) const { to.push_back({key, std::move(value)}); }

    void operator()(const HelloRequest&) const { add("version", kProtocolVersion); }
    void operator()(const PrepareRequest& r) const {
        add("device", r.device);
        add("program", embedded(write_json(*r.program)));
        add("reference", reference_value(r.reference));
        add("type_of_inputs", blockscope::to_string(r.options.elem));
        if (r.options.tf32) add("tf32", Value(true));
        add("threads", r.options.threads);
        if (!r.options.target.empty()) add("target", r.options.target);
        if (r.options.block_threads > 0) add("block_threads", r.options.block_threads);
        if (r.options.stages > 0) add("stages", r.options.stages);
        if (r.options.range != 1) add("range", r.options.range);
        add("seed", static_cast<std::int64_t>(r.seed));
    }
    void operator()(const CheckRequest& r) const { add("job", r.job); }
    void operator()(const MeasureRequest& r) const {
        add("job", r.job);
        add("warm", Value(r.warm));
        add("cold", Value(r.cold));
        add("plan", plan_value(r.plan));
    }
    void operator()(const CompareRequest& r) const {
        add("a", r.a);
        add("b", r.b);
        add("plan", plan_value(r.plan));
    }
    void operator()(const CalibrateRequest& r) const { add("device", r.device); }
    void operator()(const CompileRequest& r) const {
        add("source", r.source);
        add("architecture", r.architecture);
    }
    void operator()(const ReleaseRequest& r) const { add("job", r.job); }
    void operator()(const CancelRequest& r) const { add("target", r.target); }
    void operator()(const QuitRequest&) const {}
};

std::string name(const Reader& reader) {
    return text(reader, json::kMaxNameBytes);
}

std::optional<Reference> read_reference(const std::string& text, Report& report) {
    if (text.find("\"blockscope block program\"") != std::string::npos) {
        Result<BlockProgram> program = read_block_program(text, kMessage);
        if (program) return Reference(std::make_shared<const BlockProgram>(std::move(program).value()));
        report_all(report, "reference", program.problems());
        return std::nullopt;
    }
    Result<ArrayProgram> program = read_array_program(text, kMessage);
    if (program) return Reference(std::move(program).value());
    report_all(report, "reference", program.problems());
    return std::nullopt;
}

// A number above 0; 1 if it is none, which is then reported.
double positive(const Reader& reader) {
    const std::optional<double> number = reader.number();
    if (number && *number <= 0) reader.problem("expected a number above 0");
    return number && *number > 0 ? *number : 1;
}

PrepareRequest read_prepare(const Reader& reader, const Value& document) {
    PrepareRequest request;
    if (!reader.object({"id", "type", "device", "program", "reference", "type_of_inputs", "tf32?", "threads",
                        "target?", "block_threads?", "stages?", "range?", "seed"}))
        return request;
    request.device = name(reader.member("device"));
    Result<BlockProgram> program = read_block_program(member_text(document, "program"), kMessage);
    if (program)
        request.program = std::make_shared<const BlockProgram>(std::move(program).value());
    else
        report_all(reader.report(), "program", program.problems());
    if (auto reference = read_reference(member_text(document, "reference"), reader.report()))
        request.reference = std::move(*reference);
    const std::optional<ElemType> elem = json::read_elem(reader.member("type_of_inputs"));
    request.options.elem = elem.value_or(ElemType::F32);
    if (reader.has("tf32")) request.options.tf32 = reader.member("tf32").boolean().value_or(false);
    request.options.threads = whole(reader.member("threads"), 0, 4096);
    if (reader.has("target")) request.options.target = name(reader.member("target"));
    if (reader.has("block_threads"))
        request.options.block_threads = whole(reader.member("block_threads"), 0, 1024);
    if (reader.has("stages")) request.options.stages = whole(reader.member("stages"), 0, 16);
    if (reader.has("range")) request.options.range = positive(reader.member("range"));
    request.seed =
        static_cast<std::uint64_t>(reader.member("seed").integer(INT64_MIN, INT64_MAX).value_or(1));
    return request;
}

HelloRequest read_hello(const Reader& reader) {
    if (!reader.object({"id", "type", "version"})) return {};
    const Reader version = reader.member("version");
    if (const auto number = version.integer(1, INT32_MAX); number && *number != kProtocolVersion)
        version.problem("this worker speaks version " + std::to_string(kProtocolVersion) +
                        " of the protocol, not " + std::to_string(*number));
    return {};
}

MeasureRequest read_measure(const Reader& reader) {
    if (!reader.object({"id", "type", "job", "warm", "cold", "plan"})) return {};
    return {name(reader.member("job")), reader.member("warm").boolean().value_or(true),
            reader.member("cold").boolean().value_or(true), read_plan(reader.member("plan"))};
}

CompareRequest read_compare(const Reader& reader) {
    if (!reader.object({"id", "type", "a", "b", "plan"})) return {};
    return {name(reader.member("a")), name(reader.member("b")), read_plan(reader.member("plan"))};
}

CompileRequest read_compile(const Reader& reader) {
    if (!reader.object({"id", "type", "source", "architecture"})) return {};
    return {text(reader.member("source"), kMaxSource), name(reader.member("architecture"))};
}

// A request whose one member is a string.
std::string read_one(const Reader& reader, const char* key) {
    return reader.object({"id", "type", key}) ? name(reader.member(key)) : std::string();
}

CancelRequest read_cancel(const Reader& reader) {
    if (!reader.object({"id", "type", "target"})) return {};
    return {reader.member("target").integer(1, INT64_MAX).value_or(0)};
}

RequestBody read_body(std::size_t type, const Reader& reader, const Value& document) {
    switch (type) {
        case 0:
            return read_hello(reader);
        case 1:
            return read_prepare(reader, document);
        case 2:
            return CheckRequest{read_one(reader, "job")};
        case 3:
            return read_measure(reader);
        case 4:
            return read_compare(reader);
        case 5:
            return CalibrateRequest{read_one(reader, "device")};
        case 6:
            return read_compile(reader);
        case 7:
            return ReleaseRequest{read_one(reader, "job")};
        case 8:
            return read_cancel(reader);
        default:
            reader.object({"id", "type"});
            return QuitRequest{};
    }
}

}  // namespace

std::string write_message(const Request& request) {
    Object object{{"id", request.id}, {"type", types()[request.body.index()]}};
    std::visit(Adder{object}, request.body);
    return json::print_line(object);
}

Result<Request> read_request(const std::string& line) {
    return read_message<Request>(line, types(), 1, read_body);
}

std::int64_t message_id(const std::string& line) {
    const Result<Value> document = json::parse(line, kMessage);
    if (!document) return 0;
    Report report(kMessage);
    const Reader reader(*document, report);
    return reader.has("id") ? reader.member("id").peek_integer().value_or(0) : 0;
}

}  // namespace blockscope::measure
