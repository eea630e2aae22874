// What panels may use besides the Document.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/state/choose.h"

class QString;

namespace blockscope {

class Actions;
class Appearance;
class Pictures;
class Proofs;
class Settings;
class Work;

struct Services {
    Pictures& pictures;
    Proofs& proofs;
    Actions& actions;        // a panel gives its own actions their handlers
    Appearance& appearance;  // theme, sizes and animations now, and a signal when they change
    Settings& settings;
    Work& work;  // for whatever may take over 100 ms
    // Brings the panel to the front ("panel.matches") and gives it the focus.
    std::function<void(const std::string& panel)> show_panel;
    // One sentence in the status bar.
    std::function<void(const QString& text)> say;
    // A file was written: says so, and offers to open it and to show its folder.
    std::function<void(const QString& path)> wrote = {};
    // A program in the text language, or a document, in a window of its own; `state`: shown once it is open.
    std::function<void(const QString& name, const QString& text, const std::optional<StateChoice>& state)>
        open_program = {};
};

}  // namespace blockscope
