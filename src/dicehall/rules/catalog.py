"""The games, by id and rules version. A version that was ever released stays here, so old records replay.

Beside the five of the hall there are those of other packages. A package offers one by an entry point of the group
`dicehall.games`, which names a module with the rules (see `dicehall.rules.game.Rules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, overload

from dicehall.errors import InvalidOption, excerpt
from dicehall.rules import farkle, farkle_state, knucklebones, lite_solo, lite_versus, shut_the_box, shut_the_box_state
from dicehall.rules.game import Game, Rules

AnyGame = Game[Any, Any, Any]

# What a type checker knows of a game whose id stands in the code: its states, its moves, its options.
LiteSolo = Game[lite_solo.State, lite_solo.Move, lite_solo.Options]
LiteVersus = Game[lite_versus.State, lite_versus.Move, lite_versus.Options]
Farkle = Game[farkle.State, farkle_state.Move, farkle.Options]
ShutTheBox = Game[shut_the_box.State, shut_the_box_state.Move, shut_the_box.Options]
Knucklebones = Game[knucklebones.State, knucklebones.Move, knucklebones.Options]

LITE_SOLO: Final[LiteSolo] = Game(lite_solo)
LITE_VERSUS: Final[LiteVersus] = Game(lite_versus)
FARKLE: Final[Farkle] = Game(farkle)
SHUT_THE_BOX: Final[ShutTheBox] = Game(shut_the_box)
KNUCKLEBONES: Final[Knucklebones] = Game(knucklebones)

GROUP: Final = "dicehall.games"
PARTS: Final = tuple(part for part in vars(Rules) if not part.startswith("_"))  # of a rule module


class Catalog(Mapping[str, AnyGame]):
    """Games by id, the hall's `own` first, in the order in which it shows them. Those of other packages are looked for
    when somebody asks for more than the own ones, because that takes longer than to import all of dicehall."""

    def __init__(self, *own: AnyGame) -> None:
        self.own = {game.id: game for game in own}
        self._all: dict[str, AnyGame] | None = None

    def __getitem__(self, game_id: str) -> AnyGame:
        return self.own[game_id] if game_id in self.own else self._everything()[game_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._everything())

    def __len__(self) -> int:
        return len(self._everything())

    def _everything(self) -> dict[str, AnyGame]:
        if self._all is None:
            found, brought_by = dict(self.own), dict.fromkeys(self.own, "dicehall")
            for package, game in _installed():
                if game.id in found:
                    both = f"{brought_by[game.id]} and {package}"
                    raise InvalidOption("game", f"two packages, {both}, have a game {game.id}; uninstall one of them")
                found[game.id], brought_by[game.id] = game, package
            self._all = found
        return self._all


def _installed() -> Iterator[tuple[str, AnyGame]]:
    """The games of other packages, each with the package's name, by the names of their entry points."""
    from importlib.metadata import entry_points

    for found in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        try:
            module = found.load()
            if missing := [part for part in PARTS if not hasattr(module, part)]:
                raise InvalidOption("game", f"it has no {', '.join(missing)}")
            yield found.dist.name if found.dist else found.value, Game(module)
        except (ImportError, AttributeError, InvalidOption) as error:
            package = f"; uninstall {found.dist.name}, or mend it" if found.dist else ""
            raise InvalidOption("game", f"{found.value} of another package is no game: {error}{package}") from error


GAMES: Final = Catalog(LITE_SOLO, LITE_VERSUS, FARKLE, SHUT_THE_BOX, KNUCKLEBONES)
EARLIER_RULES: dict[tuple[str, int], AnyGame] = {}


@overload
def find_game(game_id: Literal["lite-solo"], rules: None = None) -> LiteSolo: ...
@overload
def find_game(game_id: Literal["lite-versus"], rules: None = None) -> LiteVersus: ...
@overload
def find_game(game_id: Literal["farkle"], rules: None = None) -> Farkle: ...
@overload
def find_game(game_id: Literal["shut-the-box"], rules: None = None) -> ShutTheBox: ...
@overload
def find_game(game_id: Literal["knucklebones"], rules: None = None) -> Knucklebones: ...
@overload
def find_game(game_id: str, rules: int | None = None) -> AnyGame: ...
def find_game(game_id: str, rules: int | None = None) -> AnyGame:
    """The game of that id, under today's rules or under an earlier version of them."""
    game = GAMES.get(game_id) if isinstance(game_id, str) else None
    if game is None:
        raise InvalidOption("game", f"there is no game {excerpt(game_id)}; games: {', '.join(GAMES)}")
    if rules is None or (type(rules) is int and rules == game.version):
        return game
    earlier = EARLIER_RULES.get((game_id, rules)) if type(rules) is int else None
    if earlier is None:
        raise InvalidOption("rules", f"{game_id} has no rules version {excerpt(rules)}")
    return earlier
