#include "app/panels/search_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QString>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cctype>
#include <functional>
#include <sstream>
#include <utility>

#include "app/shell/actions.h"
#include "app/shell/controls.h"
#include "app/words/words.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostRows = 1000;

}  // namespace

void FoundRows::show(ProgramPtr program, std::vector<NodeId> nodes) {
    beginResetModel();
    program_ = std::move(program);
    nodes_ = std::move(nodes);
    if (nodes_.size() > kMostRows) nodes_.resize(kMostRows);
    links_.reset();
    texts_.clear();
    endResetModel();
}

int FoundRows::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(nodes_.size());
}

QVariant FoundRows::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || role != Qt::DisplayRole) return {};
    const auto [known, is_new] = texts_.try_emplace(index.row());
    if (is_new) known->second = text(nodes_.at(static_cast<std::size_t>(index.row())));
    return known->second;
}

QString FoundRows::text(NodeId node) const {
    if (!links_) links_.emplace(program_);
    const DimTable& dims = program_->dims;
    QStringList maps;
    for (const NodeId map : links_->path(node))
        maps << QString::fromStdString(dims.at(links_->find(map)->as<Map>()->dim.value).name);
    const QString name = translated(label_text(*links_->find(node), dims));
    return maps.isEmpty() ? name : tr("%1  in %2").arg(name, maps.join(QStringLiteral(", ")));
}

namespace {

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool contains(const std::string& text, const std::string& part) {
    return lower_case(text).find(part) != std::string::npos;
}

// A node with what a query can ask about its surroundings.
struct Candidate {
    const Node& node;
    const GraphIndex& index;
    int position;
    const std::vector<std::string>& maps;  // dimensions of the maps around it
    const DimTable& dims;
};

std::string kind_name(const Node& node) {
    struct Names {
        std::string operator()(const Input&) const { return "input"; }
        std::string operator()(const Output&) const { return "output"; }
        std::string operator()(const Functional& f) const { return to_string(f.op); }
        std::string operator()(const Elementwise&) const { return "elementwise"; }
        std::string operator()(const Map&) const { return "map"; }
        std::string operator()(const Reduce& r) const { return r.op == ReduceOp::Sum ? "sum" : "max"; }
        std::string operator()(const Misc& m) const { return m.name; }
    };
    return std::visit(Names{}, node.kind);
}

bool is_buffered(const Candidate& candidate) {
    for (const GraphIndex::Use& use : candidate.index.uses(candidate.position)) {
        const Node& consumer = candidate.index.node(use.node);
        if (is_buffered(candidate.node, consumer, use.port, candidate.maps.empty())) return true;
    }
    return false;
}

bool has_type(const Candidate& candidate, const std::string& part) {
    return std::any_of(candidate.node.outputs.begin(), candidate.node.outputs.end(),
                       [&](const Type& type) { return contains(to_string(type, candidate.dims), part); });
}

bool in_map(const Candidate& candidate, const std::string& dim) {
    return std::any_of(candidate.maps.begin(), candidate.maps.end(),
                       [&](const std::string& around) { return lower_case(around) == dim; });
}

using Condition = std::function<bool(const Candidate&)>;

// Empty if `word` begins with "x:" for an x that means nothing.
Condition condition_of(const std::string& word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) {
        if (word == "buffered") return [](const Candidate& c) { return is_buffered(c); };
        return [word](const Candidate& c) {
            return to_string(c.node.id) == word || contains(label(c.node, c.dims), word);
        };
    }
    const std::string key = word.substr(0, colon);
    const std::string part = word.substr(colon + 1);
    if (key == "op") {
        return [part](const Candidate& c) {
            const bool formula = c.node.is<Elementwise>() && contains(label(c.node, c.dims), part);
            return formula || contains(kind_name(c.node), part);
        };
    }
    if (key == "type") return [part](const Candidate& c) { return has_type(c, part); };
    if (key == "in") return [part](const Candidate& c) { return in_map(c, part); };
    return {};
}

Result<Condition> conditions_of(const std::string& text) {
    std::vector<Condition> all;
    std::istringstream words(lower_case(text));
    std::string word;
    while (words >> word) {
        Condition condition = condition_of(word);
        if (!condition) {
            const auto column = static_cast<int>(lower_case(text).find(word)) + 1;
            return Problem{{{}, 1, column, {}},
                           Text("Found \"%1\"; expected op:, type: or in: before the colon.", word)};
        }
        all.push_back(std::move(condition));
    }
    return Condition([all = std::move(all)](const Candidate& c) {
        return std::all_of(all.begin(), all.end(), [&](const Condition& condition) { return condition(c); });
    });
}

Result<Condition> regular(const std::string& text) {
    const QRegularExpression expression(QString::fromStdString(text),
                                        QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        return Problem{{{}, 1, static_cast<int>(expression.patternErrorOffset()) + 1, {}},
                       Text("The regular expression is wrong at character %1: %2.",
                            expression.patternErrorOffset() + 1, expression.errorString().toStdString())};
    }
    return Condition([expression](const Candidate& c) {
        return expression.match(QString::fromStdString(describe_for_search(c.node, c.dims))).hasMatch();
    });
}

class Search {
public:
    Search(const BlockProgram& program, const Condition& condition)
        : dims_(program.dims), condition_(condition) {
        level(*program.graph);
    }
    std::vector<NodeId> found;

private:
    void level(const Graph& graph) {
        const GraphIndex index(graph);
        for (int position = 0; position < index.size(); ++position) {
            const Node& node = index.node(position);
            const bool port = !maps_.empty() && (node.is<Input>() || node.is<Output>());
            if (!port &&
                condition_(
                    {.node = node, .index = index, .position = position, .maps = maps_, .dims = dims_}))
                found.push_back(node.id);
            const Map* map = node.as<Map>();
            if (!map) continue;
            maps_.push_back(dims_.at(map->dim.value).name);
            level(*map->body);
            maps_.pop_back();
        }
    }

    const DimTable& dims_;
    const Condition& condition_;
    std::vector<std::string> maps_;
};

}  // namespace

std::string describe_for_search(const Node& node, const DimTable& dims) {
    std::string text = to_string(node.id) + " " + label(node, dims);
    for (const Type& type : node.outputs) text += " " + to_string(type, dims);
    return text;
}

Result<std::vector<NodeId>> search(const BlockProgram& program, const SearchQuery& query) {
    if (query.text.find_first_not_of(" \t") == std::string::npos) return std::vector<NodeId>{};
    Result<Condition> condition = query.regular ? regular(query.text) : conditions_of(query.text);
    if (!condition) return condition.problems();
    return Search(program, *condition).found;
}

SearchPanel::SearchPanel(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      status_(new QLabel(this)),
      results_(new QListView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(make_bar());
    column->addWidget(status_);
    column->addWidget(results_, 1);
    status_->setWordWrap(true);
    status_->setContentsMargins(10, 0, 10, 8);
    results_->setAccessibleName(tr("Found nodes"));
    results_->setUniformItemSizes(true);
    setFocusProxy(text_);

    results_->setModel(&rows_);
    connect(results_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) { chosen(now.row()); });
    connect(results_, &QListView::clicked, this, [this](const QModelIndex& index) { chosen(index.row()); });
    connect(&document_, &Document::current_changed, this, [this] {
        const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
        if (program == program_) return;
        if (isVisible()) return refresh();
        light(false);
        stale_ = true;
    });
    services_.actions.on(
        "edit.find_next", [this] { go(1); }, this);
    services_.actions.on(
        "edit.find_previous", [this] { go(-1); }, this);
    refresh();
}

QWidget* SearchPanel::make_bar() {
    const auto [bar, row] = make_panel_bar(this);
    text_ = new QLineEdit(bar);
    text_->setPlaceholderText(tr("exp   op:dot   type:block[M,N]   in:M   buffered"));
    text_->setAccessibleName(tr("Find nodes"));
    text_->setToolTip(
        tr("Words that all have to match: parts of names and formulas, ids (n12), op:dot, "
           "type:f32, in:M, buffered"));
    text_->setClearButtonEnabled(true);
    text_->installEventFilter(this);
    regular_ = make_bar_button(bar, QStringLiteral(".*"), tr("Regular expression"), tr("Regular expression"));
    regular_->setCheckable(true);
    previous_ = make_bar_button(bar, QStringLiteral("\u2191"), tr("Previous match"), tr("Previous match"));
    next_ = make_bar_button(bar, QStringLiteral("\u2193"), tr("Next match"), tr("Next match"));
    connect(text_, &QLineEdit::textChanged, this, &SearchPanel::refresh);
    connect(regular_, &QToolButton::toggled, this, &SearchPanel::refresh);
    connect(previous_, &QToolButton::clicked, this, [this] { go(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { go(1); });
    row->addWidget(text_, 1);
    row->addWidget(regular_);
    row->addWidget(previous_);
    row->addWidget(next_);
    return bar;
}

void SearchPanel::look_for(const QString& text, bool regular) {
    regular_->setChecked(regular);
    text_->setText(text);
}

QString SearchPanel::status() const {
    return status_->text();
}

void SearchPanel::refresh() {
    stale_ = false;
    program_ = document_.empty() ? nullptr : document_.content().program();
    found_.clear();
    problem_.clear();
    if (program_) {
        const Result<std::vector<NodeId>> result =
            search(*program_, {text_->text().toStdString(), regular_->isChecked()});
        if (result)
            found_ = *result;
        else
            problem_ = translated(result.problems().front().message);
    }
    list();
    light(isVisible());
    say();
}

void SearchPanel::list() {
    previous_->setEnabled(!found_.empty());
    next_->setEnabled(!found_.empty());
    rows_.show(program_, found_);
}

void SearchPanel::say() {
    const int row = results_->currentIndex().row();
    const auto count = static_cast<int>(found_.size());
    QString text = problem_;
    if (text.isEmpty() && !text_->text().trimmed().isEmpty()) {
        if (count == 0)
            text = nothing_matches();
        else if (row >= 0)
            text = tr("%1 of %2").arg(row + 1).arg(count);
        else
            text = count == 1 ? tr("1 match") : tr("%1 matches").arg(count);
    }
    status_->setText(text);
    status_->setVisible(!text.isEmpty());
}

QString SearchPanel::nothing_matches() const {
    QString none = tr("Nothing in this state matches.");
    static const QRegularExpression special(QStringLiteral("[*^$|\\\\+?]"));
    if (regular_->isChecked() || !text_->text().contains(special)) return none;
    return none + QLatin1Char(' ') + tr("It is read as it stands; .* reads it as a regular expression.");
}

void SearchPanel::light(bool on) {
    if (on && !found_.empty())
        document_.set_glow({Glow::Kind::Search, found_});
    else if (document_.glow().kind == Glow::Kind::Search)
        document_.set_glow({});
}

void SearchPanel::go(int by) {
    if (stale_) refresh();
    if (found_.empty()) return;
    const int count = rows_.rowCount();
    const int row = results_->currentIndex().row();
    const int next = row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count;
    light(true);
    results_->setCurrentIndex(rows_.index(next));
}

void SearchPanel::chosen(int row) {
    if (row < 0 || row >= static_cast<int>(found_.size())) return;
    document_.reveal(found_[static_cast<std::size_t>(row)]);
    say();
}

void SearchPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    light(false);
}

void SearchPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) return refresh();
    light(true);
}

// Return and the arrows go through the matches while the text keeps the focus.
bool SearchPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text_ && event->type() == QEvent::FocusIn) {
        // Another text replaces the old one, whose nodes light up again until then.
        if (static_cast<QFocusEvent*>(event)->reason() == Qt::OtherFocusReason) text_->selectAll();
        light(true);
    }
    if (watched != text_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool backwards = (key->modifiers() & Qt::ShiftModifier) != 0;
    if (enter || key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
        go(key->key() == Qt::Key_Up || (enter && backwards) ? -1 : 1);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace blockscope
