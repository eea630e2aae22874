#include "app/costs/device_numbers.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "app/charts/range.h"
#include "core/cost/device_parts.h"

namespace blockscope {

namespace {

struct DeviceNumbersWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::DeviceNumbers)
};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString amount(double value, const char* unit) {
    return *unit ? with_unit(value, QString::fromLatin1(unit)) : QLocale().toString(value, 'g', 12);
}

// "clock: 1.98 GHz (boost clock of f32 operations)", and below it the source.
QString figure_text(const Device& device, const QString& name, const DeviceFigure& figure, const char* unit) {
    QString line = QStringLiteral("%1: %2").arg(name, amount(figure.value, unit));
    if (!figure.how.empty()) line += QStringLiteral(" (%1)").arg(text(figure.how));
    const Source* source = source_of(device, figure);
    if (!source) return line;
    line += QStringLiteral("\n    ") + text(source->title);
    return source->url.empty() ? line : line + QStringLiteral(", ") + text(source->url);
}

QString processors_text(const Device& device) {
    return figure_text(device, DeviceNumbersWords::tr("processors"), device.processors, "");
}

QString bandwidth_derivation(const Device& device, const MemoryLevel& level) {
    const double processors = device.processors.value;
    const double instances = instances_of(device, level, processors);
    QString formula =
        QStringLiteral("%1 \u00b7 %2").arg(amount(level.bandwidth.value, "B/s"), amount(instances, ""));
    QStringList figures{
        figure_text(device, DeviceNumbersWords::tr("bandwidth of one instance"), level.bandwidth, "B/s"),
        DeviceNumbersWords::tr("instances: %1").arg(amount(instances, "")), processors_text(device)};
    if (level.processor_bandwidth.known()) {
        formula = QStringLiteral("min(%1, %2 \u00b7 %3)")
                      .arg(formula, amount(level.processor_bandwidth.value, "B/s"), amount(processors, ""));
        figures << figure_text(device, DeviceNumbersWords::tr("what one processor draws"),
                               level.processor_bandwidth, "B/s");
    }
    return QStringLiteral("%1 = %2\n\n%3")
        .arg(amount(bandwidth_for(device, level, processors), "B/s"), formula,
             figures.join(QLatin1Char('\n')));
}

QString rate_derivation(const Device& device, Unit unit, ElemType elem) {
    const RateParts parts = rate_parts(device, unit, elem);
    QStringList lines;
    if (parts.clock) {
        lines << QStringLiteral("%1 = %2 \u00b7 %3 \u00b7 %4")
                     .arg(amount(device_rate(device, unit, elem), "FLOP/s"),
                          amount(parts.rate->per_clock.value, ""), amount(device.processors.value, ""),
                          amount(parts.clock->value, "Hz"))
              << QString()
              << figure_text(device, DeviceNumbersWords::tr("operations a clock and processor"),
                             parts.rate->per_clock, "")
              << processors_text(device)
              << figure_text(device, DeviceNumbersWords::tr("clock"), *parts.clock, "Hz");
    } else {
        lines << DeviceNumbersWords::tr("peak = %1, as stated").arg(amount(parts.rate->peak.value, "FLOP/s"))
              << QString() << figure_text(device, DeviceNumbersWords::tr("peak"), parts.rate->peak, "FLOP/s");
    }
    if (parts.rate->elem != elem)
        lines << DeviceNumbersWords::tr("No rate is listed for %1: that of %2 stands for it.")
                     .arg(text(to_string(elem)), text(to_string(parts.rate->elem)));
    return lines.join(QLatin1Char('\n'));
}

class Ceilings {
public:
    explicit Ceilings(const Device& device) : device_(device) {}

    void add(const MemoryLevel& level) {
        const double rate = bandwidth_for(device_, level, device_.processors.value);
        if (rate > 0)
            add(text(level.name) + QLatin1Char(' ') + amount(rate, "B/s"), rate, true,
                bandwidth_derivation(device_, level));
    }
    // `name` has places for the type and the rate.
    void add(Unit unit, ElemType elem, const QString& name) {
        const double rate = device_rate(device_, unit, elem);
        if (rate > 0)
            add(name.arg(text(to_string(elem)), amount(rate, "FLOP/s")), rate, false,
                rate_derivation(device_, unit, elem));
    }

    std::vector<RooflineCeiling> made;

private:
    void add(const QString& name, double rate, bool level, const QString& derivation) {
        const QString tip = text(device_.title) + QLatin1Char('\n') + name + QLatin1Char('\n') +
                            DeviceNumbersWords::tr("A click opens where it comes from.");
        made.push_back(
            {name, rate, level, tip, text(device_.title) + QStringLiteral(", ") + name, derivation});
    }

    const Device& device_;
};

}  // namespace

std::vector<RooflineCeiling> ceilings_of(const Device& device, ElemType elem) {
    Ceilings ceilings(device);
    for (const MemoryLevel& level : device.memory)
        if (level.role != LevelRole::Registers && level.role != LevelRole::Shared) ceilings.add(level);
    const double matrix = device_rate(device, Unit::Matrix, elem);
    const double vector = device_rate(device, Unit::Vector, ElemType::F32);
    if (matrix == vector && elem == ElemType::F32) {  // one line has one name
        ceilings.add(Unit::Matrix, elem, DeviceNumbersWords::tr("matrix and vector %1 %2"));
    } else {
        ceilings.add(Unit::Matrix, elem, DeviceNumbersWords::tr("matrix %1 %2"));
        ceilings.add(Unit::Vector, ElemType::F32, DeviceNumbersWords::tr("vector %1 %2"));
    }
    return std::move(ceilings.made);
}

QString limit_derivation(const Device& device) {
    const MemoryLevel* level = local_level(device);
    if (!level) return {};
    const bool block = level->block_capacity.known();
    const DeviceFigure& figure = block ? level->block_capacity : level->capacity;
    const QString name = block ? DeviceNumbersWords::tr("shared memory that one thread block may have")
                               : DeviceNumbersWords::tr("capacity of one core");
    const QString bytes = QLocale().toString(static_cast<qlonglong>(local_capacity(*level)));
    return DeviceNumbersWords::tr("limit = %1 bytes").arg(bytes) + QStringLiteral("\n\n") +
           figure_text(device, name, figure, "B");
}

}  // namespace blockscope
