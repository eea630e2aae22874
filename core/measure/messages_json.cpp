// Requests and answers as JSON lines.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <algorithm>

#include "core/json/json_io.h"
#include "core/json/parts.h"
#include "core/measure/parts_json.h"
#include "core/measure/protocol.h"

namespace blockscope::measure {

// Answers as JSON lines.

using json::Array;
using json::Object;
using json::Reader;
using json::Value;

namespace {

constexpr std::size_t kMostKernels = 1U << 20U;
constexpr std::size_t kMostLanes = 4096;

// In the order of AnswerBody.
const std::vector<std::string>& answer_types() {
    static const std::vector<std::string> kTypes = {"hello",    "prepared", "checked",  "measured",
                                                    "compared", "raced",    "calm",     "calibrated",
                                                    "compiled", "done",     "progress", "failed"};
    return kTypes;
}

Array prepared_kernels(const std::vector<PreparedKernel>& kernels) {
    Array list;
    for (const PreparedKernel& kernel : kernels) {
        Object one{{"node", static_cast<std::int64_t>(kernel.node.value)},
                   {"resident", kernel.resident},
                   {"parts", kernel.parts},
                   {"part_bytes", kernel.part_bytes},
                   {"added", Value(kernel.added)},
                   {"by_warps", Value(kernel.by_warps)}};
        Array products;
        for (const auto& [node, elem] : kernel.computed_in)
            products.push_back(
                Object{{"node", static_cast<std::int64_t>(node.value)}, {"type", to_string(elem)}});
        if (!products.empty()) one.push_back({"computed_in", std::move(products)});
        list.push_back(std::move(one));
    }
    return list;
}

struct AnswerAdder {
    Object& to;
    void add(const char* key, Value value) const { to.push_back({key, std::move(value)}); }
    void conditions(const Conditions& before, const Conditions& after) const {
        add("before", conditions_value(before));
        add("after", conditions_value(after));
    }

    void operator()(const Hello& a) const {
        Array devices;
        for (const BackendInfo& info : a.devices) {
            Object device{{"name", info.name}, {"model", info.model}};
            if (!info.architecture.empty()) device.push_back({"architecture", info.architecture});
            devices.push_back(std::move(device));
        }
        add("version", a.version);
        add("machine", machine_value(a.machine));
        add("now", conditions_value(a.now));
        add("devices", std::move(devices));
    }
    void operator()(const PreparedAnswer& a) const {
        add("job", a.job);
        add("seconds", a.seconds);
        add("log", a.log.substr(0, kMaxText));
        if (!a.instead.empty()) add("instead", a.instead);
        if (!a.kernels.empty()) add("kernels", prepared_kernels(a.kernels));
    }
    void operator()(const CheckedAnswer& a) const {
        add("check", check_value(a.check));
        add("run_seconds", a.run_seconds);
    }
    void operator()(const MeasuredAnswer& a) const {
        if (a.warm) add("warm", timing_value(*a.warm));
        if (a.cold) add("cold", timing_value(*a.cold));
        if (!a.kernels.empty()) add("kernels", kernels_value(a.kernels));
        conditions(a.before, a.after);
    }
    void operator()(const ComparedAnswer& a) const {
        add("a", timing_value(a.a));
        add("b", timing_value(a.b));
        add("ratio", ratio_value(a.ratio));
        conditions(a.before, a.after);
    }
    void operator()(const RacedAnswer& a) const {
        Array lanes;
        for (const RacedLane& each : a.lanes) {
            Object lane{{"stayed", Value(each.stayed)}};
            if (each.warm) lane.push_back({"warm", timing_value(*each.warm)});
            if (each.over_best) lane.push_back({"over_best", ratio_value(*each.over_best)});
            if (!each.kernels.empty()) lane.push_back({"kernels", kernels_value(each.kernels)});
            if (each.failure) lane.push_back({"failure", failure_value(*each.failure)});
            lanes.push_back(std::move(lane));
        }
        add("lanes", std::move(lanes));
        if (a.best >= 0) add("best", a.best);
        conditions(a.before, a.after);
    }
    void operator()(const CalmAnswer& a) const {
        if (a.calm.others) add("others", *a.calm.others);
        add("waited", a.calm.waited);
    }
    void operator()(const CalibratedAnswer& a) const {
        add("device", a.device);
        if (a.others) add("others", *a.others);
    }
    void operator()(const CompiledAnswer& a) const {
        Array kernels, warnings;
        for (const CompiledKernel& kernel : a.kernels)
            kernels.push_back(Object{{"kernel", kernel.kernel},
                                     {"registers", kernel.registers},
                                     {"spilled_bytes", kernel.spilled_bytes},
                                     {"shared_bytes", kernel.shared_bytes}});
        for (const std::string& warning : a.warnings) warnings.emplace_back(warning.substr(0, kMaxText));
        add("compiler", a.compiler);
        add("seconds", a.seconds);
        add("from_cache", Value(a.from_cache));
        add("kernels", std::move(kernels));
        add("warnings", std::move(warnings));
    }
    void operator()(const DoneAnswer&) const {}
    void operator()(const ProgressEvent& a) const {
        add("phase", a.phase);
        add("done", a.done);
        add("total", a.total);
    }
    void operator()(const Failure& a) const { add("failure", failure_value(a)); }
};

Hello read_hello_answer(const Reader& reader) {
    Hello hello;
    if (!reader.object({"id", "type", "version", "machine", "now", "devices"})) return hello;
    hello.version = whole(reader.member("version"), 1, INT32_MAX);
    hello.machine = read_machine(reader.member("machine"));
    hello.now = read_conditions(reader.member("now"));
    const Reader devices = reader.member("devices");
    if (!devices.array(0, 64)) return hello;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const Reader device = devices.at(i);
        if (!device.object({"name", "model", "architecture?"})) continue;
        hello.devices.push_back({text(device.member("name")), text(device.member("model"))});
        if (device.has("architecture"))
            hello.devices.back().architecture = text(device.member("architecture"));
    }
    return hello;
}

NodeId read_node_number(const Reader& reader) {
    return NodeId{static_cast<std::uint32_t>(reader.integer(0, UINT32_MAX).value_or(0))};
}

PreparedKernel read_prepared_kernel(const Reader& kernel) {
    PreparedKernel read{
        .node = read_node_number(kernel.member("node")),
        .resident = whole(kernel.member("resident"), 0, INT32_MAX),
        .parts = whole(kernel.member("parts"), 1, INT32_MAX),
        .part_bytes = amount(kernel.member("part_bytes")),
        .added = kernel.member("added").boolean().value_or(false),
        .by_warps = kernel.has("by_warps") && kernel.member("by_warps").boolean().value_or(false)};
    if (!kernel.has("computed_in")) return read;
    const Reader products = kernel.member("computed_in");
    for (std::size_t i = 0; products.array(0, kMostKernels) && i < products.size(); ++i) {
        const Reader product = products.at(i);
        if (!product.object({"node", "type"})) continue;
        if (const std::optional<ElemType> elem = json::read_elem(product.member("type")))
            read.computed_in.emplace(read_node_number(product.member("node")), *elem);
    }
    return read;
}

PreparedAnswer read_prepared(const Reader& reader) {
    PreparedAnswer answer;
    if (!reader.object({"id", "type", "job", "seconds", "log", "instead?", "kernels?"})) return answer;
    answer.job = text(reader.member("job"));
    answer.seconds = amount(reader.member("seconds"));
    answer.log = text(reader.member("log"));
    if (reader.has("instead")) answer.instead = text(reader.member("instead"));
    if (!reader.has("kernels")) return answer;
    const Reader kernels = reader.member("kernels");
    for (std::size_t i = 0; kernels.array(0, kMostKernels) && i < kernels.size(); ++i) {
        const Reader kernel = kernels.at(i);
        if (kernel.object({"node", "resident", "parts", "part_bytes", "added", "by_warps?", "computed_in?"}))
            answer.kernels.push_back(read_prepared_kernel(kernel));
    }
    return answer;
}

CheckedAnswer read_checked(const Reader& reader) {
    if (!reader.object({"id", "type", "check", "run_seconds"})) return {};
    return {read_check(reader.member("check")), amount(reader.member("run_seconds"))};
}

MeasuredAnswer read_measured(const Reader& reader) {
    MeasuredAnswer answer;
    if (!reader.object({"id", "type", "warm?", "cold?", "kernels?", "before", "after"})) return answer;
    if (reader.has("warm")) answer.warm = read_timing(reader.member("warm"));
    if (reader.has("cold")) answer.cold = read_timing(reader.member("cold"));
    if (reader.has("kernels")) answer.kernels = read_kernels(reader.member("kernels"));
    answer.before = read_conditions(reader.member("before"));
    answer.after = read_conditions(reader.member("after"));
    return answer;
}

ComparedAnswer read_compared(const Reader& reader) {
    if (!reader.object({"id", "type", "a", "b", "ratio", "before", "after"})) return {};
    return {.a = read_timing(reader.member("a")),
            .b = read_timing(reader.member("b")),
            .ratio = read_ratio(reader.member("ratio")),
            .before = read_conditions(reader.member("before")),
            .after = read_conditions(reader.member("after"))};
}

CalibratedAnswer read_calibrated(const Reader& reader, const Value& document) {
    CalibratedAnswer answer;
    if (!reader.object({"id", "type", "device", "others?"})) return answer;
    if (reader.has("others")) answer.others = amount(reader.member("others"));
    for (const json::Member& member : std::get<Object>(document.data))
        if (member.key == "device") answer.device = member.value;
    return answer;
}

RacedLane read_lane(const Reader& reader) {
    RacedLane lane;
    if (!reader.object({"stayed", "warm?", "over_best?", "kernels?", "failure?"})) return lane;
    lane.stayed = reader.member("stayed").boolean().value_or(false);
    if (reader.has("warm")) lane.warm = read_timing(reader.member("warm"));
    if (reader.has("over_best")) lane.over_best = read_ratio(reader.member("over_best"));
    if (reader.has("kernels")) lane.kernels = read_kernels(reader.member("kernels"));
    if (reader.has("failure")) lane.failure = read_failure(reader.member("failure"));
    return lane;
}

RacedAnswer read_raced(const Reader& reader) {
    RacedAnswer answer;
    if (!reader.object({"id", "type", "lanes", "best?", "before", "after"})) return answer;
    const Reader lanes = reader.member("lanes");
    for (std::size_t i = 0; lanes.array(1, kMostLanes) && i < lanes.size(); ++i)
        answer.lanes.push_back(read_lane(lanes.at(i)));
    if (reader.has("best"))
        answer.best = whole(reader.member("best"), 0, std::max(0, static_cast<int>(lanes.size()) - 1));
    answer.before = read_conditions(reader.member("before"));
    answer.after = read_conditions(reader.member("after"));
    return answer;
}

CalmAnswer read_calm_answer(const Reader& reader) {
    CalmAnswer answer;
    if (!reader.object({"id", "type", "others?", "waited"})) return answer;
    if (reader.has("others")) answer.calm.others = amount(reader.member("others"));
    answer.calm.waited = amount(reader.member("waited"));
    return answer;
}

CompiledAnswer read_compiled(const Reader& reader) {
    CompiledAnswer answer;
    if (!reader.object({"id", "type", "compiler", "seconds", "from_cache", "kernels", "warnings"}))
        return answer;
    answer.compiler = text(reader.member("compiler"));
    answer.seconds = amount(reader.member("seconds"));
    answer.from_cache = reader.member("from_cache").boolean().value_or(false);
    const Reader kernels = reader.member("kernels"), warnings = reader.member("warnings");
    for (std::size_t i = 0; kernels.array(0, kMostKernels) && i < kernels.size(); ++i) {
        const Reader kernel = kernels.at(i);
        if (!kernel.object({"kernel", "registers", "spilled_bytes", "shared_bytes"})) continue;
        answer.kernels.push_back({text(kernel.member("kernel")),
                                  whole(kernel.member("registers"), 0, INT32_MAX),
                                  whole(kernel.member("spilled_bytes"), 0, INT32_MAX),
                                  whole(kernel.member("shared_bytes"), 0, INT32_MAX)});
    }
    for (std::size_t i = 0; warnings.array(0, kMostKernels) && i < warnings.size(); ++i)
        answer.warnings.push_back(text(warnings.at(i)));
    return answer;
}

ProgressEvent read_progress(const Reader& reader) {
    if (!reader.object({"id", "type", "phase", "done", "total"})) return {};
    return {text(reader.member("phase")), whole(reader.member("done"), 0, INT32_MAX),
            whole(reader.member("total"), 0, INT32_MAX)};
}

AnswerBody read_answer_body(std::size_t type, const Reader& reader, const Value& document) {
    switch (type) {
        case 0:
            return read_hello_answer(reader);
        case 1:
            return read_prepared(reader);
        case 2:
            return read_checked(reader);
        case 3:
            return read_measured(reader);
        case 4:
            return read_compared(reader);
        case 5:
            return read_raced(reader);
        case 6:
            return read_calm_answer(reader);
        case 7:
            return read_calibrated(reader, document);
        case 8:
            return read_compiled(reader);
        case 9:
            reader.object({"id", "type"});
            return DoneAnswer{};
        case 10:
            return read_progress(reader);
        default:
            if (!reader.object({"id", "type", "failure"})) return Failure{};
            return read_failure(reader.member("failure"));
    }
}

}  // namespace

std::string write_message(const Answer& answer) {
    Object object{{"id", answer.id}, {"type", answer_types()[answer.body.index()]}};
    std::visit(AnswerAdder{object}, answer.body);
    return json::print_line(object);
}

Result<Answer> read_answer(const std::string& line) {
    return read_message<Answer>(line, answer_types(), 0, read_answer_body);
}

Text phase_text(const std::string& phase) {
    static const std::vector<Text> kPhases = {
        Text("reference"),
        Text("check"),
        Text("warm"),
        Text("cold"),
        Text("operators"),
        Text("compare"),
        Text("rounds"),
        Text("waiting for a calm machine"),
        Text("caches"),
        Text("memory"),
        Text("multiply-add"),
        Text("exp"),
        Text("block products"),
        Text("passes"),
        Text("parallel regions"),
        Text("programs"),
        Text("launches"),
        Text("tensor cores"),
        Text("choosing block sizes"),
        Text("generating kernels"),
        Text("compiling kernels"),
    };
    for (const Text& known : kPhases)
        if (known == phase) return known;
    return {phase};
}

// Requests as JSON lines.
//
// GCC 12 warns of alternatives of the variant that are not there.

using json::Object;
using json::Reader;
using json::Report;
using json::Value;

namespace {

constexpr std::size_t kMaxSource = kMaxLine / 2;  // bytes

// In the order of RequestBody.
const std::vector<std::string>& request_types() {
    static const std::vector<std::string> kTypes = {"hello",   "prepare", "check",  "measure",
                                                    "compare", "race",    "calm",   "calibrate",
                                                    "compile", "release", "cancel", "quit"};
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

struct RequestAdder {
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
        if (r.options.loops != LoopForm::Built) add("form", blockscope::to_string(r.options.loops));
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
    void operator()(const RaceRequest& r) const {
        json::Array jobs;
        for (const std::string& job : r.jobs) jobs.emplace_back(job);
        add("jobs", std::move(jobs));
        add("plan", plan_value(r.plan));
    }
    void operator()(const CalmRequest& r) const {
        add("device", r.device);
        add("wait_seconds", r.wait_seconds);
        add("look_seconds", r.look_seconds);
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
    if (number && *number <= 0) reader.problem(Text("expected a number above 0"));
    return number && *number > 0 ? *number : 1;
}

PrepareRequest read_prepare(const Reader& reader, const Value& document) {
    PrepareRequest request;
    if (!reader.object({"id", "type", "device", "program", "reference", "type_of_inputs", "tf32?", "threads",
                        "target?", "block_threads?", "stages?", "range?", "form?", "seed"}))
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
    if (reader.has("form")) {
        const Reader form = reader.member("form");
        const auto loops = loop_form_named(name(form));
        if (!loops) form.problem(Text("expected \"built\" or \"paper\", found %1", form.found()));
        request.options.loops = loops.value_or(LoopForm::Built);
    }
    request.seed =
        static_cast<std::uint64_t>(reader.member("seed").integer(INT64_MIN, INT64_MAX).value_or(1));
    return request;
}

HelloRequest read_hello_request(const Reader& reader) {
    if (!reader.object({"id", "type", "version"})) return {};
    const Reader version = reader.member("version");
    if (const auto number = version.integer(1, INT32_MAX); number && *number != kProtocolVersion)
        version.problem(
            Text("this worker speaks version %1 of the protocol, not %2", kProtocolVersion, *number));
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

RaceRequest read_race(const Reader& reader) {
    RaceRequest request;
    if (!reader.object({"id", "type", "jobs", "plan"})) return request;
    const Reader jobs = reader.member("jobs");
    for (std::size_t i = 0; jobs.array(1, kMostLanes) && i < jobs.size(); ++i)
        request.jobs.push_back(name(jobs.at(i)));
    request.plan = read_plan(reader.member("plan"));
    return request;
}

CalmRequest read_calm_request(const Reader& reader) {
    if (!reader.object({"id", "type", "device", "wait_seconds", "look_seconds"})) return {};
    return {name(reader.member("device")), amount(reader.member("wait_seconds")),
            positive(reader.member("look_seconds"))};
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

RequestBody read_request_body(std::size_t type, const Reader& reader, const Value& document) {
    switch (type) {
        case 0:
            return read_hello_request(reader);
        case 1:
            return read_prepare(reader, document);
        case 2:
            return CheckRequest{read_one(reader, "job")};
        case 3:
            return read_measure(reader);
        case 4:
            return read_compare(reader);
        case 5:
            return read_race(reader);
        case 6:
            return read_calm_request(reader);
        case 7:
            return CalibrateRequest{read_one(reader, "device")};
        case 8:
            return read_compile(reader);
        case 9:
            return ReleaseRequest{read_one(reader, "job")};
        case 10:
            return read_cancel(reader);
        default:
            reader.object({"id", "type"});
            return QuitRequest{};
    }
}

}  // namespace

std::string write_message(const Request& request) {
    Object object{{"id", request.id}, {"type", request_types()[request.body.index()]}};
    std::visit(RequestAdder{object}, request.body);
    return json::print_line(object);
}

Result<Request> read_request(const std::string& line) {
    return read_message<Request>(line, request_types(), 1, read_request_body);
}

std::int64_t message_id(const std::string& line) {
    const Result<Value> document = json::parse(line, kMessage);
    if (!document) return 0;
    Report report(kMessage);
    const Reader reader(*document, report);
    return reader.has("id") ? reader.member("id").peek_integer().value_or(0) : 0;
}

}  // namespace blockscope::measure
