// A document and the services that panels need, without a window.
#pragma once

#include <QCoreApplication>
#include <QTemporaryDir>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#include "app/document/document.h"
#include "app/document/pictures.h"
#include "app/document/proofs.h"
#include "app/document/work.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/services.h"
#include "app/shell/settings.h"

namespace blockscope::test {

inline std::string sample_source(const std::string& name) {
    std::ifstream file(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/" + name + ".bp");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The sample after the whole algorithm, showing the initial program.
inline Content fused_sample(const std::string& name) {
    return run_algorithm(content_of_source(sample_source(name), name + ".bp").value(), 0);
}

struct Desk {
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("settings.ini"))};
    Appearance appearance{settings};
    Actions actions;
    Work work;
    Pictures pictures{plain_measure};
    Proofs proofs;
    Document document;
    Services services{pictures, proofs, actions, appearance, settings, work, {}, {}};

    void open(const std::string& name) { document.reset(fused_sample(name), {}); }
};

// With a panel that is shown, on a sample if one is named.
template <class Panel>
struct PanelDesk : Desk {
    Panel panel{document, services};

    explicit PanelDesk(const std::string& sample = {}) {
        if (!sample.empty()) open(sample);
        panel.show();
    }
};

// Handles events until `done`; false after two minutes.
template <class Condition>
bool wait_until(Condition done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 10);
    }
    return true;
}

}  // namespace blockscope::test
