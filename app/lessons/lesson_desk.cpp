#include "app/lessons/lesson_desk.h"

#include <algorithm>
#include <utility>

#include "app/costs/best.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/lessons/lesson_shelf.h"
#include "app/shell/telling.h"
#include "app/words/words.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

// Evaluates what a part says and asks, so that it is there at once when it is asked for again.
void warm_up(lesson::LessonPlayer player, const lesson::Learner& learner) {
    (void)player.text(learner);
    (void)player.prompt(learner);
    const lesson::Stop& stop = player.stop();
    if (!stop.task) return;
    const lesson::Setting setting{player.programs(), stop.program, learner};
    if (stop.task->expected) (void)lesson::right_answer(*stop.task, setting);
    for (const lesson::Reaction& reaction : stop.task->wrong) {
        if (reaction.when) (void)lesson::evaluate(*reaction.when, setting);
        (void)lesson::text_of(reaction.text, setting);
    }
    (void)lesson::text_of(stop.task->right, setting);
    (void)player.watch(learner);
}

}  // namespace

LessonDesk::LessonDesk(Document& document) : QObject(&document), document_(document) {
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &LessonDesk::look);
    const auto later = [this] {
        if (active()) soon_.start();
    };
    connect(&document, &Document::content_changed, this, later);
    connect(&document, &Document::selection_changed, this, later);
    connect(&document, &Document::selection_changed, this, &LessonDesk::pointed);
    connect(&document, &Document::idle, this, [this] { go_on(); });
    connect(&document, &Document::opened, this, [this] {
        if (opening_) return;
        opened_program_ = nullptr;                                             // it is the user's
        if (quizzing()) QTimer::singleShot(0, this, &LessonDesk::begin_quiz);  // about that one, too
    });
    connect(&Forecast::of(document), &Forecast::changed, this, later);
    connect(&Measurements::of(document), &Measurements::measured, this, later);
    connect(this, &LessonDesk::changed, this, &LessonDesk::keep_secret);
    connect(this, &LessonDesk::replied, this, &LessonDesk::keep_secret);
    connect(&work_, &Work::failed, this, [this](const QString& what) {
        loading_ = false;
        say(Said::Tone::Note, what);
    });
}

LessonDesk& LessonDesk::of(Document& document) {
    if (auto* found = document.findChild<LessonDesk*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new LessonDesk(document);
}

// ---- Lessons and parts.

void LessonDesk::begin(const LessonInfo& lesson) {
    const lesson::LessonProgress* kept = store_ != nullptr ? store_->find(lesson.name) : nullptr;
    const bool all_done = kept != nullptr && kept->done() == lesson.tasks();
    begin(lesson, kept == nullptr || all_done ? 0 : kept->at);
}

void LessonDesk::begin(const LessonInfo& lesson, int part) {
    turns_.clear();
    lesson_ = &lesson;
    const Forecast& forecast = Forecast::of(document_);
    player_ = std::make_unique<lesson::LessonPlayer>(lesson.lesson,
                                                     lesson_sources(forecast.devices(), forecast.model()));
    if (const auto* kept = store_ != nullptr ? store_->find(lesson.name) : nullptr) player_->resume(*kept);
    if (window_.arrange) window_.arrange(true);
    load(part, true);
}

void LessonDesk::begin_quiz() {
    const bool usual = !document_.empty() && document_.content().history.rules() == RuleSet{};
    std::unique_ptr<LessonInfo> quiz = usual ? make_quiz(document_.content()) : nullptr;
    if (!quiz) return leave();
    const int step = document_.content().history.depth(document_.content().current);
    const int last = static_cast<int>(quiz->lesson->stops.size()) - 1;
    player_ = nullptr;  // it may be of the quiz before
    quiz_ = std::move(quiz);
    begin(*quiz_, step > last ? 0 : step);
}

// Whoever steps on without an answer is asked about the step after.
void LessonDesk::follow_quiz() {
    if (document_.empty() || left_algorithm(document_)) return;
    const int step = document_.content().history.depth(document_.content().current);
    const int expected = player_->at() + (player_->done() ? 1 : 0);
    if (step != expected && step < player_->count()) load(step, false);
}

void LessonDesk::begin_again() {
    if (!active()) return;
    if (quizzing()) return begin_quiz();
    if (store_ != nullptr) store_->keep({.lesson = lesson_->name});
    begin(*lesson_, 0);
}

void LessonDesk::leave() {
    if (!active()) return;
    work_.cancel();
    turns_.clear();
    loading_ = finished_ = false;
    panels_.clear();
    player_ = nullptr;
    lesson_ = nullptr;
    said_ = {};
    hints_.clear();
    document_.set_glow({});
    const std::optional<ObjectiveKind> before = std::exchange(objective_before_, {});
    if (before && Best::of(document_).objective_lent()) Best::of(document_).set_objective(*before);
    if (window_.arrange) window_.arrange(false);
    Q_EMIT changed();
}

void LessonDesk::go(int part) {
    if (active()) load(part, true);
}

void LessonDesk::back() {
    if (!active()) return;
    if (finished_) return load(player_->count() - 1, true);
    if (player_->at() > 0) load(player_->at() - 1, true);
}

// The document goes on as it is, unless the learner has left the task undone.
void LessonDesk::forward() {
    if (!active()) return;
    if (finished_) return next_lesson();
    if (!player_->at_end()) return load(player_->at() + 1, !player_->done());
    finished_ = true;
    keep();
    Q_EMIT changed();
}

void LessonDesk::next_lesson() {
    const std::vector<LessonInfo>& shelf = lesson_shelf();
    const auto here = std::find_if(shelf.begin(), shelf.end(),
                                   [&](const LessonInfo& info) { return info.name == lesson_->name; });
    if (here == shelf.end() || here + 1 == shelf.end()) return leave();
    begin(*(here + 1));
}

void LessonDesk::set_up_again() {
    if (active()) load(player_->at(), true);
}

void LessonDesk::load(int part, bool from_scratch) {
    turns_.clear();
    finished_ = opening_ = elsewhere_ = false;
    player_->go(part);
    said_ = {};
    hints_.clear();
    chosen_.reset();
    text_.clear();
    prompt_.clear();
    document_.set_glow({});
    keep();
    loading_ = true;
    Q_EMIT changed();
    prepare(player_->at(), from_scratch);
}

// Programs are read and counted off the interface thread: a transformer block takes a second.
void LessonDesk::prepare(int part, bool from_scratch) {
    std::string device = Forecast::of(document_).device().name;
    if (player_->programs().device(device) == nullptr) device = kUsualCard;
    const auto copy = std::make_shared<lesson::LessonPlayer>(*player_);
    work_.start(tr("Preparing the lesson"), [=, this](const Stop&) -> Work::Finish {
        auto wanted = std::make_shared<const Result<lesson::Learner>>(
            lesson::learner_at(*copy, part, device, copy->done()));
        if (*wanted) warm_up(*copy, **wanted);
        return [=, this] {
            loading_ = false;
            if (!*wanted) {
                say(Said::Tone::Note, translated(wanted->problems().front()));
                return arrive();
            }
            const lesson::Stop& stop = player_->stop();
            if (from_scratch) {
                add_turn([this, wanted] {
                    return document_.empty() || !reference() || !is_program(document_.content(), *reference())
                               ? open((**wanted).program)
                               : true;
                });
                add_turn([this, wanted] { return set_state(**wanted); });
                for (const lesson::Action& action : stop.show)
                    if (action.kind == lesson::ActionKind::Look ||
                        action.kind == lesson::ActionKind::Highlight)
                        add_actions({action});
            } else {
                add_actions(stop.show);
            }
            add_turn([this] {
                arrive();
                return true;
            });
            go_on();
        };
    });
}

void LessonDesk::arrive() {
    retell();
    Q_EMIT changed();
    look();
}

void LessonDesk::keep() {
    const bool kept = active() && player_->lesson().kind == lesson::LessonKind::Lesson;
    if (kept && store_ != nullptr) store_->keep(player_->progress());
}

// ---- What the lesson sees of the document.

const lesson::Reference* LessonDesk::reference() const {
    const auto found = player_->programs().find(player_->stop().program);
    return found ? *found : nullptr;
}

const lesson::Task* LessonDesk::task() const {
    return active() && player_->stop().task ? &*player_->stop().task : nullptr;
}

lesson::Learner LessonDesk::learner() const {
    lesson::Learner learner;
    const lesson::Reference* known = reference();
    if (!document_.empty() && known != nullptr)
        learner = learner_of(document_.content(), player_->stop().program, *known);
    const Device& device = Forecast::of(document_).device();
    learner.device = player_->programs().device(device.name) != nullptr ? device.name : kUsualCard;
    learner.selected.assign(document_.selection().nodes.begin(), document_.selection().nodes.end());
    learner.value = document_.selection().value;
    learner.safe = window_.safe && window_.safe();
    if (document_.empty()) return learner;
    const auto measured = Measurements::of(document_).of(document_.content().current);
    if (measured && measured->stale.isEmpty() && measured->record.warm && !measured->record.failure)
        learner.measured_seconds = measured->record.warm->summary.median;
    return learner;
}

lesson::Setting LessonDesk::setting(const lesson::Learner& learner) const {
    return {player_->programs(), player_->stop().program, learner};
}

// What a question asks for is marked nowhere. The hints of "Predict, then reveal" are the marks.
void LessonDesk::keep_secret() {
    const lesson::Task* asked = task();
    const bool open =
        asked != nullptr && asked->kind == lesson::TaskKind::Predict && !player_->done() && !finished_;
    document_.hide_run(quizzing());
    document_.hide_next(this, open && (hints_.empty() || !quizzing()));
}

// Values of now change with the document. What cannot be said of another program stays as it was.
void LessonDesk::retell() {
    const lesson::Learner now = learner();
    const Result<std::string> text = player_->text(now), prompt = player_->prompt(now);
    const QString text_before = std::exchange(text_, text ? QString::fromStdString(*text) : text_);
    const QString prompt_before = std::exchange(prompt_, prompt ? QString::fromStdString(*prompt) : prompt_);
    if (text_before != text_ || prompt_before != prompt_) Q_EMIT text_changed();
}

void LessonDesk::look() {
    if (!active() || busy() || finished_) return;
    retell();
    if (quizzing()) return follow_quiz();
    if (task() == nullptr || player_->done()) return;
    const Result<lesson::Reply> reply = player_->watch(learner());
    const bool was_elsewhere =
        std::exchange(elsewhere_, reply && reply->kind == lesson::Reply::Kind::Elsewhere);
    if (elsewhere_)
        say(Said::Tone::Note,
            tr("%1 *Set this part up again* brings it back.").arg(QString::fromStdString(reply->text)));
    else if (!reply || reply->kind != lesson::Reply::Kind::Nothing)
        take(reply, false);
    else if (was_elsewhere)
        say(Said::Tone::Note, {});
}

QString LessonDesk::choice_text(const lesson::Choice& choice) const {
    const Result<std::string> text = lesson::text_of(choice.text, setting(learner()));
    return text ? QString::fromStdString(*text) : QString();
}

Result<const Step*> LessonDesk::asked_step() const {
    return lesson::asked_step(*task()->expected, setting(learner()));
}

std::vector<RuleId> LessonDesk::rule_choices() const {
    const Result<const Step*> step = asked_step();
    if (!step) return {};
    std::vector<RuleId> with_reaction;
    for (const lesson::Reaction& reaction : task()->wrong)
        if (const auto id = lesson::rule_named(reaction.rule, reaction.place); !reaction.rule.empty() && id)
            with_reaction.push_back(*id);
    return rules_to_choose(with_reaction, (*step)->match.rule);
}

std::vector<EdgeChoice> LessonDesk::edge_choices() const {
    return document_.empty() ? std::vector<EdgeChoice>() : red_edges(document_.content());
}

// Whether the picture shows what is asked about: edges of another state have other ends.
bool LessonDesk::before_asked_step() const {
    const Result<const Step*> step = asked_step();
    if (!step || document_.empty()) return false;
    const ProgramPtr& shown = document_.content().program();
    return shown == (*step)->before || same_but_sizes(*shown, *(*step)->before);
}

// ---- Answers.

// An edge that is clicked in the picture answers the question for one.
void LessonDesk::pointed() {
    const lesson::Task* asked = task();
    if (asked == nullptr || busy() || player_->done() || !asked->expected ||
        asked->expected->kind != lesson::AnswerKind::Arrow || !document_.selection().value)
        return;
    if (!before_asked_step())
        return say(Said::Tone::Note,
                   tr("The question is about another state. *Set this part up again* shows it."));
    const Result<const Step*> step = asked_step();
    const auto arrow =
        pointed_arrow(document_.content(), document_.selection(), lesson::vanishing_arrows(**step));
    if (arrow) return answer(*arrow);
    say(Said::Tone::Note, tr("This edge stays on the chip already. Choose a wide red one."));
}

void LessonDesk::answer(const lesson::Answer& answer) {
    if (task() == nullptr || busy()) return;
    if (const int* choice = std::get_if<int>(&answer)) chosen_ = *choice;
    take(player_->answer(answer, learner()), false);
}

void LessonDesk::take(const Result<lesson::Reply>& reply, bool shown) {
    using Was = lesson::Reply::Kind;
    if (!reply) return say(Said::Tone::Note, translated(reply.problems().front()));
    const QString text = QString::fromStdString(reply->text);
    keep();
    if (reply->kind != Was::Nothing) said_ = {};  // said again is heard again
    switch (reply->kind) {
        case Was::Right:
            say(shown ? Said::Tone::Shown : Said::Tone::Right, text);
            break;
        case Was::Wrong:
            say(Said::Tone::Wrong, text);
            break;
        case Was::Revealed:
            say(Said::Tone::Shown, text);
            break;
        case Was::NotUnderstood:
        case Was::Elsewhere:
            say(Said::Tone::Note, text);
            break;
        case Was::Nothing:
            break;
    }
    add_actions(reply->actions);
    go_on();
}

void LessonDesk::say(Said::Tone tone, const QString& text) {
    const Said said{tone, text};
    if (said == said_) return;
    said_ = said;
    Q_EMIT replied();
}

void LessonDesk::hint() {
    if (task() == nullptr || busy() || !player_->has_hint()) return;
    const Result<std::string> hint = player_->hint(learner());
    hints_ << (hint ? QString::fromStdString(*hint) : translated(hint.problems().front()));
    keep();
    Q_EMIT replied();
}

void LessonDesk::show_me() {
    if (task() == nullptr || busy() || player_->done()) return;
    const bool doing = task()->kind == lesson::TaskKind::Do;
    take(player_->show_me(learner()), true);
    if (!doing) return;
    add_turn([this] {
        if (!player_->done()) take(player_->watch(learner()), true);
        return true;
    });
    go_on();
}

}  // namespace blockscope
