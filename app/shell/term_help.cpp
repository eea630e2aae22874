#include "app/shell/term_help.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTextBlock>
#include <QToolTip>
#include <algorithm>

#include "app/scene/theme.h"
#include "core/glossary/glossary.h"

// Of the library that the resources are linked in by; outside of all namespaces.
static void register_term_pictures() {
    Q_INIT_RESOURCE(glossary);
}

namespace blockscope {

namespace {

constexpr int kPictureWidth = 260;     // in a tooltip
constexpr std::size_t kMostTerms = 2;  // explained at once; the rest are named

// A word of a listing, which may be shorter than those that sentences are searched for.
std::vector<const GlossaryTerm*> listing_terms(const QString& word) {
    if (word.isEmpty()) return {};
    const bool temporary = word.size() > 1 && word[0] == QLatin1Char('t') && word[1].isDigit();
    const QString name = temporary ? QStringLiteral("Temporary")
                         : word == QLatin1String("load") || word == QLatin1String("store")
                             ? QStringLiteral("Traffic")
                             : word;
    const GlossaryTerm* term = find_term(glossary(), name.toStdString());
    return term ? std::vector{term} : std::vector<const GlossaryTerm*>{};
}

QString word_at(const QPlainTextEdit& view, const QPoint& place) {
    QTextCursor cursor = view.cursorForPosition(place);
    const QString line = cursor.block().text();
    const qsizetype at = cursor.positionInBlock();
    if (line.mid(std::max<qsizetype>(0, at - 2), 4).contains(QLatin1String("+=")))
        return QStringLiteral("Accumulator");
    const auto in_word = [&](qsizetype i) {
        return i >= 0 && i < line.size() && (line[i].isLetterOrNumber() || line[i] == QLatin1Char('_'));
    };
    qsizetype begin = at, end = at;
    while (in_word(begin - 1)) --begin;
    while (in_word(end)) ++end;
    return line.mid(begin, end - begin);
}

QString item_text(const QModelIndex& index) {
    QString text;
    for (int column = 0; index.isValid() && column < index.model()->columnCount(index.parent()); ++column)
        text += index.siblingAtColumn(column).data().toString() + QStringLiteral(". ");
    return text;
}

QString header_text(const QHeaderView& header, const QPoint* place) {
    if (!place) return {};
    const int section = header.logicalIndexAt(*place);
    return section < 0 ? QString() : header.model()->headerData(section, header.orientation()).toString();
}

QString text_of(const QWidget& widget, const QPoint* place) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->textFormat() == Qt::RichText ? QString() : label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
    if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) return group->title();
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget)) {
        const int tab = place ? bar->tabAt(*place) : bar->currentIndex();
        return tab < 0 ? QString() : bar->tabText(tab);
    }
    const auto* view = qobject_cast<const QAbstractItemView*>(&widget);
    const bool viewport = !view;
    if (viewport) {
        view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
        if (view && view->viewport() != &widget) return {};
    }
    if (!view) return {};
    if (const auto* header = qobject_cast<const QHeaderView*>(view))
        return header_text(*header, viewport ? place : nullptr);
    return item_text(place && viewport ? view->indexAt(*place) : view->currentIndex());
}

// What the tooltip says without the glossary.
QString own_tip(const QWidget& widget, const QPoint& place) {
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    const bool header = qobject_cast<const QHeaderView*>(view) != nullptr;
    if (view && !header && view->viewport() == &widget) {
        QString tip = view->indexAt(place).data(Qt::ToolTipRole).toString();
        if (!tip.isEmpty()) return tip;
    }
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget))
        if (const int tab = bar->tabAt(place); tab >= 0) return bar->tabToolTip(tab);
    return widget.toolTip();
}

const QPlainTextEdit* listing_of(const QWidget& widget) {
    if (const auto* view = qobject_cast<const QPlainTextEdit*>(&widget)) return view;
    const auto* view = qobject_cast<const QPlainTextEdit*>(widget.parentWidget());
    return view && view->viewport() == &widget ? view : nullptr;
}

// A picture on paper for a dark window: what was light is dark and the other way round, in the same hues.
void darken(QImage& image, const QColor& canvas) {
    const auto lifted = [](int value, int least) {
        return least + std::clamp(value, 0, 255) * (255 - least) / 255;
    };
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const auto [least, most] = std::minmax({qRed(line[x]), qGreen(line[x]), qBlue(line[x])});
            const int by = 255 - least - most;
            line[x] =
                qRgb(lifted(qRed(line[x]) + by, canvas.red()), lifted(qGreen(line[x]) + by, canvas.green()),
                     lifted(qBlue(line[x]) + by, canvas.blue()));
        }
    }
}

}  // namespace

QImage term_image(const GlossaryTerm& term, int width) {
    register_term_pictures();
    QFile file(QStringLiteral(":/glossary/%1.svg").arg(QString::fromStdString(term.picture)));
    if (term.picture.empty() || !file.open(QIODevice::ReadOnly)) return {};
    QSvgRenderer renderer(file.readAll());
    if (!renderer.isValid()) return {};
    const QSize size = renderer.defaultSize().scaled(width, width, Qt::KeepAspectRatio);
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    const bool dark = QApplication::palette().color(QPalette::Base).lightness() < 128;
    if (dark) darken(image, Theme::dark_theme().canvas);
    return image;
}

QString term_html(const GlossaryTerm& term) {
    QString html = QStringLiteral("<h3>%1</h3>").arg(QString::fromStdString(term.name).toHtmlEscaped());
    if (const QImage image = term_image(term, 2 * kPictureWidth); !image.isNull()) {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "PNG");
        html += QStringLiteral("<p><img width=\"%1\" src=\"data:image/png;base64,%2\"></p>")
                    .arg(kPictureWidth)
                    .arg(QString::fromLatin1(bytes.toBase64()));
    }
    for (const std::string& paragraph : term.text)
        html +=
            QStringLiteral("<p>%1</p>").arg(QString::fromStdString(plain_text(paragraph)).toHtmlEscaped());
    return html;
}

std::vector<const GlossaryTerm*> terms_at(const QWidget& widget, const QPoint* place) {
    if (const QPlainTextEdit* listing = listing_of(widget)) {
        const QRect cursor = listing->cursorRect();
        return listing_terms(word_at(*listing, place ? *place : cursor.center()));
    }
    const QString text = text_of(widget, place).remove(QLatin1Char('&'));
    std::vector<const GlossaryTerm*> terms;
    for (const Mention& mention : mentions(text.toStdString())) terms.push_back(mention.term);
    return terms;
}

TermHelp::TermHelp(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

void TermHelp::show(const QPoint& place, const QString& own, const std::vector<const GlossaryTerm*>& terms,
                    QWidget* widget) {
    QString html = Qt::mightBeRichText(own) ? own : QStringLiteral("<p>%1</p>").arg(own.toHtmlEscaped());
    if (own.isEmpty()) html.clear();
    QStringList others;
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (i < kMostTerms && (i == 0 || terms.size() == kMostTerms))
            html += term_html(*terms[i]);
        else
            others << QString::fromStdString(terms[i]->name).toHtmlEscaped();
    if (!others.isEmpty())
        html += QStringLiteral("<p>%1</p>")
                    .arg(tr("Also in the glossary: %1").arg(others.join(QStringLiteral(", "))));
    shown_ = html;
    QToolTip::showText(place, html, widget);
}

bool TermHelp::eventFilter(QObject* watched, QEvent* event) {
    auto* widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget*>(watched) : nullptr;
    if (!widget) return QObject::eventFilter(watched, event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QPoint place = help->pos();
    const std::vector<const GlossaryTerm*> terms = terms_at(*widget, &place);
    if (terms.empty()) return QObject::eventFilter(watched, event);
    show(help->globalPos(), own_tip(*widget, place), terms, widget);
    return true;
}

bool TermHelp::explain_focus() {
    QWidget* widget = QApplication::focusWidget();
    if (!widget) return false;
    std::vector<const GlossaryTerm*> terms = terms_at(*widget, nullptr);
    if (terms.empty())
        for (const Mention& mention :
             mentions((widget->accessibleName() + QStringLiteral(". ") + widget->accessibleDescription())
                          .toStdString()))
            terms.push_back(mention.term);
    if (terms.empty()) return false;
    show(widget->mapToGlobal(QPoint(widget->width() / 3, widget->height() / 3)), {}, terms, widget);
    return true;
}

}  // namespace blockscope
