// Colours of a program in the text language, and where in its text the problems are.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>
#include <vector>

#include "app/document/document.h"
#include "app/panels/array_view.h"
#include "app/shell/appearance.h"
#include "app/shell/code_view.h"
#include "app/shell/progress.h"
#include "app/shell/services.h"
#include "core/support/result.h"

class QCompleter;
class QStringListModel;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace blockscope {

enum class ProgramWord : std::uint8_t { Keyword, Function, Type, Number, Text, Comment };

struct ProgramToken {
    int start = 0, length = 0;
    ProgramWord word = ProgramWord::Keyword;
    bool operator==(const ProgramToken&) const = default;
};

// The words of one line (docs/language.md) that have a colour.
std::vector<ProgramToken> program_tokens(const QString& line);

// dim, batch, group, input, mask, output.
const QStringList& program_keywords();
// f32, f16, bf16, e4m3, e5m2.
const QStringList& program_types();

// A problem in the text: lines and columns from 0, columns in characters of a QString; the word there.
struct ProgramProblem {
    int line = 0, column = 0, length = 1;
    QString message;
};
std::vector<ProgramProblem> program_problems(const QString& text, const Problems& problems);

// "M: 4096 elements, in blocks of 128": what a line that declares a dimension says. Empty for any other.
QString size_words(const QString& line);

class ProgramHighlighter : public LazyHighlighter {
    Q_OBJECT

public:
    ProgramHighlighter(QTextDocument* document, Appearance& appearance);

protected:
    void colour(const QString& text) override;

private:
    Appearance& appearance_;
};

// The text of a program, with problems underlined in place and completion of names.
class ProgramEdit : public CodeView {
    Q_OBJECT

public:
    ProgramEdit(Appearance& appearance, QWidget* parent = nullptr);

    void set_problems(std::vector<ProgramProblem> problems);
    const std::vector<ProgramProblem>& problems() const { return problems_; }
    // The problem at a position of the text; null if there is none.
    const ProgramProblem* problem_at(int line, int column) const;
    // Offers words that begin like the one before the cursor; `asked` by the user: also after one letter.
    void complete(bool asked);
    QCompleter& completer() { return *completer_; }

Q_SIGNALS:
    void apply_asked();  // Ctrl+Return

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    QString word_before_cursor() const;
    QStringList words() const;
    void insert_completion(const QString& word);

    QCompleter* completer_;
    QStringListModel* words_;
    std::vector<ProgramProblem> problems_;
};

// The program in the text language: problems while typing, applied to the document as one change.

class ProgressOverlay;
class StatusProgress;

class EditorPanel : public QWidget {
    Q_OBJECT

public:
    EditorPanel(Document& document, Services& services, QWidget* parent = nullptr);

    ProgramEdit& edit() { return *edit_; }
    bool edited() const;  // the text differs from the document's
    bool busy() const;    // typing is not checked yet, or a program is being applied
    void apply();
    void revert();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* make_bar();
    QWidget* make_help();
    void follow_document();
    void change_document();
    void keep_edits();
    void set_text(const QString& text);
    void check();
    void stop_checking();
    void check_again();
    void take_problems(const Problems& problems, int ops, int dims);
    void take_applied(const ContentPtr& before, Result<Content> applied);
    void fit_problems();
    void show_state();
    void light_lines();

    Document& document_;
    Services& services_;
    CurrentLinks& links_;
    QPushButton* apply_ = nullptr;
    QToolButton* revert_ = nullptr;
    QToolButton* help_button_ = nullptr;
    QLabel* state_ = nullptr;
    StatusProgress* late_ = nullptr;  // stands where state_ stands
    QWidget* help_;
    ProgramEdit* edit_;
    ProgramHighlighter* highlighter_;
    QWidget* line_;  // between the text and the list of its problems
    QListWidget* list_;
    ProgressOverlay* late_links_;
    QTimer pause_;  // since the last key
    Background checking_;
    bool applying_ = false;  // a job of services_.work does

    QString source_;                   // the document's
    int revision_ = -1;                // of the text, when it was looked at last
    QString key_;                      // of the document, in `kept_`
    std::map<QString, QString> kept_;  // edits that were not applied, by document
    bool valid_ = true;
    bool unchecked_ = false;  // the user has cancelled the check
};

}  // namespace blockscope
