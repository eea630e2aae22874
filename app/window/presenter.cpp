#include "app/window/presenter.h"

#include <QApplication>
#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "app/scene/canvas.h"
#include "app/shell/actions.h"
#include "app/shell/telling.h"
#include "app/window/picture_view.h"
#include "app/words/words.h"

namespace blockscope {

PresenterLayer::PresenterLayer(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    window->installEventFilter(this);
    hide();
}

void PresenterLayer::set_tool(Tool tool) {
    tool_ = tool;
    setGeometry(parentWidget()->rect());
    place_ = parentWidget()->mapFromGlobal(QCursor::pos());
    setVisible(tool != Tool::None);
    raise();
    update();
}

void PresenterLayer::point_at(const QPoint& place) {
    if (place == place_) return;
    place_ = place;
    if (tool_ == Tool::Pointer || tool_ == Tool::Spotlight) update();
}

bool PresenterLayer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

void PresenterLayer::paintEvent(QPaintEvent*) {
    constexpr int kSpotShare = 6, kDotShare = 60;  // of the height
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (tool_ == Tool::Blank) return painter.fillRect(rect(), Qt::black);
    if (tool_ == Tool::Spotlight) {
        QPainterPath dark, spot;
        dark.addRect(rect());
        const double radius = static_cast<double>(height()) / kSpotShare;
        spot.addEllipse(QPointF(place_), radius, radius);
        painter.fillPath(dark.subtracted(spot), QColor(0, 0, 0, 170));
        return;
    }
    const double radius = static_cast<double>(height()) / kDotShare;
    painter.setPen(QPen(Qt::white, 3));
    painter.setBrush(QColor(220, 20, 30, 220));
    painter.drawEllipse(QPointF(place_), radius, radius);
}

QuestionCard::QuestionCard(Document& document, PictureView& view)
    : QFrame(&view),
      document_(document),
      view_(view),
      text_(new QLabel(this)),
      verdict_(new QLabel(this)),
      tally_(new QLabel(this)) {
    setObjectName(QStringLiteral("question_card"));
    setAccessibleName(tr("Question about the next step"));
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    for (QLabel* label : {text_, verdict_, tally_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setProperty("program_data", true);
    }
    text_->setProperty("heading", true);
    column->addWidget(text_);
    constexpr int kMostChoices = 4;
    for (int i = 0; i < kMostChoices; ++i) {
        auto* button = new QPushButton(this);
        button->setAccessibleName(tr("Answer %1").arg(i + 1));
        button->setProperty("program_data", true);
        button->setProperty("recent", true);  // its text begins at the left
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, this, [this, i] { answer(i); });
        column->addWidget(button);
        choices_.push_back(button);
    }
    column->addWidget(verdict_);
    column->addWidget(tally_);
    view.installEventFilter(this);
    connect(&document, &Document::content_changed, this, &QuestionCard::update_question);
    connect(&view.canvas(), &Canvas::clicked, this, [this](int, int edge, Qt::KeyboardModifiers) {
        if (edge >= 0) answer_edge(edge);
    });
    hide();
}

void QuestionCard::set_asking(bool asking) {
    if (asking == asking_) return;
    asking_ = asking;
    state_ = -1;
    if (asking) right_ = all_ = 0;
    update_question();
}

void QuestionCard::update_question() {
    if (!asking_ || document_.empty()) {
        work_.cancel();
        question_.reset();
        document_.hide_next(this, false);
        return hide();
    }
    const ContentPtr content = document_.snapshot();
    if (content->current == state_) return;
    state_ = content->current;
    question_.reset();
    hide();
    const History& history = content->history;
    const bool asks = history.next(state_, content->branch).has_value();
    document_.hide_next(this, asks);
    if (!asks) return Q_EMIT asked();
    work_.start(tr("Asking"), [this, content](const Stop&) -> Work::Finish {
        const StateId tip = content->history.branch(content->branch).tip;
        const RunStory story(content->history.trace(tip), content->array.get());
        std::vector<Question> all = questions_about(story, content->history.depth(content->current) + 1);
        return [this, content, all = std::move(all)] {
            if (content->current != state_ || !asking_) return;
            show_question(all.empty() ? std::nullopt : std::optional(all.front()));
            Q_EMIT asked();
        };
    });
}

void QuestionCard::show_question(std::optional<Question> question) {
    question_ = std::move(question);
    answered_ = false;
    setVisible(question_.has_value());
    document_.hide_next(this, question_.has_value());
    if (!question_) return;
    const bool edge = question_->kind == Question::Kind::Edge;
    text_->setText(translated(question_->asked));
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        QPushButton* button = choices_[i];
        const bool there = i < question_->choices.size();
        button->setVisible(there);
        button->setEnabled(true);
        if (!there) continue;
        const QString choice = translated(question_->choices[i]);
        button->setText(QStringLiteral("%1   %2").arg(i + 1).arg(choice));
        button->setAccessibleName(choice);
    }
    verdict_->setText(edge ? tr("Click it in the picture, or press a digit.") : tr("Press a digit."));
    tally_->setText(all_ > 0 ? tr("%1 of %2 right").arg(right_).arg(all_) : QString());
    tally_->setVisible(all_ > 0);
    place();
    raise();
}

bool QuestionCard::answer(int choice) {
    if (!question_ || answered_ || choice < 0 || choice >= static_cast<int>(question_->choices.size()))
        return false;
    mark(choice, choice == question_->right);
    return true;
}

void QuestionCard::answer_edge(int edge) {
    if (!question_ || answered_ || question_->kind != Question::Kind::Edge) return;
    const StateTold* told = Telling::of(document_).current();
    const PicturePtr picture = view_.picture();
    if (!told || !told->names || !picture) return;
    const Edge& clicked = picture->figure.edges[static_cast<std::size_t>(edge)];
    if (!clicked.buffered) return;  // only red ones can vanish
    const ValueKey key = told->names->key(clicked.value);
    const std::vector<ValueKey>& vanishing = question_->vanishing;
    mark(-1, std::find(vanishing.begin(), vanishing.end(), key) != vanishing.end());
}

void QuestionCard::mark(int choice, bool right) {
    answered_ = true;
    document_.hide_next(this, false);
    ++all_;
    if (right) ++right_;
    const auto& choices = question_->choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool is_right = static_cast<int>(i) == question_->right;
        const QString sign = is_right                        ? QStringLiteral("\u2713 ")
                             : static_cast<int>(i) == choice ? QStringLiteral("\u2717 ")
                                                             : QString();
        choices_[i]->setText(QStringLiteral("%1   %2%3").arg(i + 1).arg(sign, translated(choices[i])));
        choices_[i]->setEnabled(is_right);
    }
    const QString answer = translated(choices[static_cast<std::size_t>(question_->right)]);
    verdict_->setText(right ? tr("Right. Space shows the step.")
                            : tr("No: %1. Space shows the step.").arg(answer));
    tally_->setText(tr("%1 of %2 right").arg(right_).arg(all_));
    tally_->show();
    place();
}

bool QuestionCard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QFrame::eventFilter(watched, event);
}

// Where it covers the fewest boxes of the picture, at the right edge if there is a choice.
void QuestionCard::place() {
    if (!isVisibleTo(&view_)) return;
    constexpr int kAir = 16, kNarrow = 300, kWide = 480, kRim = 4;
    int width = std::clamp(view_.width() * 3 / 10, kNarrow, kWide);
    const QMargins margins = layout()->contentsMargins();
    for (const QPushButton* choice : choices_)
        if (choice->isVisibleTo(this))
            width = std::max(width, choice->sizeHint().width() + margins.left() + margins.right() + kRim);
    width = std::min(width, view_.width() - 2 * kAir);
    setFixedWidth(width);
    layout()->activate();
    resize(width, std::max(layout()->totalHeightForWidth(width), layout()->totalMinimumSize().height()));
    const Canvas& canvas = view_.canvas();
    const PicturePtr picture = view_.picture();
    const auto covered = [&](const QPoint& at) {
        const QRectF here(at - canvas.pos(), size());
        int boxes = 0;
        for (std::size_t i = 0; picture && i < picture->figure.boxes.size(); ++i)
            if (picture->figure.boxes[i].kind != BoxKind::Frame &&
                canvas.box_rect(static_cast<int>(i)).intersects(here))
                ++boxes;
        return boxes;
    };
    const int right = view_.width() - width - kAir;
    const int bottom = std::max(kAir, canvas.geometry().bottom() - height() - kAir);
    const QPoint places[] = {
        {right, bottom}, {right, kAir}, {right, (kAir + bottom) / 2}, {kAir, bottom}, {kAir, kAir}};
    const QPoint* best =
        std::min_element(std::begin(places), std::end(places),
                         [&](const QPoint& a, const QPoint& b) { return covered(a) < covered(b); });
    move(*best);
}

Presenter::Presenter(Document& document, Services& services, PictureView& view, QWidget* window)
    : QObject(window),
      services_(services),
      layer_(new PresenterLayer(window)),
      card_(new QuestionCard(document, view)) {
    using Tool = PresenterLayer::Tool;
    Actions& actions = services.actions;
    actions.on_toggle("present.questions", [this](bool on) {
        card_->set_asking(on);
        services_.actions.set_checked("present.questions", on);
        if (on) qApp->installEventFilter(this);
    });
    const std::pair<const char*, Tool> tools[] = {{"present.pointer", Tool::Pointer},
                                                  {"present.spotlight", Tool::Spotlight},
                                                  {"present.blank", Tool::Blank}};
    for (const auto& [id, tool] : tools) actions.on_toggle(id, [this, tool = tool](bool) { toggle(tool); });
    const auto offer = [this, &document] {
        services_.actions.enable("present.questions", !document.empty());
        if (layer_->tool() == Tool::Blank) toggle(Tool::Blank);  // whoever steps wants to see it
    };
    connect(&document, &Document::content_changed, this, offer);
    offer();
    check_actions();
}

void Presenter::begin() {
    presenting_ = true;
    qApp->installEventFilter(this);
    check_actions();
}

void Presenter::end() {
    presenting_ = false;
    qApp->removeEventFilter(this);
    layer_->set_tool(PresenterLayer::Tool::None);
    card_->set_asking(false);
    services_.actions.set_checked("present.questions", false);
    check_actions();
}

void Presenter::toggle(PresenterLayer::Tool tool) {
    const bool off = layer_->tool() == tool || !presenting_;
    layer_->set_tool(off ? PresenterLayer::Tool::None : tool);
    check_actions();
}

void Presenter::check_actions() {
    using Tool = PresenterLayer::Tool;
    const std::pair<const char*, Tool> tools[] = {{"present.pointer", Tool::Pointer},
                                                  {"present.spotlight", Tool::Spotlight},
                                                  {"present.blank", Tool::Blank}};
    for (const auto& [id, tool] : tools) {
        services_.actions.enable(id, presenting_);
        services_.actions.set_checked(id, layer_->tool() == tool);
    }
}

// Keys that mean something else without a presentation.
bool Presenter::takes(int key) const {
    if (key == Qt::Key_B || key == Qt::Key_Period) return presenting_;
    return card_->question() && !card_->answered() && key >= Qt::Key_1 && key <= Qt::Key_4;
}

void Presenter::press(int key) {
    if (key >= Qt::Key_1 && key <= Qt::Key_4)
        card_->answer(key - Qt::Key_1);
    else
        toggle(PresenterLayer::Tool::Blank);
}

bool Presenter::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseMove && layer_->isVisible()) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        layer_->point_at(layer_->parentWidget()->mapFromGlobal(mouse->globalPosition().toPoint()));
    }
    if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress)
        return QObject::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool here = widget && widget->window() == layer_->window() && key->modifiers() == Qt::NoModifier;
    if (!here || !takes(key->key())) return QObject::eventFilter(watched, event);
    event->accept();  // no shortcut
    if (type == QEvent::KeyPress) press(key->key());
    return true;
}

}  // namespace blockscope
