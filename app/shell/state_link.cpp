#include "app/shell/state_link.h"

#include <QRegularExpression>

#include "app/shell/samples.h"
#include "core/state/choose.h"

namespace blockscope {

namespace {

// As a shell reads it as one word.
QString one_word(const QString& text) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./-]+$"));
    if (plain.match(text).hasMatch()) return text;
    const QString escaped = QString(text).replace(QLatin1String("'"), QLatin1String("'\\''"));
    return QLatin1Char('\'') + escaped + QLatin1Char('\'');
}

}  // namespace

QString opened_by(const Document& document) {
    if (document.empty() || !document.path().isEmpty()) return document.path();
    const QString name = QString::fromStdString(document.content().name);
    return find_sample(name) != nullptr ? name : QString();
}

QString link_to(const Content& content, StateId state, const QString& opened) {
    if (opened.isEmpty()) return {};
    const int number = content.history.depth(state);
    StateChoice choice = StateChoice::step(number);
    if (content.branch != content.history.branches().front().id)
        choice.branch = content.history.branch(content.branch).name;
    const QString step =
        choice.branch.empty() ? QString::number(number) : QString::fromStdString(to_string(choice));
    return QStringLiteral("blockscope %1 --step %2").arg(one_word(opened), one_word(step));
}

QString link_to(const Document& document) {
    if (document.empty()) return {};
    return link_to(document.content(), document.content().current, opened_by(document));
}

}  // namespace blockscope
