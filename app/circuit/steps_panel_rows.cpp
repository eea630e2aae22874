// What the panel of the step-by-step circuit shows.
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <limits>

#include "app/circuit/steps_panel.h"
#include "app/circuit/steps_text.h"

namespace blockscope {

namespace {

using circuit::AxisId;

enum AxisColumn { AxisName, AxisSize, AxisSplit, AxisCan, AxisColumns };

constexpr int kIdRole = Qt::UserRole;

QTreeWidgetItem* item_of(QTreeWidget& tree, int id) {
    for (QTreeWidgetItemIterator it(&tree); *it; ++it)
        if ((*it)->data(0, kIdRole).toInt() == id) return *it;
    return nullptr;
}

}  // namespace

// What the picture beside it costs: the two are the same where a state is these groups and streams.
void StepsPanel::compare_picture() {
    if (!isVisible() || !steps_.session() || document_.empty()) {
        counting_.cancel();
        return picture_->clear();
    }
    const Content& content = document_.content();
    const auto job = [this, session = steps_.session(), program = content.program(),
                      step = content.history.depth(content.current)](const Stop&) -> Work::Finish {
        return [this, text = picture_text(*session, *program, step)] { picture_->setText(text); };
    };
    counting_.start(tr("Comparing the circuit with the picture"), job);
}

void StepsPanel::show_axes() {
    filling_ = true;
    axes_->clear();
    for (const circuit::AxisVerdict& verdict : steps_.verdicts()) {
        const circuit::Axis& axis = circuit::axis_of(steps_.session()->current().flow->axes, verdict.axis);
        QStringList can;
        if (verdict.group) can << tr("grouped");
        if (verdict.stream) can << tr("streamed");
        auto* item = new QTreeWidgetItem(
            axes_, {axis_name(steps_, verdict.axis), QLocale().toString(static_cast<qlonglong>(axis.size)),
                    split_text(steps_.part(verdict.axis)), can.join(QStringLiteral(", "))});
        item->setTextAlignment(AxisSize, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, kIdRole, verdict.axis.value);
    }
    filling_ = false;
    show_axis();
}

void StepsPanel::show_axis() {
    filling_ = true;
    const AxisId axis = steps_.axis();
    const circuit::AxisVerdict* verdict = steps_.verdict(axis);
    axes_->setCurrentItem(verdict ? item_of(*axes_, axis.value) : nullptr);
    size_->setEnabled(verdict);
    group_->setEnabled(verdict && verdict->group);
    stream_->setEnabled(verdict && verdict->stream);
    join_->setEnabled(steps_.part(axis).has_value());
    if (verdict) {
        const auto whole = circuit::axis_of(steps_.session()->current().flow->axes, axis).size;
        size_->setMaximum(static_cast<int>(std::min<std::int64_t>(whole, std::numeric_limits<int>::max())));
        size_->setValue(static_cast<int>(steps_.part_size(axis)));
    }
    why_->setHtml(verdict_html(steps_, axis));
    filling_ = false;
}

// A way without forks is a list; other branches stand under the state that they leave.
void StepsPanel::add_states(int state, QTreeWidgetItem* around) {
    const circuit::CircuitSession& session = *steps_.session();
    for (int at = state; at >= 0;) {
        QString text = state_title(session, at);
        if (!session.note(at).empty()) text += QStringLiteral(" ✎");
        auto* item = around ? new QTreeWidgetItem(around, {text}) : new QTreeWidgetItem(states_, {text});
        item->setData(0, kIdRole, at);
        item->setToolTip(0, QString::fromStdString(session.note(at)));
        const std::vector<int> next = session.children(at);
        for (std::size_t i = 1; i < next.size(); ++i) add_states(next[i], item);
        item->setExpanded(true);
        at = next.empty() ? -1 : next.front();
    }
}

void StepsPanel::show_states() {
    filling_ = true;
    states_->clear();
    if (steps_.session()) {
        add_states(0, nullptr);
        states_->setCurrentItem(item_of(*states_, steps_.session()->current().id));
    }
    filling_ = false;
}

void StepsPanel::show_note() {
    filling_ = true;
    note_->setEnabled(steps_.session() != nullptr);
    const QString text =
        steps_.session() ? QString::fromStdString(steps_.session()->note(steps_.session()->tree().current))
                         : QString();
    if (text != note_->toPlainText()) note_->setPlainText(text);
    filling_ = false;
}

}  // namespace blockscope
