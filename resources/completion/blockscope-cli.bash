# Completion for bash.
_blockscope_cli() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac
    done
    local rules="1 2 3 4 5 6 6a 6b 6c 7 7a 7b 7c 8 8s 9"
    local view="--step --snapshot --all --format --safe --per-block --prove --no-prove --seed --json --help"
    local measuring="--on --host --snapshot --step --set --type --safe --unsafe --target --block-threads --stages --threads --seed --range --samples --seconds --cap --results --no-results --csv --json --help"
    local choices=""
    case $before in
        --format)
            case $command in
                render) choices="svg pdf png tex dot json" ;;
                export) choices="svg pdf" ;;
                *) choices="listing text dot json" ;;
            esac
            ;;
        --theme) choices="light dark" ;;
        --view) choices="block circuit pseudocode clocks levels" ;;
        --circuit) if [ "$command" = render ]; then choices="state program model algorithm levels"; fi ;;
        --numbers) choices="formulas counts none" ;;
        --combine) choices="workspace atomics" ;;
        --type) choices="f32 tf32 bf16 f16 e4m3 e5m2" ;;
        --model) choices="roofline mcfuser fusion-benefit blockscope all" ;;
        --as) choices="strip html document" ;;
        --target) choices="f32 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_120" ;;
        --to) choices="text json block-json" ;;
        --rule) choices=$rules ;;
        --set | --device | --processors | --same | --memory | --multiple | --derive | --on | --host | --threads | --samples | --seconds | --cap | --baseline | --top | --scale | --fold | --fold-map | --node | --caption | --width | --repeat | --step | --snapshot | --seed | --at | --dim | --path | --link | --rows | --stream | --stream-size | --symbol | --warpgroups | --special-overhead | --vector-overhead) COMPREPLY=(); return ;;
        --overlap) choices="inter intra" ;;
        -o | --output | --results) choices="" ;;
        *)
            case $command in
                "") choices="fuse matches apply why cost devices optimum analyze check rules convert replay codegen render export run bench tune calibrate diagnostics worker --help --version" ;;
                fuse | replay) choices=$view ;;
                apply) choices="--at --then-fuse $view" ;;
                matches) choices="--at --rule --dim --path --json --help" ;;
                why) choices="--at --json --help $rules" ;;
                analyze) choices="--device --step --snapshot --set --same --memory --link --rows --stream --stream-size --symbol --type --fragments --warpgroups --overlap --special-overhead --vector-overhead --circuit --json --help" ;;
                optimum) choices="--step --snapshot --set --same --memory --device --multiple --json --help" ;;
                cost) choices="--step --snapshot --device --model --processors --safe --execute --set --csv --derive --json --help" ;;
                devices) choices="--csv --json --help" ;;
                check) choices="--json --help" ;;
                rules) choices="--json --help $rules" ;;
                render) choices="--step --snapshot --view --circuit --numbers --width --repeat --device --rows --stream --stream-size --symbol --type --fragments --warpgroups --overlap --special-overhead --vector-overhead --format --scale --theme --transparent --fold --fold-map --node --types --legend --caption -o --output --json --help" ;;
                export) choices="--as --format --snapshots --theme -o --output --json --help" ;;
                run) choices="--no-cold $measuring" ;;
                bench) choices="--baseline $measuring" ;;
                tune) choices="--top --no-cold $measuring" ;;
                calibrate) choices="--on --host -o --output --csv --json --help" ;;
                diagnostics | worker) choices="--json --help" ;;
                codegen) choices="--step --snapshot --target --tf32 --type --parts --combine --block-threads --stages --unsafe --set -o --output --json --help" ;;
                convert) choices="--to -o --output --json --help" ;;
            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    case $command:$word in
        :* | rules:* | calibrate:* | diagnostics:* | worker:* | *:-*) ;;
        *) case $before in --format | --target | --to | --rule | --theme | --type | --as | --model | --overlap) ;; *) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;; esac ;;
    esac
}
complete -o filenames -F _blockscope_cli blockscope-cli
