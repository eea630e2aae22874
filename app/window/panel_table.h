// All panels of the window, one row each. The window makes the docks and the actions from it.
#pragma once

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

namespace blockscope {

// A panel that is made when it is first shown: what stands behind a tab takes no time when the window opens.

class LatePanel : public QWidget {
    Q_OBJECT

public:
    using Make = std::function<QWidget*(QWidget* parent)>;

    LatePanel(Make make, QWidget* parent);
    // What it shows, made now if it has not been seen yet. The panel owns it and gives it the focus.
    QWidget* content();

protected:
    void showEvent(QShowEvent* event) override;

private:
    Make make_;
    QWidget* content_ = nullptr;
};

class Document;
struct Services;

enum class PanelArea : std::uint8_t {
    Left,
    Right,
    Bottom,
    Centre,  // a page beside the picture, behind a tab
    Beside,  // a column of its own at the left, wide enough to be read
};

struct PanelInfo {
    const char* id;                      // "panel.matches": also of the action that shows and hides it
    const char* title;                   // QT_TRANSLATE_NOOP("actions", "Matches")
    const char* help;                    // one sentence
    std::vector<const char*> keys = {};  // of the action; may be empty
    PanelArea area;
    bool open;  // in the default arrangement; the first open one of an area is in front
    // Within `parent` from the start: moved there, every part of it would be styled anew.
    QWidget* (*make)(Document&, Services&, QWidget* parent);
    const char* tab = nullptr;  // what stands on its tab if the title is too long for small windows
};

const std::vector<PanelInfo>& panel_table();

}  // namespace blockscope
