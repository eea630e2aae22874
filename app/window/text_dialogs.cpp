#include "app/window/text_dialogs.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <algorithm>

#include "app/shell/telling.h"

namespace blockscope {

NoteDialog::NoteDialog(const PinnedNote& note, QWidget* parent)
    : QDialog(parent), text_(new QPlainTextEdit(this)), color_(new QComboBox(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Pin a note"));
    text_->setPlainText(QString::fromStdString(note.text));
    text_->setPlaceholderText(tr("Empty: no note"));
    text_->setTabChangesFocus(true);
    text_->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    // In the order of NoteColor.
    color_->addItems({tr("Yellow"), tr("Blue"), tr("Green"), tr("Orange"), tr("Purple")});
    color_->setCurrentIndex(static_cast<int>(note.color));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Note on this block"), text_);
    form->addRow(tr("&Colour"), color_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT answered({text_->toPlainText().toStdString(), static_cast<NoteColor>(color_->currentIndex())});
        accept();
    });
}

namespace {

// What is asked about at first.
StepGroup proposed(Document& document, std::optional<std::pair<int, int>> steps) {
    const Content& content = document.content();
    const int step = std::max(1, content.history.depth(content.current));
    const auto within = [&](int first, int last) {
        return steps ? first == steps->first && last == steps->second : first <= step && step <= last;
    };
    for (const StepGroup& group : groups_of_branch(content))
        if (within(group.first, group.last)) return group;
    if (steps) return {steps->first, steps->second, {}};
    const Chapter* chapter = chapter_at(Telling::of(document).chapters(), step);
    return chapter ? StepGroup{chapter->first, chapter->last, {}} : StepGroup{step, step, {}};
}

}  // namespace

GroupDialog::GroupDialog(Document& document, std::optional<std::pair<int, int>> steps, QWidget* parent)
    : QDialog(parent),
      document_(document),
      first_(new QSpinBox(this)),
      last_(new QSpinBox(this)),
      name_(new QLineEdit(this)) {
    setWindowTitle(tr("Group steps"));
    const StepGroup group = proposed(document, steps);
    const Content& content = document.content();
    const int most = content.history.depth(content.history.branch(content.branch).tip);
    first_->setRange(1, most);
    last_->setRange(1, most);
    first_->setValue(group.first);
    last_->setValue(group.last);
    connect(first_, &QSpinBox::valueChanged, last_, &QSpinBox::setMinimum);
    last_->setMinimum(group.first);
    name_->setText(QString::fromStdString(group.name));
    name_->setPlaceholderText(tr("Empty: not grouped"));
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Name"), name_);
    form->addRow(tr("&First step"), first_);
    form->addRow(tr("&Last step"), last_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        document_.group_steps(first_->value(), last_->value(), name_->text());
        accept();
    });
    name_->setFocus();
}

void ask_and_group_steps(Document& document, std::optional<std::pair<int, int>> steps, QWidget* parent) {
    if (document.empty() || document.content().history.states().size() < 2) return;
    auto* dialog = new GroupDialog(document, steps, parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace blockscope
