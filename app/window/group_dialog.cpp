#include "app/window/group_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "app/shell/telling.h"

namespace blockscope {

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
