// A page Tilings without a window, on an A100, where candidates have times by a fixed rule.
#pragma once

#include <QComboBox>
#include <atomic>
#include <string>

#include "app/tilings/tilings_page.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {

inline constexpr const char* kSmallTilingChain = R"(dim M = 64
dim N = 48
dim K = 32
dim H = 32
input A[M, K], B[K, N], D[N, H] : f16
C = A @ B
output E = C @ D
)";

struct TilingsDesk : Desk {
    TilingsDesk() {
        services.say = [this](const QString& text) { said = text; };
        services.open_program = [this](const QString& name, const QString& text,
                                       const std::optional<StateChoice>& /*state*/) {
            opened_name = name;
            opened = text.toStdString();
        };
        Forecast::of(document).set_device("a100-pcie-40gb");
    }
    void open_text(const std::string& text) {
        document.reset(run_algorithm(content_of_source(text, "chain.bp").value(), 0), {});
    }
    // Seconds by a rule that the model does not know: larger tiles are faster, flat ones slower.
    static std::optional<double> seconds_of(const tilings::Space& space,
                                            const tilings::Candidate& candidate) {
        double seconds = 1e-3;
        for (const std::int64_t tile : candidate.tiles) seconds /= static_cast<double>(tile) / 16;
        if (space.judged(candidate).expression.flat) seconds *= 3;
        if (candidate.tiles[0] == 48) return std::nullopt;
        return seconds;
    }
    bool show_and_find() {
        page.resize(1000, 900);
        page.show();
        page.study().measure_by(
            [this](const tilings::Space& space, const tilings::Candidate& candidate) {
                ++runs;
                return seconds_of(space, candidate);
            },
            QStringLiteral("a machine"));
        return wait_until([this] { return page.study().found() != nullptr; });
    }
    bool show_without_space() {
        page.show();
        return wait_until([this] { return !page.study().why_not().isEmpty(); });
    }
    bool choose_workload(const std::string& name) {
        TilingChoices choices = page.study().choices();
        choices.workload = name;
        page.study().set_choices(choices);
        return wait_until([&] { return page.study().found() && page.study().found()->workload == name; });
    }
    bool wait_for_measuring() {
        return wait_until([this] { return !page.study().measuring(); });
    }
    const RankedSpace& ranked() { return *page.study().found(); }
    const tilings::Space& space() { return ranked().space; }

    QString said, opened_name;
    std::string opened;
    std::atomic<int> runs = 0;  // candidates that were run
    TilingsPage page{document, services};
};

struct SmallTilingsDesk : TilingsDesk {
    SmallTilingsDesk() {
        open_text(kSmallTilingChain);
        EXPECT_TRUE(show_and_find());
    }
};

}  // namespace blockscope::test
