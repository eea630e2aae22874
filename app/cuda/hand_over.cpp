#include "app/cuda/hand_over.h"

#include <QCoreApplication>
#include <QDir>

#include "app/document/files.h"
#include "app/words/words.h"
#include "core/state/state.h"
#include "gpu/handover/folder.h"

namespace blockscope {

namespace {

QString said(const char* english) {
    return QCoreApplication::translate("HandOver", english);
}

Result<gpu::KernelSet> cuda_of(const CudaSource& source) {
    if (source.made) return source.set;
    return Problem{
        {}, Text(source.lines.empty() ? std::string("it is not generated") : source.lines.front().text)};
}

}  // namespace

QString hand_over(const Content& content, const CudaChoice& choice, const CudaSource& source,
                  const QString& folder) {
    if (!content.array)
        return said(
            QT_TRANSLATE_NOOP("HandOver",
                              "The document holds a block program; what is handed over is compared with the "
                              "operators of a program."));
    ArrayProgram program = *content.array;
    program.dims = content.program()->dims;
    const auto files =
        gpu::handover_files({.file = content.name + ".bp",
                             .state = "step " + std::to_string(content.state().depth),
                             .program = &program,
                             .kernels = State(content.program(), safe_form(choice.safe).kept_in(choice.elem)),
                             .cuda = cuda_of(source)});
    if (!files) return translated(files.problems().front());
    if (const auto problem = gpu::not_to_overwrite(folder.toStdString(), *files))
        return translated(problem->message) + QLatin1Char('.');
    if (!QDir().mkpath(folder))
        return said(QT_TRANSLATE_NOOP("HandOver", "The folder %1 cannot be made.")).arg(folder);
    for (const gpu::HandedFile& file : *files)
        if (const auto problem =
                write_file(QDir(folder).filePath(QString::fromStdString(file.name)), file.text))
            return translated(*problem);
    return {};
}

}  // namespace blockscope
