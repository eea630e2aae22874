// The CUDA page: follows the document, links both ways, compiles, says what cannot be had and why.
#include "app/cuda/cuda_page.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "app/costs/choosers.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/cuda/cuda_source.h"
#include "app/cuda/diagnostics_dialog.h"
#include "app/shell/progress.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "gpu/driver/for_card.h"
#include "tests/cuda/fake_card.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::FakeCard;
using test::PanelDesk;
using test::wait_until;
using testing::HasSubstr;

constexpr const char* kSmall = R"(dim M = 16 / 16
dim N = 32 / 16
input A[M, N] : f32
B = exp(A)
output C = B * B
)";

class CudaPageTest : public testing::Test {
protected:
    CudaPageTest() {
        desk_.panel.resize(900, 700);
        Measurements::of(desk_.document).places().set_worker({BLOCKSCOPE_CLI, "worker"});
        Forecast::of(desk_.document).set_device("a100-sxm-80gb");
        open(kSmall);
    }
    void open(const char* source) {
        desk_.document.reset(run_algorithm(content_of_source(source, "small.bp").value(), 0), {});
        settle();
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return !page().busy(); }));
    }
    CudaPage& page() { return desk_.panel; }
    Document& document() { return desk_.document; }
    std::string text() { return page().view().toPlainText().toStdString(); }
    int line_with(const char* words) {
        const QStringList lines = page().view().toPlainText().split(QLatin1Char('\n'));
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].contains(QLatin1String(words))) return i;
        return -1;
    }
    qsizetype kernels() { return page().view().toPlainText().count(QStringLiteral("KERNEL ")); }

    PanelDesk<CudaPage> desk_;
};

TEST_F(CudaPageTest, FollowsTheState) {
    const qsizetype before = kernels();
    EXPECT_EQ(before, 2);
    EXPECT_FALSE(page().note().isVisible());
    document().end();
    settle();
    EXPECT_EQ(kernels(), 1);
    document().close();
    EXPECT_TRUE(text().empty());
    EXPECT_TRUE(page().note().isVisible());
}

TEST_F(CudaPageTest, LinesAndOperatorsLightEachOther) {
    const int line = line_with("expf");
    const int product = line < 0 ? line_with("exponential") : line;
    ASSERT_GE(product, 0) << text();
    Q_EMIT page().view().line_hovered(product);
    ASSERT_FALSE(document().hover().nodes.empty());
    EXPECT_EQ(page().view().lights().count(product), 1U);
    const NodeId node = *document().hover().nodes.begin();
    document().set_hover({});
    EXPECT_TRUE(page().view().lights().empty());
    document().select({{node}, {}, {}});
    EXPECT_EQ(page().view().lights().at(product), CodeView::Light::Selected);
    Q_EMIT page().view().line_chosen(line_with("KERNEL "));
    EXPECT_NE(document().selection().nodes.count(node), 1U) << "a kernel is its map";
}

TEST_F(CudaPageTest, TheLibraryAndTheTargetAreChoices) {
    const auto lines = page().source().lines.size();
    desk_.panel.findChildren<QCheckBox*>().last()->setChecked(true);
    settle();
    EXPECT_GT(page().source().lines.size(), lines + 100);
    EXPECT_THAT(page().target().itemText(0).toStdString(), HasSubstr("f32"));
    Costs::of(document()).set_type(ElemType::F16);
    settle();
    EXPECT_THAT(page().target().itemText(0).toStdString(), HasSubstr("sm_80")) << "tensor cores for 16 bits";
    page().target().setCurrentIndex(page().target().findText(QStringLiteral("sm_100")));
    Q_EMIT page().target().activated(page().target().currentIndex());
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm100);
    EXPECT_EQ(page().source().architecture, "sm_100");
}

// The source is for the window's device; for another card the page says so.
TEST_F(CudaPageTest, TheTargetFollowsTheWindowsDevice) {
    Costs::of(document()).set_type(ElemType::F16);
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm80);
    EXPECT_EQ(page().source().architecture, "sm_80");
    Forecast::of(document()).set_device("h100-sxm5");
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm90a);
    EXPECT_EQ(page().source().architecture, "sm_90a");
    EXPECT_THAT(page().target().currentText().toStdString(), HasSubstr("sm_90a (NVIDIA H100"));
    EXPECT_FALSE(page().note().isVisible());
    page().target().setCurrentIndex(page().target().findData(QStringLiteral("sm_80")));
    Q_EMIT page().target().activated(page().target().currentIndex());
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm80);
    EXPECT_THAT(page().note().text().toStdString(), HasSubstr("another card than the window's device"));
}

TEST_F(CudaPageTest, ProductsOfFloat32MayUseTensorCores) {
    open("dim M = 32 / 16\ndim K = 32 / 32\ninput A[M, K], B[K, M] : f32\noutput C = A @ B\n");
    ASSERT_TRUE(page().tf32().isVisible());
    EXPECT_EQ(page().source().set.target, gpu::Target::F32);
    const std::string exact = text();
    page().tf32().setChecked(true);
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm80);
    EXPECT_NE(text(), exact);
    EXPECT_THAT(page().target().itemText(0).toStdString(), HasSubstr("sm_80"));
    QString said;
    for (const QLabel* label : page().findChildren<QLabel*>()) said += label->text();
    EXPECT_THAT(said.toStdString(), HasSubstr("In tf32 no time is predicted"));
    Costs::of(document()).set_type(ElemType::F16);
    settle();
    EXPECT_FALSE(page().tf32().isVisible()) << "other types have one kind of products";
    EXPECT_TRUE(page().source().made);
    Costs::of(document()).set_type({});
    page().tf32().setChecked(false);
    settle();
    EXPECT_EQ(text(), exact);
}

// Also where times are predicted for a processor, which does not have them.
TEST_F(CudaPageTest, AllTypesCanBeChosenForKernels) {
    Costs& costs = Costs::of(document());
    costs.set_on_processor(true);
    auto* types = page().findChild<TypeChooser*>();
    ASSERT_NE(types, nullptr);
    for (int i = 0; i < types->count(); ++i)
        EXPECT_TRUE(types->model()->flags(types->model()->index(i, 0)).testFlag(Qt::ItemIsEnabled))
            << types->itemText(i).toStdString();
    types->setCurrentIndex(types->findText(QStringLiteral("f16")));
    Q_EMIT types->activated(types->currentIndex());
    settle();
    EXPECT_EQ(page().source().set.target, gpu::Target::Sm80);
}

TEST_F(CudaPageTest, NothingIsCutOffWhereThePageIsSmall) {
    for (const QSize size : {QSize(900, 700), QSize(360, 260), QSize(600, 320)}) {
        desk_.panel.resize(size);
        QCoreApplication::processEvents();
        int seen = 0;
        for (QWidget* control : page().findChildren<QWidget*>()) {
            if (!qobject_cast<QAbstractButton*>(control) && !qobject_cast<QComboBox*>(control)) continue;
            if (!control->isVisible()) continue;
            ++seen;
            EXPECT_TRUE(control->parentWidget()->rect().contains(control->geometry()))
                << control->accessibleName().toStdString() << " at " << size.width();
            EXPECT_GE(control->height(), control->minimumSizeHint().height());
        }
        EXPECT_GT(seen, 10);
        EXPECT_GE(page().view().height(), 100);
    }
}

TEST_F(CudaPageTest, WhatCannotBeGeneratedNamesItsOperator) {
    open("dim M = 8/4\ninput X[M,M]\noutput Y = custom(\"sort\", X)\n");
    EXPECT_FALSE(page().source().made);
    EXPECT_TRUE(page().note().isVisible());
    EXPECT_THAT(text(), HasSubstr("nobody knows what it computes"));
    Q_EMIT page().view().line_hovered(0);
    EXPECT_FALSE(document().hover().nodes.empty()) << "the operator lights up";
    page().compile();
    EXPECT_FALSE(page().busy());
    EXPECT_FALSE(page().save(desk_.folder.filePath(QStringLiteral("x.cu"))));
}

TEST_F(CudaPageTest, CompilingReportsEveryKernel) {
    const FakeCard card;
    page().compile();
    EXPECT_TRUE(page().busy()) << "the interface thread does not wait";
    ASSERT_TRUE(wait_until([&] { return !page().busy(); }));
    const QTreeWidget& table = page().report().table();
    ASSERT_EQ(table.topLevelItemCount(), 2) << page().report().log().toPlainText().toStdString();
    EXPECT_EQ(table.topLevelItem(0)->text(0), QStringLiteral("kernel_1"));
    EXPECT_EQ(table.topLevelItem(0)->text(3), QStringLiteral("64"));
    EXPECT_THAT(page().report().sentence().text().toStdString(), HasSubstr("sm_80"));
    page().report().table().setCurrentItem(table.topLevelItem(1));
    EXPECT_FALSE(document().selection().empty()) << "a kernel is its operator";
    document().forward();
    settle();
    EXPECT_EQ(table.topLevelItemCount(), 0) << "a report of other kernels";
}

TEST_F(CudaPageTest, ACompilerThatFailsIsQuoted) {
    const FakeCard card(BLOCKSCOPE_FAKE_CUDA_LIBRARY, BLOCKSCOPE_FAKE_NVRTC_LIBRARY);
    CudaSource broken = page().source();
    broken.set.lines.push_back({"this is no CUDA", {}});
    worker::Client client({BLOCKSCOPE_CLI, "worker"});
    const CudaReport report = compile_cuda(broken, client);
    EXPECT_THAT(report.problem, HasSubstr("error"));
    EXPECT_TRUE(report.lost.empty());
    EXPECT_TRUE(report.kernels.empty());
    page().report().show_report(report);
    EXPECT_FALSE(page().report().log().toPlainText().isEmpty());
}

TEST_F(CudaPageTest, WithoutACompilerThePageSaysSoAndShowsWhereItWasLookedFor) {
    const FakeCard card(BLOCKSCOPE_FAKE_CUDA_LIBRARY, "/nowhere/libnvrtc.so");
    page().compile();
    ASSERT_TRUE(wait_until([&] { return !page().busy(); }));
    EXPECT_THAT(page().report().sentence().text().toStdString(), HasSubstr("was not found on this machine"));
    EXPECT_EQ(page().report().table().topLevelItemCount(), 0);
    auto* help = page().report().findChild<QToolButton*>();
    ASSERT_TRUE(help && help->isVisible());
    DiagnosticsDialog dialog(desk_.appearance, nullptr);
    ASSERT_TRUE(wait_until([&] { return !dialog.looking(); }));
    EXPECT_THAT(dialog.text().toStdString(), HasSubstr("/nowhere/libnvrtc.so"));
}

TEST_F(CudaPageTest, WaitingCanBeGivenUp) {
    const FakeCard card;
    Costs::of(document()).set_type(ElemType::BF16);
    settle();
    page().compile();
    ASSERT_TRUE(page().busy());
    page().compile();
    EXPECT_FALSE(page().busy());
    EXPECT_EQ(page().report().table().topLevelItemCount(), 0);
}

// A compiler that goes wrong does so in its own process.
struct Fault {
    explicit Fault(const char* what) { setenv("BLOCKSCOPE_FAKE_NVRTC", what, 1); }
    ~Fault() { unsetenv("BLOCKSCOPE_FAKE_NVRTC"); }
};

constexpr const char* kOther = R"(dim M = 16 / 16
input A[M, M] : f32
output B = exp(A) + A
)";

TEST_F(CudaPageTest, ACompilerThatCrashesCostsOneReport) {
    const FakeCard card;
    setenv("XDG_CACHE_HOME", desk_.folder.path().toStdString().c_str(), 1);  // nothing was compiled before
    open(kOther);
    {
        const Fault crash("crash");
        page().compile();
        settle();
        EXPECT_THAT(page().report().sentence().text().toStdString(), HasSubstr("ended while compiling"));
        EXPECT_EQ(page().report().table().topLevelItemCount(), 0);
    }
    page().compile();
    settle();
    EXPECT_GE(page().report().table().topLevelItemCount(), 1)
        << page().report().sentence().text().toStdString();
}

TEST_F(CudaPageTest, ACompilerThatHangsIsEndedWithTheWaiting) {
    const FakeCard card;
    setenv("XDG_CACHE_HOME", desk_.folder.path().toStdString().c_str(), 1);
    open(kOther);
    {
        const Fault hang("hang");
        page().compile();
        QTest::qWait(300);
        ASSERT_TRUE(page().busy());
        page().compile();
        EXPECT_FALSE(page().busy());
    }
    page().compile();
    settle();  // the one before is gone: jobs run one after the other
    EXPECT_GE(page().report().table().topLevelItemCount(), 1)
        << page().report().sentence().text().toStdString();
}

TEST_F(CudaPageTest, ForecastsKnowTheRegistersOfWhatWasCompiled) {
    const auto times = [&] {
        QString all;
        for (const QLabel* label : page().findChildren<QLabel*>()) all += label->text() + QLatin1Char('\n');
        return all.toStdString();
    };
    EXPECT_THAT(times(), HasSubstr("Predicted for "));
    EXPECT_THAT(times(), testing::Not(HasSubstr("with registers and occupancy as compiled")));
    const FakeCard card;
    page().compile();
    settle();
    EXPECT_THAT(times(), HasSubstr("with registers and occupancy as compiled"));
    document().forward();
    settle();
    EXPECT_THAT(times(), testing::Not(HasSubstr("with registers and occupancy as compiled")))
        << "of other kernels";
}

// One state has one time in the whole window: that of the model that is chosen on the costs page.
TEST_F(CudaPageTest, PredictsByTheModelOfTheWindowAndNamesIt) {
    const FakeCard card;
    page().compile();
    settle();
    Forecast& forecast = Forecast::of(document());
    std::set<double> different;
    for (const TimeModel& model : time_models()) {
        forecast.set_model(model.name);
        settle();
        QStringList said;
        for (const QLabel* label : page().findChildren<QLabel*>()) said << label->text();
        const PredictionPtr everywhere = forecast.at_once(document().content().current);
        ASSERT_TRUE(everywhere);
        different.insert(everywhere->seconds);
        EXPECT_THAT(said.join(QLatin1Char('\n')).toStdString(),
                    HasSubstr("by the model \"" + model.title.str() +
                              "\": " + time_text(everywhere->seconds).toStdString()));
        EXPECT_EQ(said.join(QLatin1Char('\n')).contains(QStringLiteral("as compiled")),
                  model.name == kUsualModel)
            << model.name;
    }
    EXPECT_EQ(different.size(), time_models().size());
}

TEST(CudaForecast, FewerThreadBlocksAtOnceAreSlower) {
    CudaChoice choice;
    choice.elem = ElemType::BF16;
    const auto parsed = parse_program(
        "dim M = 4096/64\ndim K = 4096/64\ndim N = 4096/64\n"
        "input X[M,K], Y[K,N] : bf16\noutput Z = layernorm(X, form=paper) @ Y\n",
        "");
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(*parsed).program);
    const CudaSource source = cuda_source(fuse(initial).last(), choice);
    ASSERT_TRUE(source.made);
    const Device& card = gpu::generation_of({8, 0});
    const auto with = [&](int registers) {
        CudaReport report;
        for (const gpu::Launch& launch : source.set.launches) {
            CudaKernel kernel;
            kernel.kernel = launch.kernel;
            kernel.registers = registers > 0 ? registers : launch.registers;
            kernel.shared_bytes = launch.shared_bytes;
            report.kernels.push_back(kernel);
        }
        return predicted(source, &report, card, *find_time_model(kUsualModel)).seconds;
    };
    EXPECT_GT(with(255), 0);
    EXPECT_NE(with(255), with(32)) << "registers decide how many thread blocks are there at once";
    EXPECT_EQ(with(0), predicted(source, nullptr, card, *find_time_model(kUsualModel)).seconds)
        << "before that, those that are expected";
}

// As codegen writes it: a target without a card is one of its own generation, which has other processors.
TEST(CudaForecast, ATargetWithoutACardIsOfItsGeneration) {
    const auto parsed = parse_program(
        "dim M = 64/64\ndim N = 8192/64\ndim D = 128/128\ndim L = 128/128\n"
        "input Q[M,D], K[N,D], V[N,L] : bf16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
        "");
    const ProgramPtr last =
        fuse(std::make_shared<const BlockProgram>(to_block_program(*parsed).program)).last();
    CudaChoice choice;
    choice.elem = ElemType::BF16;
    choice.safe = false;
    std::set<int> parts;
    for (const auto& [target, card] : {std::pair{gpu::Target::Sm80, gpu::Capability{8, 0}},
                                       std::pair{gpu::Target::Sm86, gpu::Capability{8, 6}},
                                       std::pair{gpu::Target::Sm90a, gpu::Capability{9, 0}}}) {
        choice.target = target;
        const CudaSource source = cuda_source(last, choice);
        ASSERT_TRUE(source.made);
        gpu::CodegenOptions options;
        options.target = target;
        options.parts = 0;
        options.device = &gpu::generation_of(card);
        const State state(last, Form{}.kept_in(ElemType::BF16));
        const gpu::KernelSet set = gpu::generate(state.loops(), options).value();
        EXPECT_EQ(source.set.launches.at(0).parts, set.launches.at(0).parts) << gpu::to_string(target);
        parts.insert(set.launches.at(0).parts);
    }
    EXPECT_GT(parts.size(), 1U) << "or nothing was seen";
}

// Without tensor cores products of bf16 are computed in float32, which the page's time has to know, too.
TEST(CudaForecast, IsThatOfTheSameKernelsElsewhere) {
    const auto parsed = parse_program(
        "dim M = 4096/64\ndim K = 4096/64\ndim N = 4096/64\n"
        "input X[M,K], Y[K,N] : bf16\noutput Z = X @ Y\n",
        "");
    const ProgramPtr last =
        fuse(std::make_shared<const BlockProgram>(to_block_program(*parsed).program)).last();
    CudaChoice choice;
    choice.elem = ElemType::BF16;
    choice.target = gpu::Target::F32;
    choice.device = gpu::generation_of({8, 0});
    choice.is_card = true;
    const CudaSource source = cuda_source(last, choice);
    ASSERT_TRUE(source.made);
    ASSERT_FALSE(source.set.computed_in.empty());
    Device card = *choice.device;
    card.target = gpu::to_string(gpu::Target::F32);
    const TimeModel& model = *find_time_model(kUsualModel);
    const State state(last, safe_form().kept_in(ElemType::BF16));
    EXPECT_DOUBLE_EQ(predicted(source, nullptr, card, model).seconds,
                     worker::predict_as_built(model, state, card, {}).seconds);
}

// Each line leads to its operator, in every language.
TEST(CudaGeneration, SaysOfWhichOperatorThereIsNone) {
    const auto parsed = parse_program("dim M = 8/4\ninput X[M,M]\noutput Y = custom(\"sort\", exp(X))\n", "");
    const auto program = std::make_shared<const BlockProgram>(to_block_program(*parsed).program);
    const NodeList& nodes = program->graph->nodes();
    const auto custom = std::find_if(nodes.begin(), nodes.end(),
                                     [](const NodePtr& node) { return node->as<Misc>() != nullptr; });
    ASSERT_NE(custom, nodes.end());
    PseudoLocale locale;
    QCoreApplication::installTranslator(&locale);
    const CudaSource source = cuda_source(program, {});
    QCoreApplication::removeTranslator(&locale);
    EXPECT_FALSE(source.made);
    ASSERT_EQ(source.lines.size(), 1U);
    EXPECT_EQ(source.lines[0].node, (*custom)->id);
    EXPECT_EQ(source.lines[0].text.substr(0, 3), "[!!") << source.lines[0].text;
}

// So many products, one after the other, each a kernel of its own.
std::string chain(int products) {
    std::string text = "dim M = 32 / 16\ndim K = 32 / 16\ninput X0[M, K], W[K, K] : f32\n";
    for (int i = 1; i <= products; ++i) {
        const std::string to = i == products ? "output Y" : "X" + std::to_string(i);
        text += to + " = X" + std::to_string(i - 1) + " @ W\n";
    }
    return text;
}

// Wherever it is stopped, it ends there, and it can be stopped in every kernel.
TEST(CudaGeneration, EndsWhereItIsStopped) {
    constexpr int kProducts = 5;
    const ProgramPtr program = content_of_source(chain(kProducts), "chain.bp").value().program();
    int all = 0;
    const CudaSource source = cuda_source(program, {}, StopSign([&] { return ++all < 0; }));
    ASSERT_TRUE(source.made);
    EXPECT_EQ(source.set.launches.size(), static_cast<std::size_t>(kProducts));
    EXPECT_GT(all, 3 * kProducts);
    for (int stop_at = 1; stop_at <= all; ++stop_at) {
        int asked = 0;
        EXPECT_THROW(cuda_source(program, {}, StopSign([&] { return ++asked >= stop_at; })), Stopped);
        EXPECT_EQ(asked, stop_at);
    }
}

TEST_F(CudaPageTest, LongGenerationIsAnnouncedAndCanBeCancelled) {
    ProgressOverlay& late = page().late();
    auto* button = late.findChild<QPushButton*>();
    EXPECT_FALSE(late.isVisible());
    document().reset(content_of_source(chain(600), "chain.bp").value(), {});
    ASSERT_TRUE(wait_until([&] { return late.isVisible(); }));
    EXPECT_TRUE(page().busy());
    button->click();
    EXPECT_FALSE(page().busy());
    EXPECT_TRUE(text().empty());
    EXPECT_TRUE(late.isVisible()) << "it says that there is nothing";
    EXPECT_FALSE(page().save(desk_.folder.filePath(QStringLiteral("none.cu"))));
    button->click();  // again
    EXPECT_TRUE(page().busy());
    settle();
    EXPECT_FALSE(late.isVisible());
    EXPECT_EQ(kernels(), 600);
}

TEST_F(CudaPageTest, AStandAloneFileIsWritten) {
    const QString path = desk_.folder.filePath(QStringLiteral("small.cu"));
    ASSERT_TRUE(page().save(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray written = file.readAll();
    EXPECT_TRUE(written.contains("int main("));
    EXPECT_TRUE(written.contains("kernel_1"));
}

TEST_F(CudaPageTest, AFolderForPyTorchIsWritten) {
    const QString folder = desk_.folder.filePath(QStringLiteral("handed/over"));
    ASSERT_EQ(page().hand_over_to(folder).toStdString(), "");
    const QStringList files = QDir(folder).entryList(QDir::Files);
    EXPECT_EQ(files.size(), 9) << files.join(QStringLiteral(" ")).toStdString();
    for (const char* name : {"small.py", "small.cpp", "small.cu", "check.py"})
        EXPECT_TRUE(files.contains(QString::fromLatin1(name))) << name;
    QFile file(QDir(folder).filePath(QStringLiteral("small.py")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("def small("));
    EXPECT_NE(page().hand_over_to(QStringLiteral("/dev/null/a")), QString());
}

TEST(CudaWords, HaveTheirColours) {
    const QString line = QStringLiteral("    const Block<16, 16> t2 = exponential(t1);  // t2 = exp(t1)");
    const auto tokens = cuda_tokens(line);
    std::vector<std::pair<std::string, CudaWord>> found;
    for (const CudaToken& token : tokens)
        found.emplace_back(line.mid(token.start, token.length).toStdString(), token.word);
    using Pair = std::pair<std::string, CudaWord>;
    EXPECT_THAT(found, testing::ElementsAre(Pair{"const", CudaWord::Keyword}, Pair{"Block", CudaWord::Type},
                                            Pair{"16", CudaWord::Number}, Pair{"16", CudaWord::Number},
                                            Pair{"exponential", CudaWord::Function},
                                            Pair{"// t2 = exp(t1)", CudaWord::Comment}));
}

}  // namespace
}  // namespace blockscope
