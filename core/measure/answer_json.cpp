// Answers as JSON lines.
#include "core/measure/parts_json.h"
#include "core/measure/protocol.h"

namespace blockscope::measure {

using json::Array;
using json::Object;
using json::Reader;
using json::Value;

namespace {

constexpr std::size_t kMostKernels = 1U << 20U;

// In the order of AnswerBody.
const std::vector<std::string>& types() {
    static const std::vector<std::string> kTypes = {"hello",    "prepared",   "checked",  "measured",
                                                    "compared", "calibrated", "compiled", "done",
                                                    "progress", "failed"};
    return kTypes;
}

Array prepared_kernels(const std::vector<PreparedKernel>& kernels) {
    Array list;
    for (const PreparedKernel& kernel : kernels)
        list.push_back(Object{{"node", static_cast<std::int64_t>(kernel.node.value)},
                              {"resident", kernel.resident},
                              {"parts", kernel.parts},
                              {"part_bytes", kernel.part_bytes},
                              {"added", Value(kernel.added)}});
    return list;
}

struct Adder {
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
    void operator()(const CalibratedAnswer& a) const { add("device", a.device); }
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

Hello read_hello(const Reader& reader) {
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
        if (!kernel.object({"node", "resident", "parts", "part_bytes", "added"})) continue;
        answer.kernels.push_back(
            {NodeId{static_cast<std::uint32_t>(kernel.member("node").integer(0, UINT32_MAX).value_or(0))},
             whole(kernel.member("resident"), 0, INT32_MAX), whole(kernel.member("parts"), 1, INT32_MAX),
             amount(kernel.member("part_bytes")), kernel.member("added").boolean().value_or(false)});
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
    return {read_timing(reader.member("a")), read_timing(reader.member("b")),
            read_ratio(reader.member("ratio")), read_conditions(reader.member("before")),
            read_conditions(reader.member("after"))};
}

CalibratedAnswer read_calibrated(const Reader& reader, const Value& document) {
    if (!reader.object({"id", "type", "device"})) return {};
    for (const json::Member& member : std::get<Object>(document.data))
        if (member.key == "device") return {member.value};
    return {};
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

AnswerBody read_body(std::size_t type, const Reader& reader, const Value& document) {
    switch (type) {
        case 0:
            return read_hello(reader);
        case 1:
            return read_prepared(reader);
        case 2:
            return read_checked(reader);
        case 3:
            return read_measured(reader);
        case 4:
            return read_compared(reader);
        case 5:
            return read_calibrated(reader, document);
        case 6:
            return read_compiled(reader);
        case 7:
            reader.object({"id", "type"});
            return DoneAnswer{};
        case 8:
            return read_progress(reader);
        default:
            if (!reader.object({"id", "type", "failure"})) return Failure{};
            return read_failure(reader.member("failure"));
    }
}

}  // namespace

std::string write_message(const Answer& answer) {
    Object object{{"id", answer.id}, {"type", types()[answer.body.index()]}};
    std::visit(Adder{object}, answer.body);
    return json::print_line(object);
}

Result<Answer> read_answer(const std::string& line) {
    return read_message<Answer>(line, types(), 0, read_body);
}

}  // namespace blockscope::measure
