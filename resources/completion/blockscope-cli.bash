# Completion for bash.
_blockscope_cli() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac
    done
    local rules="1 2 3 4 5 6 6a 6b 6c 7 7a 7b 7c 8 8s 9"
    local view="--step --snapshot --all --format --safe --per-block --prove --no-prove --seed --json --help"
    local choices=""
    case $before in
        --format)
            case $command in
                render) choices="svg pdf png dot json" ;;
                export) choices="svg pdf" ;;
                *) choices="listing text dot json" ;;
            esac
            ;;
        --theme) choices="light dark" ;;
        --as) choices="strip html document" ;;
        --to) choices="text json block-json" ;;
        --rule) choices=$rules ;;
        --set | --scale | --fold | --caption | --step | --snapshot | --seed | --at | --dim | --path) COMPREPLY=(); return ;;
        -o | --output) choices="" ;;
        *)
            case $command in
                "") choices="fuse matches apply why cost check rules convert replay render export --help --version" ;;
                fuse | replay) choices=$view ;;
                apply) choices="--at --then-fuse $view" ;;
                matches) choices="--at --rule --dim --path --json --help" ;;
                why) choices="--at --json --help $rules" ;;
                cost) choices="--step --safe --set --csv --json --help" ;;
                check) choices="--json --help" ;;
                rules) choices="--json --help $rules" ;;
                render) choices="--step --snapshot --format --scale --theme --transparent --fold --legend --caption -o --output --json --help" ;;
                export) choices="--as --format --snapshots --theme -o --output --json --help" ;;
                convert) choices="--to -o --output --json --help" ;;
            esac
            ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    case $command:$word in
        :* | rules:* | *:-*) ;;
        *) case $before in --format | --to | --rule | --theme | --as) ;; *) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;; esac ;;
    esac
}
complete -o filenames -F _blockscope_cli blockscope-cli
