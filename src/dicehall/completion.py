"""What makes bash and zsh complete `dicehall`: commands, their options, the games. `dicehall completion` prints it.

The parser knows all of it, so it is written once; a game of another package is in it if it was installed before.
"""

from __future__ import annotations

import argparse
from typing import Final

from dicehall.rules.catalog import GAMES

SCRIPT: Final = """\
# dicehall's completion, for bash and zsh: eval "$(dicehall completion)"
[ -n "${ZSH_VERSION:-}" ] && autoload -Uz compinit bashcompinit && compinit -i && bashcompinit
_dicehall() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" longer="" words="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        longer="${command:+$command }${COMP_WORDS[i]}"
        case "$longer" in
            @commands@) command="$longer" ;;
        esac
    done
    case "$command" in
@words@
    esac
    case "$before" in
@values@
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _dicehall dicehall
"""


def completion(parser: argparse.ArgumentParser) -> str:
    """The script for what `parser` takes. Where nothing of it fits, the shell completes the name of a file."""
    words: dict[str, list[str]] = {}
    values: dict[str, list[str]] = {}
    _collect("", parser, words, values)
    return (
        SCRIPT.replace("@commands@", " | ".join(f'"{name}"' for name in words if name))
        .replace("@words@", "\n".join(f'        "{name}") words="{" ".join(some)}" ;;' for name, some in words.items()))
        .replace("@values@", "\n".join(f'        {name}) words="{" ".join(some)}" ;;' for name, some in values.items()))
    )


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
            values |= {name: [str(one) for one in action.choices or ()] for name in action.option_strings}
