// Markdown of lessons as HTML.
#include "core/lesson/markdown.h"

#include <gmock/gmock.h>

namespace blockscope::lesson {
namespace {

TEST(LessonMarkdown, HasWhatLessonsUse) {
    EXPECT_EQ(html_of("One\ntwo.\n\nThree."), "<p>One\ntwo.\n</p>\n<p>Three.\n</p>\n");
    EXPECT_EQ(html_of("- a\n- b\n"), "<ul><li>a</li>\n<li>b</li></ul>\n");
    EXPECT_EQ(html_of("1. a\n2. b"), "<ol><li>a</li>\n<li>b</li></ol>\n");
    EXPECT_EQ(html_of("```text\nx < *y*\n```"), "<pre>x &lt; *y*\n</pre>\n");
    EXPECT_EQ(html_of("| a | b |\n|---|---|\n| 1 | 2 |"),
              "<table><tr><th> a </th><th> b </th></tr>\n<tr><td> 1 </td><td> 2 </td></tr>\n</table>\n");
    EXPECT_EQ(inline_html_of("*a* **b** `c*d`"), "<em>a</em> <strong>b</strong> <code>c*d</code>");
    EXPECT_EQ(inline_html_of("[map](glossary) [x](https://a.b/?c=1&d=2)"),
              "<em class=\"term\">map</em> <a href=\"https://a.b/?c=1&amp;d=2\">x</a>");
}

TEST(LessonMarkdown, LinksTermsForAWindow) {
    EXPECT_EQ(html_of("A [map](glossary).", TermLinks::Links),
              "<p>A <a href=\"glossary:map\">map</a>.\n</p>\n");
    EXPECT_EQ(inline_html_of("[red](glossary#buffered-edge)", TermLinks::Links),
              "<a href=\"glossary:#buffered-edge\">red</a>");
}

TEST(LessonMarkdown, LetsNothingBecomeATag) {
    EXPECT_EQ(inline_html_of("<script>\"&"), "&lt;script&gt;&quot;&amp;");
    EXPECT_EQ(inline_html_of("[x](javascript:alert)"), "x");
    EXPECT_EQ(inline_html_of("2 * 3 * 4, a [b, `c"), "2 * 3 * 4, a [b, `c");
    EXPECT_EQ(html_of("`<b>`"), "<p><code>&lt;b&gt;</code>\n</p>\n");
}

}  // namespace
}  // namespace blockscope::lesson
