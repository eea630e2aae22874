#include "app/shell/dialogs.h"

#include <QFileDialog>
#include <QFileInfo>

namespace blockscope {

namespace {

void prepare(QFileDialog& dialog, const QString& name) {
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QFileInfo(name).suffix());
    dialog.selectFile(name);
}

}  // namespace

QString file_name_of(const QString& name) {
    constexpr int kMostCharacters = 80;  // 255 bytes hold that many of any script but the rarest
    static const QString special = QStringLiteral("/\\:*?\"<>|");
    QString safe;
    for (const QChar c : name.left(kMostCharacters))  // a pair that is cut in two goes below
        safe += special.contains(c) || c.category() == QChar::Other_Control ? QLatin1Char('-') : c;
    const auto is_edge = [](QChar c) {
        return c.isSpace() || c == QLatin1Char('.') || c == QLatin1Char('-');
    };
    while (!safe.isEmpty() && is_edge(safe.front())) safe.remove(0, 1);
    while (!safe.isEmpty() && (is_edge(safe.back()) || safe.back().isHighSurrogate())) safe.chop(1);
    return safe.isEmpty() ? QStringLiteral("untitled") : safe;
}

void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write) {
    auto* dialog = new QFileDialog(&parent, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog, name);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(write));
    dialog->open();
}

QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name) {
    static QString last;  // the folder of the file before, for names without one
    QFileDialog dialog(parent, title, QFileInfo(name).isAbsolute() ? QFileInfo(name).path() : last, filter);
    prepare(dialog, name);
    if (dialog.exec() != QDialog::Accepted) return {};
    QString file = dialog.selectedFiles().value(0);
    last = QFileInfo(file).path();
    return file;
}

}  // namespace blockscope
