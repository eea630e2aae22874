// What is predicted for the state on the page, and what was measured of it.
#include <QLabel>
#include <QPlainTextEdit>

#include "app/cuda/cuda_page.h"
#include "app/words/words.h"
#include "app/worker/card_search.h"
#include "core/json/device_files.h"

namespace blockscope {

namespace {

QString text_of(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

}  // namespace

// Of the kernels that are shown: on the card that is chosen, else on the device of the forecasts if that is a
// card, else on one of the target's generation.
QString CudaPage::prediction() const {
    if (!source_->made || generating_.busy()) return {};
    if (shown_ && shown_->choice.tf32)
        return tr("In tf32 no time is predicted: descriptions of cards do not have its rate.");
    const MeasurePlace& place = measurements_.place();
    const gpu::Capability card = gpu::capability_of(source_->architecture).value_or(gpu::Capability{8, 0});
    const Device device = place.is_card() ? worker::description_for(forecast_.devices(),
                                                                    calibrated_name(place.host, place.device),
                                                                    place.model, place.architecture)
                          : forecast_.device().kind == DeviceKind::Gpu ? forecast_.device()
                                                                       : gpu::generation_of(card);
    const double seconds = predicted(*source_, compiled_ ? &*compiled_ : nullptr, device).seconds;
    const QString known = compiled_ ? tr("with registers and occupancy as compiled")
                                    : tr("with registers as expected before compiling");
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
        parts << tr("%1: not measured yet.").arg(place);
    } else {
        const measure::Record& record = result->record;
        if (record.failure)
            parts << tr("%1: measuring failed: %2").arg(place, as_sentence(record.failure->message));
        else if (record.warm)
            parts << tr("%1: measured %2").arg(place, time_text(record.warm->summary.median));
        if (!result->stale.isEmpty()) parts << result->stale;
        details = record_text(record) + QLatin1Char('\n') + text_of(record.prepared);
        if (record.failure) details += text_of(record.failure->log);
    }
    times_->setText(parts.join(QStringLiteral("  \u00b7  ")));
    details_->setPlainText(details);
    details_->setVisible(!details.isEmpty());
}

}  // namespace blockscope
