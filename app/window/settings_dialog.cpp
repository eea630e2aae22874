#include "app/window/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "app/words/languages.h"

namespace blockscope {

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Settings"));
    setAccessibleName(windowTitle());
    auto* form = new QFormLayout(this);
    form->setContentsMargins(20, 20, 20, 16);
    form->setHorizontalSpacing(18);
    form->setVerticalSpacing(12);

    auto* theme = new QComboBox(this);
    theme->addItems({tr("Follow the system"), tr("Light"), tr("Dark")});  // in the order of ThemeChoice
    theme->setAccessibleName(tr("Theme"));
    theme->setCurrentIndex(static_cast<int>(settings.theme()));
    connect(theme, &QComboBox::currentIndexChanged, &settings,
            [&settings](int index) { settings.set_theme(static_cast<ThemeChoice>(index)); });
    form->addRow(tr("Theme"), theme);

    auto* language = new QComboBox(this);
    language->setAccessibleName(tr("Language"));
    language->setToolTip(tr("Counts from the next start on."));
    for (const Language& choice : languages()) language->addItem(choice.name, choice.code);
    language->setCurrentIndex(std::max(0, language->findData(settings.language())));
    connect(language, &QComboBox::currentIndexChanged, &settings,
            [&settings, language] { settings.set_language(language->currentData().toString()); });
    form->addRow(tr("Language"), language);

    auto* speed = new QSpinBox(this);
    speed->setRange(100, 8000);
    speed->setSingleStep(100);
    speed->setSuffix(tr(" ms a step"));
    speed->setAccessibleName(tr("Speed of playing"));
    speed->setValue(settings.play_interval());
    connect(speed, &QSpinBox::valueChanged, &settings, &Settings::set_play_interval);
    form->addRow(tr("Play"), speed);

    const auto box = [&](const QString& text, const QString& help, bool on, void (Settings::*set)(bool)) {
        auto* made = new QCheckBox(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        made->setChecked(on);
        connect(made, &QCheckBox::toggled, &settings, set);
        form->addRow(QString(), made);
    };
    box(tr("Animate steps"),
        tr("Blocks slide to their new places. Off wherever the system asks for less motion."),
        settings.animations(), &Settings::set_animations);
    box(tr("Types on edges"), tr("Written when the picture is close enough."), settings.edge_labels(),
        &Settings::set_edge_labels);
    box(tr("Keep a journal"), tr("Changes that are not saved come back after a crash."), settings.journal(),
        &Settings::set_journal);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::AcceptRole);
    close->setAccessibleName(tr("Close"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    form->addRow(buttons);
}

}  // namespace blockscope
