# Completion for fish.
set -l commands fuse matches apply why cost check rules convert replay
set -l none "not __fish_seen_subcommand_from $commands"
set -l view "__fish_seen_subcommand_from fuse apply replay"
set -l at "__fish_seen_subcommand_from apply matches why"
set -l rules 1 2 3 4 5 6 6a 6b 6c 7 7a 7b 7c 8 8s 9

complete -c blockscope-cli -n $none -f -a fuse -d 'Run the fusion algorithm and show its steps'
complete -c blockscope-cli -n $none -f -a matches -d 'List every place where a rule applies'
complete -c blockscope-cli -n $none -f -a apply -d 'Apply rules by hand'
complete -c blockscope-cli -n $none -f -a why -d 'Say why a rule does not apply'
complete -c blockscope-cli -n $none -f -a cost -d 'Count what the states of a run move, compute and keep'
complete -c blockscope-cli -n $none -f -a check -d 'Report all problems of a file'
complete -c blockscope-cli -n $none -f -a rules -d 'List the rules, or explain one'
complete -c blockscope-cli -n $none -f -a convert -d 'Write a program in another form'
complete -c blockscope-cli -n $none -f -a replay -d 'Repeat a trace and show it'
complete -c blockscope-cli -n $none -l version -d 'Print the version'
complete -c blockscope-cli -s h -l help -d 'Say what is possible'
complete -c blockscope-cli -n "__fish_seen_subcommand_from $commands" -l json -d 'Print one JSON object'

complete -c blockscope-cli -n $view -x -l step -d 'Show the state after this step'
complete -c blockscope-cli -n $view -x -l snapshot -d 'Show the state at this snapshot'
complete -c blockscope-cli -n $view -l all -d 'Show every state'
complete -c blockscope-cli -n $view -x -l format -a 'listing text dot json' -d 'Print only the state'
complete -c blockscope-cli -n $view -l safe -d 'Show the numerically safe form'
complete -c blockscope-cli -n $view -l per-block -d 'One exponent per block'
complete -c blockscope-cli -n $view -l prove -d 'Prove every step'
complete -c blockscope-cli -n $view -l no-prove -d 'Do not prove'
complete -c blockscope-cli -n $view -x -l seed -d 'The random inputs of the proof'
complete -c blockscope-cli -n $at -x -l at -d 'Look at the state after this many steps'
complete -c blockscope-cli -n '__fish_seen_subcommand_from apply' -l then-fuse -d 'Run the algorithm on to the end'
complete -c blockscope-cli -n '__fish_seen_subcommand_from matches' -x -l rule -a "$rules" -d 'Only this rule'
complete -c blockscope-cli -n '__fish_seen_subcommand_from matches' -x -l dim -d 'Only maps over this dimension'
complete -c blockscope-cli -n '__fish_seen_subcommand_from matches' -x -l path -d 'Only in this graph'
complete -c blockscope-cli -n '__fish_seen_subcommand_from cost' -x -l step -d 'Of the state after this step'
complete -c blockscope-cli -n '__fish_seen_subcommand_from cost' -l safe -d 'Of the numerically safe forms'
complete -c blockscope-cli -n '__fish_seen_subcommand_from cost' -x -l set -d 'Another size: NAME=SIZE/BLOCK'
complete -c blockscope-cli -n '__fish_seen_subcommand_from cost' -l csv -d 'Comma-separated values'
complete -c blockscope-cli -n '__fish_seen_subcommand_from rules' -f -a "$rules"
complete -c blockscope-cli -n '__fish_seen_subcommand_from convert' -x -l to -a 'text json block-json' -d 'The form'
complete -c blockscope-cli -n '__fish_seen_subcommand_from convert' -r -s o -l output -d 'Write to this file'
