#include "app/export/page_questions.h"

#include <QCoreApplication>

#include "app/files/svg.h"

namespace blockscope {

const char* const kQuestionScript = R"js(
const blockscopeAnswer = (() => {
  let right = 0, all = 0;
  const answer = (within, choice) => {
    const ask = within.querySelectorAll('.ask')[0];
    if (!ask || ask.classList.contains('answered')) return false;
    const buttons = [...ask.querySelectorAll('button')];
    if (choice < 0 || choice >= buttons.length) return false;
    ask.classList.add('answered');
    (ask.closest('section.slide') || document.body).classList.add('told');
    const correct = Number(ask.dataset.right);
    buttons.forEach((button, i) => {
      button.disabled = true;
      if (i === correct) button.classList.add('right');
      else if (i === choice) button.classList.add('wrong');
    });
    all += 1;
    if (choice === correct) right += 1;
    ask.querySelectorAll('.verdict')[0].textContent = choice === correct ? ask.dataset.yes : ask.dataset.no;
    document.getElementById('tally').textContent = right + ' / ' + all;
    return true;
  };
  document.addEventListener('click', event => {
    const button = event.target.closest('button'), ask = button && button.closest('.ask');
    if (ask) answer(ask.parentElement, [...ask.querySelectorAll('button')].indexOf(button));
  });
  return answer;
})();
)js";

const char* const kQuestionStyle = R"css(
.ask{display:none;margin:.4em 0 1em;padding:.6em .8em;border:2px solid var(--accent);border-radius:8px}
.asking .ask{display:block}
.asking:not(.told) figure .matched,.asking .slide:not(.told) .matched{display:none}
.ask p{margin:0 0 .5em;font-weight:bold}
.ask ol{margin:0;padding:0;list-style:none;display:grid;gap:.35em}
.ask li button{width:100%;height:auto;min-height:2em;padding:.25em .7em;text-align:left;white-space:normal}
.ask button.right{border-color:var(--made);border-width:2px;opacity:1;font-weight:bold}
.ask button.right::after{content:" \2713"}
.ask button.wrong{border-color:var(--red);border-width:2px;opacity:1}
.ask button.wrong::after{content:" \2717"}
.ask .verdict{margin:.5em 0 0;font-weight:normal;min-height:1.4em}
)css";

namespace {

struct PageQuestion {
    Q_DECLARE_TR_FUNCTIONS(PageQuestion)
};

}  // namespace

std::string questions_html(const Stage& stage) {
    if (stage.questions.empty()) return {};
    const StageQuestion& question = stage.questions.front();
    const QString right = QString::fromStdString(question.choices[static_cast<std::size_t>(question.right)]);
    const auto attribute = [](const char* name, const QString& text) {
        return std::string(" ") + name + "=\"" + xml_escaped(text.toStdString()) + "\"";
    };
    std::string text = "<div class=\"ask\" data-right=\"" + std::to_string(question.right) + "\"" +
                       attribute("data-yes", PageQuestion::tr("Right. The next step shows why.")) +
                       attribute("data-no", PageQuestion::tr("No: %1. The next step shows why.").arg(right)) +
                       "><p>" + xml_escaped(question.asked) + "</p><ol>";
    for (std::size_t i = 0; i < question.choices.size(); ++i)
        text += "<li><button type=\"button\">" + std::to_string(i + 1) + "  " +
                xml_escaped(question.choices[i]) + "</button></li>";
    return text + "</ol><p class=\"verdict\" role=\"status\"></p></div>";
}

}  // namespace blockscope
