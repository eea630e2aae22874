#include "app/window/presenter.h"

#include <QApplication>
#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

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

namespace {

constexpr int kCardAir = 16;  // pixels beside the card
const QString kRight = QStringLiteral("\u2713 "), kWrong = QStringLiteral("\u2717 ");  // before answers

}  // namespace

QuestionCard::QuestionCard(Document& document, PictureView& view)
    : QFrame(&view),
      document_(document),
      view_(view),
      grid_(new QGridLayout(this)),
      text_(new QLabel(this)),
      verdict_(new QLabel(this)),
      tally_(new QLabel(this)) {
    setObjectName(QStringLiteral("question_card"));
    setAccessibleName(tr("Question about the next step"));
    setFocusPolicy(Qt::NoFocus);
    grid_->setContentsMargins(16, 12, 16, 12);
    for (QLabel* label : {text_, verdict_, tally_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setProperty("program_data", true);
    }
    text_->setProperty("heading", true);
    QSizePolicy kept = tally_->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    tally_->setSizePolicy(kept);
    constexpr int kMostChoices = 4;
    for (int i = 0; i < kMostChoices; ++i) {
        auto* button = new QPushButton(this);
        button->setAccessibleName(tr("Answer %1").arg(i + 1));
        button->setProperty("program_data", true);
        button->setProperty("recent", true);  // its text begins at the left
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QPushButton::clicked, this, [this, i] { answer(i); });
        choices_.push_back(button);
    }
    arrange(side_);
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
        give_room_back();
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
    if (!asks) {
        give_room_back();
        return Q_EMIT asked();
    }
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
    if (!question_) return give_room_back();
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
    tally_->setText(tally());
    tally_->setVisible(all_ > 0);
    choose_side();
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
        const QString sign = is_right ? kRight : static_cast<int>(i) == choice ? kWrong : QString();
        choices_[i]->setText(QStringLiteral("%1   %2%3").arg(i + 1).arg(sign, translated(choices[i])));
        choices_[i]->setEnabled(is_right);
    }
    verdict_->setText(right ? praise() : denial());
    tally_->setText(tally());
    tally_->show();
}

bool QuestionCard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) choose_side();
    return QFrame::eventFilter(watched, event);
}

QString QuestionCard::praise() const {
    return tr("Right. Space shows the step.");
}

QString QuestionCard::denial() const {
    if (!question_) return {};
    const QString answer = translated(question_->choices[static_cast<std::size_t>(question_->right)]);
    return tr("No: %1. Space shows the step.").arg(answer);
}

QString QuestionCard::tally() const {
    return tr("%1 of %2 right").arg(right_).arg(all_);
}

// One choice below the other, or two beside each other in what is wide and low.
void QuestionCard::arrange(Side side) {
    const int columns = side == Side::Below ? 2 : 1;
    int row = 0;
    grid_->addWidget(text_, row++, 0, 1, columns);
    for (std::size_t i = 0; i < choices_.size(); ++i)
        grid_->addWidget(choices_[i], row + static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    row += static_cast<int>(choices_.size());
    grid_->addWidget(verdict_, row, 0);
    grid_->addWidget(tally_, columns > 1 ? row : row + 1, columns - 1);
    grid_->setColumnStretch(0, 1);
    grid_->setColumnStretch(1, columns - 1);
    side_ = side;
}

// How large the card is there, with room around it, and for what an answer makes of it: that moves nothing.
QSize QuestionCard::extent(Side side) {
    constexpr int kNarrow = 300, kWide = 480, kRim = 4;
    arrange(side);
    const QFontMetrics metrics = choices_.front()->fontMetrics();
    const int sign = std::max(metrics.horizontalAdvance(kRight), metrics.horizontalAdvance(kWrong));
    const QMargins margins = grid_->contentsMargins();
    const int across = side == Side::Below ? 2 : 1;
    int widest = 0;
    for (const QPushButton* choice : choices_)
        if (choice->isVisibleTo(this)) widest = std::max(widest, choice->sizeHint().width() + sign);
    const int choices = across * (widest + kRim) + (across - 1) * grid_->horizontalSpacing() +
                        margins.left() + margins.right();
    const int most = view_.width() - 2 * kCardAir;
    int width = most;
    if (side == Side::Beside)
        width = std::min(most, std::max(choices, std::clamp(view_.width() * 3 / 10, kNarrow, kWide)));
    else if (choices > most)
        return {};  // answers would be cut
    int height = 0;
    const QString said = verdict_->text();
    for (const QString& verdict : {said, praise(), denial()}) {
        verdict_->setText(verdict);
        grid_->activate();
        height = std::max({height, grid_->totalHeightForWidth(width), grid_->totalMinimumSize().height()});
    }
    verdict_->setText(said);
    return {width, height};
}

// Where the picture that is shown stays larger. The card stays on its side unless the other is much better.
QuestionCard::Side QuestionCard::better_side() {
    constexpr double kMuchBetter = 1.15;
    const PicturePtr picture = view_.picture();
    if (!picture) return side_;
    const Canvas& canvas = view_.canvas();
    const Side now = side_;
    const int width = view_.width() - canvas.x();
    const int height = view_.height() - view_.foot();
    const auto scale = [&](Side side) {
        const QSize card = extent(side);
        if (card.isEmpty()) return 0.0;
        const QSizeF left = side == Side::Beside ? QSizeF(width - card.width() - kCardAir, height)
                                                 : QSizeF(width, height - card.height() - kCardAir);
        if (left.width() <= 0 || left.height() <= 0) return 0.0;
        return fitted(picture->geometry.bounds, left, canvas.reading_scale()).scale;
    };
    const double beside = scale(Side::Beside), below = scale(Side::Below);
    if (now == Side::Beside) return below > kMuchBetter * beside ? Side::Below : Side::Beside;
    return beside > kMuchBetter * below ? Side::Beside : Side::Below;
}

void QuestionCard::choose_side() {
    if (!isVisibleTo(&view_)) return;
    arrange(better_side());
    place();
}

// It covers nothing of the picture, which gets what is left of the room.
void QuestionCard::place() {
    if (!isVisibleTo(&view_)) return;
    const QSize size = extent(side_);
    setFixedWidth(size.width());
    resize(size);
    const bool beside = side_ == Side::Beside;
    view_.leave_room(beside ? size.width() + kCardAir : 0, beside ? 0 : size.height() + kCardAir);
    const int bottom = view_.height() - view_.foot();
    const int right = view_.width() - size.width() - kCardAir;
    move(beside ? QPoint(right, std::max(0, bottom - size.height()) / 2)
                : QPoint(kCardAir, std::max(0, bottom - size.height())));
}

void QuestionCard::give_room_back() {
    view_.leave_room(0, 0);
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
