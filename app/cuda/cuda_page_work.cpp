// What the CUDA page does with the source that it shows: compiles it, tells times, copies and saves it.
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QToolButton>

#include "app/cuda/cuda_page.h"
#include "app/cuda/cuda_report.h"
#include "app/document/files.h"
#include "app/panels/write_dialog.h"
#include "app/words/words.h"
#include "app/worker/card_search.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

QString text_of(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

// ---- Compiling

void CudaPage::show_compile_button() {
    const bool compiling = compiling_.busy();
    compile_->setText(compiling ? tr("Stop") : tr("Compile"));
    compile_->setAccessibleName(compile_->text());
    compile_->setToolTip(compiling
                             ? tr("Waits no longer for the compiler")
                             : tr("Compiles the source and says what became of it: registers, spills, shared "
                                  "memory, occupancy"));
    compile_->setEnabled(compiling || (source_.made && !generating_.busy()));
}

void CudaPage::compile() {
    if (compiling_.busy()) {
        stop_compiling();
        forget_report(tr("Stopped."));
        return show_compile_button();
    }
    if (!source_.made || generating_.busy()) return;
    lower_->setCurrentIndex(0);
    forget_report(tr("Compiling for %1...").arg(text_of(source_.architecture)));
    compiler_ =
        std::make_shared<worker::Client>(measurements_.places().command_for(measurements_.place().host));
    compiling_.start(tr("Compiling CUDA"),
                     [this, source = source_, by = compiler_](const Stop&) -> Work::Finish {
                         const auto report = std::make_shared<const CudaReport>(compile_cuda(source, *by));
                         return [this, report] { take_report(*report); };
                     });
    show_compile_button();
}

void CudaPage::take_report(const CudaReport& report) {
    report_->show_report(report);
    if (!report.kernels.empty()) compiled_ = report;
    show_compile_button();
    show_times();
}

void CudaPage::forget_report(const QString& sentence) {
    compiled_.reset();
    report_->show_nothing(sentence);
}

// The worker gives up, or is ended.
void CudaPage::stop_compiling() {
    if (compiler_) compiler_->cancel();
    compiling_.cancel();
}

// ---- Times

// Of the kernels that are shown: on the card that is chosen, else on the device of the forecasts if that is a
// card, else on one of the target's generation.
QString CudaPage::prediction() const {
    if (!source_.made || generating_.busy()) return {};
    const MeasurePlace& place = measurements_.place();
    const gpu::Capability card = gpu::capability_of(source_.architecture).value_or(gpu::Capability{8, 0});
    const Device device = place.is_card() ? worker::description_for(forecast_.devices(),
                                                                    calibrated_name(place.host, place.device),
                                                                    place.model, place.architecture)
                          : forecast_.device().kind == DeviceKind::Gpu ? forecast_.device()
                                                                       : gpu::generation_of(card);
    const double seconds = predicted(source_, compiled_ ? &*compiled_ : nullptr, device).seconds;
    const QString known = compiled_ ? tr("with registers and occupancy as compiled")
                                    : tr("registers are known once it is compiled");
    return tr("Predicted for %1: %2 (%3)").arg(text_of(device.title), time_text(seconds), known);
}

void CudaPage::show_times() {
    if (document_.empty() || !isVisible()) return;
    const StateId state = document_.content().current;
    QStringList parts;
    if (const QString text = prediction(); !text.isEmpty()) parts << text;
    const QString place = MeasurePlaces::title(measurements_.place());
    const auto result = measurements_.of(state);
    QString details;
    if (!result) {
        parts << tr("Not measured on %1 yet.").arg(place);
    } else {
        const measure::Record& record = result->record;
        if (record.failure)
            parts << tr("Measuring on %1 failed: %2").arg(place, as_sentence(record.failure->message));
        else if (record.warm)
            parts << tr("Measured on %1: %2").arg(place, time_text(record.warm->summary.median));
        if (!result->stale.isEmpty()) parts << in_words(result->stale.toStdString());
        details = record_text(record) + QLatin1Char('\n') + text_of(record.prepared);
        if (record.failure) details += text_of(record.failure->log);
    }
    times_->setText(parts.join(QStringLiteral("  \u00b7  ")));
    details_->setPlainText(details);
    details_->setVisible(!details.isEmpty());
}

// ---- Files

void CudaPage::copy() {
    if (!source_.made) return services_.say(tr("There is nothing to copy."));
    QGuiApplication::clipboard()->setText(text_of(gpu::source(source_.set)));
    services_.say(tr("The source is on the clipboard, with its tile library."));
}

bool CudaPage::save(const QString& path) {
    if (!source_.made) return false;
    return !write_file(path, gpu::standalone_source(source_.set));
}

void CudaPage::ask_and_save() {
    if (!source_.made) return services_.say(tr("There is nothing to save."));
    const QString name = text_of(document_.content().name) + QStringLiteral(".cu");
    ask_where_to_write(*this, tr("Save CUDA"), tr("CUDA (*.cu)"), name, [this](const QString& path) {
        services_.say(save(path) ? tr("Written: %1").arg(path) : tr("%1 could not be written.").arg(path));
    });
}

}  // namespace blockscope
