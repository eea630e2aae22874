#include "core/measure/parts_json.h"

#include <cmath>

namespace blockscope::measure {

using json::Array;
using json::Object;
using json::Reader;
using json::Value;

namespace {

Value interval_value(const Interval& interval) {
    return Array{Value(interval.low), Value(interval.high)};
}

Interval read_interval(const Reader& reader) {
    if (!reader.array(2, 2)) return {};
    return {amount(reader.at(0)), amount(reader.at(1))};
}

std::string cut(const std::string& text) {
    return text.size() <= kMaxText ? text : text.substr(0, kMaxText);
}

bool flag(const Reader& reader) {
    return reader.boolean().value_or(false);
}

std::int64_t bytes(const Reader& reader) {
    return reader.integer(0, INT64_MAX).value_or(0);
}

}  // namespace

double amount(const Reader& reader) {
    const std::optional<double> number = reader.number();
    if (number && *number < 0) reader.problem(Text("expected a number that is not negative"));
    return number && *number >= 0 ? *number : 0;
}

Value kernels_value(const std::vector<double>& kernels) {
    json::Array array;
    for (const double seconds : kernels) array.push_back(seconds);
    return array;
}

std::vector<double> read_kernels(const Reader& reader) {
    constexpr std::size_t kMost = 1'000'000;
    std::vector<double> kernels;
    if (!reader.array(1, kMost)) return kernels;
    for (std::size_t i = 0; i < reader.size(); ++i) kernels.push_back(amount(reader.at(i)));
    return kernels;
}

std::string text(const Reader& reader, std::size_t most) {
    return reader.string(most).value_or(std::string());
}

int whole(const Reader& reader, int least, int most) {
    return static_cast<int>(reader.integer(least, most).value_or(least));
}

Value machine_value(const Machine& machine) {
    Array caches;
    for (const Cache& cache : machine.caches)
        caches.push_back(Object{{"level", cache.level}, {"type", cache.type}, {"bytes", cache.bytes}});
    Array isa;
    for (const std::string& name : machine.isa) isa.push_back(Value(name));
    return Object{{"host", machine.host},
                  {"cpu", machine.cpu},
                  {"cores", machine.cores},
                  {"caches", std::move(caches)},
                  {"isa", std::move(isa)},
                  {"governor", machine.governor},
                  {"memory_bytes", machine.memory_bytes},
                  {"os", machine.os},
                  {"program", machine.program}};
}

Machine read_machine(const Reader& reader) {
    Machine machine;
    if (!reader.object(
            {"host", "cpu", "cores", "caches", "isa", "governor", "memory_bytes", "os", "program"}))
        return machine;
    machine.host = text(reader.member("host"));
    machine.cpu = text(reader.member("cpu"));
    machine.cores = whole(reader.member("cores"), 0, 1 << 20);
    const Reader caches = reader.member("caches");
    if (caches.array(0, 64)) {
        for (std::size_t i = 0; i < caches.size(); ++i) {
            const Reader cache = caches.at(i);
            if (!cache.object({"level", "type", "bytes"})) continue;
            machine.caches.push_back({whole(cache.member("level"), 0, 16), text(cache.member("type")),
                                      bytes(cache.member("bytes"))});
        }
    }
    const Reader isa = reader.member("isa");
    if (isa.array(0, 64))
        for (std::size_t i = 0; i < isa.size(); ++i) machine.isa.push_back(text(isa.at(i)));
    machine.governor = text(reader.member("governor"));
    machine.memory_bytes = bytes(reader.member("memory_bytes"));
    machine.os = text(reader.member("os"));
    machine.program = text(reader.member("program"));
    return machine;
}

Value conditions_value(const Conditions& conditions) {
    Object object{{"load", conditions.load},
                  {"clock_ghz", conditions.clock_ghz},
                  {"free_bytes", conditions.free_bytes}};
    if (conditions.others) object.push_back({"others", *conditions.others});
    return object;
}

Conditions read_conditions(const Reader& reader) {
    Conditions conditions;
    if (!reader.object({"load", "clock_ghz", "free_bytes", "others?"})) return conditions;
    conditions.load = amount(reader.member("load"));
    conditions.clock_ghz = amount(reader.member("clock_ghz"));
    conditions.free_bytes = bytes(reader.member("free_bytes"));
    if (reader.has("others")) conditions.others = amount(reader.member("others"));
    return conditions;
}

Value timing_value(const Timing& timing) {
    const Summary& s = timing.summary;
    Object object{{"count", s.count},
                  {"min", s.min},
                  {"q1", s.q1},
                  {"median", s.median},
                  {"q3", s.q3},
                  {"max", s.max},
                  {"interval", interval_value(s.interval)},
                  {"coverage", s.coverage},
                  {"capped", Value(timing.course.capped)}};
    // Of devices that have anything to say of these.
    if (timing.course.discarded > 0) object.push_back({"discarded", timing.course.discarded});
    if (timing.course.slow) object.push_back({"slow", Value(true)});
    if (timing.course.clock_hz > 0) object.push_back({"clock_hz", timing.course.clock_hz});
    if (timing.runs > 1) object.push_back({"runs", timing.runs});
    if (timing.empty_seconds > 0) object.push_back({"empty_seconds", timing.empty_seconds});
    return object;
}

Timing read_timing(const Reader& reader) {
    Timing timing;
    if (!reader.object({"count", "min", "q1", "median", "q3", "max", "interval", "coverage", "capped",
                        "discarded?", "slow?", "clock_hz?", "runs?", "empty_seconds?"}))
        return timing;
    Summary& s = timing.summary;
    s.count = whole(reader.member("count"), 1, INT32_MAX);
    s.min = amount(reader.member("min"));
    s.q1 = amount(reader.member("q1"));
    s.median = amount(reader.member("median"));
    s.q3 = amount(reader.member("q3"));
    s.max = amount(reader.member("max"));
    s.interval = read_interval(reader.member("interval"));
    s.coverage = amount(reader.member("coverage"));
    timing.course.capped = flag(reader.member("capped"));
    if (reader.has("discarded")) timing.course.discarded = whole(reader.member("discarded"), 0, INT32_MAX);
    if (reader.has("slow")) timing.course.slow = flag(reader.member("slow"));
    if (reader.has("clock_hz")) timing.course.clock_hz = amount(reader.member("clock_hz"));
    if (reader.has("runs")) timing.runs = whole(reader.member("runs"), 1, INT32_MAX);
    if (reader.has("empty_seconds")) timing.empty_seconds = amount(reader.member("empty_seconds"));
    return timing;
}

Value check_value(const Check& check) {
    return Object{{"error", check.error},
                  {"tolerance", check.tolerance},
                  {"how", check.how},
                  {"repeatable", Value(check.repeatable)}};
}

Check read_check(const Reader& reader) {
    if (!reader.object({"error", "tolerance", "how", "repeatable"})) return {};
    return {amount(reader.member("error")), amount(reader.member("tolerance")), text(reader.member("how")),
            flag(reader.member("repeatable"))};
}

Value ratio_value(const Ratio& ratio) {
    return Object{{"median", ratio.median},
                  {"interval", interval_value(ratio.interval)},
                  {"coverage", ratio.coverage},
                  {"pairs", ratio.pairs},
                  {"tie", Value(ratio.tie())}};
}

Ratio read_ratio(const Reader& reader) {
    if (!reader.object({"median", "interval", "coverage", "pairs", "tie"})) return {};
    return {amount(reader.member("median")), read_interval(reader.member("interval")),
            amount(reader.member("coverage")), whole(reader.member("pairs"), 1, INT32_MAX)};
}

namespace {

// A template and what stands in its places: ["the %1-map %2 (%3)", "N", "n4", "dot"]. Verbatim: "N".
Value text_value(const Text& said) {
    if (!said.is_template()) return cut(std::string(said.english()));
    Array parts = {Value(cut(std::string(said.english())))};
    for (const Text& argument : said.arguments()) parts.push_back(text_value(argument));
    return parts;
}

Text read_text(const Reader& reader, int depth) {
    constexpr int kDeepest = 8;
    if (reader.size() == 0) return {text(reader)};
    if (depth == kDeepest || !reader.array(1, 10)) return {};
    std::vector<Text> arguments;
    for (std::size_t i = 1; i < reader.size(); ++i) arguments.push_back(read_text(reader.at(i), depth + 1));
    return Text::of_template(text(reader.at(0)), std::move(arguments));
}

}  // namespace

Value failure_value(const Failure& failure) {
    Object object = {{"class", to_string(failure.cls)},
                     {"message", cut(failure.message.str())},
                     {"log", cut(failure.log)}};
    if (!failure.message.arguments().empty()) object.push_back({"text", text_value(failure.message)});
    return object;
}

Failure read_failure(const Reader& reader) {
    if (!reader.object({"class", "message", "log", "text?"})) return {};
    const std::string name = text(reader.member("class"), 64);
    const std::optional<FailureClass> cls = failure_class(name);
    if (!cls) reader.member("class").problem(Text("expected the class of a failure"));
    const std::string message = text(reader.member("message"));
    const Text sentence =
        reader.has("text") ? read_text(reader.member("text"), 0) : Text::of_template(message, {});
    return {cls.value_or(FailureClass::Internal), sentence == message ? sentence : Text(message),
            text(reader.member("log"))};
}

}  // namespace blockscope::measure
