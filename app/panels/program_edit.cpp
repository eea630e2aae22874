#include "app/panels/program_edit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHelpEvent>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QToolTip>
#include <utility>

#include "core/program/functions.h"

namespace blockscope {

namespace {

bool is_apply(const QKeyEvent& key) {
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    return enter && key.modifiers() == Qt::ControlModifier;
}

bool is_complete(const QKeyEvent& key) {
    return key.key() == Qt::Key_Space && key.modifiers() == Qt::ControlModifier;
}

bool is_word(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

}  // namespace

ProgramEdit::ProgramEdit(Appearance& appearance, QWidget* parent)
    : CodeView(appearance, parent), completer_(new QCompleter(this)), words_(new QStringListModel(this)) {
    completer_->setModel(words_);
    completer_->setWidget(this);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setMaxVisibleItems(10);
    completer_->popup()->setAccessibleName(tr("Completions"));
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this,
            &ProgramEdit::insert_completion);
    connect(this, &CodeView::restyled, this, [this] { set_problems(problems_); });
}

void ProgramEdit::set_problems(std::vector<ProgramProblem> problems) {
    problems_ = std::move(problems);
    QList<QTextEdit::ExtraSelection> underlines;
    std::vector<LineLook> looks;
    for (const ProgramProblem& problem : problems_) {
        const QTextBlock block = document()->findBlockByNumber(problem.line);
        if (!block.isValid()) continue;
        QTextEdit::ExtraSelection underline;
        underline.cursor = QTextCursor(block);
        underline.cursor.setPosition(block.position() + std::min(problem.column, block.length() - 1));
        underline.cursor.setPosition(
            block.position() + std::min(problem.column + problem.length, block.length() - 1),
            QTextCursor::KeepAnchor);
        underline.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        underline.format.setUnderlineColor(appearance_.colors().bad);
        underlines.push_back(underline);
        const auto lines = static_cast<std::size_t>(problem.line) + 1;
        while (looks.size() < lines)
            looks.push_back({static_cast<int>(looks.size()) + 1, LineMark::None, false});
        looks[lines - 1].mark = LineMark::Error;
    }
    set_looks(std::move(looks));
    set_decorations(underlines);
}

const ProgramProblem* ProgramEdit::problem_at(int line, int column) const {
    for (const ProgramProblem& problem : problems_)
        if (problem.line == line && column >= problem.column && column <= problem.column + problem.length)
            return &problem;
    return nullptr;
}

bool ProgramEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // These two mean something else in the rest of the window.
        const auto* key = static_cast<QKeyEvent*>(event);
        if (is_apply(*key) || is_complete(*key)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QTextCursor cursor = cursorForPosition(viewport()->mapFromGlobal(help->globalPos()));
        if (const ProgramProblem* problem = problem_at(cursor.blockNumber(), cursor.positionInBlock()))
            QToolTip::showText(help->globalPos(), problem->message, this);
        else
            QToolTip::hideText();
        return true;
    }
    return CodeView::event(event);
}

void ProgramEdit::keyPressEvent(QKeyEvent* event) {
    if (completer_->popup()->isVisible()) {
        const int key = event->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab || key == Qt::Key_Escape) {
            event->ignore();  // the completer's
            return;
        }
    }
    if (is_apply(*event)) return Q_EMIT apply_asked();
    if (is_complete(*event)) return complete(true);
    CodeView::keyPressEvent(event);
    const QString typed = event->text();
    if (!typed.isEmpty() && (is_word(typed[0]) || completer_->popup()->isVisible())) complete(false);
}

QString ProgramEdit::word_before_cursor() const {
    const QString line = textCursor().block().text();
    const int end = textCursor().positionInBlock();
    int start = end;
    while (start > 0 && is_word(line[start - 1])) --start;
    return line.mid(start, end - start);
}

// Keywords, functions, types and every name in the text but the one that is being typed.
QStringList ProgramEdit::words() const {
    QStringList all = program_keywords() + program_types();
    for (const std::string_view name : function_names())
        all << QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
    static const QRegularExpression name(QStringLiteral("[A-Za-z_][A-Za-z0-9_]*"));
    const QString text = toPlainText();
    for (auto it = name.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        if (match.capturedEnd() != textCursor().position()) all << match.captured();
    }
    all.removeDuplicates();
    all.sort(Qt::CaseInsensitive);
    return all;
}

void ProgramEdit::complete(bool asked) {
    const QString word = word_before_cursor();
    if (word.size() < (asked ? 1 : 2)) {
        completer_->popup()->hide();
        return;
    }
    words_->setStringList(words());
    completer_->setCompletionPrefix(word);
    const bool finished = completer_->completionCount() == 1 && completer_->currentCompletion() == word;
    if (completer_->completionCount() == 0 || finished) {
        completer_->popup()->hide();
        return;
    }
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
    QRect place = cursorRect().translated(viewport()->pos());
    place.setWidth(completer_->popup()->sizeHintForColumn(0) + 32);
    completer_->complete(place);
}

void ProgramEdit::insert_completion(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor,
                        static_cast<int>(word_before_cursor().size()));
    cursor.insertText(word);
    setTextCursor(cursor);
}

}  // namespace blockscope
