// The levels of a diagram that is no program of operators on whole axes: of a peeled or a safe state.
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QTabWidget>

#include "app/circuit/circuit_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"
#include "app/circuit/steps_text.h"

namespace blockscope {

void KernelTables::start_drawn(const Device& device) {
    circuit::StudyOptions options;
    options.link = link_->value() * 1e12;
    work_.start(
        tr("Analysing the diagram"), [=, this, circuit = algorithm_.drawn](const Stop&) -> Work::Finish {
            const auto study =
                std::make_shared<const circuit::DrawnStudy>(circuit::study_drawn(*circuit, device, options));
            return [=, this] { take_drawn(*study, device); };
        });
}

void KernelTables::take_drawn(const circuit::DrawnStudy& study, const Device& device) {
    study_ = nullptr;
    drawn_ = level_drawing_ = {};
    const circuit::Values values = circuit::sizes(study.circuit.axes);
    const auto number = [&](const circuit::Formula& formula) {
        return QStringLiteral("%1 = %2").arg(formula_html(formula),
                                             QLocale().toString(formula.value(values), 'f', 0));
    };
    QString text = tr("The diagram is analysed as it is drawn. %1").arg(algorithm_.why.toHtmlEscaped());
    text += QStringLiteral("<br>H = ") + number(study.resources.transferred) + QStringLiteral("<br>M = ") +
            number(study.resources.widest(1));
    if (study.law)
        text += QStringLiteral("<br>H* = ") + formula_html(study.law->formula(study.memory_symbol));
    message_->setText(text);
    message_->show();
    tabs_->setEnabled(true);
    enable_kernel_tabs(false);
    models_->show_sections(model_sections(study, device));
    drawn_levels_->hide();
    show_level_plans(study.level_plans);
}

QString KernelTables::message() const {
    return message_->text();
}

}  // namespace blockscope
