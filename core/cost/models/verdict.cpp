// Whether a state is worth building beside the kernels that people have.
#include <algorithm>
#include <cmath>

#include "core/cost/models/baseline.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

bool is_tie(double seconds, double other) {
    return std::max(seconds, other) <= (1 + kTie) * std::min(seconds, other);
}

bool loses(double seconds, double other) {
    return seconds > other && !is_tie(seconds, other);
}

// "1.3 times faster", "4% slower"; not of a tie.
Text how_fast(double seconds, double other) {
    const double times = std::max(seconds, other) / std::min(seconds, other);
    const std::string text = times_text(times);
    const bool faster = seconds < other;
    if (text != "1") return faster ? Text("%1 times faster", text) : Text("%1 times slower", text);
    const std::string percent = times_text(std::round(100 * (times - 1)));
    return faster ? Text("%1% faster", percent) : Text("%1% slower", percent);
}

// Whoever is told not to fuse all of it may still fuse some of it.
Text with_parts(const Text& sentence, const BaselineSeconds& fastest) {
    return fastest.kernels > 1 ? Text("%1 Parts of it may be worth a kernel: its plan says which.", sentence)
                               : sentence;
}

Text whole(const BaselineSeconds& fastest) {
    return fastest.kernels > 1 ? Text("this as a whole") : Text("this");
}

// Where the best of all block sizes that were searched loses, and the present ones are as good.
Text hopeless_sentence(double seconds, const BaselineSeconds& fastest) {
    return Text("Do not fuse %1: the best state is %2, and no block sizes that were searched are better.",
                whole(fastest), compared_with(seconds, fastest));
}

Text losing_sentence(double seconds, const BaselineSeconds& fastest,
                     const std::optional<SearchedBlocks>& others) {
    const Text compared = compared_with(seconds, fastest);
    if (!others) return Text("Do not fuse this at these block sizes: the best state is %1.", compared);
    if (!loses(others->seconds, fastest.seconds))
        return Text("At these block sizes the best state is %1; with %2 it takes %3 and is %4.", compared,
                    others->sizes, seconds_text(others->seconds),
                    is_tie(others->seconds, fastest.seconds) ? compared_with(others->seconds, fastest)
                                                             : how_fast(others->seconds, fastest.seconds));
    if (others->seconds >= seconds || is_tie(others->seconds, seconds))
        return hopeless_sentence(seconds, fastest);
    return Text(
        "Do not fuse %1: the best state is %2, and still %3 with %4 (%5), the best that a search found.",
        whole(fastest), compared, how_fast(others->seconds, fastest.seconds), others->sizes,
        seconds_text(others->seconds));
}

}  // namespace

Text compared_with(double seconds, const BaselineSeconds& baseline) {
    const Text title = baseline_title(baseline.kind);
    if (is_tie(seconds, baseline.seconds)) return Text("as fast as %1", title);
    return Text("%1 than %2", how_fast(seconds, baseline.seconds), title);
}

Text not_calibrated(const Device& device) {
    if (device.kind != DeviceKind::Cpu || device.calibration) return {};
    return Text(
        "%1 is not calibrated: these times are by its description alone. `blockscope-cli calibrate` measures "
        "this machine's processor, which is then called local-cpu.",
        device.title);
}

namespace {

const BaselineSeconds& fastest_of(const std::vector<BaselineSeconds>& baselines) {
    if (baselines.empty()) throw InternalError("a verdict without baselines");
    return *std::min_element(baselines.begin(), baselines.end(),
                             [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
}

}  // namespace

Verdict verdict_on_search(double best_seconds, const std::vector<BaselineSeconds>& baselines) {
    Verdict made = verdict(best_seconds, baselines);
    const BaselineSeconds& fastest = fastest_of(baselines);
    if (!made.fuse) made.sentence = with_parts(hopeless_sentence(best_seconds, fastest), fastest);
    return made;
}

Verdict verdict(double best_seconds, const std::vector<BaselineSeconds>& baselines,
                const std::optional<SearchedBlocks>& others) {
    const BaselineSeconds& fastest = fastest_of(baselines);
    Verdict made;
    made.against = fastest.kind;
    made.times = fastest.seconds / best_seconds;
    if (!loses(best_seconds, fastest.seconds)) {
        made.sentence = Text("The best state is %1.", compared_with(best_seconds, fastest));
        return made;
    }
    made.fuse = others && !loses(others->seconds, fastest.seconds);
    if (made.fuse) made.others = others;
    made.searched = others;
    made.sentence = losing_sentence(best_seconds, fastest, others);
    if (others && !made.fuse) made.sentence = with_parts(made.sentence, fastest);
    return made;
}

}  // namespace blockscope
