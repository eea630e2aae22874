#include "app/panels/editor_panel.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/document/document.h"
#include "app/document/journal.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/words/words.h"
#include "core/program/functions.h"

namespace blockscope {

namespace {

bool is_program_word(QChar c) {
    return (c.isLetterOrNumber() && c.unicode() < 128) || c == QLatin1Char('_');
}

bool is_function(const QString& word) {
    return is_function_name(word.toStdString()) || word == QLatin1String("column");
}

// The end of the number that starts at `i`: digits, '_', one point, an exponent.
int number_end(const QString& line, int i) {
    int end = i;
    const auto sign_of_exponent = [&] {
        return end > i && (line[end] == QLatin1Char('-') || line[end] == QLatin1Char('+')) &&
               line[end - 1].toLower() == QLatin1Char('e');
    };
    while (end < line.size() &&
           (is_program_word(line[end]) || line[end] == QLatin1Char('.') || sign_of_exponent()))
        ++end;
    return end;
}

}  // namespace

const QStringList& program_keywords() {
    static const QStringList words{"dim", "batch", "group", "input", "mask", "output"};
    return words;
}

const QStringList& program_types() {
    static const QStringList words{"f32", "f16", "bf16", "e4m3", "e5m2"};
    return words;
}

std::vector<ProgramToken> program_tokens(const QString& line) {
    std::vector<ProgramToken> tokens;
    const auto size = static_cast<int>(line.size());
    for (int i = 0; i < size;) {
        const auto add = [&](int end, ProgramWord word) {
            tokens.push_back({i, end - i, word});
            i = end;
        };
        if (line[i] == QLatin1Char('#')) {
            add(size, ProgramWord::Comment);
        } else if (line[i] == QLatin1Char('"')) {
            const auto close = static_cast<int>(line.indexOf(QLatin1Char('"'), i + 1));
            add(close < 0 ? size : close + 1, ProgramWord::Text);
        } else if (line[i].isDigit()) {
            add(number_end(line, i), ProgramWord::Number);
        } else if (is_program_word(line[i])) {
            int end = i;
            while (end < size && is_program_word(line[end])) ++end;
            const QString word = line.mid(i, end - i);
            if (program_keywords().contains(word))
                add(end, ProgramWord::Keyword);
            else if (program_types().contains(word))
                add(end, ProgramWord::Type);
            else if (is_function(word))
                add(end, ProgramWord::Function);
            else
                i = end;
        } else {
            ++i;
        }
    }
    return tokens;
}

std::vector<ProgramProblem> program_problems(const QString& text, const Problems& problems) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    std::vector<ProgramProblem> found;
    for (const Problem& problem : problems) {
        ProgramProblem at;
        at.message = translated(problem.message);
        at.line = std::clamp(problem.place.line - 1, 0, static_cast<int>(lines.size()) - 1);
        const QString& line = lines[at.line];
        // The core counts bytes of UTF-8.
        const QByteArray before = line.toUtf8().left(std::max(0, problem.place.column - 1));
        at.column =
            std::min(static_cast<int>(QString::fromUtf8(before).size()), static_cast<int>(line.size()));
        int end = at.column;
        while (end < line.size() && is_program_word(line[end])) ++end;
        at.length = std::max(1, end - at.column);
        // At the end of a line there is nothing to underline but what stands before it.
        if (at.column == line.size() && at.column > 0) --at.column;
        found.push_back(std::move(at));
    }
    return found;
}

ProgramHighlighter::ProgramHighlighter(QTextDocument* document, Appearance& appearance)
    : LazyHighlighter(document), appearance_(appearance) {}

void ProgramHighlighter::colour(const QString& text) {
    const Theme& theme = appearance_.theme();
    for (const ProgramToken& token : program_tokens(text)) {
        QTextCharFormat format;
        switch (token.word) {
            case ProgramWord::Keyword:
                format.setForeground(theme.frame_rim);
                format.setFontWeight(QFont::Bold);
                break;
            case ProgramWord::Function:
                format.setForeground(theme.box_rim);
                break;
            case ProgramWord::Type:
                format.setForeground(theme.formula_rim);
                break;
            case ProgramWord::Number:
                format.setForeground(theme.search);
                break;
            case ProgramWord::Text:
                format.setForeground(theme.formula_rim);
                break;
            case ProgramWord::Comment:
                format.setForeground(appearance_.colors().muted);
                format.setFontItalic(true);
                break;
        }
        setFormat(token.start, token.length, format);
    }
}

namespace {

bool is_apply(const QKeyEvent& key) {
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    return enter && key.modifiers() == Qt::ControlModifier;
}

bool is_complete(const QKeyEvent& key) {
    return key.key() == Qt::Key_Space && key.modifiers() == Qt::ControlModifier;
}

bool is_name_letter(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

}  // namespace

ProgramEdit::ProgramEdit(Appearance& appearance, QWidget* parent)
    : CodeView(appearance, parent), completer_(new QCompleter(this)), words_(new QStringListModel(this)) {
    setTabChangesFocus(true);
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
        while (looks.size() < lines) looks.push_back({.number = static_cast<int>(looks.size()) + 1});
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

QString size_words(const QString& line) {
    static const QRegularExpression statement(
        QStringLiteral("^\\s*(?:dim|batch|group)\\s+(\\w+)\\s*=\\s*([0-9_]+)(?:\\s*/\\s*([0-9_]+))?"));
    const QRegularExpressionMatch found = statement.match(line);
    if (!found.hasMatch()) return {};
    const auto number = [&](int place) {
        return found.captured(place).remove(QLatin1Char('_')).toLongLong();
    };
    const qlonglong size = number(2), block = number(3);
    if (block <= 0) return ProgramEdit::tr("%1: %2 elements").arg(found.captured(1)).arg(size);
    return ProgramEdit::tr("%1: %2 elements, in blocks of %3").arg(found.captured(1)).arg(size).arg(block);
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
        else if (const QString size = size_words(cursor.block().text()); !size.isEmpty())
            QToolTip::showText(help->globalPos(), size, this);
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
    if (!typed.isEmpty() && (is_name_letter(typed[0]) || completer_->popup()->isVisible())) complete(false);
}

// Tab goes on to the next widget, as everywhere; where names are offered, it takes one.
bool ProgramEdit::focusNextPrevChild(bool next) {
    return !completer_->popup()->isVisible() && CodeView::focusNextPrevChild(next);
}

QString ProgramEdit::word_before_cursor() const {
    const QString line = textCursor().block().text();
    const int end = textCursor().positionInBlock();
    int start = end;
    while (start > 0 && is_name_letter(line[start - 1])) --start;
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

namespace {

constexpr int kPause = 150;      // milliseconds without a key before the text is checked
constexpr int kMostListed = 4;   // rows of the list of problems that show at once
constexpr int kListAround = 30;  // of its width: rims and a scroll bar
constexpr int kRowAround = 10;
constexpr int kLinksTop = 8;  // of what says that the links to the picture are late

std::string file_of(const Content* content) {
    return (content ? content->name : std::string("program")) + ".bp";
}

// What is typed and not applied is the user's work: it is asked for and journalled.
void tell_draft(Document& document, EditorPanel& panel) {
    Draft::of(document).set(panel.edited() ? panel.edit().toPlainText() : QString());
}

}  // namespace

EditorPanel::EditorPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      links_(CurrentLinks::of(document)),
      help_(make_help()),
      edit_(new ProgramEdit(services.appearance, this)),
      highlighter_(new ProgramHighlighter(edit_->document(), services.appearance)),
      line_(new QWidget(this)),
      list_(new QListWidget(this)),
      late_links_(new ProgressOverlay(links_.work(), kLinksTop, edit_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(edit_, 1);
    column->addWidget(line_);
    column->addWidget(list_);
    column->addWidget(help_);
    help_->hide();
    list_->setAccessibleName(tr("Problems of the program"));
    list_->setWordWrap(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    line_->setFixedHeight(1);
    line_->setAutoFillBackground(true);
    line_->setBackgroundRole(QPalette::Mid);
    line_->hide();
    list_->hide();
    edit_->setAccessibleName(tr("Program"));
    edit_->setPlaceholderText(
        tr("There is no text: a block program was opened. What is typed here becomes a new program."));
    setFocusProxy(edit_);
    pause_.setSingleShot(true);
    pause_.setInterval(kPause);

    connect(&pause_, &QTimer::timeout, this, &EditorPanel::check);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        // Colours are told as changes of the text, too: thousands of times in a long program.
        if (highlighter_->colouring()) return;
        if (std::exchange(revision_, edit_->document()->revision()) == edit_->document()->revision()) return;
        pause_.start();
        show_state();
        tell_draft(document_, *this);
    });
    connect(&Draft::of(document_), &Draft::brought_back, this,
            [this] { set_text(Draft::of(document_).text()); });
    connect(edit_, &CodeView::restyled, highlighter_, &LazyHighlighter::recolour);
    connect(edit_, &ProgramEdit::apply_asked, this, &EditorPanel::apply);
    const auto go_to = [this] {
        const int row = list_->currentRow();
        if (row < 0 || row >= static_cast<int>(edit_->problems().size())) return;
        const ProgramProblem& problem = edit_->problems()[static_cast<std::size_t>(row)];
        edit_->go_to(problem.line, problem.column);
        edit_->setFocus();
    };
    connect(list_, &QListWidget::itemClicked, this, go_to);
    connect(list_, &QListWidget::itemActivated, this, go_to);
    // Done or cancelled.
    connect(&services_.work, &Work::finished, this, [this] {
        if (std::exchange(applying_, false)) show_state();
    });
    connect(&document_, &Document::opened, this, &EditorPanel::change_document);
    connect(&document_, &Document::content_changed, this, &EditorPanel::follow_document);
    connect(&document_, &Document::selection_changed, this, &EditorPanel::light_lines);
    connect(&links_, &CurrentLinks::found, this, &EditorPanel::light_lines);
    connect(late_links_, &ProgressOverlay::cancelled, &links_, &CurrentLinks::cancel);
    connect(late_links_, &ProgressOverlay::again_clicked, &links_, &CurrentLinks::find_again);
    change_document();
}

QWidget* EditorPanel::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(4);
    apply_ = new QPushButton(tr("Apply"), bar);
    apply_->setToolTip(tr("Shows this program and runs the algorithm on it (Ctrl+Return)"));
    apply_->setAccessibleName(tr("Apply the program"));
    connect(apply_, &QPushButton::clicked, this, &EditorPanel::apply);
    revert_ = make_bar_button(bar, tr("Revert"), tr("Revert the edits"),
                              tr("Takes the document's program back into the editor"));
    connect(revert_, &QToolButton::clicked, this, &EditorPanel::revert);
    help_button_ =
        make_bar_button(bar, tr("Help"), tr("Help on the language"), tr("Shows the forms of the language"));
    help_button_->setCheckable(true);
    connect(help_button_, &QToolButton::toggled, help_, &QWidget::setVisible);
    state_ = new QLabel(bar);
    state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    state_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    row->addWidget(apply_);
    row->addWidget(revert_);
    row->addWidget(help_button_);
    connect(state_, &QLabel::linkActivated, this, &EditorPanel::check_again);
    late_ = new StatusProgress(bar);
    late_->follow(checking_, [this] { stop_checking(); });
    connect(&checking_, &Work::slow, state_, &QWidget::hide);
    connect(&checking_, &Work::finished, state_, &QWidget::show);
    row->addWidget(state_);
    row->addWidget(late_);
    return bar;
}

QWidget* EditorPanel::make_help() {
    auto* help = new QLabel(this);
    help->setTextFormat(Qt::RichText);
    help->setWordWrap(true);
    help->setTextInteractionFlags(Qt::TextSelectableByMouse);
    help->setContentsMargins(12, 8, 12, 10);
    help->setAccessibleName(tr("Forms of the language"));
    const QString row =
        QStringLiteral("<tr><td style='padding-right:14px'><code>%1</code></td><td>%2</td></tr>");
    QString rows;
    const auto add = [&](const char* form, const QString& meaning) {
        rows += row.arg(QString::fromLatin1(form).toHtmlEscaped(), meaning);
    };
    add("dim M = 4096 / 128", tr("a dimension: size / block size"));
    add("batch H = 32", tr("a batch dimension; group: one that operands may share"));
    add("input Q[M, D], b[D] : bf16", tr("inputs and their element type"));
    add("mask C[M, N] = causal", tr("a causal mask, never read from memory"));
    add("S = Q @ K.T * D^-0.5", tr("@ multiplies matrices, .T transposes, a dimension is its size"));
    add("output O = softmax(S) @ V", tr("what the program computes"));
    add("rmsnorm(X, w)  layernorm(X, w, b)", tr("norms of rows"));
    add("rope(X, C, S)  rope_interleaved(X, C, S)", tr("rotary embeddings, by cosines and sines"));
    add("row_sum row_mean row_max outer sum cast", tr("functions of whole arrays"));
    add("exp log sqrt relu silu gelu sigmoid tanh", tr("functions of elements, and many more"));
    add("elementwise(x, y: x * exp(y), X, Y)", tr("any other function of elements"));
    help->setText(QStringLiteral("<table cellspacing='2'>%1</table>").arg(rows));
    return help;
}

bool EditorPanel::edited() const {
    return edit_->toPlainText() != source_;
}

bool EditorPanel::busy() const {
    return pause_.isActive() || checking_.busy() || applying_;
}

// ---- The document's text and the user's

void EditorPanel::set_text(const QString& text) {
    const int scrolled = edit_->verticalScrollBar()->value();
    const int position = edit_->textCursor().position();
    edit_->setPlainText(text);
    QTextCursor cursor = edit_->textCursor();
    cursor.setPosition(std::min(position, static_cast<int>(text.size())));
    edit_->setTextCursor(cursor);
    edit_->verticalScrollBar()->setValue(scrolled);
    pause_.stop();
    check();
}

void EditorPanel::keep_edits() {
    if (edited())
        kept_[key_] = edit_->toPlainText();
    else
        kept_.erase(key_);
}

// Another document: its text, or what was typed there before.
void EditorPanel::change_document() {
    keep_edits();
    if (std::exchange(applying_, false)) services_.work.cancel();
    const bool none = document_.empty();
    key_ = none ? QString() : document_.path();
    if (!none && key_.isEmpty()) key_ = QString::fromStdString(document_.content().name);
    source_ = none ? QString() : QString::fromStdString(document_.content().source);
    const auto kept = kept_.find(key_);
    set_text(kept == kept_.end() ? source_ : kept->second);
    tell_draft(document_, *this);
    light_lines();
}

// The same document with other sizes, or after undo. What the user has typed stays.
void EditorPanel::follow_document() {
    if (document_.empty()) return;
    const QString source = QString::fromStdString(document_.content().source);
    const bool mine = edited();
    if (source == source_) return light_lines();
    const bool applied = source == edit_->toPlainText();
    source_ = source;
    if (!mine && !applied) set_text(source);
    show_state();
    tell_draft(document_, *this);
    light_lines();
}

void EditorPanel::revert() {
    set_text(source_);
}

// ---- Checking and applying

void EditorPanel::check() {
    const QString text = edit_->toPlainText();
    unchecked_ = false;
    checking_.cancel();
    if (text.trimmed().isEmpty()) return take_problems({}, 0, 0);
    const auto job = [this, source = text.toStdString()](const Stop& stop) -> Background::Finish {
        const Result<ArrayProgram> program = parse_program(source, {}, stop.sign());
        if (!program) return [this, problems = program.problems()] { take_problems(problems, 0, 0); };
        const auto ops = static_cast<int>(program->ops.size());
        const auto dims = static_cast<int>(program->dims.size());
        return [this, ops, dims] { take_problems({}, ops, dims); };
    };
    checking_.start(tr("Checking the program"), job);
}

// It can be applied all the same: that says what is wrong with it, and can be cancelled, too.
void EditorPanel::stop_checking() {
    checking_.cancel();
    take_problems({}, 0, 0);
    valid_ = unchecked_ = true;
    show_state();
}

void EditorPanel::check_again() {
    check();
    show_state();
}

void EditorPanel::take_problems(const Problems& problems, int ops, int dims) {
    valid_ = problems.empty() && ops > 0;
    unchecked_ = false;
    edit_->set_problems(program_problems(edit_->toPlainText(), problems));
    list_->clear();
    for (const ProgramProblem& problem : edit_->problems())
        list_->addItem(
            tr("Line %1, column %2: %3").arg(problem.line + 1).arg(problem.column + 1).arg(problem.message));
    list_->setVisible(!problems.empty());
    line_->setVisible(!problems.empty());
    fit_problems();
    state_->setToolTip(ops > 0 ? tr("%1 operators, %2 dimensions").arg(ops).arg(dims) : QString());
    show_state();
}

// The first problems are seen whole, as long as most of the panel is left to the text.
void EditorPanel::fit_problems() {
    const QRect room(0, 0, std::max(80, width() - kListAround), QWIDGETSIZE_MAX);
    int height = kRowAround;
    for (int row = 0; row < std::min(kMostListed, list_->count()); ++row) {
        const QString text = list_->item(row)->text();
        height += list_->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height() + kRowAround;
    }
    list_->setFixedHeight(std::min(height, std::max(this->height() / 2, 60)));
}

void EditorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit_problems();
}

void EditorPanel::show_state() {
    const bool mine = edited();
    apply_->setEnabled(mine && valid_ && !applying_);
    revert_->setEnabled(mine);
    QString text;
    if (applying_)
        text = tr("Applying...");
    else if (unchecked_)
        text = tr("Not checked: cancelled. <a href=\"check\">Check again</a>");
    else if (!edit_->problems().empty())
        text =
            edit_->problems().size() == 1 ? tr("1 problem") : tr("%1 problems").arg(edit_->problems().size());
    else if (mine)
        text = tr("Edited, not applied");
    state_->setText(text);
    set_reachable_links(*state_, unchecked_);
}

void EditorPanel::apply() {
    if (!edited() || applying_) return;
    const ContentPtr before = document_.snapshot();
    const auto job = [this, before,
                      source = edit_->toPlainText().toStdString()](const Stop& stop) -> Work::Finish {
        const StepObserver go_on = [&stop](const Step&) { return !stop; };
        Result<Content> made = before ? with_source(*before, source, file_of(before.get()), go_on)
                                      : content_of_source(source, file_of(nullptr));
        if (made && !stop) made = first_run(std::move(made).value(), stop);
        return [this, before, made = std::move(made)] { take_applied(before, made); };
    };
    services_.work.start(tr("Applying the edits"), job);
    applying_ = true;
    show_state();
}

void EditorPanel::take_applied(const ContentPtr& before, Result<Content> applied) {
    if (!applied) {
        take_problems(applied.problems(), 0, 0);
        return;
    }
    // Whatever happened to the document meanwhile is undone by this change, and comes back with undo.
    if (before && !document_.empty())
        document_.change(tr("Edit the program"), std::move(applied).value());
    else
        document_.reset(std::move(applied).value(), {});
    show_state();
}

void EditorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    light_lines();
}

// Lines that say what the selected nodes compute, as long as the text is the document's.
void EditorPanel::light_lines() {
    if (!isVisible()) return;
    std::map<int, CodeView::Light> lights;
    const bool selected = !document_.selection().nodes.empty();
    if (selected && !document_.empty() && document_.content().array && !edited()) {
        const Content& content = document_.content();
        const ArrayLinks& links = links_.links();
        for (const NodeId node : document_.selection().nodes) {
            const auto it = links.ops.find(node);
            if (it == links.ops.end()) continue;
            for (const int op : it->second) {
                const int line = content.array->ops.at(static_cast<std::size_t>(op)).place.line;
                if (line > 0) lights[line - 1] = CodeView::Light::Selected;
            }
        }
    }
    edit_->set_lights(std::move(lights));
    late_links_->say_given_up(
        selected && links_.given_up() ? tr("Cancelled: the selection does not light its lines.") : QString());
}

}  // namespace blockscope
