#include "app/window/glossary_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/shell/appearance.h"
#include "app/shell/dialogs.h"
#include "core/glossary/glossary.h"

namespace blockscope {
namespace {

QString term_link(const std::string& name) {
    const QString text = QString::fromStdString(name);
    return QStringLiteral("<a href=\"%1\">%1</a>").arg(text.toHtmlEscaped());
}

QString comma_list(const QStringList& parts) {
    return parts.join(QStringLiteral(", "));
}

// A term as rich text. The page is English, whatever the window's language is.
QString term_html(const GlossaryTerm& term) {
    QString html = QStringLiteral("<h3>%1</h3>").arg(QString::fromStdString(term.name).toHtmlEscaped());
    for (const std::string& paragraph : term.text)
        html +=
            QStringLiteral("<p>%1</p>").arg(QString::fromStdString(plain_text(paragraph)).toHtmlEscaped());
    QStringList aliases, others;
    for (const std::string& alias : term.aliases) aliases << QString::fromStdString(alias).toHtmlEscaped();
    for (const std::string& other : term.see_also) others << term_link(other);
    if (!aliases.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("Also: %1").arg(comma_list(aliases)));
    if (!others.isEmpty())
        html += QStringLiteral("<p>%1</p>").arg(GlossaryDialog::tr("See also: %1").arg(comma_list(others)));
    return html;
}

}  // namespace

GlossaryDialog::GlossaryDialog(Appearance& appearance, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Glossary"));
    setAccessibleName(windowTitle());
    line_ = new QLineEdit(this);
    line_->setPlaceholderText(tr("Find a word"));
    line_->setAccessibleName(tr("Find a word"));
    line_->setClearButtonEnabled(true);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Terms"));
    list_->setProperty("program_data", true);
    text_ = new QTextBrowser(this);
    text_->setAccessibleName(tr("What the term means"));
    text_->setProperty("program_data", true);
    text_->setOpenLinks(false);
    none_ = new QLabel(tr("No term fits."), this);
    none_->setForegroundRole(QPalette::PlaceholderText);
    none_->hide();

    auto* row = new QHBoxLayout;
    row->addWidget(list_, 2);
    row->addWidget(text_, 5);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(10);
    column->addWidget(line_);
    column->addWidget(none_);
    column->addLayout(row, 1);
    ensurePolished();  // the type of a presentation
    resize(first_size(*this, {56 * appearance.pixels(), 36 * appearance.pixels()}));

    connect(line_, &QLineEdit::textChanged, this, &GlossaryDialog::filter);
    connect(list_, &QListWidget::currentRowChanged, this, &GlossaryDialog::show_row);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { show_term(link.toString()); });
    filter({});
}

void GlossaryDialog::filter(const QString& text) {
    list(search_terms(glossary(), text.toStdString()));
}

bool GlossaryDialog::show_term(const QString& word) {
    const GlossaryTerm* term = find_term(glossary(), word.toStdString());
    if (term == nullptr) return false;
    {
        const QSignalBlocker quiet(line_);
        line_->clear();
    }
    filter({});
    const QList<QListWidgetItem*> rows =
        list_->findItems(QString::fromStdString(term->name), Qt::MatchFixedString | Qt::MatchCaseSensitive);
    list_->setCurrentItem(rows.front());
    return true;
}

int GlossaryDialog::shown_rows() const {
    return list_->count();
}

QString GlossaryDialog::shown_text() const {
    return text_->toPlainText();
}

void GlossaryDialog::list(const std::vector<const GlossaryTerm*>& terms) {
    list_->clear();
    for (const GlossaryTerm* term : terms) list_->addItem(QString::fromStdString(term->name));
    none_->setVisible(terms.empty());
    list_->setCurrentRow(terms.empty() ? -1 : 0);
}

void GlossaryDialog::show_row(int row) {
    const QListWidgetItem* item = list_->item(row);
    const GlossaryTerm* term = item == nullptr ? nullptr : find_term(glossary(), item->text().toStdString());
    text_->setHtml(term == nullptr ? QString() : term_html(*term));
}

}  // namespace blockscope
