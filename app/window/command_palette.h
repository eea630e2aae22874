// How well a few typed letters fit a text.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QStyledItemDelegate>
#include <functional>
#include <optional>
#include <vector>

#include "app/shell/appearance.h"

namespace blockscope {

struct FuzzyHit {
    int score = 0;               // larger is better
    std::vector<int> positions;  // of the letters in the text
};

// The letters of `query` (spaces apart) occur in `text` in this order, whatever their case; nothing if they
// do not. Starts of words and letters in a row count most.
std::optional<FuzzyHit> fuzzy_match(const QString& query, const QString& text);

}  // namespace blockscope

// Ctrl+K: everything that can be done, found by a few letters of its name.

class QLineEdit;
class QListWidget;

namespace blockscope {

struct Command {
    QString text;    // "Next step"
    QString detail;  // where it is: "Step", "Sample", "Recent file"
    QString keys;
    bool enabled = true;
    std::function<void()> run;
    bool data = false;  // the text is a name of the user's, not one of the program's
};

class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(Appearance& appearance, QWidget* parent);

    // Shows itself over the top of its parent; without letters the commands stand in their order.
    void open(std::vector<Command> commands);
    void filter(const QString& letters);
    // What is listed, best first.
    std::vector<const Command*> listed() const;
    void run_current();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void close_quietly();

    Appearance& appearance_;
    std::vector<Command> commands_;
    QLineEdit* line_;
    QListWidget* list_;
    QPointer<QWidget> before_;  // had the focus
};

}  // namespace blockscope
