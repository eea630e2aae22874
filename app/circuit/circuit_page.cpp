#include "app/circuit/circuit_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_overview.h"
#include "app/circuit/circuit_steps.h"
#include "app/document/document.h"
#include "app/document/files.h"
#include "app/files/file_formats.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kKeyShare = 3;  // the key takes a third of the page at most
constexpr double kZoomStep = 1.25;
constexpr int kMostRepeated = 999;
constexpr int kPageStep = 80;            // pixels by which a page is another one
constexpr double kLonger = 1.2;          // times the width that was asked for: the longest lines
constexpr double kLeast = 360;           // pixels that a line has at least
constexpr std::size_t kMostTried = 600;  // operators: larger diagrams are laid out once
constexpr double kLargestFit = 1.5;      // as the view fits diagrams
constexpr int kSteps = -1;               // beside the kinds of CircuitKind

// Lines wrap where the whole diagram is largest when it is fitted: at the page's width, or, of what has many
// lines, at several times as much, as pages are wide. What is too small to be read then, and need not be seen
// whole, has lines of the page.
DrawingPtr laid_out(const circuit::Circuit& circuit, circuit::LayoutOptions options, const QSize& page,
                    bool whole) {
    auto best = std::make_shared<const circuit::Drawing>(circuit::lay_out(circuit, options));
    const auto scale = [&](const circuit::Drawing& drawing) {
        return fitted(drawing.bounds, page, kLargestFit).scale;
    };
    if (page.isEmpty() || best->glyphs.size() > kMostTried) return best;
    const double usual = options.width;
    for (const double width : {static_cast<double>(page.width()), 1.5 * usual, 2.2 * usual, 3 * usual}) {
        if (scale(*best) >= CircuitView::readable_scale()) break;
        if (width < kLeast) continue;
        options.width = width;
        auto other = std::make_shared<const circuit::Drawing>(circuit::lay_out(circuit, options));
        if (scale(*other) > scale(*best)) best = std::move(other);
    }
    const double least = CircuitView::readable_scale();
    if (whole || scale(*best) >= least) return best;
    options.width = std::max(kLeast, page.width() / least / kLonger);
    return std::make_shared<const circuit::Drawing>(circuit::lay_out(circuit, options));
}

}  // namespace

CircuitPage::CircuitPage(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      steps_(CircuitSteps::of(document)),
      view_(new CircuitView(this)),
      key_(new CircuitKey(this)),
      argument_(new QLabel(this)),
      name_(new QLineEdit(view_)),
      work_(this) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    bar_ = make_bar();
    column->addWidget(bar_);
    argument_->setContentsMargins(12, 4, 12, 8);
    argument_->setWordWrap(true);
    argument_->hide();
    column->addWidget(argument_);
    column->addWidget(view_, 1);
    column->addWidget(key_);
    new CircuitOverview(view_);
    view_->set_least_scale(CircuitView::readable_scale());
    setFocusProxy(view_);
    connect_parts();
    connect_steps();
    connect_actions();
    restyle();
}

QWidget* CircuitPage::make_bar() {
    auto* bar = new QWidget(this);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    kind_ = new QComboBox(bar);
    kind_->addItem(tr("This state"), static_cast<int>(CircuitKind::State));
    kind_->addItem(tr("The program"), static_cast<int>(CircuitKind::Program));
    kind_->addItem(tr("One algorithm"), static_cast<int>(CircuitKind::Algorithm));
    kind_->addItem(tr("The model"), static_cast<int>(CircuitKind::Model));
    kind_->addItem(tr("Pseudocode"), static_cast<int>(CircuitKind::Pseudocode));
    kind_->addItem(tr("Step by step"), kSteps);
    kind_->setAccessibleName(tr("Which diagram"));
    kind_->setToolTip(
        tr("This state: maps are groups and streams. The program: before there are blocks. One "
           "algorithm: the whole program on two levels, grouped and streamed wherever it can be. The model: "
           "inputs whose names begin with W are learned maps. Pseudocode: the algorithm as an explicit loop. "
           "Step by step: you group and stream its axes."));
    kind_->setMinimumWidth(kind_->sizeHint().width());  // where the page is narrow, beside the picture
    numbers_ = new QComboBox(bar);
    numbers_->addItem(tr("Formulas"), static_cast<int>(circuit::NumberStyle::Formulas));
    numbers_->addItem(tr("Counts"), static_cast<int>(circuit::NumberStyle::Counts));
    numbers_->addItem(tr("No numbers"), static_cast<int>(circuit::NumberStyle::None));
    numbers_->setAccessibleName(tr("Numbers under the columns"));
    numbers_->setToolTip(
        tr("H: values that change their level. M: values that are there at a level. The widest "
           "column is framed."));
    repeat_ = new QSpinBox(bar);
    repeat_->setRange(1, kMostRepeated);
    repeat_->setPrefix(QStringLiteral("× "));
    repeat_->setSpecialValueText(tr("drawn once"));
    repeat_->setKeyboardTracking(false);
    repeat_->setAccessibleName(tr("How often the program is repeated"));
    repeat_->setToolTip(
        tr("Draws the program in brackets, as so many layers: of programs whose first output has the type of "
           "their first input"));
    repeat_->hide();
    connect(repeat_, &QSpinBox::valueChanged, this, &CircuitPage::refresh);
    row->addWidget(kind_);
    row->addWidget(repeat_);
    row->addWidget(numbers_);
    auto* gap = new QWidget(bar);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(gap);
    auto* buttons = new QWidget(bar);
    auto* together = new QHBoxLayout(buttons);
    together->setContentsMargins(0, 0, 0, 0);
    row->addWidget(buttons);
    const auto button = [&](const QString& text, const QString& tip, auto action) {
        auto* made = new QToolButton(buttons);
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        connect(made, &QToolButton::clicked, this, action);
        together->addWidget(made);
    };
    button(QStringLiteral("−"), tr("Show the diagram smaller"), [this] { view_->zoom(1 / kZoomStep); });
    button(QStringLiteral("+"), tr("Show the diagram larger"), [this] { view_->zoom(kZoomStep); });
    button(tr("Fit"), tr("Show the whole diagram"), [this] { show_whole(); });
    button(tr("Export..."), tr("Write the diagram to a file: SVG, PDF, PNG, TikZ or JSON"),
           [this] { ask_and_export(); });
    return bar;
}

void CircuitPage::connect_parts() {
    connect(&document_, &Document::content_changed, this, &CircuitPage::refresh);
    connect(&document_, &Document::current_changed, this, &CircuitPage::refresh);
    connect(&document_, &Document::selection_changed, this, &CircuitPage::relight);
    connect(&document_, &Document::hover_changed, this, &CircuitPage::relight);
    connect(&services_.appearance, &Appearance::changed, this, &CircuitPage::restyle);
    connect(kind_, &QComboBox::currentIndexChanged, this, &CircuitPage::refresh);
    connect(numbers_, &QComboBox::currentIndexChanged, this, &CircuitPage::refresh);
    connect(view_, &CircuitView::clicked, this, [this](const CircuitPart& part) {
        choose(part);
        if (!document_.empty() && view_->drawing()) document_.select(spot_of(part));
    });
    connect(view_, &CircuitView::hovered, this, [this](const CircuitPart& part) {
        if (!document_.empty() && view_->drawing()) document_.set_hover(spot_of(part));
    });
}

void CircuitPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void CircuitPage::resizeEvent(QResizeEvent* event) {
    key_->set_room(height() / kKeyShare);
    QWidget::resizeEvent(event);
    if (shown_ && shown_->page != page_size()) refresh();
}

QSize CircuitPage::page_size() const {
    return {view_->width() / kPageStep * kPageStep, view_->height() / kPageStep * kPageStep};
}

void CircuitPage::show_whole() {
    whole_ = true;
    view_->fit_whole();
    refresh();
}

void CircuitPage::restyle() {
    view_->set_theme(services_.appearance.theme());
    key_->set_theme(services_.appearance.theme());
    bar_->setVisible(!services_.appearance.presenting());
}

bool CircuitPage::stepping() const {
    return kind_->currentData().toInt() == kSteps;
}

void CircuitPage::set_stepping() {
    kind_->setCurrentIndex(kind_->findData(kSteps));
}

// Drawn anew when it is seen and something that it depends on is another.
void CircuitPage::refresh() {
    if (document_.empty()) {
        work_.cancel();
        shown_.reset();
        circuit_.reset();
        return view_->set_message(tr("No program"), tr("Open a program or a sample to see its circuit."));
    }
    show_argument();
    if (!isVisible()) return;
    if (stepping()) return refresh_steps();
    const ContentPtr content = document_.snapshot();
    const auto kind = static_cast<CircuitKind>(kind_->currentData().toInt());
    const bool layers = can_be_repeated(*content, kind);
    repeat_->setVisible(layers);
    Source source{.program = content->program(),
                  .text = QString::fromStdString(content->source),
                  .kind = kind_->currentIndex(),
                  .numbers = numbers_->currentIndex(),
                  .state = nullptr,
                  .axis = {},
                  .step = -1};
    const int times = layers ? repeat_->value() : 1;
    source.repeat = times;
    start_drawing(std::move(source), [content, kind, times]() -> Result<circuit::Circuit> {
        Result<circuit::Circuit> once = circuit_for(*content, content->current, kind);
        if (!once || times == 1) return once;
        return repeated_circuit(*once, content->name, std::to_string(times));
    });
}

void CircuitPage::start_drawing(Source source, std::function<Result<circuit::Circuit>()> make) {
    source.page = page_size();
    source.whole = whole_;
    if (shown_ == source) return;
    shown_ = std::move(source);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    options.numbers = static_cast<circuit::NumberStyle>(numbers_->currentData().toInt());
    work_.start(
        tr("Drawing the circuit"),
        [=, this, page = shown_->page, whole = whole_, make = std::move(make)](const Stop&) -> Work::Finish {
            // Shared, so that large ones are not copied on their way.
            const auto made = std::make_shared<const Result<circuit::Circuit>>(make());
            DrawingPtr drawing;
            if (*made) drawing = laid_out(**made, options, page, whole);
            return [=, this] { take(made, drawing); };
        });
}

void CircuitPage::take(const std::shared_ptr<const Result<circuit::Circuit>>& made, DrawingPtr drawing) {
    circuit_ = *made ? CircuitPtr(made, &**made) : nullptr;
    if (!*made) key_->show_drawing(nullptr);
    if (!*made)
        return view_->set_message(tr("No diagram of this"), as_sentence(made->problems().front().message));
    view_->show_drawing(std::move(drawing));
    key_->show_drawing(view_->drawing().get());
    relight();
}

const ArrayLinks& CircuitPage::links() {
    const ProgramPtr program = document_.content().program();
    if (linked_ != program) links_ = array_links(document_.content());
    linked_ = program;
    return links_;
}

// An axis that was renamed in the steps still is its dimension.
SharedNames CircuitPage::names() const {
    const SessionPtr session = stepping() ? steps_.session() : nullptr;
    return shared_names(view_->drawing()->axes, session ? &session->state(0).flow->axes : nullptr);
}

Spot CircuitPage::spot_of(const CircuitPart& part) {
    return circuit_spot(*view_->drawing(), *document_.content().program(), links(), names(), part);
}

void CircuitPage::relight() {
    if (document_.empty() || !view_->drawing() || !isVisible()) return;
    const BlockProgram& program = *document_.content().program();
    const SharedNames shared = names();
    CircuitLights lights = circuit_lights(*view_->drawing(), program, links(), shared, document_.selection());
    const CircuitLights pointed =
        circuit_lights(*view_->drawing(), program, links(), shared, document_.hover());
    lights.axes.insert(pointed.axes.begin(), pointed.axes.end());
    lights.frames.insert(pointed.frames.begin(), pointed.frames.end());
    lights.pointed_glyphs = pointed.glyphs;
    if (stepping() && steps_.axis().value >= 0)
        for (std::size_t a = 0; a < view_->drawing()->axes.size(); ++a)
            if (whole_axis(view_->drawing()->axes, {static_cast<int>(a)}) == steps_.axis())
                lights.axes.insert(static_cast<int>(a));
    view_->set_lights(lights);
}

SeenCircuit CircuitPage::seen() const {
    if (!isVisible() || busy() || !circuit_) return {};
    return {circuit_, view_->drawing(), kind_->currentText().toStdString()};
}

bool CircuitPage::export_diagram(const QString& path) {
    if (!view_->drawing() || !circuit_) return false;
    CircuitFile file;
    file.theme = services_.appearance.theme();
    file.title = document_.content().name + ", " + kind_->currentText().toStdString();
    const std::string format = path.mid(path.lastIndexOf(QLatin1Char('.')) + 1).toLower().toStdString();
    const QByteArray bytes = circuit_bytes(format, *circuit_, *view_->drawing(), file);
    return !bytes.isEmpty() && !write_file(path, bytes);
}

void CircuitPage::ask_and_export() {
    if (!view_->drawing()) return say(tr("There is no diagram to export."));
    const auto write = [this](const QString& path) {
        const bool written = export_diagram(path);
        if (written && services_.wrote) services_.wrote(path);
        say(written ? tr("Written: %1").arg(path)
                    : tr("%1 could not be written. The ending has to be %2.")
                          .arg(path, QString::fromStdString(endings_text(circuit_formats()))));
    };
    const QString name =
        file_name_of(QString::fromStdString(document_.content().name)) + QStringLiteral("-circuit.svg");
    ask_where_to_write(*this, tr("Export diagram"),
                       tr("Diagrams (%1)").arg(QString::fromStdString(name_filter(circuit_formats()))), name,
                       write);
}

// The diagram step by step: axes are chosen, renamed, grouped and streamed in the picture itself.

namespace {

using ActionKind = circuit::CircuitAction::Kind;

constexpr int kNameWidth = 130;

}  // namespace

void CircuitPage::say(const QString& text) {
    if (services_.say) services_.say(text);
}

void CircuitPage::connect_steps() {
    name_->hide();
    name_->setAccessibleName(tr("Name of the axis"));
    name_->setToolTip(tr("A name, or a name and a size: q = 4096"));
    connect(name_, &QLineEdit::editingFinished, this, [this] { finish_name(name_->hasFocus()); });
    connect(&steps_, &CircuitSteps::changed, this, [this] {
        const SessionPtr& session = steps_.session();
        services_.actions.enable("circuit.back", session && session->can_go_back());
        services_.actions.enable("circuit.on", session && session->can_go_on());
        refresh();
    });
    connect(&steps_, &CircuitSteps::axis_changed, this, [this] {
        refresh();
        relight();
    });
    connect(&steps_, &CircuitSteps::refused, this, &CircuitPage::say);
    connect(&steps_, &CircuitSteps::diagram_wanted, this, &CircuitPage::set_stepping);
    connect(&steps_.work(), &Work::failed, this, &CircuitPage::say);
    connect(&work_, &Work::failed, this, &CircuitPage::say);
    name_->installEventFilter(this);
    connect(&document_, &Document::safe_changed, this, &CircuitPage::show_argument);
    connect(argument_, &QLabel::linkActivated, this, [this] { steps_.show_step(-1); });
    connect(view_, &CircuitView::double_clicked, this, [this](const CircuitPart& part, QPointF at) {
        choose(part);
        if (stepping() && part.kind == CircuitPart::Kind::Wire) edit_name(at);
    });
    connect(view_, &CircuitView::menu_wanted, this, [this](const CircuitPart& part, const QPoint& global) {
        choose(part);
        QMenu* menu = make_menu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(global);
    });
}

void CircuitPage::connect_actions() {
    Actions& actions = services_.actions;
    actions.on(
        "circuit.steps",
        [this] {
            if (document_.empty()) return;
            if (services_.show_panel) services_.show_panel("panel.circuit_steps");
            if (services_.show_panel) services_.show_panel("panel.circuit");
            set_stepping();
        },
        this);
    actions.on(
        "circuit.group", [this] { split(ActionKind::Group); }, this);
    actions.on(
        "circuit.stream", [this] { split(ActionKind::Stream); }, this);
    actions.on(
        "circuit.join", [this] { split(ActionKind::Join); }, this);
    actions.on(
        "circuit.rename",
        [this] {
            if (!stepping() || steps_.axis().value < 0)
                return say(tr("Choose an axis of the circuit first."));
            edit_name(QPointF(24, 24));
        },
        this);
    actions.on(
        "circuit.back", [this] { steps_.back(); }, this);
    actions.on(
        "circuit.on", [this] { steps_.on(); }, this);
    actions.enable("circuit.back", false);
    actions.enable("circuit.on", false);
    actions.on(
        "circuit.export", [this] { ask_and_export(); }, this);
}

void CircuitPage::refresh_steps() {
    repeat_->hide();
    steps_.want();
    if (!steps_.session()) {
        work_.cancel();  // what was drawn before would stand in place of the message
        shown_.reset();
        circuit_.reset();
        if (!steps_.why_not().isEmpty()) view_->set_message(tr("No diagram of this"), steps_.why_not());
        return;
    }
    const circuit::AxisId axis = steps_.shown_step() >= 0 ? steps_.axis() : circuit::AxisId{};
    start_drawing(
        {.kind = kind_->currentIndex(),
         .numbers = numbers_->currentIndex(),
         .state = steps_.session()->shared(steps_.session()->tree().current),
         .axis = axis,
         .step = steps_.shown_step()},
        [session = steps_.session(), axis, step = steps_.shown_step()]() -> Result<circuit::Circuit> {
            return step_circuit(*session, axis, step);
        });
}

// A wire or its name chooses the axis; any other place none.
void CircuitPage::choose(const CircuitPart& part) {
    if (!stepping() || !view_->drawing() || part.kind == CircuitPart::Kind::Glyph) return;
    circuit::AxisId axis;
    if (part.kind == CircuitPart::Kind::Wire)
        axis = view_->drawing()->wires.at(static_cast<std::size_t>(part.index)).axis;
    // Diagrams of the theorem's steps belong to the axis that is chosen.
    if (steps_.shown_step() < 0) steps_.choose(whole_axis(view_->drawing()->axes, axis));
}

void CircuitPage::split(ActionKind kind) {
    if (!stepping() || steps_.axis().value < 0)
        return say(tr("Choose an axis first: click a wire of the step-by-step circuit."));
    steps_.act({kind, steps_.axis(), steps_.part_size(steps_.axis()), {}});
}

QMenu* CircuitPage::make_menu() {
    auto* menu = new QMenu(this);
    Actions& actions = services_.actions;
    if (!stepping()) {
        menu->addAction(actions.get("circuit.steps"));
        menu->addAction(actions.get("circuit.export"));
        return menu;
    }
    const circuit::AxisVerdict* verdict = steps_.verdict(steps_.axis());
    if (verdict) {
        const QString name = axis_name(steps_, steps_.axis());
        const auto sizes = [&](const QString& title, ActionKind kind, bool possible, const QString& why) {
            QMenu* parts = menu->addMenu(title.arg(name));
            parts->setToolTipsVisible(true);
            if (!possible) {
                parts->addAction(why)->setEnabled(false);
                return;
            }
            for (const std::int64_t size : part_sizes(steps_, steps_.axis()))
                parts->addAction(tr("in parts of %L1").arg(size), this, [this, kind, size] {
                    steps_.act({kind, steps_.axis(), size, {}});
                });
        };
        sizes(tr("Group %1"), ActionKind::Group, verdict->group, short_reason(verdict->group_reasons));
        sizes(tr("Stream %1"), ActionKind::Stream, verdict->stream, short_reason(verdict->stream_reasons));
        QAction* join = menu->addAction(actions.get("circuit.join")->text(), actions.get("circuit.join"),
                                        &QAction::trigger);
        join->setEnabled(steps_.part(steps_.axis()).has_value());
        menu->addAction(actions.get("circuit.rename"));
        menu->addSeparator();
    }
    menu->addAction(actions.get("circuit.back"));
    menu->addAction(actions.get("circuit.on"));
    menu->addSeparator();
    menu->addAction(actions.get("circuit.export"));
    return menu;
}

void CircuitPage::edit_name(QPointF at) {
    if (!steps_.verdict(steps_.axis())) return;
    name_->setText(axis_name(steps_, steps_.axis()));
    name_->setGeometry(static_cast<int>(at.x()) - 8,
                       static_cast<int>(at.y()) - name_->sizeHint().height() / 2, kNameWidth,
                       name_->sizeHint().height());
    name_->show();
    name_->selectAll();
    name_->setFocus();
}

// Escape is the editor's while it is open, and not the window's.
bool CircuitPage::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != name_ || !key || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress) finish_name(false);
    return true;
}

// Return takes the name; going elsewhere leaves the old one.
void CircuitPage::finish_name(bool keep) {
    if (!name_->isVisible()) return;
    const QString text = name_->text();
    name_->hide();
    view_->setFocus();
    if (keep && text != axis_name(steps_, steps_.axis())) steps_.rename(steps_.axis(), text);
}

void CircuitPage::show_argument() {
    const circuit::AxisVerdict* verdict = steps_.verdict(steps_.axis());
    const int step = steps_.shown_step();
    const bool shown = stepping() && step >= 0 && verdict != nullptr &&
                       step < static_cast<int>(verdict->stream_reasons.size());
    const bool plain = !stepping() && document_.shows_safe();
    argument_->setVisible(shown || plain);
    if (plain) argument_->setText(tr("The circuit is of the plain form, without running maxima."));
    if (!shown) return;
    const circuit::Reason& reason = verdict->stream_reasons[static_cast<std::size_t>(step)];
    argument_->setText(
        tr("<b>Step %1 of %2, %3.</b> %4 <a href=\"back\">Back to the diagram</a>")
            .arg(step + 1)
            .arg(verdict->stream_reasons.size())
            .arg(translated(reason.theorem).toHtmlEscaped(), translated(reason.sentence).toHtmlEscaped()));
}

}  // namespace blockscope
