"""What makes bash and zsh complete `dicehall`: commands, their options, the games. `dicehall completion` prints it.

The parser knows all of it, and the games know their options, players and objectives, so it is written once; a game of
another package is in it if it was installed before.
"""

from __future__ import annotations

import argparse
from typing import Final

from dicehall.bots.catalog import catalog_entry
from dicehall.bots.seats import YOU
from dicehall.coach.protocol import find_coach
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.options import option_text

SCRIPT: Final = """\
# dicehall's completion, for bash and zsh: eval "$(dicehall completion)"
[ -n "${ZSH_VERSION:-}" ] && autoload -Uz compinit bashcompinit && compinit -i && bashcompinit
_dicehall() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="" command="" longer="" words="" i
    local game="" key="" first=""
    for ((i = 1; i < COMP_CWORD; i++)); do
        longer="${command:+$command }${COMP_WORDS[i]}"
        case "$longer" in
            @commands@) command="$longer" ;;
        esac
        case "${COMP_WORDS[i]}" in
            @games@) game="${COMP_WORDS[i]}" ;;
        esac
    done
    # K=V, NAME:N and --NAME=VALUE are three words to bash; what stands before the last is the key
    i=$COMP_CWORD
    case "$word" in [=:]) word="" i=$((i + 1)) ;; esac
    before="${COMP_WORDS[i-1]}"
    while [ "$before" = "=" ] || [ "$before" = ":" ]; do
        key="${COMP_WORDS[i-2]}$before$key"
        i=$((i - 2))
        before="${COMP_WORDS[i-1]}"
    done
    case "$key" in --*) before="${key%%=*}" key="${key#*=}" ;; esac
    case "$command" in
@words@
    esac
    case "$command $before" in
@values@
    esac
    [ -z "$words" ] && case "$game $before" in
@of_games@
    esac
    # A,B: only the last of them
    case "$before $word" in
        "--seats "*,*) first="${word%,*}," key="" ;;
        "--seats "*) key="${key##*,}" ;;
    esac
    longer=""
    for i in $(compgen -W "$words" -- "$key${word#"$first"}"); do longer="$longer $first${i#"$key"}"; done
    COMPREPLY=($(compgen -W "$longer" -- "$word"))
    case "${COMPREPLY[*]}" in *[=:]) compopt -o nospace 2>/dev/null ;; esac
    return 0
}
complete -o default -F _dicehall dicehall
"""


def completion(parser: argparse.ArgumentParser) -> str:
    """The script for what `parser` takes. Where nothing of it fits, the shell completes the name of a file."""
    words: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    _collect("", parser, words, values)
    of_games = {f'"{name} {option}"': some for name, game in GAMES.items() for option, some in _of(game).items()}
    for option in ("--preset", "--option", "--objective", "--seats"):  # before a game is named, of any
        every = [word for game in GAMES.values() for word in _of(game)[option]]
        of_games[f'" {option}"'] = list(dict.fromkeys(every))
    return (
        SCRIPT.replace("@commands@", " | ".join(f'"{name}"' for name in words if name))
        .replace("@games@", " | ".join(f'"{name}"' for name in GAMES))
        .replace("@words@", _cases({f'"{name}"': some for name, some in words.items()}))
        .replace("@values@", _cases(values))
        .replace("@of_games@", _cases(of_games))
    )


def _cases(words: dict[str, list[str]]) -> str:
    return "\n".join(f'        {name}) words="{" ".join(some)}" ;;' for name, some in words.items())


def _of(game: AnyGame) -> dict[str, list[str]]:
    """The values of options that depend on the game. Where a number belongs into one, it ends before that."""
    entry, coach = catalog_entry(game), find_coach(game.id)
    options: list[str] = []
    for option in entry["options"]:
        values = [""] if isinstance(option["values"], dict) else map(option_text, option["values"])
        options += [f"{option['name']}={value}" for value in values]
    objectives = [one.text.removesuffix("N") for one in coach.OBJECTIVES] if coach else []
    return {
        "--preset": [*game.presets],
        "--option": options,
        "--objective": [text for text in objectives if "<" not in text],  # which the shell would take for its own
        "--seats": [YOU, *(name.removesuffix("N") for name in entry["players"])],
    }


def _collect(
    command: str, parser: argparse.ArgumentParser, words: dict[str, list[str]], values: dict[str, list[str]]
) -> None:
    """Gather the words that may follow `command`, and the commands inside it; and the values that an option takes."""
    mine = words[command] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            mine += action.choices
            for name, inner in action.choices.items():
                _collect(f"{command} {name}".lstrip(), inner, words, values)
        elif action.metavar == "GAME":
            mine += GAMES
        mine += action.option_strings
        if action.nargs != 0:
            some = [str(one) for one in action.choices or ()]
            values |= {f'"{command} {name}"': some for name in action.option_strings}
