#include "gpu/handover/folder.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "gpu/codegen/host_text.h"
#include "gpu/handover/cpp_source.h"
#include "gpu/handover/cuda_library.h"
#include "gpu/handover/resources.h"
#include "gpu/handover/torch_reference.h"

namespace blockscope::gpu {

namespace {

using Words = std::vector<std::pair<std::string, std::string>>;

// Stands in the README of every folder that was written here.
constexpr const char* kMark = "blockscope-cli codegen";

// The text with every @NAME@ replaced, once: what takes its place may have an @, too.
std::string filled_in(const std::string& text, const Words& words) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto known = std::find_if(words.begin(), words.end(), [&](const auto& word) {
            return text.compare(at, word.first.size() + 2, "@" + word.first + "@") == 0;
        });
        result += known == words.end() ? text.substr(at, 1) : known->second;
        at += known == words.end() ? 1 : known->first.size() + 2;
    }
    return result;
}

std::string joined_by(const std::vector<std::string>& texts, const std::string& between) {
    std::string text;
    for (const std::string& one : texts) text += (text.empty() ? "" : between) + one;
    return text;
}

// "(4096, 128)", "(7,)", "()".
std::string tuple_text(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

// In the order of the array program, which is that of reference.py.
std::vector<HandedArray> in_order(const std::vector<HandedArray>& arrays,
                                  const std::vector<std::string>& names) {
    std::vector<HandedArray> result;
    for (const std::string& name : names)
        for (const HandedArray& array : arrays)
            if (array.name == name) result.push_back(array);
    return result;
}

std::string rows_text(const std::vector<HandedArray>& arrays) {
    std::string text;
    for (const HandedArray& array : arrays)
        text += "    (\"" + array.name + "\", \"" + torch_type(array.elem) + "\", " +
                tuple_text(array.shape) + "),\n";
    return text;
}

std::vector<std::string> names_of(const std::vector<HandedArray>& arrays) {
    std::vector<std::string> names;
    for (const HandedArray& array : arrays) names.push_back(array.name);
    return names;
}

// "["Q", "K"]"
std::string list_text(std::vector<std::string> names) {
    for (std::string& name : names) name = "\"" + name + "\"";
    return "[" + joined_by(names, ", ") + "]";
}

// Parameters have names of their own: of arrays called "len" and "len_" the first becomes "len__".
std::string as_python(const std::vector<std::string>& names) {
    std::vector<std::string> made;
    for (const std::string& name : names) {
        std::string own = python_name(name);
        const auto taken = [&] {
            return std::find(made.begin(), made.end(), own) != made.end() ||
                   (own != name && std::find(names.begin(), names.end(), own) != names.end());
        };
        while (taken()) own += '_';
        made.push_back(own);
    }
    return joined_by(made, ", ");
}

// A module of the folder would stand in front of Python's own of the same name.
bool is_python_module(const std::string& name) {
    static const std::string modules =
        " "
        "abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb "
        "binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop "
        "collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg "
        "crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email "
        "encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib "
        "functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html "
        "http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 "
        "linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib "
        "msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse "
        "os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix "
        "posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri "
        "random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve "
        "shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile "
        "sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable "
        "sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time "
        "timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types "
        "typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg "
        "winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo"
        " ";
    return modules.find(" " + name + " ") != std::string::npos;
}

// What may stand in a text of any kind: other bytes become question marks.
std::string plain_name(std::string file) {
    for (char& c : file)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~' || c == '"' ||
            c == '\\' || c == '`')
            c = '?';
    return file;
}

// As a word of a shell.
std::string quoted_name(const std::string& file) {
    const bool plain = std::all_of(file.begin(), file.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
    });
    if (plain) return file;
    std::string word = "'";
    for (const char c : file) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

// What rounding to the coarsest type may cost, of arrays and of casts: a safe form rounds significands, and
// its results differ from those of plain numbers that are rounded.
std::string tolerance_of(const Handover& handover, const CppSource& cpp) {
    int bytes = 4;
    for (const auto* arrays : {&cpp.inputs, &cpp.outputs})
        for (const HandedArray& array : *arrays) bytes = std::min(bytes, bytes_per_element(array.elem));
    for (const ArrayOp& op : handover.program->ops)
        if (op.kind == ArrayOpKind::Cast) bytes = std::min(bytes, bytes_per_element(op.elem));
    if (bytes < 4) return bytes == 1 ? "0.25" : "0.02";
    return handover.cuda ? tolerance(*handover.cuda) : "0.0001";
}

struct CudaArrays {
    std::vector<std::string> names;
    std::string memory;  // of those that are neither inputs nor outputs
};

CudaArrays cuda_arrays(const KernelSet& set) {
    CudaArrays result;
    for (const DeviceArray& array : set.arrays) {
        const bool given = array.kind == DeviceArray::Kind::Input || array.kind == DeviceArray::Kind::Output;
        result.names.push_back(given ? array.name : "memory " + std::to_string(result.names.size() + 1));
        if (given || array.elements == 0) continue;
        result.memory += (result.memory.empty() ? "\"" : ", \"") + result.names.back() + "\": (" +
                         std::to_string(array.elements) + ", " +
                         std::to_string(bytes_per_element(array.elem)) +
                         (array.zeroed ? ", True)" : ", False)");
    }
    return result;
}

// "- Q: bfloat16 [4096, 128]"
std::string documentation(const std::vector<HandedArray>& inputs, const std::vector<HandedArray>& outputs,
                          const std::string& indent) {
    std::string text;
    for (const auto* arrays : {&inputs, &outputs})
        for (const HandedArray& array : *arrays)
            text += (text.empty() ? "" : "\n") + indent + "- " + array.name + ": " + torch_type(array.elem) +
                    " " + tuple_text(array.shape) + (arrays == &outputs ? ", the result" : "");
    return text;
}

// The first sentence of the program's comment, or its file. Nothing in it may end a Python string.
std::string summary(const Handover& handover) {
    std::string text = handover.program->comment.empty()
                           ? "Fused kernels of " + plain_name(handover.file) + "."
                           : handover.program->comment.front();
    std::erase_if(text, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; });
    text.erase(0, text.find_first_not_of(' ') == std::string::npos ? 0 : text.find_first_not_of(' '));
    return text.empty() ? "Fused kernels." : text;
}

Words words_of(const Handover& handover, const std::string& name, const CppSource& cpp) {
    std::vector<std::string> given, made;
    for (const ArrayOp& op : handover.program->ops)
        if (op.kind == ArrayOpKind::Input && op.source == InputSource::Array) given.push_back(op.name);
    for (const ArrayOutput& output : handover.program->outputs) made.push_back(output.name);
    const std::vector<HandedArray> inputs = in_order(cpp.inputs, given),
                                   outputs = in_order(cpp.outputs, made);
    std::vector<std::string> cpu = names_of(cpp.inputs);
    for (const std::string& output : names_of(cpp.outputs)) cpu.push_back(output);
    const bool has_cuda = static_cast<bool>(handover.cuda);
    const CudaArrays cuda = has_cuda ? cuda_arrays(*handover.cuda) : CudaArrays{};
    std::string notes;
    if (!has_cuda)
        notes = "\nThere is no CUDA here: " + handover.cuda.problems().front().message.str() + ".\n";
    return {
        {"NAME", name},
        {"QUOTED", quoted_name(plain_name(handover.file))},
        {"STATE", handover.state},
        {"SUMMARY", summary(handover)},
        {"LISTING", listing(handover.kernels)},
        {"PARAMETERS", as_python(names_of(inputs))},
        {"RESULTS", as_python(names_of(outputs))},
        {"INPUTS", rows_text(inputs)},
        {"OUTPUTS", rows_text(outputs)},
        {"DOCUMENTATION", documentation(inputs, outputs, "")},
        {"TOLERANCE", tolerance_of(handover, cpp)},
        {"CPU_ARRAYS", list_text(cpu)},
        {"CUDA_ARRAYS", list_text(cuda.names)},
        {"CUDA_MEMORY", cuda.memory},
        {"CUDA_TARGET", has_cuda ? "\"" + to_string(handover.cuda->target) + "\"" : "None"},
        {"CUDA", has_cuda ? "on a card " + name + ".cu, by nvcc." : "CUDA there is none."},
        {"CUDA_FILE", has_cuda ? "- `" + name + ".cu`: the same for cards, as for `" +
                                     to_string(handover.cuda->target) + "`, compiled by nvcc\n"
                               : ""},
        {"CUDA_TESTED", has_cuda ? " **The CUDA was never run on a card**: its kernels are checked by "
                                   "emulation, and that\nnvcc takes the file. Run `check.py` on your card "
                                   "before you use it, and tell us if it says `WRONG`."
                                 : ""},
        {"NOTES", notes}};
}

}  // namespace

std::string handed_name(const std::string& file) {
    std::string name;
    for (const char c : std::filesystem::path(file).stem().string())
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name = "program_" + name;
    const bool taken = name == "blocks" || python_name(name) != name || is_python_module(name);
    return taken ? name + "_fused" : name;
}

std::optional<Problem> not_to_overwrite(const std::filesystem::path& folder,
                                        const std::vector<HandedFile>& files) {
    std::ifstream readme(folder / "README.md");
    const std::string known((std::istreambuf_iterator<char>(readme)), std::istreambuf_iterator<char>());
    if (known.find(kMark) != std::string::npos) return std::nullopt;
    for (const HandedFile& file : files) {
        std::error_code failed;
        if (std::filesystem::exists(folder / file.name, failed))
            return Problem{{},
                           Text("%1 has a file %2 that was not written here; choose another folder",
                                folder.string(), file.name)};
    }
    return std::nullopt;
}

Result<std::vector<HandedFile>> handover_files(const Handover& handover) {
    const std::string name = handed_name(handover.file);
    const Result<CppSource> cpp = cpp_source(handover.kernels.loops(), name);
    if (!cpp) return cpp.problems();
    const Result<std::string> reference = torch_reference(*handover.program);
    if (!reference) return reference.problems();
    const Words words = words_of(handover, name, *cpp);
    std::vector<HandedFile> files = {{name + ".py", filled_in(kModule, words)},
                                     {name + ".cpp", cpp->text},
                                     {"blocks.h", kBlocks},
                                     {"reference.py", *reference},
                                     {"operators.py", kOperators},
                                     {"check.py", filled_in(kCheck, words)},
                                     {"bench.py", filled_in(kBench, words)},
                                     {"README.md", filled_in(kReadme, words)}};
    if (handover.cuda) files.push_back({name + ".cu", cuda_library(*handover.cuda, name)});
    return files;
}

}  // namespace blockscope::gpu
