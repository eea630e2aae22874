// What the page Tilings says.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

#include "app/tilings/tilings_study.h"

namespace blockscope {

QString whole_text(std::int64_t number);   // "109,051,904"
QString dropped_share_text(double share);  // "80.8%"
QString tilings_bytes_text(double bytes);

// Why there is no space, and which programs have one.
QString no_chain_text(const QString& why);

QString workload_title(const std::string& name);  // "G3: M=512 N=256 K=64 H=256"; of none: the program
QString expression_title(const tilings::Space& space, int expression);                    // "mhnk"
QString tiles_text(const tilings::Space& space, const std::vector<std::int64_t>& tiles);  // "m=32 n=64"
QString candidate_title(const RankedSpace& ranked, int candidate);

// "attention on NVIDIA A100: 26 expressions, 24 deep and 2 flat; ..."
QString space_text(const RankedSpace& ranked, const QString& name);
QString whole_space_text(const tilings::Space& space);  // "26 · 32 · 16 · 4 · 4 = 212,992"
QString funnel_rule_title(int rule);                    // 0: the whole space
// Which tiles of each loop rule 3 keeps, one a line.
QStringList tile_sizes_text(const tilings::Space& space);
// What the paper says a rule does in its example; of the whole space the size.
QString paper_text(int rule);
QString paper_help(int rule);

QString rule_of_expression(const tilings::Space& space, int expression);  // empty: it is kept
QString stage_title(tilings::Stage stage);
QString matched_state_text(const tilings::MatchedState& state);
QString built_program_text(const tilings::BuiltProgram& built);

// The estimate of a candidate statement by statement, and how its parts make up the time.
QString candidate_details(const RankedSpace& ranked, int candidate);

QString round_text(const RankedSpace& ranked, const tilings::Search& search, std::size_t round);
QString search_text(const RankedSpace& ranked, const tilings::Search& search);
QString ranking_text(const tilings::Ranking& ranking);

}  // namespace blockscope
