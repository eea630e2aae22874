#include "app/circuit/kernel_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace blockscope {

namespace {

constexpr double kMostWhole = 1e12;  // longer numbers have a power of ten

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(KernelTables)
};

QString digits(double value) {
    return QLocale().toString(value, 'g', value < 1000 ? 4 : 5);
}

QString raised(int exponent) {
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    for (const QChar digit : QString::number(std::abs(exponent))) text += kDigits[digit.digitValue()];
    return exponent < 0 ? QStringLiteral("⁻") + text : text;
}

}  // namespace

QString size_text(double bytes) {
    if (bytes >= 1024.0 * 1024 * 1024) return Texts::tr("%1 GiB").arg(digits(bytes / (1024.0 * 1024 * 1024)));
    if (bytes >= 1024 * 1024) return Texts::tr("%1 MiB").arg(digits(bytes / (1024 * 1024)));
    if (bytes >= 1024) return Texts::tr("%1 KiB").arg(digits(bytes / 1024));
    return Texts::tr("%1 B").arg(digits(bytes));
}

QString rate_text(double bytes_per_second) {
    if (bytes_per_second >= 1e12) return Texts::tr("%1 TB/s").arg(digits(bytes_per_second / 1e12));
    return Texts::tr("%1 GB/s").arg(digits(bytes_per_second / 1e9));
}

QString duration_text(double seconds) {
    const auto four = [](double value) { return QLocale().toString(value, 'g', 4); };
    if (seconds >= 1) return Texts::tr("%1 s").arg(four(seconds));
    if (seconds >= 1e-3) return Texts::tr("%1 ms").arg(four(seconds * 1e3));
    return Texts::tr("%1 µs").arg(four(seconds * 1e6));
}

QString amount_text(double value) {
    if (std::abs(value) < kMostWhole) {
        const double rounded = std::round(value);
        const bool whole = std::abs(value) >= 1000 || std::abs(value - rounded) < 1e-9;
        return whole ? QLocale().toString(static_cast<qlonglong>(rounded))
                     : QLocale().toString(value, 'g', 4);
    }
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    return QStringLiteral("%1·10%2").arg(QLocale().toString(value / std::pow(10.0, exponent), 'g', 6),
                                         raised(exponent));
}

QString percent_text(double share) {
    return QLocale().toString(100 * share, 'f', 1) + QStringLiteral("\u00A0%");  // stays on one line
}

QString number_of(double value, int digits) {
    return QLocale().toString(value, 'f', digits);
}

}  // namespace blockscope
