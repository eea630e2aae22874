#include "app/shell/samples.h"

#include <QDir>
#include <QFile>
#include <algorithm>

#include "core/program/array_program.h"

// Of the library that the resources are linked in by; outside of all namespaces.
static void register_resources() {
    Q_INIT_RESOURCE(samples);
}

namespace blockscope {
namespace {

const QString kFirst = QStringLiteral("attention");

// Words that the names of files write small.
QString title_of(const QString& name) {
    static const std::pair<const char*, const char*> spellings[] = {
        {"Gqa", "Grouped-query attention"},
        {"Gemm", "GEMM"},
        {"Mlp", "MLP"},
        {"mlp", "MLP"},
        {"Rmsnorm", "RMSNorm"},
        {"Lora", "LoRA"},
        {"gelu", "GELU"},
        {"relu", "ReLU"},
        {"Layernorm", "LayerNorm"},
        {"swiglu", "SwiGLU"},
        {"Mcfuser", "MCFuser"},
        {"Multihead", "Multi-head"},
    };
    QString title = name;
    title.replace(QLatin1Char('-'), QLatin1Char(' '));
    title[0] = title[0].toUpper();
    QStringList words = title.split(QLatin1Char(' '));
    for (QString& word : words)
        for (const auto& [plain, proper] : spellings)
            if (word == QLatin1String(plain)) word = QString::fromLatin1(proper);
    if (name.startsWith(QLatin1String("mcfuser"))) words.last() = words.last().toUpper();
    return words.join(QLatin1Char(' '));
}

Shelf shelf_of(const ArrayProgram& program) {
    const auto count = [&](auto belongs) {
        return std::count_if(program.ops.begin(), program.ops.end(), belongs);
    };
    const auto products = count([](const ArrayOp& op) { return op.kind == ArrayOpKind::Matmul; });
    const auto by_rows = count([](const ArrayOp& op) {
        return form_of(op.kind) == ArrayForm::KeepRows || form_of(op.kind) == ArrayForm::FoldRows;
    });
    const bool softmax = count([](const ArrayOp& op) { return op.kind == ArrayOpKind::Softmax; }) > 0;
    if (products >= 5) return Shelf::Blocks;
    if (softmax && products >= 2) return Shelf::Attention;
    return products <= 1 && by_rows <= 1 ? Shelf::FirstFusions : Shelf::Parts;
}

Sample read(const QFileInfo& info) {
    Sample sample;
    sample.name = info.completeBaseName();
    sample.title = title_of(sample.name);
    QFile file(info.filePath());
    if (file.open(QIODevice::ReadOnly)) sample.text = QString::fromUtf8(file.readAll());
    const auto program = parse_program(sample.text.toStdString(), sample.name.toStdString());
    if (!program) return sample;
    sample.shelf = sample.name.startsWith(QLatin1String("mcfuser")) ? Shelf::Benchmarks : shelf_of(*program);
    for (const std::string& line : program->comment) sample.comment << QString::fromStdString(line).trimmed();
    return sample;
}

// "mcfuser-g2" before "mcfuser-g10".
QString sort_key(const Sample& sample) {
    QString key = sample.name == kFirst ? QString() : sample.name;
    if (sample.shelf == Shelf::Benchmarks && key.size() == 10) key.insert(9, QLatin1Char('0'));
    return QString::number(static_cast<int>(sample.shelf)) + key;
}

std::vector<Sample> read_all() {
    load_resources();
    std::vector<Sample> all;
    const QDir folder(QStringLiteral(":/samples"));
    for (const QFileInfo& info : folder.entryInfoList({QStringLiteral("*.bp")})) all.push_back(read(info));
    std::sort(all.begin(), all.end(),
              [](const Sample& a, const Sample& b) { return sort_key(a) < sort_key(b); });
    return all;
}

}  // namespace

void load_resources() {
    register_resources();
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = read_all();
    return all;
}

const Sample* find_sample(const QString& name) {
    for (const Sample& sample : samples())
        if (sample.name == name) return &sample;
    return nullptr;
}

}  // namespace blockscope
