"""Draws docs/images/hall.svg, the picture at the top of the README, from views of real positions.

python docs/images/draw_hall.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dicehall import find_game, view

# [row, column] on a 3x3 grid, as the classic game's notes lay the pips out
PIPS = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)),
}
TEXT, SOFT, EDGE, PLAY, PLAY_EDGE, PLAY_INK = "#333", "#666", "#ccc", "#e8f5e9", "#4caf50", "#2e7d32"
POSITIONS: tuple[tuple[str, dict[str, bool | int | str], str], ...] = (
    ("lite-solo", {}, "55./6.2/... 5 -"),
    ("knucklebones", {}, "33/2/1 55/4/626 0 4"),
    ("farkle", {}, "3450 0 8 200 [222]156 selected -"),
    ("shut-the-box", {}, "1234.67.9 65 0 2 11 - -"),
)
CARD, GAP, HEIGHT = 270, 20, 330


def tag(name: str, text: object = "", **attributes: object) -> str:
    pairs = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name} {pairs}>{text}</{name}>" if text != "" else f"<{name} {pairs}/>"


def rect(x: float, y: float, w: float, h: float, fill: str, stroke: str, **more: object) -> str:
    radius = round(min(w, h) * 0.18, 1)
    return tag("rect", x=x, y=y, width=round(w, 1), height=h, rx=radius, fill=fill, stroke=stroke, **more)


def words(x: float, y: float, text: object, size: int = 14, fill: str = TEXT, **more: object) -> str:
    return tag("text", text, x=x, y=y, font_size=size, fill=fill, **more) if text != "" else ""


def die(x: float, y: float, value: int, size: float, ring: bool = False) -> str:
    pips = [
        tag(
            "circle",
            cx=round(x + size * (0.26 + 0.24 * column), 1),
            cy=round(y + size * (0.26 + 0.24 * row), 1),
            r=round(size * 0.085, 1),
            fill=TEXT,
        )
        for row, column in PIPS[value]
    ]
    return rect(x, y, size, size, "#fff", PLAY_EDGE if ring else EDGE, stroke_width=2.5 if ring else 1) + "".join(pips)


def lite(shown: dict[str, Any], x: float, y: float) -> str:
    seat, size, out = shown["seats"][0], 52, ""
    for row, cells in enumerate(seat["board"]):
        for column, value in enumerate(cells):
            left, top = x + column * 60, y + row * 60
            best = (row, column) == (0, 2)
            out += (
                die(left, top, value, size)
                if value
                else rect(left, top, size, size, PLAY, PLAY_EDGE, stroke_dasharray="4 4")
            )
            if best:
                out += rect(left, top, size, size, PLAY, PLAY_EDGE, stroke_width=2.5)
        score = shown["moves"][0]["row_score"] if row == 0 else seat["rows"][row]
        ink = PLAY_INK if row == 0 else TEXT
        out += words(x + 225, y + row * 60 + 26, score["score"] or "", 19, ink, font_weight=650, text_anchor="end")
        out += words(
            x + 225,
            y + row * 60 + 44,
            f"{score['base']} × {score['multiplier']}" if score["score"] else "",
            12,
            SOFT,
            text_anchor="end",
        )
    return out + die(x, y + 196, shown["die"], 40) + words(x + 54, y + 221, "c1 makes a triple: 45")


def bones(shown: dict[str, Any], x: float, y: float) -> str:
    out = ""
    for grid, top in ((1, y), (0, y + 118)):
        for column, dice in enumerate(shown["seats"][grid]["columns"]):
            for slot in range(3):
                row = slot if grid == 0 else 2 - slot
                left, up = x + 38 + column * 56, top + row * 36
                if slot < len(dice):
                    out += die(left, up, dice[slot], 32, dice.count(dice[slot]) > 1)
                else:
                    out += rect(
                        left, up, 32, 32, PLAY if grid == 0 and column == 1 else "none", EDGE, stroke_dasharray="4 4"
                    )
    out += tag("line", x1=x + 20, x2=x + 210, y1=y + 112, y2=y + 112, stroke=EDGE)
    return out + words(x, y + 244, "4 in column 2 breaks their 4")


def farkle(shown: dict[str, Any], x: float, y: float) -> str:
    out = words(x, y + 18, shown["seats"][0]["banked"], 26, TEXT, font_weight=650) + words(
        x + 225, y + 18, f"at stake {shown['turn_total']}", 14, SOFT, text_anchor="end"
    )
    for number, one in enumerate(shown["dice"]):
        left, top = x + number % 3 * 76, y + 44 + number // 3 * 76
        if one["locked"]:
            out += rect(left - 6, top - 6, 70, 70, PLAY, PLAY_EDGE)
        out += die(left, top, one["value"], 58)
    risk = shown["risk"]
    share = risk["ways"] / risk["of"]
    out += rect(x, y + 206, 225, 8, "#e0e0e0", "none") + rect(x, y + 206, 225 * share, 8, "#b3541e", "none")
    return out + words(x, y + 236, f"3 dice: a farkle in {share:.0%} of rolls")


def box(shown: dict[str, Any], x: float, y: float) -> str:
    out = words(x, y + 18, shown["open_sum"], 26, TEXT, font_weight=650) + words(
        x + 225, y + 18, f"round {shown['round']} of {shown['rounds']}", 14, SOFT, text_anchor="end"
    )
    for number, tile in enumerate(shown["tiles"]):
        left, top = x + number % 5 * 46, y + 40 + number // 5 * 70
        chosen = tile["number"] in (7, 4)
        if tile["open"]:
            out += rect(left, top, 40, 60, PLAY_EDGE if chosen else "#fff", PLAY_EDGE if chosen else EDGE)
            out += words(
                left + 20,
                top + 38,
                tile["number"],
                20,
                "#0d2410" if chosen else TEXT,
                font_weight=650,
                text_anchor="middle",
            )
        else:
            out += rect(left, top + 34, 40, 26, "none", EDGE, stroke_dasharray="4 4")
            out += words(left + 20, top + 52, tile["number"], 13, SOFT, text_anchor="middle")
    out += die(x, y + 196, shown["dice"][0], 40) + die(x + 48, y + 196, shown["dice"][1], 40)
    return out + words(x + 102, y + 221, "eleven: 7 + 4")


DRAW = {"lite-solo": lite, "knucklebones": bones, "farkle": farkle, "shut-the-box": box}


def main() -> None:
    width, height = len(POSITIONS) * (CARD + GAP) + GAP, HEIGHT + 2 * GAP
    out = [tag("rect", width=width, height=height, fill="#fafafa")]
    for number, (game_id, options, text) in enumerate(POSITIONS):
        game = find_game(game_id)
        shown = view(game, game.read_state(game.make_options(options), text), 0)
        x = GAP + number * (CARD + GAP)
        out.append(tag("rect", x=x, y=GAP, width=CARD, height=HEIGHT, rx=22, fill="#fff", stroke="#e0e0e0"))
        out.append(words(x + 22, GAP + 36, game.title, 17, TEXT, font_weight=650))
        out.append(DRAW[game_id](shown, x + 22, GAP + 64))
    picture = tag(
        "svg",
        "\n".join(out),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        font_family="Inter, system-ui, sans-serif",
        role="img",
        aria_label="Four of the five games in mid-run",
    )
    (Path(__file__).parent / "hall.svg").write_text(picture + "\n")


if __name__ == "__main__":
    main()
