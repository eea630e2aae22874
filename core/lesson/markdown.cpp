#include "core/lesson/markdown.h"

#include <cctype>
#include <vector>

namespace blockscope::lesson {
namespace {

std::vector<std::string> lines_of_text(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

// A marked piece "*words*" that begins at `at`; its length with the marks, 0 if it has no end.
std::size_t piece(std::string_view text, std::size_t at, std::string_view mark) {
    if (text.substr(at, mark.size()) != mark) return 0;
    const std::size_t start = at + mark.size();
    if (start >= text.size() || text[start] == ' ') return 0;
    const std::size_t end = text.find(mark, start + 1);
    if (end == std::string_view::npos || text[end - 1] == ' ') return 0;
    return end + mark.size() - at;
}

std::string link(std::string_view text, std::size_t at, TermLinks terms, std::size_t& length) {
    const std::size_t middle = text.find("](", at);
    const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
    length = 0;
    if (end == std::string_view::npos || text.substr(at, middle - at).find(' ', 60) != std::string_view::npos)
        return {};
    length = end + 1 - at;
    const std::string words = inline_html_of(text.substr(at + 1, middle - at - 1));
    const std::string_view address = text.substr(middle + 2, end - middle - 2);
    if (address.substr(0, 8) == "glossary") {
        if (terms == TermLinks::Words) return "<em class=\"term\">" + words + "</em>";
        const std::string_view anchor = address.substr(8);
        return "<a href=\"glossary:" +
               escaped(anchor.empty() ? text.substr(at + 1, middle - at - 1) : anchor) + "\">" + words +
               "</a>";
    }
    const bool safe = address.substr(0, 8) == "https://" || address.substr(0, 7) == "http://";
    return safe ? "<a href=\"" + escaped(address) + "\">" + words + "</a>" : words;
}

bool is_numbered(const std::string& line) {
    std::size_t digits = 0;
    while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
    return digits > 0 && line.substr(digits, 2) == ". ";
}

// Lines one by one; what is open is closed when another kind of line comes.
class HtmlWriter {
public:
    explicit HtmlWriter(TermLinks terms) : terms_(terms) {}

    std::string write(const std::string& markdown) {
        for (const std::string& line : lines_of_text(markdown)) this->line(line);
        close();
        return std::move(html_);
    }

private:
    void line(const std::string& line) {
        if (line.rfind("```", 0) == 0) {
            if (open_ != "pre") return begin("pre");
            return close();
        }
        if (open_ == "pre") {
            html_ += escaped(line) + "\n";
        } else if (line.empty()) {
            close();
        } else if (line.rfind("### ", 0) == 0) {
            close();
            html_ += "<h3>" + inside(std::string_view(line).substr(4)) + "</h3>\n";
        } else if (line.rfind("- ", 0) == 0) {
            item("ul", line.substr(2));
        } else if (is_numbered(line)) {
            item("ol", line.substr(line.find(". ") + 2));
        } else if (line.starts_with('|')) {
            row(line);
        } else {
            if (open_.empty()) begin("p");
            html_ += inside(line) + "\n";
        }
    }

    void begin(const std::string& tag) {
        close();
        open_ = tag;
        html_ += "<" + tag + ">";
    }

    void close() {
        if (open_ == "ul" || open_ == "ol") html_ += "</li>";
        if (!open_.empty()) html_ += "</" + open_ + ">\n";
        open_.clear();
    }

    void item(const std::string& list, const std::string& text) {
        if (open_ == list)
            html_ += "</li>\n";
        else
            begin(list);
        html_ += "<li>" + inside(text);
    }

    void row(const std::string& line) {
        if (line.find_first_not_of("|-: ") == std::string::npos) return;
        const bool head = open_ != "table";
        if (head) begin("table");
        html_ += "<tr>";
        for (std::size_t from = 1; from < line.size();) {
            const std::size_t end = std::min(line.find('|', from), line.size());
            const std::string tag = head ? "th" : "td";
            html_ +=
                "<" + tag + ">" + inside(std::string_view(line).substr(from, end - from)) + "</" + tag + ">";
            from = end + 1;
        }
        html_ += "</tr>\n";
    }

    std::string inside(std::string_view text) const { return inline_html_of(text, terms_); }

    TermLinks terms_;
    std::string html_;
    std::string open_;  // the tag that is open
};

}  // namespace

std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text) {
        if (c == '&')
            html += "&amp;";
        else if (c == '<')
            html += "&lt;";
        else if (c == '>')
            html += "&gt;";
        else if (c == '"')
            html += "&quot;";
        else
            html += c;
    }
    return html;
}

std::string inline_html_of(std::string_view text, TermLinks terms) {
    std::string html;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 0;
        if ((length = piece(text, at, "`")) > 0) {
            html += "<code>" + escaped(text.substr(at + 1, length - 2)) + "</code>";
        } else if ((length = piece(text, at, "**")) > 0) {
            html += "<strong>" + inline_html_of(text.substr(at + 2, length - 4), terms) + "</strong>";
        } else if (text[at] == '*' && (length = piece(text, at, "*")) > 0) {
            html += "<em>" + inline_html_of(text.substr(at + 1, length - 2), terms) + "</em>";
        } else if (text[at] == '[') {
            const std::string linked = link(text, at, terms, length);
            html += length > 0 ? linked : "[";
        } else {
            html += escaped(text.substr(at, 1));
        }
        at += std::max<std::size_t>(length, 1);
    }
    return html;
}

std::string html_of(const std::string& markdown, TermLinks terms) {
    return HtmlWriter(terms).write(markdown);
}

}  // namespace blockscope::lesson
