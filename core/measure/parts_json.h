// Parts of messages and of the results file as JSON, both ways. Readers return nothing (or a part's default)
// after they have reported what is wrong.
#pragma once

#include "core/json/reader.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"

namespace blockscope::measure {

json::Value machine_value(const Machine& machine);
json::Value conditions_value(const Conditions& conditions);
json::Value timing_value(const Timing& timing);
json::Value check_value(const Check& check);
json::Value ratio_value(const Ratio& ratio);
json::Value failure_value(const Failure& failure);
json::Value subject_value(const Subject& subject);
json::Value plan_value(const SamplingPlan& plan);

Machine read_machine(const json::Reader& reader);
Conditions read_conditions(const json::Reader& reader);
Timing read_timing(const json::Reader& reader);
Check read_check(const json::Reader& reader);
Ratio read_ratio(const json::Reader& reader);
Failure read_failure(const json::Reader& reader);
Subject read_subject(const json::Reader& reader);
SamplingPlan read_plan(const json::Reader& reader);

constexpr std::size_t kMaxText = 65536;  // bytes of a name, a sentence or a log

// A number, which must not be negative; 0 if it is none, which is then reported.
double amount(const json::Reader& reader);
// Seconds of top-level operators.
json::Value kernels_value(const std::vector<double>& kernels);
std::vector<double> read_kernels(const json::Reader& reader);
std::string text(const json::Reader& reader, std::size_t most = kMaxText);
int whole(const json::Reader& reader, int least, int most);

constexpr const char* kMessage = "message";  // the "file" in problems of messages

// A message of one line: its id, at least `least`, its type (one of `types`), and what is in it:
// read_body(number of the type, reader, document).
template <class Message, class ReadBody>
Result<Message> read_message(const std::string& line, const std::vector<std::string>& types,
                             std::int64_t least, const ReadBody& read_body) {
    const Result<json::Value> document = json::parse(line, kMessage);
    if (!document) return document.problems();
    json::Report report(kMessage);
    const json::Reader reader(*document, report);
    if (!reader.has("id") || !reader.has("type")) {
        reader.problem(Text("expected an object with an id and a type"));
        return report.problems();
    }
    const auto id = reader.member("id").integer(least, INT64_MAX);
    const auto type = reader.member("type").choice(types);
    if (!id || !type) return report.problems();
    Message message{*id, read_body(static_cast<std::size_t>(*type), reader, *document)};
    if (!report.clean()) return report.problems();
    return message;
}

}  // namespace blockscope::measure
