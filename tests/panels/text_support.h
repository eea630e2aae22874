// A document and the services that panels need, without a window.
#pragma once

#include <QCoreApplication>
#include <QTemporaryDir>
#include <fstream>
#include <map>
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
#include "tests/support/wait.h"

namespace blockscope::test {

inline std::string sample_source(const std::string& name) {
    std::ifstream file(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/" + name + ".bp");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The sample after the whole algorithm, showing the initial program.
inline const Content& fused_sample(const std::string& name) {
    static std::map<std::string, Content> made;  // once in a process; on the window's thread
    const auto found = made.find(name);
    if (found != made.end()) return found->second;
    const Content content = content_of_source(sample_source(name), name + ".bp").value();
    return made.emplace(name, run_algorithm(content, 0)).first->second;
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

}  // namespace blockscope::test
