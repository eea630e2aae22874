#include "core/lesson/sheet.h"

#include "core/lesson/markdown.h"

namespace blockscope::lesson {
namespace {

constexpr const char* kStyle =
    "body{font:16px/1.5 sans-serif;max-width:42em;margin:2em auto;padding:0 "
    "1em;color:#1c2330;background:#fff}"
    "h1{margin-bottom:.2em}h2{margin-top:1.6em;border-bottom:1px solid #c9d1dc}"
    "pre{background:#f3f5f8;padding:.6em;overflow-x:auto}code{background:#f3f5f8}"
    "table{border-collapse:collapse}td,th{border:1px solid #c9d1dc;padding:.2em .6em;text-align:left}"
    ".about{color:#55606f}.task{border-left:4px solid #b4530a;padding:.1em 1em;margin:1em 0;"
    "break-inside:avoid}hr{border:0;border-top:1px solid #8a94a3;margin:2em 0 1em;width:60%}"
    ".answer{font-weight:bold}.small{color:#55606f;font-size:90%}.term{font-style:italic}"
    "ul.choices{list-style:none;padding-left:0}"
    "@media print{body{margin:0;max-width:none}a{color:inherit}}";

std::string paragraph(const std::string& style, const std::string& html) {
    return "<p class=\"" + style + "\">" + html + "</p>\n";
}

class SheetWriter {
public:
    SheetWriter(const Lesson& lesson, SheetKind kind) : lesson_(lesson), kind_(kind) {}

    void stop(const LessonPlayer& player, const Learner& before, const Learner& after) {
        const Stop& stop = player.stop();
        const Setting setting{player.programs(), stop.program, before};
        if (stop.heading != heading_) html_ += "<h2>" + inline_html_of(stop.heading) + "</h2>\n";
        heading_ = stop.heading;
        html_ += html_of(said(stop.text, setting));
        if (stop.task) task(*stop.task, setting, {player.programs(), stop.program, after});
    }

    std::string page() const {
        const std::string title = escaped(lesson_.title);
        std::string goals;
        for (const std::string& goal : lesson_.goals) goals += "<li>" + inline_html_of(goal) + "</li>";
        const std::string kind = kind_ == SheetKind::Handout ? "Handout" : "Solution";
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
               ": " + kind + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + title +
               "</h1>\n" +
               paragraph("about", kind + " to a lesson of Blockscope. About " +
                                      std::to_string(lesson_.minutes) + " minutes. Program: <code>" +
                                      escaped(lesson_.program) + "</code>.") +
               "<p>Afterwards you can:</p>\n<ul>" + goals + "</ul>\n" + html_ + "</body>\n</html>\n";
    }

    const Problems& problems() const { return problems_; }

private:
    std::string said(const Prose& prose, const Setting& setting) {
        const Result<std::string> text = text_of(prose, setting);
        if (text) return *text;
        problems_.insert(problems_.end(), text.problems().begin(), text.problems().end());
        return {};
    }

    void task(const Task& task, const Setting& setting, const Setting& done) {
        const std::string kind = task.kind == TaskKind::Do        ? "Do"
                                 : task.kind == TaskKind::Predict ? "Predict"
                                                                  : "Question";
        html_ += "<div class=\"task\">" + paragraph("small", kind + " " + std::to_string(++number_)) +
                 html_of(said(task.prompt, setting));
        if (task.expected) answers(task, setting);
        if (kind_ == SheetKind::Solution) solution(task, setting, done);
        html_ += "</div>\n";
    }

    void answers(const Task& task, const Setting& setting) {
        if (task.expected->kind != AnswerKind::Choice) {
            if (kind_ == SheetKind::Handout) html_ += "<hr>\n";
            return;
        }
        html_ += "<ul class=\"choices\">";
        for (const Choice& choice : task.expected->choices) {
            const Result<bool> right = is_right(choice, setting);
            const bool marked = kind_ == SheetKind::Solution && right && *right;
            html_ += std::string("<li>") + (marked ? "\u2611 " : "\u2610 ") +
                     inline_html_of(said(choice.text, setting));
            if (kind_ == SheetKind::Solution && !choice.reaction.empty())
                html_ +=
                    " <span class=\"small\">" + inline_html_of(said(choice.reaction, setting)) + "</span>";
            html_ += "</li>";
        }
        html_ += "</ul>\n";
    }

    // What is said in the end is about the state that was reached.
    void solution(const Task& task, const Setting& setting, const Setting& done) {
        if (task.expected && task.expected->kind != AnswerKind::Choice) {
            const Result<std::string> answer = right_answer(task, setting);
            if (answer) html_ += paragraph("answer", inline_html_of(*answer));
        }
        if (!task.show_me.empty()) {
            std::string actions;
            for (const Action& action : task.show_me) actions += (actions.empty() ? "" : "; ") + action.text;
            html_ += paragraph("answer", "<code>" + escaped(actions) + "</code>");
        }
        if (!task.right.empty()) html_ += html_of(said(task.right, done));
        for (const Reaction& reaction : task.wrong) {
            const std::string when = reaction.when           ? reaction.when->text
                                     : reaction.rule.empty() ? "otherwise"
                                                             : "rule " + reaction.rule;
            html_ += paragraph("small", "<code>" + escaped(when) +
                                            "</code>: " + inline_html_of(said(reaction.text, setting)));
        }
    }

    const Lesson& lesson_;
    SheetKind kind_;
    std::string html_;
    std::string heading_;
    int number_ = 0;
    Problems problems_;
};

}  // namespace

Result<std::string> sheet(const std::shared_ptr<const Lesson>& lesson, const Sources& sources,
                          SheetKind kind) {
    SheetWriter writer(*lesson, kind);
    Problems problems =
        walk(lesson, sources, [&](const LessonPlayer& player, const Learner& before, const Learner& after) {
            writer.stop(player, before, after);
        });
    problems.insert(problems.end(), writer.problems().begin(), writer.problems().end());
    if (!problems.empty()) return problems;
    return writer.page();
}

}  // namespace blockscope::lesson
