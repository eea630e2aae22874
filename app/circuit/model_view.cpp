#include "app/circuit/model_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>

namespace blockscope {

namespace {

constexpr int kMargin = 10;

QTextBrowser* browser(const QString& name, QWidget* parent) {
    auto* made = new QTextBrowser(parent);
    made->setOpenLinks(false);
    made->setAccessibleName(name);
    made->document()->setDocumentMargin(kMargin);
    return made;
}

QString cell_html(const ModelCell& cell, const QString& place, bool first, const QPalette& palette) {
    const QString align = first ? QStringLiteral("left") : QStringLiteral("right");
    // The text's colour, underlined: many links in another would be hard to read.
    const QString text = cell.derivation.isEmpty()
                             ? cell.text
                             : QStringLiteral("<a href=\"%1\" style=\"color:%3\">%2</a>")
                                   .arg(place, cell.text, palette.color(QPalette::Text).name());
    return QStringLiteral("<td align=\"%1\" style=\"padding:2px 26px 2px 0\">%2</td>").arg(align, text);
}

}  // namespace

ModelView::ModelView(QWidget* parent)
    : QWidget(parent),
      tables_(browser(tr("Performance models"), this)),
      derivation_(browser(tr("Where the number comes from"), this)) {
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(tables_);
    splitter->addWidget(derivation_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({760, 420});
    splitter->setChildrenCollapsible(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter);
    setFocusProxy(tables_);
    connect(tables_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QStringList place = link.toString().split(QLatin1Char('.'));
        if (place.size() == 3) derive(place[0].toInt(), place[1].toInt(), place[2].toInt());
    });
    write();
}

void ModelView::show_sections(std::vector<ModelSection> sections) {
    sections_ = std::move(sections);
    write();
}

void ModelView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) write();
}

void ModelView::write() {
    QString html;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        const ModelSection& section = sections_[s];
        html += QStringLiteral("<p style=\"margin:%2px 0 2px 0\"><b>%1</b></p>")
                    .arg(section.title.toHtmlEscaped())
                    .arg(s == 0 ? 0 : 14);
        if (!section.note.isEmpty())
            html += QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(section.note);
        if (section.rows.empty()) continue;
        html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"0\"><tr>");
        for (int column = 0; column < section.headers.size(); ++column)
            html += QStringLiteral(
                        "<th align=\"%1\" style=\"padding:2px 26px 2px 0;font-weight:normal;"
                        "color:%3\">%2</th>")
                        .arg(column == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                             section.headers[column], palette().color(QPalette::PlaceholderText).name());
        html += QStringLiteral("</tr>");
        for (std::size_t r = 0; r < section.rows.size(); ++r) {
            html += QStringLiteral("<tr>");
            for (std::size_t c = 0; c < section.rows[r].size(); ++c)
                html += cell_html(section.rows[r][c], QStringLiteral("%1.%2.%3").arg(s).arg(r).arg(c), c == 0,
                                  palette());
            html += QStringLiteral("</tr>");
        }
        html += QStringLiteral("</table>");
    }
    const int seen = tables_->verticalScrollBar()->value();
    tables_->setHtml(html);
    tables_->verticalScrollBar()->setValue(seen);
    write_derivation();
}

void ModelView::derive(int section, int row, int column) {
    derived_ = {section, row, column};
    write_derivation();
}

void ModelView::write_derivation() {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const auto [section, row, column] = derived_;
    const bool known = section >= 0 && at(section) < sections_.size() && row >= 0 &&
                       at(row) < sections_[at(section)].rows.size() && column >= 0 &&
                       at(column) < sections_[at(section)].rows[at(row)].size();
    if (!known)
        return derivation_->setHtml(
            QStringLiteral("<p>%1</p>")
                .arg(tr("Every number that is underlined says here where it comes from.")));
    const ModelSection& from = sections_[at(section)];
    const std::vector<ModelCell>& cells = from.rows[at(row)];
    QString what = cells.front().text;
    if (column > 0 && column < from.headers.size()) what += QStringLiteral(", ") + from.headers[column];
    derivation_->setHtml(
        QStringLiteral("<p style=\"margin:0\">%1</p><p style=\"margin:0 0 8px 0\"><b>%2</b></p>")
            .arg(from.title.toHtmlEscaped(), what) +
        cells[at(column)].derivation);
}

}  // namespace blockscope
