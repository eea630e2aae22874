// Dialogs of the window: its settings, the command palette, and all actions with their keys.
#pragma once

#include <QDialog>
#include <QFrame>
#include <QPointer>
#include <QString>
#include <QStyledItemDelegate>
#include <functional>
#include <optional>
#include <vector>

#include "app/shell/appearance.h"
#include "app/shell/settings.h"

// How well a few typed letters fit a text.

class QLineEdit;
class QListWidget;

namespace blockscope {

struct FuzzyHit {
    int score = 0;               // larger is better
    std::vector<int> positions;  // of the letters in the text
};

// The letters of `query` (spaces apart) occur in `text` in this order, whatever their case; nothing if they
// do not. Starts of words and letters in a row count most.
std::optional<FuzzyHit> fuzzy_match(const QString& query, const QString& text);

// Ctrl+K: everything that can be done, found by a few letters of its name.
struct Command {
    QString text;    // "Next step"
    QString detail;  // where it is: "Step", "Sample", "Recent file"
    QString keys = {};
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

class QLabel;
class QTreeWidget;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace blockscope {

// Theme, animations, speed of playing, journal. Every change holds at once.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);
};

// The `?` sheet: all actions with their keys, by menu, with a search field.

class Appearance;

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(Appearance& appearance, QWidget* parent = nullptr);

    void filter(const QString& text);
    int shown_rows() const;  // without headings
    // At which nothing is cut; a small screen has no room for it.
    int liked_width() const;

private:
    QTreeWidget* tree_;
    QLabel* none_;  // instead of rows
};

// ---- Help > Glossary: the terms of docs/glossary.md, with a search field. Terms that a text refers to are
// links.

class Appearance;
struct GlossaryTerm;

class GlossaryDialog : public QDialog {
    Q_OBJECT

public:
    explicit GlossaryDialog(Appearance& appearance, QWidget* parent = nullptr);

    // Shows the terms whose names, then whose texts hold `text`, and the first of them.
    void filter(const QString& text);
    // Shows the term with this name or alias, and all terms beside it. False if there is none.
    bool show_term(const QString& word);

    int shown_rows() const;
    QString shown_text() const;  // of the term, without marks

private:
    void list(const std::vector<const GlossaryTerm*>& terms);
    void show_row(int row);

    QLineEdit* line_;
    QListWidget* list_;
    QTextBrowser* text_;
    QLabel* none_;  // instead of rows
};

}  // namespace blockscope
