// The text of a program, with problems underlined in place and completion of names.
#pragma once

#include <vector>

#include "app/panels/code_view.h"
#include "app/panels/program_highlight.h"

class QCompleter;
class QStringListModel;

namespace blockscope {

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

private:
    QString word_before_cursor() const;
    QStringList words() const;
    void insert_completion(const QString& word);

    QCompleter* completer_;
    QStringListModel* words_;
    std::vector<ProgramProblem> problems_;
};

}  // namespace blockscope
